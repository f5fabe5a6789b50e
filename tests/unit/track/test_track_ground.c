// The laid ground, as physics samples it.

#include "base/trig.h"
#include "support/base/check_main.h"
#include "support/track/track_scenes.h"
#include "track/laid_track.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static apex_track *lay(apex_track_def *def) {
    apex_track *track = NULL;
    apex_def_problem problem = {{0}, {0}};
    apex_err err = apex_track_create(def, &track, &problem);
    ck_assert_msg(err == APEX_OK, "%s: %s", problem.field, problem.reason);
    apex_track_def_free(def);
    return track;
}

static double height_m(const apex_track *track, double x_m, double y_m, double z_m) {
    return apex_ground_at(apex_track_ground(track), x_m, y_m, z_m).height_m;
}

static const char *surface(const apex_track *track, double x_m, double y_m) {
    const apex_ground *ground = apex_track_ground(track);
    return ground->surfaces[apex_ground_at(ground, x_m, y_m, 0).surface].name;
}

static const apex_ground_tile *tile_at(const apex_ground *ground, int64_t x, int64_t y) {
    int64_t column = x - ground->first_x;
    int64_t row = y - ground->first_y;
    if (column < 0 || row < 0 || column >= ground->width || row >= ground->depth) {
        return NULL;
    }
    uint32_t index = ground->directory[row * ground->width + column];
    return index == APEX_GROUND_NONE ? NULL : &ground->tiles[index];
}

static apex_track_strip strip(const char *name, double from_m, double to_m) {
    apex_track_strip strip = {
        .side = APEX_SIDE_LEFT, .from_edge = true, .from_m = from_m, .to_m = to_m};
    snprintf(strip.surface, sizeof strip.surface, "%s", name);
    return strip;
}

static double node_m(const apex_ground_tile *tile, uint32_t x, uint32_t y) {
    return (double)tile->height_m[y][x];
}

// Raised by b to the left, inwards: height is the offset times tan b, and the normal leans outwards
// by b all round.
TEST(a_banked_circle_is_a_cone) {
    double banking_rad = 0.25;
    apex_track_def def = track_scene_circle(60, 72, banking_rad);
    apex_track *track = lay(&def);
    for (double angle_rad = 0; angle_rad < 6.28; angle_rad += 0.0713) {
        for (double out_m = -4; out_m <= 4; out_m += 2) {
            double x_m = (60 + out_m) * cos(angle_rad);
            double y_m = (60 + out_m) * sin(angle_rad);
            apex_ground_sample sample = apex_ground_at(apex_track_ground(track), x_m, y_m, 0);
            ck_assert_double_eq_tol(sample.height_m, -out_m * tan(banking_rad), 2e-3);
            double outwards = sample.normal[0] * cos(angle_rad) + sample.normal[1] * sin(angle_rad);
            ck_assert_double_eq_tol(outwards, sin(banking_rad), 5e-3);
            ck_assert_double_eq_tol(sample.normal[2], cos(banking_rad), 2e-3);
        }
    }
    apex_track_destroy(track);
}

// The slope of the edge runs out over 4 m: from tan b to level, half of it gained.
TEST(banking_eases_into_the_verge) {
    apex_track_def def = track_scene_drag();
    for (uint32_t i = 0; i < def.point_count; i++) {
        def.points[i].banking_rad = 0.2;
    }
    apex_track *track = lay(&def);
    double grade = tan(0.2);
    ck_assert_double_eq_tol(height_m(track, 400, 8, 0), 8 * grade, 1e-5);
    ck_assert_double_eq_tol(height_m(track, 400, 10, 0), (8 + 2 - 0.5) * grade, 1e-5);
    ck_assert_double_eq_tol(height_m(track, 400, 12, 0), (8 + 2) * grade, 1e-5);
    ck_assert_double_eq_tol(height_m(track, 400, 16, 0), (8 + 2) * grade, 1e-5);
    ck_assert_double_eq_tol(height_m(track, 400, -12, 0), -(8 + 2) * grade, 1e-5);
    apex_track_destroy(track);
}

