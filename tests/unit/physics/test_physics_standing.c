// builds: float double
// Standing still, and everything near it: parking on slopes, pulling away, creeping, reversing,
// stopping, locking. Simulators that divide slip by nearly no speed get these wrong.

#include "support/base/check_main.h"
#include "support/physics/linear_car.h"
#include "support/physics/scenes.h"

#include <math.h>

static double up_along(double x_m, double y_m) {
    (void)y_m;
    return 0.3 * x_m;
}

static double up_across(double x_m, double y_m) {
    (void)x_m;
    return 0.3 * y_m;
}

// The car, and whatever it may be of the kinds that have forces.
static apex_car_def kind_of(uint32_t kind) {
    apex_car_def def = scene_car_kind(kind);
    def.fuel_kg_max = 0.0;
    return def;
}

/// One car of each kind at the same place, none of which touches another.
typedef struct car_park {
    scene_ground *ground;
    apex_world *world;
    apex_car_id cars[SCENE_KINDS];
    apex_controls controls[SCENE_KINDS];
} car_park;

static car_park park(scene_height *height, double yaw_rad) {
    car_park made = {.ground = scene_ground_create(48.0, height)};
    apex_world_def def = scene_world_def(SCENE_KINDS);
    apex_placement at = {.yaw_rad = yaw_rad};
    ck_assert_int_eq(apex_world_create(&def, scene_ground_of(made.ground), NULL, &made.world),
                     APEX_OK);
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        apex_car_def car = kind_of(kind);
        apex_car_type type;
        ck_assert_int_eq(apex_world_add_type(made.world, &car, &type), APEX_OK);
        ck_assert_int_eq(apex_world_add_car(made.world, type, &at, &made.cars[kind]), APEX_OK);
        apex_world_ghost_car(made.world, made.cars[kind], true);
        made.controls[kind] = (apex_controls){.brake = 255, .gear = APEX_GEAR_NEUTRAL};
    }
    return made;
}

static void wait(const car_park *in, double seconds) {
    for (int i = 0; i < (int)(seconds * 60.0); i++) {
        apex_world_step(in->world, in->controls, NULL);
    }
}

static void read_poses(const car_park *in, apex_car_pose poses[SCENE_KINDS]) {
    ck_assert_uint_eq(apex_world_poses(in->world, poses, SCENE_KINDS), SCENE_KINDS);
}

// Farthest that a car strays in a minute, from where it stands ten seconds after it was left there.
static void check_park(scene_height *height, double yaw_rad, const char *where) {
    car_park in = park(height, yaw_rad);
    apex_car_pose before[SCENE_KINDS], now[SCENE_KINDS];
    double most[SCENE_KINDS] = {0.0};
    wait(&in, 10.0);
    read_poses(&in, before);
    const int seconds = check_cases(60);
    for (int i = 0; i < seconds; i++) {
        wait(&in, 1.0);
        read_poses(&in, now);
        for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
            double way = 0.0;
            for (int k = 0; k < 3; k++) {
                way += pow(now[kind].position_m[k] - before[kind].position_m[k], 2.0);
            }
            most[kind] = fmax(most[kind], sqrt(way));
        }
    }
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        expect_near(linear_named(kind_of(kind).name, where), most[kind], 0.0, 1e-3);
        // It has not slid off before, either.
        ck_assert_double_lt(hypot(now[kind].position_m[0], now[kind].position_m[1]), 0.06);
    }
    apex_world_destroy(in.world);
    scene_ground_destroy(in.ground);
}

TEST(parked_on_slopes_nothing_creeps) {
    check_park(up_along, 0.0, "creep on a 30 % grade, nose up, m");
    check_park(up_along, 3.141592653589793, "creep on a 30 % grade, nose down, m");
    check_park(up_across, 0.0, "creep on a 30 % cross slope, m");
    check_park(up_across, 0.7, "creep on a 30 % slope aslant, m");
}

