// The check of a definition's numbers and names one by one: it may have come off the wire.
#include "track/definition/def_check.h"

#include <string.h>

#include "track/definition/range_checks.h"
#include "track/definition/terrain_check.h"

// The most that may stand up on the road itself: a wheel climbs no more.
#define BUMP_M_MAX 0.2

// Strings may come off the wire, where nobody promises the final zero.
static bool terminated(const char *text, size_t bytes) {
    return memchr(text, 0, bytes) != NULL;
}

static bool plain_name(const char *name) {
    if (!terminated(name, APEX_NAME_BYTES) || name[0] == '\0') {
        return false;
    }
    for (const char *at = name; *at; at++) {
        if (!(*at >= 'a' && *at <= 'z') && !(*at >= '0' && *at <= '9') && *at != '-') {
            return false;
        }
    }
    return true;
}

#define CHECK_NAME(value, path)                                                      \
    if (!plain_name(value)) {                                                        \
        return track_refuse(problem, path ": a name is 1 to %d of a-z, 0-9 and '-'", \
                            APEX_NAME_BYTES - 1);                                    \
    }

#define CHECK_ITEM(value, low, high, path, index)                                             \
    if (!apex_is_within((value), (low), (high))) {                                            \
        return track_refuse(problem, path ": %g is outside %g..%g", (index), (double)(value), \
                            (double)(low), (double)(high));                                   \
    }

