// builds: float double
// Tests of cars' limits against closed forms: traction by driven axle, wheels that lift, roll-over,
// lean, the way to a stop. Tyres push with friction times load however much they slide.

#include "support/base/check_main.h"
#include "support/physics/linear_car.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdio.h>

static const double GRAVITY = 9.81;

static linear_car car_of(double height_m, double friction) {
    linear_car car = linear_abe();
    car.com_height_m = height_m;
    car.friction = friction;
    return car;
}

// Springs as stiff as the step bears, so that bodies neither squat nor roll to speak of.
static void stiffen(apex_car_def *def) {
    for (uint32_t a = 0; a < def->axle_count; a++) {
        apex_axle_def *axle = &def->axles[a];
        axle->suspension.unsprung_mass_kg = 30.0;
        axle->suspension.spring_n_per_m = 1.5e6;
        axle->suspension.bump_ns_per_m = axle->suspension.rebound_ns_per_m = 30000.0;
        axle->tyre.vertical_stiffness_n_per_m = 1.2e6;
        axle->tyre.vertical_damping_ns_per_m = 6000.0;
    }
}

static double speed_of(const scene_solo *solo) {
    return linear_motion_of(solo).forward_mps;
}

/// Acceleration under a push, once the body stands still on its springs, and whether any driven
/// wheel slides.
typedef struct launch {
    double mps2;
    bool slides;
} launch;

static launch run_launch(double push_n, double front_share) {
    linear_car car = car_of(0.5, 1.0);
    apex_car_def def = linear_car_def(&car);
    stiffen(&def);
    linear_set_drive_share(&def, front_share);
    linear_set_push(&def, push_n);
    if (front_share > 0.0 && front_share < 1.0) {
        def.centre_differential.kind = APEX_DIFFERENTIAL_OPEN;
    }
    scene_solo solo = linear_solo(&def, scene_flat());
    linear_place(&solo, 2.0);
    solo.controls = (apex_controls){.throttle = 0, .gear = 1};
    // Comes on within a second, as a sudden push would find the load not yet moved.
    for (int i = 0; i <= 240; i++) {
        solo.controls.throttle = 255;
        solo.controls.clutch = (uint8_t)(255 - 255 * i / 240);
        scene_solo_run(&solo, 1);
    }
    linear_run(&solo, 0.5);
    double before = speed_of(&solo);
    linear_run(&solo, 0.5);
    launch found = {.mps2 = 2.0 * (speed_of(&solo) - before)};
    apex_car_work work = scene_solo_work(&solo);
    for (uint32_t w = 0; w < 4; w++) {
        found.slides = found.slides || work.wheels[w].sliding;
    }
    scene_solo_destroy(&solo);
    return found;
}

static void check_traction(const char *name, double front_share, double limit_mps2) {
    double mass = car_of(0.5, 1.0).mass_kg;
    char what[64];
    launch over = run_launch(1.01 * mass * limit_mps2, front_share);
    snprintf(what, sizeof what, "traction limit, %s, m/s2", name);
    expect_share(what, over.mps2, limit_mps2, 5e-3);
    ck_assert(over.slides);
    launch under = run_launch(0.98 * mass * limit_mps2, front_share);
    snprintf(what, sizeof what, "2 %% below it, %s, m/s2", name);
    expect_share(what, under.mps2, 0.98 * limit_mps2, 2e-3);
    ck_assert(!under.slides);
}

// Friction 1; CG 1.1 m behind the front axle, 1.6 m ahead of the rear one, 0.5 m high.
TEST(traction_limits_by_driven_axle) {
    const double FRONT = 1.1, REAR = 1.6, LENGTH = 2.7, HEIGHT = 0.5;
    check_traction("rear", 0.0, GRAVITY * FRONT / (LENGTH - HEIGHT));
    check_traction("front", 1.0, GRAVITY * REAR / (LENGTH + HEIGHT));
    // All wheels reach it together where the torque is split as the load then is.
    check_traction("all", (REAR - HEIGHT) / LENGTH, GRAVITY);
}

