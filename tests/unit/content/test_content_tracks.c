/// Sections become the curves they describe, and the tracks that ship are fit to race on.
#include <check.h>
#include <math.h>
#include <string.h>

#include "content/content.h"
#include "support/base/check_main.h"

#define PI   3.14159265358979323846
#define HEAD "kind: track\nname: x\n"

static apex_track_def parse(const char *text) {
    apex_track_def track;
    apex_content_problem problem;
    apex_err err = apex_content_parse_track(text, strlen(text), "f.yaml", &track, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    return track;
}

static const apex_track_point *last_point(const apex_track_def *track) {
    return &track->points[track->point_count - 1];
}

TEST(circle_lies_on_a_circle) {
    apex_track_def track = parse(HEAD "width_m: 9\nsections: [{left_deg: 360, radius_m: 50}]\n");
    ck_assert_uint_ge(track.point_count, 60);
    for (uint32_t i = 0; i < track.point_count; i++) {
        const apex_track_point *point = &track.points[i];
        ck_assert_double_eq_tol(hypot(point->x_m, point->y_m - 50), 50, 1e-6);
        ck_assert_double_eq(point->left_m, 4.5);
        ck_assert_double_eq(point->right_m, 4.5);
    }
    apex_track_def_free(&track);
}

/// A quarter turn to the right ends where geometry says, from any origin.
TEST(bend_ends_where_it_must) {
    apex_track_def track =
        parse(HEAD "closed: false\nfinish_m: 100\n"
                   "origin: {x_m: 10, y_m: 20, z_m: 3, heading_deg: 90}\n"
                   "sections: [{straight_m: 100}, {right_deg: 90, radius_m: 40}]\n");
    ck_assert_double_eq_tol(track.points[0].x_m, 10, 1e-12);
    ck_assert_double_eq_tol(last_point(&track)->x_m, 50, 1e-6);
    ck_assert_double_eq_tol(last_point(&track)->y_m, 160, 1e-6);
    ck_assert_double_eq_tol(last_point(&track)->z_m, 3, 1e-12);
    apex_track_def_free(&track);
}

/// An eased bend made of its two easements alone is a pair of clothoids. With A^2 = R L the end of
/// one is at (Fresnel C, Fresnel S) of its angle; here the angle is 0.5 rad and L is 60 m, so x =
/// L (1 - a^2/10 + a^4/216 - a^6/9360) and y = L (a/3 - a^3/42 + a^5/1320 - a^7/75600).
TEST(ease_is_a_clothoid) {
    apex_track_def track =
        parse(HEAD "closed: false\nfinish_m: 60\n"
                   "sections: [{left_deg: 57.29577951308232, radius_m: 60, ease_m: 60}]\n");
    double a = 0.5, best_m = 1e9;
    double x_m = 60 * (1 - a * a / 10 + pow(a, 4) / 216 - pow(a, 6) / 9360);
    double y_m = 60 * (a / 3 - pow(a, 3) / 42 + pow(a, 5) / 1320 - pow(a, 7) / 75600);
    for (uint32_t i = 0; i < track.point_count; i++) {
        best_m = fmin(best_m, hypot(track.points[i].x_m - x_m, track.points[i].y_m - y_m));
    }
    ck_assert_double_lt(best_m, 1e-5);
    // The other half mirrors the first about the middle: the end follows from it.
    double end_x_m = x_m + x_m * cos(2 * a) + y_m * sin(2 * a);
    double end_y_m = y_m + x_m * sin(2 * a) - y_m * cos(2 * a);
    ck_assert_double_eq_tol(last_point(&track)->x_m, end_x_m, 1e-5);
    ck_assert_double_eq_tol(last_point(&track)->y_m, end_y_m, 1e-5);
    apex_track_def_free(&track);
}

/// Heights and widths reach what was written at the ends of sections and stay between.
TEST(profiles_are_monotone) {
    apex_track_def track =
        parse(HEAD "closed: false\nfinish_m: 300\nwidth_m: 10\n"
                   "sections: [{straight_m: 100}, {straight_m: 100, rise_m: 4, left_m: 8},\n"
                   "           {straight_m: 100, rise_m: 1, banking_deg: 6}, {straight_m: 100}]\n");
    for (uint32_t i = 0; i < track.point_count; i++) {
        const apex_track_point *point = &track.points[i];
        ck_assert_double_ge(point->z_m, i == 0 ? 0 : track.points[i - 1].z_m - 1e-12);
        ck_assert_double_le(point->left_m, 8 + 1e-12);
        ck_assert_double_eq(point->right_m, 5);
        if (fabs(point->x_m - 200) < 1e-6) {
            ck_assert_double_eq_tol(point->z_m, 4, 1e-9);
            ck_assert_double_eq_tol(point->left_m, 8, 1e-9);
            ck_assert_double_eq_tol(point->banking_rad, 0, 1e-9);
        }
    }
    ck_assert_double_eq_tol(last_point(&track)->z_m, 5, 1e-9);
    ck_assert_double_eq_tol(last_point(&track)->banking_rad, 6 * PI / 180, 1e-12);
    apex_track_def_free(&track);
}

TEST(small_gap_is_spread_over_the_lap) {
    apex_track_def track =
        parse(HEAD "sections: [{straight_m: 100.3}, {left_deg: 180, radius_m: 40},\n"
                   "           {straight_m: 100}, {left_deg: 180, radius_m: 40}]\n");
    // Without the correction the last step would lead to x = 0.3 instead of to the first point.
    const apex_track_point *last = last_point(&track), *first = &track.points[0];
    double step_m = hypot(last->x_m - first->x_m, last->y_m - first->y_m);
    const apex_track_point *before = &track.points[track.point_count - 2];
    double step_before_m = hypot(last->x_m - before->x_m, last->y_m - before->y_m);
    ck_assert_double_eq_tol(step_m, step_before_m, 0.01);
    apex_track_def_free(&track);
}

TEST(join_completes_a_lap) {
    apex_track_def track =
        parse(HEAD "join: true\nsections: [{straight_m: 200}, {left_deg: 170, radius_m: 60},\n"
                   "                       {straight_m: 150}]\n");
    apex_track *laid = NULL;
    apex_def_problem problem = {{0}, {0}};
    apex_err err = apex_track_create(&track, &laid, &problem);
    ck_assert_msg(err == APEX_OK, "%s: %s", problem.field, problem.reason);
    for (uint32_t i = 0; i < track.point_count; i++) {
        const apex_track_point *here = &track.points[i];
        const apex_track_point *next = &track.points[(i + 1) % track.point_count];
        ck_assert_double_lt(hypot(next->x_m - here->x_m, next->y_m - here->y_m), 8);
    }
    // The curve takes up the heading at both of its ends: no kink anywhere.
    double length_m = apex_track_length_m(laid);
    for (double s_m = 0; s_m < length_m; s_m += 1) {
        ck_assert_double_lt(fabs(apex_track_frame_at(laid, s_m).curvature_per_m), 1 / 15.0);
    }
    apex_track_destroy(laid);
    apex_track_def_free(&track);
}

TEST(every_word_of_a_track_file_arrives) {
    apex_track_def track = parse(
        HEAD "author: Somebody\ntitle: A Track\nclosed: false\nroad_surface: tar\n"
             "verge_surface: sand\noutside_surface: mud\nverge_m: 7\nstart_m: 5\nfinish_m: 90\n"
             "sector_m: [20, 40]\nroughness_seed: 18446744073709551615\n"
             "grid: {first_m: 3, spacing_m: 9, columns: 4, column_gap_m: 2.5, pole_side: right}\n"
             "pit_lane: {side: left, entry_m: 10, exit_m: 60, taper_m: 11, distance_m: 3,\n"
             "  width_m: 4, speed_limit_kmph: 54, box_count: 2, box_spacing_m: 7,\n"
             "  box_depth_m: 2.5, surface: tar, wall_material: hedge, wall_height_m: 1.5}\n"
             "surfaces: [{name: tar, friction: 0.9, rolling_ratio: 1.5, is_road: true}]\n"
             "materials: [{name: hedge, restitution: 0.1, friction: 0.8}]\n"
             "strips: [{surface: kerb, side: left, from_m: 10, to_m: 20, outer_m: 1.5,\n"
             "          height_m: 0.1}, {from_edge: false, inner_m: -3, outer_m: -1}]\n"
             "walls: [{material: hedge, side: right, from_m: 1, to_m: 2, distance_m: 3}]\n"
             "free_walls: [{points: [[0, 50], [5, 50], [5, 55]], closed: true, base_m: 2}]\n"
             "posts: [{x_m: 4, y_m: 30, radius_m: 0.5}, {x_m: 5, y_m: 31}]\n"
             "points: [[0, 0], [50, 0, 1], [100, 0, 2, 5, 7, 3]]\n");
    ck_assert_str_eq(track.author, "Somebody");
    ck_assert_str_eq(track.road_surface, "tar");
    ck_assert_str_eq(track.verge_surface, "sand");
    ck_assert_str_eq(track.outside_surface, "mud");
    ck_assert(!track.closed);
    ck_assert_double_eq(track.finish_m, 90);
    ck_assert_uint_eq(track.sector_count, 2);
    ck_assert_double_eq(track.sector_m[1], 40);
    ck_assert(track.roughness_seed == UINT64_MAX);
    ck_assert_uint_eq(track.grid.columns, 4);
    ck_assert_int_eq(track.grid.pole_side, APEX_SIDE_RIGHT);
    ck_assert(track.pit_lane.given);
    ck_assert_int_eq(track.pit_lane.side, APEX_SIDE_LEFT);
    ck_assert_double_eq(track.pit_lane.entry_m, 10);
    ck_assert_double_eq(track.pit_lane.exit_m, 60);
    ck_assert_double_eq(track.pit_lane.taper_m, 11);
    ck_assert_double_eq(track.pit_lane.distance_m, 3);
    ck_assert_double_eq(track.pit_lane.width_m, 4);
    ck_assert_double_eq_tol(track.pit_lane.speed_limit_mps, 15, 1e-12);
    ck_assert_uint_eq(track.pit_lane.box_count, 2);
    ck_assert_double_eq(track.pit_lane.box_spacing_m, 7);
    ck_assert_double_eq(track.pit_lane.box_depth_m, 2.5);
    ck_assert_str_eq(track.pit_lane.surface, "tar");
    ck_assert_str_eq(track.pit_lane.wall_material, "hedge");
    ck_assert_double_eq(track.pit_lane.wall_height_m, 1.5);
    ck_assert_str_eq(track.surfaces[0].name, "tar");
    ck_assert_double_eq(track.surfaces[0].rolling_ratio, 1.5);
    ck_assert_str_eq(track.materials[0].name, "hedge");
    ck_assert_uint_eq(track.strip_count, 2);
    ck_assert(track.strips[0].from_edge && !track.strips[1].from_edge);
    ck_assert_int_eq(track.strips[0].side, APEX_SIDE_LEFT);
    ck_assert_double_eq(track.strips[1].inner_m, -3);
    ck_assert_int_eq(track.walls[0].side, APEX_SIDE_RIGHT);
    ck_assert_double_eq(track.walls[0].height_m, 1);
    ck_assert_uint_eq(track.free_walls[0].point_count, 3);
    ck_assert_double_eq(track.free_walls[0].y_m[2], 55);
    ck_assert(track.free_walls[0].closed);
    ck_assert_uint_eq(track.post_count, 2);
    ck_assert_double_eq(track.posts[0].radius_m, 0.5);
    ck_assert_double_eq(track.posts[1].radius_m, 0.1);
    ck_assert_double_eq(track.points[1].z_m, 1);
    ck_assert_double_eq(track.points[1].left_m, 6);
    ck_assert_double_eq(track.points[2].right_m, 7);
    ck_assert_double_eq_tol(track.points[2].banking_rad, 3 * PI / 180, 1e-15);
    apex_track_def_free(&track);
}

typedef struct laid_track {
    apex_track_def def;
    apex_track *track;
} laid_track;

static laid_track lay(const char *name) {
    laid_track out;
    apex_content_problem problem;
    apex_err err = apex_content_load_track(name, NULL, &out.def, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    ck_assert_int_eq(apex_track_create(&out.def, &out.track, NULL), APEX_OK);
    return out;
}

static void clear(laid_track *laid) {
    apex_track_destroy(laid->track);
    apex_track_def_free(&laid->def);
}

/// Bends of a lap: stretches that turn one way by 10 degrees or more at a radius below 350 m.
static uint32_t count_bends(const apex_track *track, double *radius_m_min) {
    uint32_t bends = 0;
    double turned_rad = 0, length_m = apex_track_length_m(track);
    bool counted = false;
    *radius_m_min = 1e9;
    for (double s_m = 0; s_m < length_m; s_m += 0.5) {
        double curvature = apex_track_frame_at(track, s_m).curvature_per_m;
        *radius_m_min = fmin(*radius_m_min, 1 / fmax(fabs(curvature), 1e-9));
        if (fabs(curvature) < 1 / 350.0 || curvature * turned_rad < 0) {
            turned_rad = 0;
            counted = false;
        }
        if (fabs(curvature) >= 1 / 350.0) {
            turned_rad += 0.5 * curvature;
        }
        if (!counted && fabs(turned_rad) > 10 * PI / 180) {
            bends++;
            counted = true;
        }
    }
    return bends;
}

static void ridgeway_is_a_circuit_of_variety(const apex_track *track) {
    double radius_m_min = 0, width_m_min = 99, width_m_max = 0, slope_max = 0, straight_m = 0;
    double straight_m_max = 0;
    ck_assert_uint_ge(count_bends(track, &radius_m_min), 14);
    ck_assert_double_eq_tol(radius_m_min, 20, 0.3);
    for (double s_m = 0; s_m < apex_track_length_m(track); s_m += 1) {
        apex_track_frame frame = apex_track_frame_at(track, s_m);
        width_m_min = fmin(width_m_min, frame.left_m + frame.right_m);
        width_m_max = fmax(width_m_max, frame.left_m + frame.right_m);
        slope_max = fmax(slope_max, fabs(frame.slope_rad));
        straight_m = fabs(frame.curvature_per_m) < 1e-3 ? straight_m + 1 : 0;
        straight_m_max = fmax(straight_m_max, straight_m);
    }
    ck_assert_double_ge(width_m_min, 11);
    ck_assert_double_le(width_m_max, 14.001);
    ck_assert_double_le(slope_max, 0.04);
    ck_assert_double_ge(straight_m_max, 500);
}

/// No rail stands on or near another part of the road, and where there is none it is the infield of
/// the hairpin.
static void ridgeways_rails_leave_room(const apex_track *track) {
    const apex_walls *walls = apex_track_walls(track);
    ck_assert_uint_gt(walls->segment_count, 1000);
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        const apex_wall_segment *wall = &walls->segments[i];
        apex_track_place place = apex_track_find(track, wall->from_x_m, wall->from_y_m, 0);
        double edge_m = place.offset_m > 0 ? place.left_m : place.right_m;
        bool pit_wall = strcmp(walls->materials[wall->material].name, "concrete") == 0;
        ck_assert_double_ge(fabs(place.offset_m) - edge_m, pit_wall ? 2.8 : 14.9);
    }
}

/// Ground under the racing surfaces: road on the line, kerb at an apex, gravel beyond the first
/// bend.
static void ridgeway_has_its_surfaces(const apex_track *track) {
    const apex_ground *ground = apex_track_ground(track);
    double length_m = apex_track_length_m(track);
    for (double s_m = 0; s_m < length_m; s_m += 7) {
        apex_placement at = apex_track_placement(track, s_m, 3);
        uint8_t surface = apex_ground_at(ground, at.x_m, at.y_m, at.z_m + 1).surface;
        ck_assert_str_eq(ground->surfaces[surface].name, "asphalt");
    }
    // Mill bends right; its middle is 270 m from the first point, 250 m from the line.
    static const struct {
        double offset_m;
        const char *name;
    } across[] = {{-10, "grass"}, {-6.5, "kerb"}, {0, "asphalt"}, {8, "grass"}, {14, "gravel"}};
    for (size_t i = 0; i < sizeof across / sizeof across[0]; i++) {
        apex_track_frame frame = apex_track_frame_at(track, 250);
        double x_m = frame.x_m - across[i].offset_m * sin(frame.heading_rad);
        double y_m = frame.y_m + across[i].offset_m * cos(frame.heading_rad);
        uint8_t surface = apex_ground_at(ground, x_m, y_m, frame.z_m + 1).surface;
        ck_assert_str_eq(ground->surfaces[surface].name, across[i].name);
    }
}

/// The oval banks into its bends: at their middle the left edge lies lower by the sine of 8
/// degrees.
static void oval_is_banked(const apex_track *track) {
    apex_track_frame frame = apex_track_frame_at(track, 343.4 - 240 + 230);
    ck_assert_double_eq_tol(frame.curvature_per_m, 1 / 115.0, 1e-4);
    ck_assert_double_eq_tol(frame.banking_rad, -8 * PI / 180, 1e-3);
}

/// Twenty cars find a box each beside the start straight, on asphalt, inside the rail.
static void ridgeway_has_pits(const apex_track *track) {
    const apex_ground *ground = apex_track_ground(track);
    apex_track_pits pits = apex_track_pits_of(track);
    ck_assert(pits.exists);
    ck_assert_uint_eq(pits.box_count, 20);
    ck_assert_double_eq_tol(pits.speed_limit_mps * 3.6, 80, 1e-9);
    ck_assert_double_eq_tol(pits.exit_s_m, 170, 1e-6);
    for (uint32_t box = 0; box < 20; box++) {
        apex_placement at = apex_track_pit_box_placement(track, box);
        apex_track_place place = apex_track_find(track, at.x_m, at.y_m, at.z_m);
        ck_assert(apex_track_pit_place_of(track, &place).in_boxes);
        apex_ground_sample under = apex_ground_at(ground, at.x_m, at.y_m, at.z_m);
        ck_assert_str_eq(ground->surfaces[under.surface].name, "asphalt");
        ck_assert_double_eq_tol(under.height_m, at.z_m, 1e-9);
        ck_assert_double_lt(-place.offset_m + 1.5, place.right_m + 14.5);
    }
}

/// Highfell climbs and leaps, and its road is made of what its file says.
static void highfell_is_hilly_and_mixed(const apex_track *track) {
    const apex_ground *ground = apex_track_ground(track);
    double low_m = 1e9, high_m = -1e9, steepest = 0, sharpest_per_m = 0, banked = 0;
    uint32_t metres[APEX_SURFACES_MAX] = {0};
    for (double s_m = 0; s_m < apex_track_length_m(track); s_m += 1) {
        apex_track_frame frame = apex_track_frame_at(track, s_m);
        apex_track_frame next = apex_track_frame_at(track, s_m + 2);
        low_m = fmin(low_m, frame.z_m);
        high_m = fmax(high_m, frame.z_m);
        steepest = fmax(steepest, fabs(tan(frame.slope_rad)));
        sharpest_per_m = fmin(sharpest_per_m, (next.slope_rad - frame.slope_rad) / 2);
        banked = fmin(banked, frame.banking_rad);
        metres[apex_ground_at(ground, frame.x_m, frame.y_m, frame.z_m).surface]++;
    }
    ck_assert_double_ge(high_m - low_m, 60);
    ck_assert(steepest > 0.1 && steepest < 0.16);
    // Lift-off below 40 m/s: v^2 / r = g.
    ck_assert_double_lt(sqrt(9.81 / -sharpest_per_m), 40);
    ck_assert_double_eq_tol(banked, -15 * PI / 180, 1e-3);
    static const struct {
        const char *name;
        uint32_t metres;
    } wanted[] = {{"gravel-road", 100}, {"dirt-road", 100}, {"concrete", 150}, {"wet-asphalt", 90}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        for (uint32_t k = 0; k < ground->surface_count; k++) {
            if (strcmp(ground->surfaces[k].name, wanted[i].name) == 0) {
                ck_assert(ground->surfaces[k].is_road);
                ck_assert_double_eq_tol(metres[k], wanted[i].metres, 2);
            }
        }
    }
}

/// A car is 4.5 m long and 2 m wide.
static void wide_oval_has_a_place_for_each_of_four_thousand(const apex_track *track) {
    enum { BOXES = 4000, NEAR = 24 };
    static apex_placement boxes[BOXES];
    for (uint32_t box = 0; box < BOXES; box++) {
        boxes[box] = apex_track_grid_placement(track, box);
    }
    double apart_m_min = 1e9;
    for (uint32_t a = 0; a < BOXES; a++) {
        for (uint32_t b = a + 1; b < BOXES && b <= a + NEAR; b++) {
            double apart_m = hypot(boxes[a].x_m - boxes[b].x_m, boxes[a].y_m - boxes[b].y_m);
            apart_m_min = fmin(apart_m_min, apart_m);
        }
    }
    ck_assert_double_ge(apart_m_min, 6.0);
    // The last has not gone round to the first.
    ck_assert_double_ge(
        hypot(boxes[0].x_m - boxes[BOXES - 1].x_m, boxes[0].y_m - boxes[BOXES - 1].y_m), 500);
}

static void speedway_is_steep(const apex_track *track) {
    double most = 0, least = 1;
    for (double s_m = 0; s_m < apex_track_length_m(track); s_m += 1) {
        apex_track_frame frame = apex_track_frame_at(track, s_m);
        most = fmax(most, -frame.banking_rad);
        least = fmin(least, -frame.banking_rad);
        ck_assert(fabs(frame.curvature_per_m) < 1e-4 || -frame.banking_rad > 23.9 * PI / 180);
    }
    ck_assert_double_eq_tol(most, 24 * PI / 180, 1e-3);
    ck_assert_double_eq_tol(least, 6 * PI / 180, 1e-3);
}

static void is_ridgeway(const apex_track *track) {
    ridgeway_is_a_circuit_of_variety(track);
    ridgeways_rails_leave_room(track);
    ridgeway_has_its_surfaces(track);
    ridgeway_has_pits(track);
}

typedef struct expected_shape {
    const char *name;
    double length_m, tolerance_m;
    bool closed;
    uint32_t sectors;
    uint32_t grid;                             ///< boxes that fit on the road
    void (*has_more)(const apex_track *track); ///< of its own; NULL: nothing
} expected_shape;

static const expected_shape shapes[] = {
    {"ridgeway", 4237, 1, true, 3, 32, is_ridgeway},
    {"oval", 1609.344, 0.5, true, 2, 32, oval_is_banked},
    {"skidpad", 2 * PI * 30.48, 0.01, true, 1, 4, NULL},
    {"drag-strip", 402.336, 1e-6, false, 5, 8, NULL},
    {"highfell", 3105, 1, true, 3, 32, highfell_is_hilly_and_mixed},
    {"speedway", 2500, 1, true, 3, 32, speedway_is_steep},
    {"wide-oval", 4 * 1240 + 2 * (PI * 500 + 200), 1, true, 3, 256,
     wide_oval_has_a_place_for_each_of_four_thousand},
    {"car-park-lap", 130 + 144 + 14 + 2 * 92 + 2 * PI * 16, 0.2, true, 3, 32, NULL},
};

TEST_OVER(shipped_track_is_as_it_should_be, 0, (int)(sizeof shapes / sizeof shapes[0])) {
    const expected_shape *shape = &shapes[_i];
    laid_track laid = lay(shape->name);
    ck_assert_double_eq_tol(apex_track_length_m(laid.track), shape->length_m, shape->tolerance_m);
    ck_assert(apex_track_closed(laid.track) == shape->closed);
    if (shape->closed) {
        ck_assert_double_eq(laid.def.finish_m, laid.def.start_m);
    }
    ck_assert_uint_eq(apex_track_sector_count(laid.track), shape->sectors);
    for (uint32_t box = 0; box < shape->grid; box++) {
        apex_placement at = apex_track_grid_placement(laid.track, box);
        apex_track_place place = apex_track_find(laid.track, at.x_m, at.y_m, at.z_m);
        ck_assert_msg(fabs(place.offset_m) + 1.0 <= fmin(place.left_m, place.right_m),
                      "box %u hangs over the edge", box);
        apex_track_frame frame = apex_track_frame_at(laid.track, place.s_m);
        ck_assert_double_eq_tol(cos(at.yaw_rad - frame.heading_rad), 1, 1e-3);
    }
    if (shape->has_more != NULL) {
        shape->has_more(laid.track);
    }
    clear(&laid);
}
