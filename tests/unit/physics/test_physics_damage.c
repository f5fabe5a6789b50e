// builds: float double
// Tests of damage against closed forms: bent wheels pull to the side that was hit, a flat front
// drags, a torn wing lifts, a pierced radiator tires the engine, bodywork drags on tyres. A whole
// car feels nothing, and no car does if damage is only to be seen.

#include "support/base/check_main.h"
#include "support/physics/linear_car.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double AIR = 1.2, GRAVITY = 9.81;

// The stages' numbers of a wreck.
static const double BENT_RAD = 0.035, FOLLOWS = 0.5;
static const double RUBBING = 0.03;
static const double FRONT_DRAG = 0.3;
static const double DOWNFORCE_LOST = 0.6, WING_DRAG_PER_LIFT = 0.125;

static scene_solo create(const apex_car_def *def, apex_damage_mode mode, const apex_walls *walls) {
    scene_solo solo = {.controls = {.gear = APEX_GEAR_NEUTRAL}};
    apex_world_def world = scene_world_def(1);
    world.tick_hz = 240;
    world.damage = mode;
    world.gravity_mps2 = GRAVITY;
    world.air_density_kg_per_m3 = AIR;
    apex_car_type type;
    apex_placement at = {0};
    ck_assert_int_eq(apex_world_create(&world, scene_flat(), walls, &solo.world), APEX_OK);
    ck_assert_int_eq(apex_world_add_type(solo.world, def, &type), APEX_OK);
    ck_assert_int_eq(apex_world_add_car(solo.world, type, &at, &solo.car), APEX_OK);
    return solo;
}

static void set_damage(scene_solo *solo, apex_damage_zone zone, double damage) {
    apex_car_state state = scene_solo_state(solo);
    state.damage[zone] = damage;
    ck_assert(apex_world_set_car(solo->world, solo->car, &state));
}

static double bent_yaw_radps(const linear_car *car, double speed_mps, double damage) {
    double length = car->front_m + car->rear_m;
    double cf = car->front_n_per_rad, cr = car->rear_n_per_rad;
    double mean_rad = 0.5 * (1.0 + FOLLOWS) * BENT_RAD * damage;
    // One side's wheels carry half of the car at half of the track's 1.5 m.
    double moment_nm = RUBBING * damage * 0.5 * car->mass_kg * GRAVITY * 0.75;
    double resists = length / speed_mps +
                     car->mass_kg * speed_mps / length * (car->rear_m / cf - car->front_m / cr);
    return (mean_rad + moment_nm / length * (1.0 / cf + 1.0 / cr)) / resists;
}

TEST(a_bent_side_pulls_there_as_its_toe_predicts) {
    linear_car car = linear_abe();
    apex_car_def def = linear_car_def(&car);
    for (int right = 0; right < 2; right++) {
        for (double damage = 0.2; damage < 1.05; damage += 0.4) {
            scene_solo solo = create(&def, APEX_DAMAGE_FULL, NULL);
            linear_place(&solo, 15.0);
            set_damage(&solo, right ? APEX_ZONE_RIGHT : APEX_ZONE_LEFT, damage);
            linear_run(&solo, 3.0);
            linear_motion motion = linear_motion_of(&solo);
            double predicted = bent_yaw_radps(&car, motion.speed_mps, damage);
            expect_share("yaw rate of a bent side", motion.yaw_radps,
                         right ? -predicted : predicted, 0.02);
            // A second's drift of metres, to the side of the hit.
            ck_assert(right ? motion.y_m < -0.5 : motion.y_m > 0.5);
            scene_solo_destroy(&solo);
        }
    }
}

TEST(equal_sides_scrub_and_rub_and_run_straight) {
    linear_car car = linear_abe();
    apex_car_def def = linear_car_def(&car);
    for (double damage = 0.5; damage < 1.25; damage += 0.5) {
        scene_solo solo = create(&def, APEX_DAMAGE_FULL, NULL);
        linear_place(&solo, 20.0);
        set_damage(&solo, APEX_ZONE_LEFT, damage);
        set_damage(&solo, APEX_ZONE_RIGHT, damage);
        linear_run(&solo, 1.0); // until springs and tyres have settled
        double before = linear_motion_of(&solo).speed_mps;
        linear_run(&solo, 4.0);
        linear_motion motion = linear_motion_of(&solo);
        double out_rad = (1.0 - FOLLOWS) * BENT_RAD * damage;
        double slows =
            RUBBING * damage * GRAVITY + car.front_n_per_rad * out_rad * out_rad / car.mass_kg;
        expect_share("slowing by bent sides", (before - motion.speed_mps) / 4.0, slows, 0.02);
        expect_near("drift with equal sides", motion.y_m, 0.0, 1e-3);
        scene_solo_destroy(&solo);
    }
}