// The drive's impulse on wheels goes into the ground or into their spin, also when tyres let go.
static void check_drive_ledger(apex_tyre_model model, double inertia_kgm2, double push_share) {
    linear_car car = car_of(0.5, 1.0);
    apex_car_def def = linear_car_def(&car);
    stiffen(&def);
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].tyre.model = model;
        def.axles[a].tyre.inertia_kgm2 = inertia_kgm2;
    }
    linear_set_push(&def, push_share * car.mass_kg * GRAVITY * 1.1 / 2.2);
    scene_solo solo = linear_solo(&def, scene_flat());
    linear_place(&solo, 2.0);
    solo.controls = (apex_controls){.throttle = 255, .gear = 1};
    apex_car_state before = scene_solo_state(&solo);
    double drive = 0.0, ground = 0.0;
    for (int i = 0; i < 240; i++) {
        scene_solo_run(&solo, 1);
        apex_car_work work = scene_solo_work(&solo);
        drive += work.drive_torque_nm / 240.0;
        for (uint32_t w = 2; w < 4; w++) {
            ground += work.wheels[w].force_long_n * def.axles[1].tyre.radius_m / 240.0;
        }
    }
    apex_car_state after = scene_solo_state(&solo);
    double spin = 0.0;
    for (uint32_t w = 2; w < 4; w++) {
        spin += inertia_kgm2 * (after.wheels[w].spin_radps - before.wheels[w].spin_radps);
    }
    char what[64];
    snprintf(what, sizeof what, "drive = ground + spin, %.3f of the limit, N m s", push_share);
    expect_share(what, ground + spin, drive, 1e-4);
    scene_solo_destroy(&solo);
}

// Likewise what brakes take, until a wheel stands still.
static void check_brake_ledger(double share) {
    linear_car car = car_of(0.5, 1.0);
    apex_car_def def = linear_car_def(&car);
    stiffen(&def);
    const double INERTIA = 1.2;
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].tyre.inertia_kgm2 = INERTIA;
    }
    linear_set_brake(&def, share * car.mass_kg * GRAVITY, (1.6 + 0.5) / 2.7);
    scene_solo solo = linear_solo(&def, scene_flat());
    linear_place(&solo, 30.0);
    solo.controls.brake = 255;
    apex_car_state before = scene_solo_state(&solo);
    double taken = 0.0, ground = 0.0, spin = 0.0;
    for (int i = 0; i < 240; i++) {
        scene_solo_run(&solo, 1);
        apex_car_state after = scene_solo_state(&solo);
        if (after.wheels[0].spin_radps <= 0.0) {
            break;
        }
        apex_car_work work = scene_solo_work(&solo);
        taken += def.axles[0].brake.torque_nm_max / 240.0;
        ground += work.wheels[0].force_long_n * def.axles[0].tyre.radius_m / 240.0;
        spin = INERTIA * (after.wheels[0].spin_radps - before.wheels[0].spin_radps);
    }
    char what[64];
    snprintf(what, sizeof what, "brake = ground + spin, %.2f of the limit, N m s", share);
    expect_share(what, -ground - spin, taken, 1e-4);
    scene_solo_destroy(&solo);
}

TEST(momentum_of_wheels_and_ground_closes) {
    const double SHARES[] = {0.9, 1.005, 1.02, 1.05, 1.2, 1.5};
    for (size_t i = 0; i < sizeof SHARES / sizeof *SHARES; i++) {
        check_drive_ledger(APEX_TYRE_LINEAR, 0.01, SHARES[i]);
        check_drive_ledger(APEX_TYRE_LINEAR, 1.2, SHARES[i]);
        check_drive_ledger(APEX_TYRE_BRUSH, 1.2, SHARES[i]);
        check_drive_ledger(APEX_TYRE_MAGIC, 1.2, SHARES[i]);
        check_brake_ledger(SHARES[i]);
    }
}

static void check_stop(double speed_mps, double friction) {
    linear_car car = car_of(0.5, friction);
    apex_car_def def = linear_car_def(&car);
    stiffen(&def);
    linear_set_brake(&def, 3.0 * car.mass_kg * GRAVITY, 0.6);
    scene_solo solo = linear_solo(&def, scene_flat());
    linear_place(&solo, speed_mps);
    solo.controls.brake = 255;
    linear_run(&solo, speed_mps / (friction * GRAVITY) + 3.0);
    char what[64];
    snprintf(what, sizeof what, "way to a stop from %.1f m/s, friction %.1f, m", speed_mps,
             friction);
    expect_share(what, linear_motion_of(&solo).x_m,
                 speed_mps * speed_mps / (2.0 * friction * GRAVITY), 0.01);
    ck_assert_double_lt(fabs(speed_of(&solo)), 1e-4);
    scene_solo_destroy(&solo);
}

