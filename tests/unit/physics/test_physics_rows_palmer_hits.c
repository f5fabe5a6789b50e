// builds: float double
// Palmer, "Physics for Game Programmers" ch. 8: collisions straight on. Rows P28 and P29.

#include "test_physics_pair.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"
#include "support/physics/source_rows.h"

static const real H = R(1.0) / R(240.0);

static const double MASS_KG[2] = {1393.0, 1323.0}, SPEED_MPS[2] = {20.0, -10.0};

// Two cars that meet head-on, at a point half way.
static void straight(double restitution, const double wanted_mps[2], double lost_j) {
    pair_scene pair;
    pair_open(&pair);
    for (uint32_t i = 0; i < 2; i++) {
        pair_set_mass(&pair, i, MASS_KG[i], 2000.0);
        pair_set_motion(&pair, i, (const double[3]){SPEED_MPS[i], 0.0, 0.0});
    }
    pair_touch(&pair, &(pair_point){.offset_m = {4.0, 0.0},
                                    .anchor_m = {2.0, 0.0},
                                    .normal = {1.0, 0.0},
                                    .restitution = restitution});
    pair_solve(&pair, H);

    double gained_ns = 0.0, gained_j = 0.0;
    for (uint32_t i = 0; i < 2; i++) {
        double motion[3];
        pair_motion_of(&pair, i, motion);
        double speed = motion[0];
        ROW_SAME(speed, wanted_mps[i], 1e-9);
        ROW_IS(motion[1] == 0.0 && motion[2] == 0.0);
        gained_ns += MASS_KG[i] * (speed - SPEED_MPS[i]);
        gained_j += 0.5 * MASS_KG[i] * (speed * speed - SPEED_MPS[i] * SPEED_MPS[i]);
    }
    // Of 41 kN s and 345 kJ.
    double share = ROWS_ROUNDING > 0.0 ? 1e-6 : 1e-14;
    ROW_BETWEEN(gained_ns, 0.0, share * 41090.0);
    ROW_BETWEEN(-gained_j, lost_j, 1e-9 * 344750.0 + share * 344750.0);
}

static void p28_0(void) {
    straight(0.0, (const double[2]){5.38659793814, 5.38659793814}, 305347.036);
}

static void p28_25(void) {
    straight(0.25, (const double[2]){1.73324742268, 9.23324742268}, 286262.846);
}

static void p28_1(void) {
    straight(1.0, (const double[2]){-9.22680412371, 20.7731958763}, 0.0);
}

// Perfectly inelastic, and that for real: two cars drive into each other and go on as one.
static void p29(void) {
    straight(0.0, (const double[2]){5.38659793814, 5.38659793814}, 305347.036);
    apex_car_def def = rows_palmer_car(), other = rows_palmer_car();
    other.mass_kg = 1323.0;
    def.hull.restitution = other.hull.restitution = 0.0;
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].tyre.rolling_coefficient = other.axles[a].tyre.rolling_coefficient = 0.0;
    }
    apex_world_def world_def = scene_world_def(2);
    apex_world *world;
    apex_car_type types[2];
    apex_car_id cars[2];
    world_def.tick_hz = 240;
    world_def.air_density_kg_per_m3 = 0.0;
    const apex_placement at[2] = {{.speed_mps = 20.0},
                                  {.x_m = 4.6, .yaw_rad = 3.14159265358979, .speed_mps = 10.0}};
    ck_assert_int_eq(apex_world_create(&world_def, scene_flat(), NULL, &world), APEX_OK);
    ck_assert_int_eq(apex_world_add_type(world, &def, &types[0]), APEX_OK);
    ck_assert_int_eq(apex_world_add_type(world, &other, &types[1]), APEX_OK);
    ck_assert_int_eq(apex_world_add_car(world, types[0], &at[0], &cars[0]), APEX_OK);
    ck_assert_int_eq(apex_world_add_car(world, types[1], &at[1], &cars[1]), APEX_OK);
    const apex_controls controls[2] = {{0}, {0}};
    apex_car_pose pose[2];
    for (int i = 0; i < 4; i++) { // the gap of 20 cm is closed in the second substep
        apex_world_step(world, controls, NULL);
    }
    apex_world_pose(world, cars[0], &pose[0]);
    apex_world_pose(world, cars[1], &pose[1]);
    ROW_NEAR(pose[0].velocity_mps[0], 5.38659793814, 0.01);
    ROW_NEAR(pose[1].velocity_mps[0], 5.38659793814, 0.01);
    apex_world_destroy(world);
}

static const row ROWS[] = {
    ROW("P28.0.0", p28_0),
    ROW("P28.0.25", p28_25),
    ROW("P28.1.0", p28_1),
    ROW("P29", p29),
};

ROWS_TEST(ROWS)