TEST(hills_are_followed_across_the_whole_road) {
    apex_track_def def = track_scene_circuit(3000);
    def.strip_count = 0;
    apex_track *track = lay(&def);
    const apex_ground *ground = apex_track_ground(track);
    for (double s_m = 0; s_m < apex_track_length_m(track); s_m += 1.7) {
        apex_track_frame frame = apex_track_frame_at(track, s_m);
        // A cell is of one surface, half a metre wide: the last 0.4 m may be the verge's.
        for (double share = -1; share <= 1.01; share += 0.2) {
            double offset_m = share * ((share > 0 ? frame.left_m : frame.right_m) - 0.4);
            double x_m = frame.x_m - offset_m * sin(frame.heading_rad);
            double y_m = frame.y_m + offset_m * cos(frame.heading_rad);
            double z_m = frame.z_m + offset_m * tan(frame.banking_rad);
            apex_ground_sample sample = apex_ground_at(ground, x_m, y_m, z_m);
            ck_assert_double_eq_tol(sample.height_m, z_m, 0.01);
            ck_assert_str_eq(ground->surfaces[sample.surface].name, "asphalt");
        }
    }
    apex_track_destroy(track);
}

TEST(a_kerb_rises_to_its_outer_edge) {
    apex_track_def def = track_scene_drag();
    def.strip_count = 1;
    def.strips[0] = strip("kerb", 200, 300);
    def.strips[0].outer_m = 1.2;
    def.strips[0].height_m = 0.12;
    apex_track *track = lay(&def);
    // Nodes stand on whole half metres; the road's edge is at y = 8.
    ck_assert_double_eq_tol(height_m(track, 250, 8.0, 0), 0, 1e-6);
    ck_assert_double_eq_tol(height_m(track, 250, 8.5, 0), 0.05, 1e-6);
    ck_assert_double_eq_tol(height_m(track, 250, 9.0, 0), 0.1, 1e-6);
    ck_assert_double_eq_tol(height_m(track, 250, 9.5, 0), 0, 1e-6);
    ck_assert_double_eq_tol(height_m(track, 250, -8.5, 0), 0, 1e-6);
    // It comes up over its first two metres and goes down over its last.
    ck_assert_double_eq_tol(height_m(track, 199.5, 9, 0), 0, 1e-6);
    ck_assert_double_eq_tol(height_m(track, 201, 9, 0), 0.05, 1e-6);
    ck_assert_double_eq_tol(height_m(track, 202, 9, 0), 0.1, 1e-6);
    ck_assert_double_eq_tol(height_m(track, 299, 9, 0), 0.05, 1e-6);
    ck_assert_str_eq(surface(track, 250.2, 8.3), "kerb");
    ck_assert_str_eq(surface(track, 250.2, 7.7), "asphalt");
    ck_assert_str_eq(surface(track, 250.2, 9.7), "grass");
    apex_track_destroy(track);
}

TEST(paint_on_a_kerb_does_not_flatten_it) {
    apex_track_def def = track_scene_drag();
    def.strip_count = 2;
    def.strips[0] = strip("kerb", 0, 0);
    def.strips[0].outer_m = 1.2;
    def.strips[0].height_m = 0.12;
    def.strips[1] = strip("ice", 0, 0);
    def.strips[1].from_edge = false;
    def.strips[1].inner_m = 5;
    def.strips[1].outer_m = 10;
    apex_track *track = lay(&def);
    ck_assert_double_eq_tol(height_m(track, 250, 9.0, 0), 0.1, 1e-6);
    ck_assert_str_eq(surface(track, 250.2, 8.8), "ice");
    apex_track_destroy(track);
}