/// The smoothness of a car's motion: the largest and the mean jump of its acceleration from one
/// substep to the next but one, and the number of times that its speed changed sign.
typedef struct ride {
    double jump_mps2, mean_jump_mps2;
    int turns;
    double speed_mps; // at the end
} ride;

// Looks on for a time while the controls stay as they are.
static ride watch(scene_solo *solo, double seconds) {
    ride seen = {0.0, 0.0, 0, 0.0};
    double speed[3] = {0.0, 0.0, 0.0};
    int ticks = (int)(seconds * 240.0);
    for (int i = 0; i < ticks; i++) {
        scene_solo_run(solo, 1);
        speed[0] = speed[1];
        speed[1] = speed[2];
        speed[2] = linear_motion_of(solo).forward_mps;
        if (i >= 2) {
            double jump = fabs(speed[2] - 2.0 * speed[1] + speed[0]) * 240.0;
            seen.jump_mps2 = fmax(seen.jump_mps2, jump);
            seen.mean_jump_mps2 += jump / (ticks - 2);
            seen.turns += speed[2] * speed[1] < 0.0 && fabs(speed[2]) > 1e-3;
        }
    }
    seen.speed_mps = speed[2];
    return seen;
}

// A push that comes on within a second and stays.
static ride creep_along(const apex_car_def *from, double push_mps2, int8_t gear) {
    apex_car_def def = *from;
    def.gearbox.efficiency = 1.0;
    scene_solo solo = linear_solo(&def, scene_flat());
    linear_run(&solo, 2.0);
    solo.controls = (apex_controls){.throttle = 255, .gear = gear};
    int level = (int)(255.0 * push_mps2 / 4.0 + 0.5);
    for (int i = 0; i <= 240; i++) {
        solo.controls.clutch = (uint8_t)(255 - level * i / 240);
        scene_solo_run(&solo, 1);
    }
    ride seen = watch(&solo, 6.0);
    scene_solo_destroy(&solo);
    return seen;
}

// A car with the tyres, springs and wheels of a kind, and a drive that pushes evenly.
static apex_car_def even_drive(uint32_t kind) {
    apex_car_def def = kind_of(kind), linear;
    linear_car abe = linear_abe();
    linear = linear_car_def(&abe);
    double radius = 0.0, share = 0.0;
    def.engine = linear.engine;
    def.gearbox = linear.gearbox;
    def.aids = (apex_aids_def){.abs = 0.0};
    for (uint32_t a = 0; a < def.axle_count; a++) {
        radius += def.axles[a].drive_share * def.axles[a].tyre.radius_m;
        share += def.axles[a].drive_share;
    }
    def.gearbox.clutch_nm_max = 4.0 * def.mass_kg * radius / share;
    return def;
}

static bool is_dynamic(uint32_t kind) {
    return scene_car_kind(kind).model == APEX_CAR_DYNAMIC;
}

TEST(creeping_and_reversing_are_smooth) {
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        if (!is_dynamic(kind)) {
            continue;
        }
        apex_car_def def = even_drive(kind);
        ride ahead = creep_along(&def, 0.25, 1), back = creep_along(&def, 0.25, APEX_GEAR_REVERSE);
        expect_near(linear_named(def.name, "creeping ahead, jump of acceleration"), ahead.jump_mps2,
                    0.0, 0.02);
        expect_near(linear_named(def.name, "creeping back, jump of acceleration"), back.jump_mps2,
                    0.0, 0.02);
        ck_assert_double_gt(ahead.speed_mps, 0.2);
        ck_assert_double_lt(back.speed_mps, -0.2);
        ck_assert_int_eq(ahead.turns, 0);
        ck_assert_int_eq(back.turns, 0);
    }
}