// Of the `index`th of a list, whose path has a place for its number.
#define CHECK_MEMBER(owner, item, member, path, index) \
    CHECK_PAIR((item)->member, APEX_RANGE(owner, member), path "." #member, index)
#define CHECK_PAIR(...) CHECK_ITEM(__VA_ARGS__)

#define CHECK_ITEM_NAME(value, path, index)                                                   \
    if (!plain_name(value)) {                                                                 \
        return track_refuse(problem, path ": a name is 1 to %d of a-z, 0-9 and '-'", (index), \
                            APEX_NAME_BYTES - 1);                                             \
    }

static apex_err check_head(const apex_track_def *def, apex_def_problem *problem) {
    CHECK_NAME(def->name, "name")
    if (!terminated(def->title, sizeof def->title)) {
        return track_refuse(problem, "title: longer than %d", APEX_TITLE_BYTES - 1);
    }
    if (!terminated(def->author, sizeof def->author)) {
        return track_refuse(problem, "author: longer than %d", APEX_TITLE_BYTES - 1);
    }
    CHECK_NAME(def->road_surface, "road_surface")
    CHECK_NAME(def->outside_surface, "outside_surface")
    CHECK_NAME(def->verge_surface, "verge_surface")
    TRACK_CHECK_MEMBER(apex_track_def, def, verge_m, "")
    TRACK_CHECK_MEMBER(apex_track_grid, &def->grid, first_m, "grid.")
    TRACK_CHECK_MEMBER(apex_track_grid, &def->grid, spacing_m, "grid.")
    TRACK_CHECK_MEMBER(apex_track_grid, &def->grid, columns, "grid.")
    TRACK_CHECK_MEMBER(apex_track_grid, &def->grid, column_gap_m, "grid.")
    if (def->grid.pole_side != APEX_SIDE_LEFT && def->grid.pole_side != APEX_SIDE_RIGHT) {
        return track_refuse(problem, "grid.pole_side: pole is on the left or on the right");
    }
    return APEX_OK;
}

static apex_err check_counts(const apex_track_def *def, apex_def_problem *problem) {
    bool open_terrain = track_has_terrain(def) && def->point_count == 0;
    if (!open_terrain) {
        TRACK_CHECK_RANGE(def->point_count, def->closed ? 3 : 2, APEX_TRACK_POINTS_MAX, "points")
    }
    TRACK_CHECK_RANGE(def->surface_count, 0, APEX_SURFACES_MAX, "surfaces")
    TRACK_CHECK_RANGE(def->material_count, 0, APEX_WALL_MATERIALS_MAX, "materials")
    TRACK_CHECK_RANGE(def->strip_count, 0, APEX_TRACK_STRIPS_MAX, "strips")
    TRACK_CHECK_RANGE(def->wall_count, 0, APEX_TRACK_WALLS_MAX, "walls")
    TRACK_CHECK_RANGE(def->free_wall_count, 0, APEX_TRACK_WALLS_MAX, "free_walls")
    TRACK_CHECK_RANGE(def->post_count, 0, APEX_TRACK_POSTS_MAX, "posts")
    // The last sector ends at the line, without a mark of its own.
    TRACK_CHECK_RANGE(def->sector_count, 0, APEX_TRACK_SECTORS_MAX - 1, "sector_m")
    if (def->points == NULL && !open_terrain) {
        return track_refuse(problem, "points: there are none");
    }
    if (def->free_wall_count > 0 && def->free_walls == NULL) {
        return track_refuse(problem, "free_walls: there are none");
    }
    if (def->post_count > 0 && def->posts == NULL) {
        return track_refuse(problem, "posts: there are none");
    }
    return APEX_OK;
}

static apex_err check_points(const apex_track_def *def, apex_def_problem *problem) {
    for (uint32_t i = 0; i < def->point_count; i++) {
        const apex_track_point *point = &def->points[i];
        CHECK_MEMBER(apex_track_point, point, x_m, "points[%u]", i)
        CHECK_MEMBER(apex_track_point, point, y_m, "points[%u]", i)
        CHECK_MEMBER(apex_track_point, point, z_m, "points[%u]", i)
        CHECK_MEMBER(apex_track_point, point, left_m, "points[%u]", i)
        CHECK_MEMBER(apex_track_point, point, right_m, "points[%u]", i)
        CHECK_MEMBER(apex_track_point, point, banking_rad, "points[%u]", i)
    }
    return APEX_OK;
}

static apex_err check_surfaces(const apex_track_def *def, apex_def_problem *problem) {
    for (uint32_t i = 0; i < def->surface_count; i++) {
        const apex_surface_def *surface = &def->surfaces[i];
        CHECK_ITEM_NAME(surface->name, "surfaces[%u].name", i)
        CHECK_MEMBER(apex_surface_def, surface, friction, "surfaces[%u]", i)
        CHECK_MEMBER(apex_surface_def, surface, rolling_ratio, "surfaces[%u]", i)
        CHECK_MEMBER(apex_surface_def, surface, plough_n_per_mps, "surfaces[%u]", i)
        CHECK_MEMBER(apex_surface_def, surface, roughness_m, "surfaces[%u]", i)
    }
    for (uint32_t i = 0; i < def->material_count; i++) {
        const apex_wall_material *material = &def->materials[i];
        CHECK_ITEM_NAME(material->name, "materials[%u].name", i)
        CHECK_MEMBER(apex_wall_material, material, restitution, "materials[%u]", i)
        CHECK_MEMBER(apex_wall_material, material, friction, "materials[%u]", i)
    }
    return APEX_OK;
}

static apex_err check_strips(const apex_track_def *def, apex_def_problem *problem) {
    for (uint32_t i = 0; i < def->strip_count; i++) {
        const apex_track_strip *strip = &def->strips[i];
        CHECK_ITEM_NAME(strip->surface, "strips[%u].surface", i)
        CHECK_MEMBER(apex_track_strip, strip, inner_m, "strips[%u]", i)
        CHECK_MEMBER(apex_track_strip, strip, outer_m, "strips[%u]", i)
        CHECK_MEMBER(apex_track_strip, strip, height_m, "strips[%u]", i)
        CHECK_ITEM((int)strip->side, APEX_SIDE_LEFT, APEX_SIDE_BOTH, "strips[%u].side", i)
        if (!(strip->outer_m - strip->inner_m >= 0.01)) {
            return track_refuse(problem, "strips[%u].outer_m: %g is not outside inner_m %g", i,
                                strip->outer_m, strip->inner_m);
        }
        double rise_m = strip->height_m < 0 ? -strip->height_m : strip->height_m;
        bool on_road = strip->from_edge ? strip->inner_m < 0 : true;
        if (rise_m > strip->outer_m - strip->inner_m) {
            return track_refuse(problem,
                                "strips[%u].height_m: %g m over a width of %g m is steeper than 45 "
                                "degrees; make it lower or wider",
                                i, strip->height_m, strip->outer_m - strip->inner_m);
        }
        if (on_road && rise_m > BUMP_M_MAX) {
            return track_refuse(problem,
                                "strips[%u].height_m: a step of %g m on the road, at most %g m; "
                                "put it beside the road or make it lower",
                                i, strip->height_m, BUMP_M_MAX);
        }
    }
    return APEX_OK;
}

static apex_err check_free_wall(const apex_track_free_wall *wall, uint32_t index,
                                apex_def_problem *problem) {
    CHECK_ITEM_NAME(wall->material, "free_walls[%u].material", index)
    CHECK_ITEM(wall->point_count, wall->closed ? 3 : 2, APEX_TRACK_WALL_POINTS_MAX,
               "free_walls[%u].points", index)
    CHECK_MEMBER(apex_track_free_wall, wall, base_m, "free_walls[%u]", index)
    CHECK_MEMBER(apex_track_free_wall, wall, height_m, "free_walls[%u]", index)
    for (uint32_t k = 0; k < wall->point_count; k++) {
        if (!apex_is_within(wall->x_m[k], APEX_TRACK_COORDINATE_M_RANGE) ||
            !apex_is_within(wall->y_m[k], APEX_TRACK_COORDINATE_M_RANGE)) {
            return track_refuse(problem, "free_walls[%u].points[%u]: (%g, %g) is outside +-%g",
                                index, k, wall->x_m[k], wall->y_m[k], APEX_TRACK_COORDINATE_M_MAX);
        }
        uint32_t before = k > 0 ? k - 1 : wall->point_count - 1;
        double dx_m = wall->x_m[k] - wall->x_m[before];
        double dy_m = wall->y_m[k] - wall->y_m[before];
        if ((k > 0 || wall->closed) && dx_m * dx_m + dy_m * dy_m < 0.01 * 0.01) {
            return track_refuse(problem, "free_walls[%u].points[%u]: the same place as points[%u]",
                                index, k, before);
        }
    }
    return APEX_OK;
}

static apex_err check_walls(const apex_track_def *def, apex_def_problem *problem) {
    for (uint32_t i = 0; i < def->wall_count; i++) {
        const apex_track_wall *wall = &def->walls[i];
        CHECK_ITEM_NAME(wall->material, "walls[%u].material", i)
        CHECK_ITEM((int)wall->side, APEX_SIDE_LEFT, APEX_SIDE_BOTH, "walls[%u].side", i)
        CHECK_MEMBER(apex_track_wall, wall, distance_m, "walls[%u]", i)
        CHECK_MEMBER(apex_track_wall, wall, height_m, "walls[%u]", i)
    }
    for (uint32_t i = 0; i < def->free_wall_count; i++) {
        apex_err err = check_free_wall(&def->free_walls[i], i, problem);
        if (err != APEX_OK) {
            return err;
        }
    }
    for (uint32_t i = 0; i < def->post_count; i++) {
        const apex_track_post *post = &def->posts[i];
        CHECK_ITEM_NAME(post->material, "posts[%u].material", i)
        CHECK_MEMBER(apex_track_post, post, x_m, "posts[%u]", i)
        CHECK_MEMBER(apex_track_post, post, y_m, "posts[%u]", i)
        CHECK_MEMBER(apex_track_post, post, radius_m, "posts[%u]", i)
        CHECK_MEMBER(apex_track_post, post, height_m, "posts[%u]", i)
    }
    return APEX_OK;
}

static apex_err check_lane_numbers(const apex_track_pit_lane *lane, apex_def_problem *problem) {
    const struct {
        const char *name;
        double value, low, high;
    } ranges[] = {
        {"entry_m", lane->entry_m, 0, APEX_TRACK_LENGTH_M_MAX},
        {"exit_m", lane->exit_m, 0, APEX_TRACK_LENGTH_M_MAX},
        {"taper_m", lane->taper_m, APEX_RANGE(apex_track_pit_lane, taper_m)},
        {"distance_m", lane->distance_m, APEX_RANGE(apex_track_pit_lane, distance_m)},
        {"width_m", lane->width_m, APEX_RANGE(apex_track_pit_lane, width_m)},
        {"speed_limit_mps", lane->speed_limit_mps,
         APEX_RANGE(apex_track_pit_lane, speed_limit_mps)},
        {"box_count", lane->box_count, APEX_RANGE(apex_track_pit_lane, box_count)},
        {"box_spacing_m", lane->box_spacing_m, APEX_RANGE(apex_track_pit_lane, box_spacing_m)},
        {"box_depth_m", lane->box_depth_m, APEX_RANGE(apex_track_pit_lane, box_depth_m)},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (!apex_is_within(ranges[i].value, ranges[i].low, ranges[i].high)) {
            return track_refuse(problem, "pit_lane.%s: %g is outside %g..%g", ranges[i].name,
                                ranges[i].value, ranges[i].low, ranges[i].high);
        }
    }
    if (lane->side != APEX_SIDE_LEFT && lane->side != APEX_SIDE_RIGHT) {
        return track_refuse(problem, "pit_lane.side: pits are on the left or on the right");
    }
    return APEX_OK;
}

static apex_err check_pit_lane(const apex_track_def *def, apex_def_problem *problem) {
    const apex_track_pit_lane *lane = &def->pit_lane;
    if (!lane->given) {
        return APEX_OK;
    }
    CHECK_NAME(lane->surface, "pit_lane.surface")
    if (lane->wall_material[0] != '\0') {
        CHECK_NAME(lane->wall_material, "pit_lane.wall_material")
        TRACK_CHECK_MEMBER(apex_track_pit_lane, lane, wall_height_m, "pit_lane.")
    }
    return check_lane_numbers(lane, problem);
}

apex_err track_check_def(const apex_track_def *def, apex_def_problem *problem) {
    apex_err (*const checks[])(const apex_track_def *, apex_def_problem *) = {
        check_head,     check_counts, check_points, check_surfaces,
        check_pit_lane, check_strips, check_walls,
    };
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        apex_err err = checks[i](def, problem);
        if (err != APEX_OK) {
            return err;
        }
    }
    return track_has_terrain(def) ? track_check_terrain(def, problem) : APEX_OK;
}