TEST(road_verge_and_outside_lie_side_by_side) {
    apex_track_def def = track_scene_drag();
    def.verge_m = 4;
    snprintf(def.road_surface, sizeof def.road_surface, "concrete");
    snprintf(def.verge_surface, sizeof def.verge_surface, "earth");
    snprintf(def.outside_surface, sizeof def.outside_surface, "sand");
    apex_track *track = lay(&def);
    ck_assert_str_eq(surface(track, 300.2, 7.7), "concrete");
    ck_assert_str_eq(surface(track, 300.2, 8.3), "earth");
    ck_assert_str_eq(surface(track, 300.2, -11.7), "earth");
    ck_assert_str_eq(surface(track, 300.2, 12.3), "sand");
    ck_assert_str_eq(surface(track, 300.2, 5000), "sand");
    ck_assert_double_eq(height_m(track, 300, 5000, 0), 0);
    // Past the ends of an open track the road is over.
    ck_assert_str_eq(surface(track, 799.7, 0.2), "concrete");
    ck_assert_str_eq(surface(track, 801.3, 0.2), "earth");
    ck_assert_str_eq(surface(track, -1.3, 0.2), "earth");
    apex_track_destroy(track);
}

TEST(later_strips_lie_on_top_and_sides_are_kept) {
    apex_track_def def = track_scene_drag();
    def.strip_count = 3;
    def.strips[0] = strip("gravel", 100, 300);
    def.strips[0].side = APEX_SIDE_BOTH;
    def.strips[0].inner_m = 2;
    def.strips[0].outer_m = 20;
    def.strips[1] = strip("mud", 200, 300);
    def.strips[1].side = APEX_SIDE_RIGHT;
    def.strips[1].inner_m = 5;
    def.strips[1].outer_m = 8;
    def.strips[2] = strip("wet-asphalt", 150, 250);
    def.strips[2].from_edge = false;
    def.strips[2].inner_m = -3;
    def.strips[2].outer_m = 1;
    apex_track *track = lay(&def);
    ck_assert_str_eq(surface(track, 220.2, 12.2), "gravel");
    ck_assert_str_eq(surface(track, 220.2, -14.2), "mud");
    ck_assert_str_eq(surface(track, 220.2, 14.2), "gravel");
    ck_assert_str_eq(surface(track, 180.2, -14.2), "gravel");
    ck_assert_str_eq(surface(track, 320.2, -14.2), "grass");
    ck_assert_str_eq(surface(track, 220.2, 27.7), "gravel"); // past the verge's 10 m
    ck_assert_str_eq(surface(track, 220.2, 9.7), "grass");   // between road and trap
    ck_assert_str_eq(surface(track, 220.2, -2.8), "wet-asphalt");
    ck_assert_str_eq(surface(track, 220.2, 1.2), "asphalt");
    apex_track_destroy(track);
}

// Ground is laid 40 m out on the left, for the strip, and 10 m on the right, for the verge.
TEST(a_strip_widens_the_ground_on_its_own_side) {
    apex_track_def def = track_scene_oval(400, 100);
    def.strip_count = 1;
    def.strips[0] = strip("gravel", 0, 0);
    def.strips[0].outer_m = 40;
    apex_track *track = lay(&def);
    ck_assert_str_eq(surface(track, 0, -100 + 5 + 39), "gravel");
    ck_assert_ptr_nonnull(tile_at(apex_track_ground(track), 0, -4)); // y from -64 m
    ck_assert_ptr_nonnull(tile_at(apex_track_ground(track), 0, -8)); // from -128 m
    ck_assert_ptr_null(tile_at(apex_track_ground(track), 0, -9));
    apex_track_destroy(track);
}