// A motorcycle has no track rod, and no side over a wheel.
TEST(only_pairs_of_wheels_bend_and_rub) {
    apex_car_def def = scene_motorcycle();
    scene_solo solos[2];
    for (int i = 0; i < 2; i++) {
        solos[i] = create(&def, APEX_DAMAGE_FULL, NULL);
        linear_place(&solos[i], 15.0);
    }
    set_damage(&solos[1], APEX_ZONE_LEFT, 1.0);
    set_damage(&solos[1], APEX_ZONE_RIGHT, 0.5);
    for (int i = 0; i < 2; i++) {
        scene_solo_run(&solos[i], 480);
    }
    apex_car_state whole = scene_solo_state(&solos[0]), hurt = scene_solo_state(&solos[1]);
    hurt.damage[APEX_ZONE_LEFT] = hurt.damage[APEX_ZONE_RIGHT] = 0.0;
    ck_assert_int_eq(memcmp(&whole, &hurt, sizeof whole), 0);
    scene_solo_destroy(&solos[0]);
    scene_solo_destroy(&solos[1]);
}

static apex_car_def winged(double lift_front_m2, double lift_rear_m2) {
    linear_car car = linear_abe();
    apex_car_def def = linear_car_def(&car);
    def.aero.drag_coefficient = 0.8;
    def.aero.frontal_area_m2 = 1.5;
    def.aero.lift_front_m2 = lift_front_m2;
    def.aero.lift_rear_m2 = lift_rear_m2;
    return def;
}

static apex_car_work work_with(const apex_car_def *def, double front, double rear) {
    scene_solo solo = create(def, APEX_DAMAGE_FULL, NULL);
    linear_place(&solo, 40.0);
    set_damage(&solo, APEX_ZONE_FRONT, front);
    set_damage(&solo, APEX_ZONE_REAR, rear);
    scene_solo_run(&solo, 1);
    apex_car_work work = scene_solo_work(&solo);
    scene_solo_destroy(&solo);
    return work;
}

TEST(torn_wings_press_less_and_drag_less) {
    const double PRESSURE = 0.5 * AIR * 40.0 * 40.0, DRAG_M2 = 0.8 * 1.5;
    apex_car_def def = winged(-0.8, -1.2);
    for (double damage = 0.0; damage < 1.1; damage += 0.25) {
        double lost = DOWNFORCE_LOST * damage;
        apex_car_work front = work_with(&def, damage, 0.0), rear = work_with(&def, 0.0, damage);
        expect_share("downforce, front", front.downforce_n, PRESSURE * (2.0 - 0.8 * lost), 1e-4);
        expect_share("downforce, rear", rear.downforce_n, PRESSURE * (2.0 - 1.2 * lost), 1e-4);
        double wing = WING_DRAG_PER_LIFT * lost;
        double flat = 1.0 + FRONT_DRAG * damage;
        expect_share("drag, front", front.drag_n, PRESSURE * (DRAG_M2 - wing * 0.8) * flat, 1e-4);
        expect_share("drag, rear", rear.drag_n, PRESSURE * (DRAG_M2 - wing * 1.2), 1e-4);
    }
}

TEST(lift_stays_and_no_wing_is_all_of_the_drag) {
    const double PRESSURE = 0.5 * AIR * 40.0 * 40.0, DRAG_M2 = 0.8 * 1.5;
    apex_car_def lifting = winged(0.1, 0.2), huge = winged(0.0, -9.0);
    apex_car_work work = work_with(&lifting, 1.0, 1.0);
    expect_share("lift of a wreck", work.downforce_n, PRESSURE * -0.3, 1e-4);
    expect_share("drag of a wreck", work.drag_n, PRESSURE * DRAG_M2 * 1.3, 1e-4);
    work = work_with(&huge, 0.0, 1.0);
    expect_share("drag without a huge wing", work.drag_n, PRESSURE * DRAG_M2 * 0.8, 1e-4);
}

TEST(top_speed_falls_by_the_root_of_the_drag) {
    apex_car_def def = winged(0.0, 0.0);
    linear_set_push(&def, 1500.0);
    double whole = sqrt(1500.0 / (0.5 * AIR * 0.8 * 1.5));
    double before = whole;
    for (double damage = 0.0; damage < 1.1; damage += 0.5) {
        scene_solo solo = create(&def, APEX_DAMAGE_FULL, NULL);
        linear_place(&solo, 0.9 * whole);
        set_damage(&solo, APEX_ZONE_FRONT, damage);
        solo.controls.gear = 1;
        solo.controls.throttle = 255;
        const int seconds = check_cases(120);
        linear_run(&solo, seconds);
        double speed = linear_motion_of(&solo).speed_mps;
        ck_assert_double_le(speed, before);
        before = speed;
        if (seconds == 120) {
            expect_share("top speed", speed, whole / sqrt(1.0 + FRONT_DRAG * damage), 0.01);
        }
        scene_solo_destroy(&solo);
    }
}

