// Ground lookup, layers and roughness, and what the ground does to cars on it.

#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double bilinear(double x_m, double y_m) {
    return 0.1 * x_m - 0.05 * y_m + 0.002 * x_m * y_m;
}

TEST(heights_and_normals_are_those_of_the_nodes) {
    scene_ground *made = scene_ground_create(48.0, bilinear);
    const apex_ground *ground = scene_ground_of(made);
    uint64_t seed = 4;
    for (int i = 0; i < 20000; i++) {
        double x = scene_random_between(&seed, -47.9, 47.9);
        double y = scene_random_between(&seed, -47.9, 47.9);
        apex_ground_sample sample = apex_ground_at(ground, x, y, 0.0);
        // Bilinear in each cell, and the height is bilinear throughout.
        ck_assert_double_eq_tol(sample.height_m, bilinear(x, y), 2e-6);
        double slope_x = 0.1 + 0.002 * y, slope_y = -0.05 + 0.002 * x;
        double length = sqrt(1.0 + slope_x * slope_x + slope_y * slope_y);
        ck_assert_double_eq_tol(sample.normal[0], -slope_x / length, 1e-5);
        ck_assert_double_eq_tol(sample.normal[1], -slope_y / length, 1e-5);
        ck_assert_double_eq_tol(sample.normal[2], 1.0 / length, 1e-5);
        ck_assert_uint_eq(sample.surface, SCENE_ASPHALT);
    }
    scene_ground_destroy(made);
}

TEST(edges_of_tiles_and_of_the_world) {
    scene_ground *made = scene_ground_create(32.0, bilinear);
    const apex_ground *ground = scene_ground_of(made);
    for (int k = -2; k <= 2; k++) { // on the lines between tiles, and a hair before
        double x = 16.0 * k;
        if (k < 2) {
            ck_assert_double_eq_tol(apex_ground_at(ground, x, 1.0, 0.0).height_m, bilinear(x, 1.0),
                                    2e-6);
        }
        if (k > -2) {
            double before = nextafter(x, -100.0);
            ck_assert_double_eq_tol(apex_ground_at(ground, before, 1.0, 0.0).height_m,
                                    bilinear(x, 1.0), 2e-6);
        }
    }
    static const double FAR[][2] = {{32.0, 0.0},  {-32.1, 0.0},       {0.0, 33.0},
                                    {1e300, 0.0}, {(double)NAN, 0.0}, {0.0, -(double)INFINITY}};
    for (size_t i = 0; i < sizeof FAR / sizeof *FAR; i++) {
        apex_ground_sample sample = apex_ground_at(ground, FAR[i][0], FAR[i][1], 0.0);
        ck_assert_double_eq(sample.height_m, 0.0);
        ck_assert_double_eq(sample.normal[2], 1.0);
        ck_assert_uint_eq(sample.surface, SCENE_GRASS);
    }
    scene_ground_destroy(made);
}

static double flat_height(double x_m, double y_m) {
    (void)x_m;
    (void)y_m;
    return 0.0;
}

TEST(bridges_carry_who_is_on_them) {
    scene_ground *made = scene_ground_create(16.0, flat_height);
    apex_ground ground = *scene_ground_of(made);
    apex_ground_tile *tiles = calloc(8, sizeof *tiles);
    memcpy(tiles, ground.tiles, 4 * sizeof *tiles);
    for (uint32_t t = 0; t < 4; t++) {
        tiles[t].above = t + 4;
        tiles[t + 4] = tiles[t];
        tiles[t + 4].above = APEX_GROUND_NONE;
        for (int i = 0; i < APEX_GROUND_NODES * APEX_GROUND_NODES; i++) {
            tiles[t + 4].height_m[i / APEX_GROUND_NODES][i % APEX_GROUND_NODES] = 6.0f;
        }
    }
    ground.tiles = tiles;
    ground.tile_count = 8;
    ck_assert_double_eq(apex_ground_at(&ground, 1.0, 1.0, 0.3).height_m, 0.0);
    ck_assert_double_eq(apex_ground_at(&ground, 1.0, 1.0, 5.0).height_m, 0.0);
    ck_assert_double_eq(apex_ground_at(&ground, 1.0, 1.0, 5.6).height_m, 6.0);
    ck_assert_double_eq(apex_ground_at(&ground, 1.0, 1.0, 50.0).height_m, 6.0);
    ck_assert_double_eq(apex_ground_at(&ground, 1.0, 1.0, -50.0).height_m, 0.0);
    apex_car_def def = scene_corvette();
    scene_solo solo = scene_solo_create(&def, &ground);
    for (int on_top = 0; on_top < 2; on_top++) {
        apex_placement at = {.z_m = on_top ? 6.0 : 0.0};
        apex_world_place_car(solo.world, solo.car, &at);
        scene_solo_run(&solo, 120);
        double z = scene_solo_pose(&solo).position_m[2];
        ck_assert_double_eq_tol(z, def.com_height_m + (on_top ? 6.0 : 0.0), 0.01);
    }
    scene_solo_destroy(&solo);
    free(tiles);
    scene_ground_destroy(made);
}