TEST(a_strip_may_lie_over_the_first_point) {
    apex_track_def def = track_scene_circle(50, 72, 0);
    def.start_m = 77;
    def.strip_count = 1;
    def.strips[0] = strip("ice", 300, 10);
    def.strips[0].from_edge = false;
    def.strips[0].inner_m = -2;
    def.strips[0].outer_m = 2;
    apex_track *track = lay(&def);
    const double distance_m[] = {290, 299, 301, 312, 1, 9, 11, 100};
    for (size_t i = 0; i < sizeof distance_m / sizeof distance_m[0]; i++) {
        double angle_rad = distance_m[i] / 50;
        const char *name = surface(track, 50 * cos(angle_rad), 50 * sin(angle_rad));
        bool ice = distance_m[i] > 300 || distance_m[i] < 10;
        ck_assert_str_eq(name, ice ? "ice" : "asphalt");
    }
    apex_track_destroy(track);
}

// It rises and ends at its own ends, and not where the lap begins.
TEST(a_kerb_over_the_first_point_is_whole) {
    apex_track_def def = track_scene_oval(400, 100);
    def.strip_count = 1;
    def.strips[0] = strip("kerb", 1400, 60);
    def.strips[0].outer_m = 2;
    def.strips[0].height_m = 0.2;
    apex_track *track = lay(&def);
    for (double u_m = 1404; u_m < 1484; u_m += 3.7) {
        apex_track_frame frame = apex_track_frame_at(track, u_m);
        double x_m = frame.x_m - 6 * sin(frame.heading_rad);
        double y_m = frame.y_m + 6 * cos(frame.heading_rad);
        ck_assert_double_eq_tol(height_m(track, x_m, y_m, 0), 0.1, 0.03);
    }
    apex_track_destroy(track);
}

TEST(a_surface_of_its_own_takes_the_built_in_place) {
    apex_track_def def = track_scene_drag();
    def.surface_count = 2;
    def.surfaces[0] = (apex_surface_def){.name = "grass", .friction = 0.31, .rolling_ratio = 4};
    def.surfaces[1] = (apex_surface_def){.name = "cobbles", .friction = 0.8, .rolling_ratio = 2};
    snprintf(def.road_surface, sizeof def.road_surface, "cobbles");
    apex_track *track = lay(&def);
    const apex_ground *ground = apex_track_ground(track);
    ck_assert_uint_eq(ground->surface_count, 12);
    ck_assert_double_eq(ground->surfaces[ground->outside_surface].friction, 0.31);
    ck_assert_str_eq(surface(track, 300, 0), "cobbles");
    apex_track_destroy(track);
}

TEST(the_built_in_surfaces_are_in_order) {
    const char *const roads[] = {"asphalt", "wet-asphalt", "concrete", "kerb"};
    const char *const soft[] = {"grass", "gravel", "sand", "mud", "earth", "snow", "ice"};
    apex_track_def def = track_scene_drag();
    apex_track *track = lay(&def);
    ck_assert_uint_eq(track->surface_count, 11);
    for (uint32_t i = 0; i < track->surface_count; i++) {
        const apex_surface_def *at = &track->surfaces[i];
        bool road = i < 4;
        ck_assert_str_eq(at->name, road ? roads[i] : soft[i - 4]);
        ck_assert(at->is_road == road);
        ck_assert(at->friction > 0 && at->friction <= 1);
        ck_assert(at->rolling_ratio >= 1);
    }
    ck_assert_double_eq(track->surfaces[0].friction, 1);
    ck_assert_uint_eq(track->material_count, 4);
    ck_assert_str_eq(track->materials[1].name, "tyre-wall");
    apex_track_destroy(track);
}

TEST(neighbouring_tiles_share_their_edges) {
    apex_track_def def = track_scene_circuit(3000);
    apex_track *track = lay(&def);
    const apex_ground *ground = apex_track_ground(track);
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < ground->tile_count; i++) {
        const apex_ground_tile *tile = &ground->tiles[i];
        const apex_ground_tile *east = tile_at(ground, tile->tile_x + 1, tile->tile_y);
        const apex_ground_tile *north = tile_at(ground, tile->tile_x, tile->tile_y + 1);
        for (uint32_t k = 0; k < APEX_GROUND_NODES; k++) {
            if (east != NULL) {
                ck_assert_double_eq(node_m(tile, APEX_GROUND_CELLS, k), node_m(east, 0, k));
                pairs++;
            }
            if (north != NULL) {
                ck_assert_double_eq(node_m(tile, k, APEX_GROUND_CELLS), node_m(north, k, 0));
                pairs++;
            }
        }
    }
    ck_assert_uint_gt(pairs, APEX_GROUND_NODES * ground->tile_count);
    apex_track_destroy(track);
}