static double torque_with(double front) {
    apex_car_def def = scene_corvette();
    scene_solo solo = create(&def, APEX_DAMAGE_FULL, NULL);
    apex_car_state state = scene_solo_state(&solo);
    state.engine_radps = 300.0;
    state.damage[APEX_ZONE_FRONT] = front;
    ck_assert(apex_world_set_car(solo.world, solo.car, &state));
    solo.controls.throttle = 255;
    scene_solo_run(&solo, 1);
    double torque = scene_solo_work(&solo).engine_torque_nm;
    scene_solo_destroy(&solo);
    return torque;
}

TEST(an_engine_tires_once_its_radiator_is_reached) {
    double whole = torque_with(0.0);
    ck_assert_double_gt(whole, 400.0);
    ck_assert_double_eq(torque_with(0.2), whole);
    ck_assert_double_eq(torque_with(0.399), whole);
    expect_share("torque at 0.55", torque_with(0.55), whole * (1.0 - 0.5 * 0.15625), 1e-5);
    expect_share("torque at 0.7", torque_with(0.7), whole * 0.75, 1e-5);
    expect_share("torque of a wreck", torque_with(1.0), whole * 0.5, 1e-5);
}

static void steer_about(scene_solo *solo, uint64_t random) {
    const int legs = check_cases(8);
    for (int leg = 0; leg < legs; leg++) {
        uint64_t bits = scene_random(&random);
        solo->controls.gear = APEX_GEAR_AUTOMATIC;
        solo->controls.steer = (int16_t)((int)(bits & 0x3fff) - 0x2000);
        solo->controls.throttle = (uint8_t)(bits >> 16);
        solo->controls.brake = (bits >> 24 & 7) == 0 ? 128 : 0;
        scene_solo_run(solo, 120);
    }
}

// @return the state in which a car of a kind ends in a world of a mode, if every zone but the roof
// is damaged so.
static apex_car_state drive(uint32_t kind, apex_damage_mode mode, double damage) {
    apex_car_def def = scene_car_kind(kind);
    scene_solo solo = create(&def, mode, NULL);
    linear_place(&solo, 20.0);
    for (int zone = APEX_ZONE_FRONT; zone < APEX_ZONE_ROOF; zone++) {
        set_damage(&solo, (apex_damage_zone)zone, damage * (zone == APEX_ZONE_LEFT ? 0.3 : 1.0));
    }
    steer_about(&solo, 40 + kind);
    apex_car_state state = scene_solo_state(&solo);
    memset(state.damage, 0, sizeof state.damage);
    scene_solo_destroy(&solo);
    return state;
}

TEST(no_damage_costs_no_bit_and_seen_damage_none_either) {
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        apex_car_def def = scene_car_kind(kind);
        apex_car_state off = drive(kind, APEX_DAMAGE_OFF, 0.0);
        apex_car_state seen = drive(kind, APEX_DAMAGE_VISUAL, 0.9);
        apex_car_state whole = drive(kind, APEX_DAMAGE_FULL, 0.0);
        apex_car_state hurt = drive(kind, APEX_DAMAGE_FULL, 0.9);
        ck_assert_int_eq(memcmp(&off, &seen, sizeof off), 0);
        ck_assert_int_eq(memcmp(&off, &whole, sizeof off), 0);
        // A kinematic car has no forces that damage could weaken.
        bool is_same = memcmp(&off, &hurt, sizeof off) == 0;
        ck_assert_int_eq(is_same, def.model == APEX_CAR_KINEMATIC);
    }
}

TEST(repair_heals_to_the_bit) {
    apex_car_def def = scene_corvette();
    scene_solo hurt = create(&def, APEX_DAMAGE_FULL, NULL), whole = hurt;
    whole = create(&def, APEX_DAMAGE_FULL, NULL);
    linear_place(&hurt, 20.0);
    set_damage(&hurt, APEX_ZONE_RIGHT, 0.8);
    set_damage(&hurt, APEX_ZONE_FRONT, 0.8);
    scene_solo_run(&hurt, 240);
    apex_service service = {.fuel_kg = -1.0, .ballast_kg = -1.0, .repair = true};
    apex_world_service_car(hurt.world, hurt.car, &service);
    apex_car_state state = scene_solo_state(&hurt);
    for (int zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        ck_assert_double_eq(state.damage[zone], 0.0);
    }
    ck_assert(apex_world_set_car(whole.world, whole.car, &state));
    scene_solo_run(&hurt, 240);
    scene_solo_run(&whole, 240);
    state = scene_solo_state(&hurt);
    apex_car_state other = scene_solo_state(&whole);
    ck_assert_int_eq(memcmp(&state, &other, sizeof state), 0);
    scene_solo_destroy(&hurt);
    scene_solo_destroy(&whole);
}