static void solid(apex_ground *ground, uint8_t surface) {
    *ground = *scene_flat();
    ground->outside_surface = surface;
}

TEST(surfaces_brake_as_their_friction) {
    double way[2];
    static const uint8_t SURFACE[2] = {SCENE_ASPHALT, SCENE_ICE};
    apex_car_def def = scene_corvette();
    for (int s = 0; s < 2; s++) {
        apex_ground ground;
        solid(&ground, SURFACE[s]);
        scene_solo solo = scene_solo_create(&def, &ground);
        apex_placement at = {.speed_mps = 20.0};
        apex_world_place_car(solo.world, solo.car, &at);
        solo.controls.brake = 255;
        scene_solo_run(&solo, 60 * 30);
        way[s] = scene_solo_pose(&solo).position_m[0];
        ck_assert_double_lt(scene_solo_speed(&solo), 1e-2);
        scene_solo_destroy(&solo);
    }
    ck_assert_double_gt(way[1] / way[0], 8.0); // a tenth of the friction, some drag
    ck_assert_double_lt(way[1] / way[0], 10.5);
}

TEST(gravel_swallows_cars) {
    apex_ground ground;
    solid(&ground, SCENE_GRAVEL);
    apex_car_def def = scene_corvette();
    scene_solo solo = scene_solo_create(&def, &ground);
    apex_placement at = {.speed_mps = 30.0};
    apex_world_place_car(solo.world, solo.car, &at);
    solo.controls.gear = APEX_GEAR_NEUTRAL;
    scene_solo_run(&solo, 60 * 5);
    ck_assert_double_lt(scene_solo_speed(&solo), 12.0);
    ck_assert_uint_eq(scene_solo_pose(&solo).wheels_on_road, 0);
    scene_solo_destroy(&solo);
}

TEST(rough_ground_is_the_same_every_time_and_shakes) {
    apex_ground ground;
    apex_car_def def = scene_corvette();
    apex_car_pose end[2];
    double lowest = 1e9, highest = 0.0;
    for (int run = 0; run < 2; run++) {
        solid(&ground, SCENE_ROUGH);
        ground.roughness_seed = 5;
        scene_solo solo = scene_solo_create(&def, &ground);
        apex_placement at = {.speed_mps = 20.0};
        apex_world_place_car(solo.world, solo.car, &at);
        for (int tick = 0; tick < 120; tick++) {
            scene_solo_run(&solo, 1);
            apex_car_work work = scene_solo_work(&solo);
            double load = work.wheels[0].load_n + work.wheels[1].load_n + work.wheels[2].load_n +
                          work.wheels[3].load_n;
            lowest = fmin(lowest, load);
            highest = fmax(highest, load);
        }
        end[run] = scene_solo_pose(&solo);
        scene_solo_destroy(&solo);
    }
    ck_assert_mem_eq(end[0].position_m, end[1].position_m, sizeof end[0].position_m);
    double weight = 1500.0 * 9.81;
    ck_assert_double_gt(highest - lowest, 0.1 * weight);
    ck_assert_double_lt(highest, 3.0 * weight);
}

// Rises gently, or the car's nose would meet it before its wheels, to a slope of 0.2; then nothing.
static double jump_height(double x_m, double y_m) {
    (void)y_m;
    if (x_m < 20.0 || x_m >= 44.0) {
        return 0.0;
    }
    return x_m < 40.0 ? 0.005 * (x_m - 20.0) * (x_m - 20.0) : 2.0 + 0.2 * (x_m - 40.0);
}

typedef struct jump_story {
    int took_off, landed, flown_ticks;
    double up_mps, down_mps, top_m;
    double off_parabola_m; // the farthest, once the wheels hang as low as they go
} jump_story;

static void watch_events(const scene_solo *solo, jump_story *story) {
    size_t count;
    const apex_car_event *events = apex_world_car_events(solo->world, &count);
    for (size_t i = 0; i < count; i++) {
        story->took_off += events[i].kind == APEX_CAR_TOOK_OFF;
        story->landed += events[i].kind == APEX_CAR_LANDED;
        story->down_mps = events[i].kind == APEX_CAR_LANDED ? fmin(story->down_mps, events[i].value)
                                                            : story->down_mps;
    }
}