// At its edge the laid ground has come down to the outside's level: nobody falls off its edge.
TEST(the_laid_ground_ends_level_with_the_outside) {
    apex_track_def def = track_scene_circuit(3000);
    apex_track *track = lay(&def);
    const apex_ground *ground = apex_track_ground(track);
    double highest_m = 0;
    double lowest_m = 0;
    for (uint32_t i = 0; i < ground->tile_count; i++) {
        const apex_ground_tile *tile = &ground->tiles[i];
        bool open_east = tile_at(ground, tile->tile_x + 1, tile->tile_y) == NULL;
        bool open_north = tile_at(ground, tile->tile_x, tile->tile_y + 1) == NULL;
        bool open_west = tile_at(ground, tile->tile_x - 1, tile->tile_y) == NULL;
        for (uint32_t k = 0; k < APEX_GROUND_NODES; k++) {
            double outside_m = ground->outside_height_m;
            if (open_east) {
                ck_assert_double_eq_tol(node_m(tile, APEX_GROUND_CELLS, k), outside_m, 0.01);
            }
            if (open_west) {
                ck_assert_double_eq_tol(node_m(tile, 0, k), outside_m, 0.01);
            }
            if (open_north) {
                ck_assert_double_eq_tol(node_m(tile, k, APEX_GROUND_CELLS), outside_m, 0.01);
            }
            highest_m = fmax(highest_m, node_m(tile, 0, k) - outside_m);
            lowest_m = fmin(lowest_m, node_m(tile, 0, k) - outside_m);
        }
    }
    ck_assert_double_gt(highest_m, 10); // it had to come down from somewhere, and up again
    ck_assert_double_lt(lowest_m, -10);
    apex_track_destroy(track);
}

static double steepest_step_m(const apex_ground *ground) {
    double steepest_m = 0;
    for (uint32_t i = 0; i < ground->tile_count; i++) {
        const apex_ground_tile *tile = &ground->tiles[i];
        for (uint32_t y = 0; y < APEX_GROUND_CELLS; y++) {
            for (uint32_t x = 0; x < APEX_GROUND_CELLS; x++) {
                double here_m = node_m(tile, x, y);
                steepest_m = fmax(steepest_m, fabs(node_m(tile, x + 1, y) - here_m));
                steepest_m = fmax(steepest_m, fabs(node_m(tile, x, y + 1) - here_m));
            }
        }
    }
    return steepest_m;
}

// Two straights 40 m apart, one 5 m above the other, verges overlapping: a slope, no step.
TEST(roads_side_by_side_have_a_slope_between_them) {
    apex_track_def def = track_scene_oval(300, 20);
    for (uint32_t i = 0; i < def.point_count; i++) {
        def.points[i].z_m = 2.5 + 2.5 * def.points[i].y_m / 20;
    }
    def.verge_m = 20;
    apex_track *track = lay(&def);
    const apex_ground *ground = apex_track_ground(track);
    for (uint32_t i = 0; i < ground->tile_count; i++) {
        ck_assert_uint_eq(ground->tiles[i].above, APEX_GROUND_NONE);
    }
    double before_m = height_m(track, 0, -15, 0);
    ck_assert_double_eq_tol(before_m, 0, 0.02);
    for (double y_m = -15; y_m <= 15; y_m += 0.25) {
        double here_m = height_m(track, 0, y_m, 0);
        ck_assert_double_ge(here_m, before_m - 0.02);
        ck_assert_double_le(here_m - before_m, 0.25);
        before_m = here_m;
    }
    ck_assert_double_eq_tol(before_m, 5, 0.02);
    ck_assert_double_eq_tol(height_m(track, 0, 0, 0), 2.5, 1.6);
    apex_track_destroy(track);
}