TEST(more_than_a_wreck_is_refused) {
    apex_car_def def = scene_corvette();
    scene_solo solo = create(&def, APEX_DAMAGE_FULL, NULL);
    apex_car_state state = scene_solo_state(&solo);
    static const double WRONG[] = {-0.01, 1.01, 1e30, (double)NAN};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        state.damage[APEX_ZONE_LEFT] = WRONG[i];
        ck_assert(!apex_world_set_car(solo.world, solo.car, &state));
    }
    ck_assert_double_eq(scene_solo_state(&solo).damage[APEX_ZONE_LEFT], 0.0);
    state.damage[APEX_ZONE_LEFT] = 1.0;
    ck_assert(apex_world_set_car(solo.world, solo.car, &state));
    scene_solo_destroy(&solo);
}

static const apex_wall_material CONCRETE = {
    .name = "concrete", .restitution = 0.25, .friction = 0.3};

// A car that slides with its left side into a wall and drives on along it, unsteered.
static scene_solo slide_into_wall(apex_damage_mode mode) {
    static const apex_wall_segment FACE = {.from_x_m = 400.0,
                                           .from_y_m = 2.0,
                                           .to_x_m = -400.0,
                                           .to_y_m = 2.0,
                                           .base_m = -1.0,
                                           .top_m = 2.0,
                                           .previous = APEX_GROUND_NONE,
                                           .next = APEX_GROUND_NONE};
    static const apex_walls WALLS = {
        .segments = &FACE, .segment_count = 1, .materials = &CONCRETE, .material_count = 1};
    apex_car_def def = scene_plain_car();
    scene_solo solo = create(&def, mode, &WALLS);
    apex_car_state state = scene_solo_state(&solo);
    state.velocity_mps[1] = 12.0;
    ck_assert(apex_world_set_car(solo.world, solo.car, &state));
    scene_solo_run(&solo, 120);
    return solo;
}

TEST(a_hit_bends_at_once_and_is_saved) {
    scene_solo solo = slide_into_wall(APEX_DAMAGE_FULL);
    apex_car_state state = scene_solo_state(&solo);
    ck_assert_double_gt(state.damage[APEX_ZONE_LEFT], 0.2);
    ck_assert_double_eq(state.damage[APEX_ZONE_RIGHT], 0.0);
    size_t bytes = apex_world_save_bytes(solo.world);
    uint8_t *saved = malloc(bytes);
    ck_assert_ptr_nonnull(saved);
    apex_world_save(solo.world, saved);
    // The other has seen no hit, only what was saved: the wheels of both point the same way.
    scene_solo other = slide_into_wall(APEX_DAMAGE_FULL);
    apex_car_state whole = state;
    memset(whole.damage, 0, sizeof whole.damage);
    ck_assert(apex_world_set_car(other.world, other.car, &whole));
    scene_solo_run(&other, 1);
    ck_assert_int_eq(apex_world_restore(other.world, saved, bytes), APEX_OK);
    solo.controls.gear = other.controls.gear = APEX_GEAR_AUTOMATIC;
    solo.controls.throttle = other.controls.throttle = 255;
    scene_solo_run(&solo, 480);
    scene_solo_run(&other, 480);
    ck_assert_uint_eq(apex_world_hash(solo.world), apex_world_hash(other.world));
    free(saved);
    scene_solo_destroy(&solo);
    scene_solo_destroy(&other);
}

TEST(modes_count_or_do_not) {
    scene_solo off = slide_into_wall(APEX_DAMAGE_OFF), seen = slide_into_wall(APEX_DAMAGE_VISUAL);
    scene_solo full = slide_into_wall(APEX_DAMAGE_FULL);
    double left = scene_solo_state(&full).damage[APEX_ZONE_LEFT];
    ck_assert_double_eq(scene_solo_state(&off).damage[APEX_ZONE_LEFT], 0.0);
    ck_assert_double_eq(scene_solo_pose(&off).damage, 0.0);
    ck_assert_double_gt(scene_solo_state(&seen).damage[APEX_ZONE_LEFT], 0.2);
    ck_assert_double_eq(scene_solo_pose(&full).damage, left);
    apex_car_state a = scene_solo_state(&off), b = scene_solo_state(&seen);
    memset(b.damage, 0, sizeof b.damage);
    ck_assert_int_eq(memcmp(&a, &b, sizeof a), 0);
    scene_solo_destroy(&off);
    scene_solo_destroy(&seen);
    scene_solo_destroy(&full);
}
