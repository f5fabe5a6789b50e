// The check of a terrain: its maps, its boxes and what may stand beside them in a definition.
#include "track/definition/terrain_check.h"

#include <string.h>

#include "track/definition/range_checks.h"

#define SIDE_NODES_MAX (APEX_TERRAIN_NODES_MAX >> 1)
#define SPAN_M_MIN     16.0
#define SPAN_M_MAX     8000.0

static apex_err check_shape(const apex_terrain *map, apex_def_problem *problem) {
    TRACK_CHECK_RANGE(map->rows, 2, SIDE_NODES_MAX, "terrain.rows")
    TRACK_CHECK_RANGE(map->columns, 2, SIDE_NODES_MAX, "terrain.columns")
    if ((uint64_t)map->columns * map->rows > APEX_TERRAIN_NODES_MAX) {
        return track_refuse(problem, "terrain.heights: %u by %u nodes are more than %u",
                            map->columns, map->rows, APEX_TERRAIN_NODES_MAX);
    }
    TRACK_CHECK_MEMBER(apex_terrain, map, cell_m, "terrain.")
    TRACK_CHECK_MEMBER(apex_terrain, map, x_m, "terrain.")
    TRACK_CHECK_MEMBER(apex_terrain, map, y_m, "terrain.")
    const double span_m[2] = {(map->columns - 1) * map->cell_m, (map->rows - 1) * map->cell_m};
    for (int i = 0; i < 2; i++) {
        if (!(span_m[i] >= SPAN_M_MIN && span_m[i] <= SPAN_M_MAX)) {
            return track_refuse(problem, "terrain.heights: %g m from %s, not %g..%g m", span_m[i],
                                i == 0 ? "west to east" : "south to north", SPAN_M_MIN, SPAN_M_MAX);
        }
    }
    TRACK_CHECK_MEMBER(apex_terrain, map, low_m, "terrain.")
    TRACK_CHECK_RANGE(map->step_m, 0, 1, "terrain.step_m")
    return map->heights != NULL ? APEX_OK
                                : track_refuse(problem, "terrain.heights: there are none");
}

static apex_err check_surfaces(const apex_terrain *map, apex_def_problem *problem) {
    TRACK_CHECK_RANGE(map->surface_count, 0, APEX_SURFACES_MAX, "terrain.palette")
    for (uint32_t i = 0; i < map->surface_count; i++) {
        if (memchr(map->surfaces[i], 0, APEX_NAME_BYTES) == NULL) {
            return track_refuse(problem, "terrain.palette[%u].surface: the name is too long", i);
        }
    }
    if ((map->surface_count > 0) != (map->surface_map != NULL)) {
        return track_refuse(problem, "terrain.surfaces: a palette goes with a map of surfaces");
    }
    size_t count = map->surface_map != NULL ? (size_t)map->columns * map->rows : 0;
    for (size_t i = 0; i < count; i++) {
        if (map->surface_map[i] >= map->surface_count) {
            return track_refuse(problem,
                                "terrain.surfaces: node %zu has %u, the palette ends at %u", i,
                                map->surface_map[i], map->surface_count - 1);
        }
    }
    return APEX_OK;
}

static apex_err check_boxes(const apex_track_def *def, apex_def_problem *problem) {
    const apex_terrain *map = &def->terrain;
    TRACK_CHECK_RANGE(map->box_count, 0, APEX_TERRAIN_BOXES_MAX, "terrain.boxes")
    if ((map->box_count > 0) == (def->point_count > 0)) {
        return track_refuse(problem, def->point_count > 0
                                         ? "terrain.boxes: on a course cars start behind its line"
                                         : "terrain.boxes: there are none to start from");
    }
    double east_m = map->x_m + (map->columns - 1) * map->cell_m;
    double north_m = map->y_m + (map->rows - 1) * map->cell_m;
    for (uint32_t i = 0; i < map->box_count; i++) {
        const apex_terrain_box *box = &map->boxes[i];
        if (!(box->x_m >= map->x_m && box->x_m <= east_m && box->y_m >= map->y_m &&
              box->y_m <= north_m)) {
            return track_refuse(problem, "terrain.boxes[%u]: (%g, %g) is not on the terrain", i,
                                box->x_m, box->y_m);
        }
        if (!(box->heading_rad >= -7 && box->heading_rad <= 7)) {
            return track_refuse(problem, "terrain.boxes[%u]: the heading is outside +-360 degrees",
                                i);
        }
    }
    return APEX_OK;
}

// Things that are laid along a road have none to lie along.
static apex_err check_company(const apex_track_def *def, apex_def_problem *problem) {
    if (def->strip_count > 0) {
        return track_refuse(problem, "strips[0]: a terrain's surfaces are those of its map");
    }
    if (def->wall_count > 0) {
        return track_refuse(problem, "walls[0]: a terrain has no road for them; use free_walls");
    }
    if (def->pit_lane.given) {
        return track_refuse(problem, "pit_lane: a terrain has no road for it to leave; remove it");
    }
    if (def->sector_count > 0 && def->point_count == 0) {
        return track_refuse(problem, "sector_m: there is no lap to divide");
    }
    TRACK_CHECK_RANGE(def->point_count, 0, APEX_TERRAIN_POINTS_MAX, "points")
    for (uint32_t i = 0; i < def->point_count; i++) {
        if (def->points[i].z_m < 0 || def->points[i].z_m > 0) {
            return track_refuse(problem, "points[%u].z_m: a course lies on its terrain, leave 0",
                                i);
        }
    }
    return APEX_OK;
}

apex_err track_check_terrain(const apex_track_def *def, apex_def_problem *problem) {
    apex_err err = check_shape(&def->terrain, problem);
    if (err == APEX_OK) {
        err = check_surfaces(&def->terrain, problem);
    }
    if (err == APEX_OK) {
        err = check_boxes(def, problem);
    }
    return err == APEX_OK ? check_company(def, problem) : err;
}