// Five metres of grass between two straights at one height are no reason for a second layer.
TEST(roads_close_by_are_one_ground) {
    apex_track_def def = track_scene_oval(300, 7.6);
    apex_track *track = lay(&def);
    const apex_ground *ground = apex_track_ground(track);
    for (uint32_t i = 0; i < ground->tile_count; i++) {
        ck_assert_uint_eq(ground->tiles[i].above, APEX_GROUND_NONE);
    }
    ck_assert_str_eq(surface(track, 0.2, 2.2), "grass");
    ck_assert_str_eq(surface(track, 0.2, 3.2), "asphalt");
    apex_track_destroy(track);
}

// A verge that reaches past the middle of a tight bend folds over itself; nothing is left open.
TEST(the_inside_of_a_tight_bend_is_filled) {
    apex_track_def def = track_scene_circle(12, 36, 0);
    def.verge_m = 30;
    for (uint32_t i = 0; i < def.point_count; i++) {
        def.points[i].z_m = 4 + 0.1 * def.points[i].x_m;
    }
    apex_track *track = lay(&def);
    for (double x_m = -20; x_m <= 20; x_m += 0.5) {
        for (double y_m = -20; y_m <= 20; y_m += 0.5) {
            double here_m = height_m(track, x_m, y_m, 0);
            ck_assert_double_ge(here_m, 2.7);
            ck_assert_double_le(here_m, 5.3);
        }
    }
    // Nor do all heights of the bend meet in its middle like a spiral stair's.
    ck_assert_double_eq_tol(height_m(track, 0, 0, 0), 4, 0.05);
    ck_assert_double_lt(steepest_step_m(apex_track_ground(track)), 0.4);
    apex_track_destroy(track);
}

TEST(a_bridge_is_a_second_layer) {
    apex_track_def def = track_scene_eight(6);
    apex_track *track = lay(&def);
    ck_assert_double_eq_tol(height_m(track, 0, 0, 6.2), 6, 0.02);
    ck_assert_double_eq_tol(height_m(track, 0, 0, 0.2), 0, 0.02);
    ck_assert_double_eq_tol(height_m(track, 0, 0, 4), 0, 0.02); // in the air under the bridge
    const apex_ground_tile *lower = tile_at(apex_track_ground(track), 0, 0);
    ck_assert_uint_ne(lower->above, APEX_GROUND_NONE);
    ck_assert_uint_eq(apex_track_ground(track)->tiles[lower->above].above, APEX_GROUND_NONE);
    // A bridge over a flat circuit leaves its surroundings where they were.
    ck_assert_double_eq_tol(apex_track_ground(track)->outside_height_m, 0, 1e-6);
    apex_track_destroy(track);
}

TEST(both_roads_are_whole_at_a_bridge) {
    apex_track_def def = track_scene_eight(6);
    apex_track *track = lay(&def);
    const apex_ground *ground = apex_track_ground(track);
    for (double s_m = 0; s_m < apex_track_length_m(track); s_m += 0.5) {
        apex_track_frame frame = apex_track_frame_at(track, s_m);
        for (double offset_m = -4.6; offset_m < 4.7; offset_m += 0.46) {
            double x_m = frame.x_m - offset_m * sin(frame.heading_rad);
            double y_m = frame.y_m + offset_m * cos(frame.heading_rad);
            apex_ground_sample sample = apex_ground_at(ground, x_m, y_m, frame.z_m + 0.3);
            ck_assert_double_eq_tol(sample.height_m, frame.z_m, 0.05);
            ck_assert_str_eq(ground->surfaces[sample.surface].name, "asphalt");
        }
    }
    apex_track_destroy(track);
}