static jump_story watch_jump(scene_solo *solo) {
    enum { HANGING_TICKS = 20 };
    jump_story story = {0};
    apex_car_pose from = {0};
    for (int tick = 0; tick < 400; tick++) {
        apex_car_pose before = scene_solo_pose(solo);
        scene_solo_run(solo, 1);
        watch_events(solo, &story);
        apex_car_pose pose = scene_solo_pose(solo);
        story.top_m = fmax(story.top_m, pose.position_m[2]);
        story.up_mps = before.airborne ? story.up_mps : fmax(story.up_mps, pose.velocity_mps[2]);
        if (!pose.airborne) {
            continue;
        }
        ck_assert_uint_eq(pose.wheels_on_road, 0);
        story.flown_ticks++;
        if (story.flown_ticks <= HANGING_TICKS) {
            from = pose;
        }
        double t = (story.flown_ticks - HANGING_TICKS) / 60.0;
        double expected = from.position_m[2] + from.velocity_mps[2] * t - 0.5 * 9.81 * t * t;
        if (t > 0.0) {
            story.off_parabola_m = fmax(story.off_parabola_m, fabs(pose.position_m[2] - expected));
        }
    }
    return story;
}

TEST(a_ramp_throws_cars_and_the_ground_catches_them) {
    scene_ground *made = scene_ground_create(200.0, jump_height);
    apex_car_def def = scene_corvette();
    scene_solo solo = scene_solo_create(&def, scene_ground_of(made));
    apex_placement at = {.speed_mps = 20.0};
    apex_world_place_car(solo.world, solo.car, &at);
    solo.controls.gear = APEX_GEAR_NEUTRAL;
    jump_story story = watch_jump(&solo);
    ck_assert_int_eq(story.took_off, 1);
    ck_assert_int_eq(story.landed, 1);
    // Up at 0.2 of 18 m/s: 20, less what the height took.
    ck_assert_double_eq_tol(story.up_mps, 3.6, 0.25);
    // A drop of 3.3 m at least, some of it while only the rear wheels were left on the ramp.
    ck_assert_int_gt(story.flown_ticks, 50);
    ck_assert_int_lt(story.flown_ticks, 80);
    ck_assert_double_gt(story.top_m, 2.8 + 0.45 + 0.2);
    ck_assert_double_lt(story.top_m, 2.8 + 0.45 + 0.7);
    ck_assert_double_lt(story.down_mps, -6.0);
    ck_assert_double_gt(story.down_mps, -9.0);
    // Of that, half a substep's fall is the integrator's own: g h t / 2, 1.5 cm.
    ck_assert_double_lt(story.off_parabola_m, 0.02);
    ck_assert_double_eq_tol(scene_solo_pose(&solo).position_m[2], def.com_height_m, 0.02);
    ck_assert_double_lt(fabs(scene_solo_pose(&solo).pitch_rad), 0.01);
    scene_solo_destroy(&solo);
    scene_ground_destroy(made);
}

static double crest_height(double x_m, double y_m) {
    (void)y_m;
    return 2.0 * cos(x_m * 0.04);
}

TEST(crests_lighten_and_dips_press) {
    scene_ground *made = scene_ground_create(300.0, crest_height);
    apex_car_def def = scene_corvette();
    scene_solo solo = scene_solo_create(&def, scene_ground_of(made));
    apex_placement at = {.x_m = -78.5, .speed_mps = 30.0}; // from a dip, over the crest at 0
    apex_world_place_car(solo.world, solo.car, &at);
    solo.controls.gear = APEX_GEAR_NEUTRAL;
    double crest = 0.0, dip = 0.0;
    for (int tick = 0; tick < 400; tick++) {
        scene_solo_run(&solo, 1);
        apex_car_work work = scene_solo_work(&solo);
        double load = work.wheels[0].load_n + work.wheels[1].load_n + work.wheels[2].load_n +
                      work.wheels[3].load_n;
        double x = scene_solo_pose(&solo).position_m[0];
        crest = fabs(x) < 1.0 ? load : crest;
        dip = fabs(x - 78.5) < 1.0 ? load : dip;
    }
    // N = m (g -+ v^2 k), k = 2 * 0.04^2, v^2 less what the height took.
    double weight = 1500.0 * 9.81, pull = 1500.0 * 0.0032;
    ck_assert_double_eq_tol(crest, weight - pull * (900.0 - 78.5), 0.05 * weight);
    ck_assert_double_eq_tol(dip, weight + pull * 880.0, 0.05 * weight);
    scene_solo_destroy(&solo);
    scene_ground_destroy(made);
}