TEST(stopping_distance) {
    check_stop(13.4, 1.0);
    check_stop(26.8, 1.0);
    check_stop(40.0, 1.0);
    check_stop(26.8, 0.3);
}

static apex_car_def motorcycle(void) {
    linear_car bike = {.mass_kg = 260.0,
                       .yaw_kgm2 = 60.0,
                       .front_m = 0.75,
                       .rear_m = 0.65,
                       .front_n_per_rad = 40e3,
                       .rear_n_per_rad = 45e3,
                       .com_height_m = 0.6};
    apex_car_def def = linear_car_def(&bike);
    def.model = APEX_CAR_MOTORCYCLE;
    def.inertia_roll_kgm2 = 25.0;
    def.hull.width_m = 0.5;
    def.hull.centre_z_m = 0.6;
    for (uint32_t a = 0; a < 2; a++) {
        apex_axle_def *axle = &def.axles[a];
        axle->track_width_m = 0.0;
        axle->suspension.unsprung_mass_kg = 12.0;
        axle->suspension.spring_n_per_m = 2e5;
        axle->suspension.bump_ns_per_m = axle->suspension.rebound_ns_per_m = 3500.0;
        axle->tyre.vertical_stiffness_n_per_m = 4.5e5;
    }
    return def;
}

/// Deceleration or acceleration at which a motorcycle's wheel leaves the ground, and whether it
/// goes on rising.
typedef struct lift {
    double mps2, pitch_rad;
} lift;

static lift find_lift(bool brakes) {
    const double MASS = 260.0, MOST_MPS2 = 16.0, SECONDS = 4.0;
    apex_car_def def = motorcycle();
    linear_set_push(&def, MASS * MOST_MPS2);
    linear_set_brake(&def, MASS * MOST_MPS2, 1.0);
    def.axles[0].brake.torque_nm_max *= 2.0; // one wheel, not two
    scene_solo solo = linear_solo(&def, scene_flat());
    linear_place(&solo, brakes ? 60.0 : 5.0);
    solo.controls = (apex_controls){.throttle = brakes ? 0 : 255, .gear = brakes ? 0 : 1};
    lift found = {0.0, 0.0};
    int ticks = (int)(SECONDS * 240.0);
    for (int i = 0; i < ticks; i++) {
        int level = 255 * i / ticks;
        solo.controls.brake = (uint8_t)(brakes ? level : 0);
        solo.controls.clutch = (uint8_t)(brakes ? 0 : 255 - level);
        double before = speed_of(&solo);
        scene_solo_run(&solo, 1);
        double gain = fabs(speed_of(&solo) - before) * 240.0;
        apex_car_work work = scene_solo_work(&solo);
        if (found.mps2 == 0.0 && work.wheels[brakes ? 1 : 0].load_n <= 0.0) {
            found.mps2 = gain;
        }
        found.pitch_rad = linear_motion_of(&solo).pitch_rad;
        if (fabs(found.pitch_rad) > 0.3) {
            break;
        }
    }
    scene_solo_destroy(&solo);
    return found;
}

TEST(wheels_of_a_motorcycle_lift) {
    lift wheelie = find_lift(false), stoppie = find_lift(true);
    expect_share("wheelie limit g c / h, m/s2", wheelie.mps2, GRAVITY * 0.65 / 0.6, 0.02);
    expect_share("stoppie limit g b / h, m/s2", stoppie.mps2, GRAVITY * 0.75 / 0.6, 0.02);
    ck_assert_double_lt(wheelie.pitch_rad, -0.3); // nose up, and on
    ck_assert_double_gt(stoppie.pitch_rad, 0.3);
}

static void check_lean(double speed_mps, double radius_m) {
    const double DEGREE = 57.29577951308232, LENGTH_M = 1.4, LOCK_RAD = 0.4;
    apex_car_def def = motorcycle();
    linear_set_steer(&def, LOCK_RAD);
    scene_solo solo = linear_solo(&def, scene_flat());
    linear_place(&solo, speed_mps);
    solo.controls.steer = (int16_t)(LENGTH_M / radius_m / LOCK_RAD * APEX_STEER_MAX + 0.5);
    linear_run(&solo, 6.0);
    linear_motion now = linear_motion_of(&solo);
    double across = now.speed_mps * now.yaw_radps;
    char what[64];
    snprintf(what, sizeof what, "lean at %.0f m/s on %.0f m, degrees", speed_mps, radius_m);
    // Turning left it leans left, and rolls negatively.
    expect_near(what, -now.roll_rad * DEGREE, atan(across / GRAVITY) * DEGREE, 0.1);
    // The rider leans for the bend, and rides it a little wide.
    expect_share("radius that it rides, m", now.speed_mps / now.yaw_radps, radius_m, 0.04);
    scene_solo_destroy(&solo);
}