// With its own engine, box and clutch, from rest to some 5 m/s. The clutch bites; nothing hammers.
TEST(pulling_away_is_smooth) {
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        if (!is_dynamic(kind)) {
            continue;
        }
        apex_car_def def = kind_of(kind);
        scene_solo solo = linear_solo(&def, scene_flat());
        linear_run(&solo, 2.0);
        solo.controls = (apex_controls){.throttle = 60, .gear = 1};
        ride seen = watch(&solo, 4.0);
        expect_near(linear_named(def.name, "pulling away, jump of acceleration"), seen.jump_mps2,
                    0.0, 0.5);
        expect_near(linear_named(def.name, "pulling away, mean jump"), seen.mean_jump_mps2, 0.0,
                    0.01);
        ck_assert_double_gt(seen.speed_mps, 0.2);
        ck_assert_int_eq(seen.turns, 0);
        scene_solo_destroy(&solo);
    }
}

// Gently to a stop: it rocks back on its tyres once and stands.
TEST(stopping_ends_in_standing) {
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        if (!is_dynamic(kind)) {
            continue;
        }
        apex_car_def def = kind_of(kind);
        for (int level = 60; level <= 255; level += 195) {
            scene_solo solo = linear_solo(&def, scene_flat());
            linear_place(&solo, 6.0);
            solo.controls.brake = (uint8_t)level;
            int ticks = 0;
            while (linear_motion_of(&solo).forward_mps > 0.0 && ticks < 240 * 10) {
                scene_solo_run(&solo, 1);
                ticks++;
            }
            double turned = linear_motion_of(&solo).x_m;
            ride seen = watch(&solo, 1.5);
            expect_near(linear_named(def.name, "turns round after the stop"), seen.turns, 0.0, 4.0);
            expect_near(linear_named(def.name, "speed 1.5 s after the stop, m/s"), seen.speed_mps,
                        0.0, 3e-3);
            expect_near(linear_named(def.name, "rocks back, m"),
                        turned - linear_motion_of(&solo).x_m, 0.0, 0.045);
            double stands = linear_motion_of(&solo).x_m;
            linear_run(&solo, check_cases(20));
            expect_near("then stays, m", linear_motion_of(&solo).x_m, stands, 2e-4);
            scene_solo_destroy(&solo);
        }
    }
}

TEST(a_locked_wheel_locks_once) {
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        if (!is_dynamic(kind)) {
            continue;
        }
        apex_car_def def = kind_of(kind);
        def.aids = (apex_aids_def){.automatic_clutch = true};
        for (uint32_t a = 0; a < def.axle_count; a++) {
            def.axles[a].brake.torque_nm_max *= 2.0;
        }
        scene_solo solo = linear_solo(&def, scene_flat());
        linear_place(&solo, 26.8);
        solo.controls.brake = 255;
        uint32_t wheels = apex_car_def_wheel_count(&def);
        int locks = 0, releases = 0;
        double jump = 0.0, speed[3] = {26.8, 26.8, 26.8};
        bool was_locked[APEX_WHEELS_MAX] = {false};
        for (int i = 0; i < 240 * 3 && linear_motion_of(&solo).forward_mps > 1.0; i++) {
            scene_solo_run(&solo, 1);
            apex_car_state state = scene_solo_state(&solo);
            int locked = 0;
            for (uint32_t w = 0; w < wheels; w++) {
                bool is_locked = state.wheels[w].spin_radps == 0.0;
                locks += is_locked && !was_locked[w];
                releases += !is_locked && was_locked[w];
                was_locked[w] = is_locked;
                locked += is_locked;
            }
            speed[0] = speed[1];
            speed[1] = speed[2];
            speed[2] = linear_motion_of(&solo).forward_mps;
            if (locked == (int)wheels && i > 240) {
                jump = fmax(jump, fabs(speed[2] - 2.0 * speed[1] + speed[0]) * 240.0);
            }
        }
        expect_near(linear_named(def.name, "wheels that lock"), locks, wheels, 0.0);
        expect_near(linear_named(def.name, "and let go again"), releases, 0.0, 0.0);
        expect_near(linear_named(def.name, "locked, jump of deceleration, m/s2"), jump, 0.0, 0.04);
        scene_solo_destroy(&solo);
    }
}