TEST(a_motorcycle_leans_as_its_bend_wants) {
    check_lean(12.0, 60.0);
    check_lean(20.5, 50.0); // Palmer's 39.2 degrees are those of 20 m/s
    check_lean(30.0, 150.0);
}

/// A tall car on tyres that never let go, steered ever harder.
typedef struct roll_over {
    double lift_mps2; // across, where the second inner wheel left the ground
    double roll_rad;  // then
    double end_rad;   // largest roll afterwards
} roll_over;

static const double TALL_TRACK_M = 1.2, TALL_HEIGHT_M = 0.9;

static scene_solo tall_car(double steer_rad) {
    linear_car car = car_of(TALL_HEIGHT_M, 4.0);
    apex_car_def def = linear_car_def(&car);
    stiffen(&def);
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].track_width_m = TALL_TRACK_M;
    }
    linear_set_steer(&def, steer_rad);
    def.steering.rate_radps_max = 0.05;
    return linear_solo(&def, scene_flat());
}

static roll_over find_roll_over(bool to_the_left) {
    roll_over found = {0.0, 0.0, 0.0};
    scene_solo solo = tall_car(0.4);
    linear_place(&solo, 16.0);
    solo.controls.steer = to_the_left ? APEX_STEER_MAX : -APEX_STEER_MAX;
    for (int i = 0; i < 240 * 6; i++) {
        scene_solo_run(&solo, 1);
        apex_car_work work = scene_solo_work(&solo);
        linear_motion now = linear_motion_of(&solo);
        const apex_wheel_work *inner = &work.wheels[to_the_left ? 0 : 1];
        if (found.lift_mps2 == 0.0 && inner[0].load_n <= 0.0 && inner[2].load_n <= 0.0) {
            // Along the ground: what the tyres give, over the mass.
            double force = 0.0;
            for (uint32_t w = 0; w < 4; w++) {
                force += work.wheels[w].force_lat_n;
            }
            found.lift_mps2 = fabs(force) / 1500.0;
            found.roll_rad = fabs(now.roll_rad);
        }
        found.end_rad = fmax(found.end_rad, fabs(now.roll_rad));
    }
    scene_solo_destroy(&solo);
    return found;
}

TEST(a_tall_car_tips_where_the_formula_says) {
    double limit = GRAVITY * TALL_TRACK_M / (2.0 * TALL_HEIGHT_M);
    for (int side = 0; side < 2; side++) {
        roll_over found = find_roll_over(side == 0);
        expect_share("roll-over threshold g t / 2h, m/s2", found.lift_mps2, limit, 0.02);
        // The body has rolled on its springs: its weight acts that much further out.
        expect_share("the same, g (t / 2h - roll)", found.lift_mps2,
                     limit - GRAVITY * found.roll_rad, 0.01);
        ck_assert_double_gt(found.end_rad, 1.2);
    }
}

// A little below, it goes round all day.
TEST(below_its_threshold_a_tall_car_stays_down) {
    double limit = GRAVITY * TALL_TRACK_M / (2.0 * TALL_HEIGHT_M), speed = 16.0;
    linear_car car = car_of(TALL_HEIGHT_M, 4.0);
    double gradient = 2.988215e-3, length = car.front_m + car.rear_m;
    double steer = 0.93 * limit * (length / (speed * speed) + gradient);
    scene_solo solo = tall_car(steer);
    linear_place(&solo, speed);
    solo.controls.steer = APEX_STEER_MAX;
    double most = 0.0;
    for (int i = 0; i < 240 * 8; i++) {
        scene_solo_run(&solo, 1);
        linear_motion now = linear_motion_of(&solo);
        most = fmax(most, now.yaw_radps * now.speed_mps);
        ck_assert_double_lt(fabs(now.roll_rad), 0.1);
    }
    ck_assert_double_gt(most, 0.85 * limit);
    scene_solo_destroy(&solo);
}
