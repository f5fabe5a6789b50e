// builds: float double
// Whole cars on the road: parking, braking, accelerating, shifting, steering, aids, surfaces.

#include "physics/world/world.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void place(scene_solo *solo, double speed_mps) {
    apex_placement at = {.speed_mps = speed_mps};
    apex_world_place_car(solo->world, solo->car, &at);
}

static double along(const scene_solo *solo) {
    apex_car_pose pose = scene_solo_pose(solo);
    return pose.velocity_mps[0] * cos(pose.yaw_rad) + pose.velocity_mps[1] * sin(pose.yaw_rad);
}

static double steep_up(double x_m, double y_m) {
    (void)y_m;
    return 0.3 * x_m;
}

static double steep_across(double x_m, double y_m) {
    (void)x_m;
    return 0.3 * y_m;
}

static void park(scene_height *height) {
    apex_car_def def = scene_corvette();
    scene_ground *ground = scene_ground_create(64.0, height);
    scene_solo solo = scene_solo_create(&def, scene_ground_of(ground));
    solo.controls.brake = 255;
    solo.controls.gear = APEX_GEAR_NEUTRAL;
    scene_solo_run(&solo, 600);
    apex_car_pose settled = scene_solo_pose(&solo);
    ck_assert_double_lt(hypot(settled.position_m[0], settled.position_m[1]), 0.05);
    scene_solo_run(&solo, 60 * 60);
    apex_car_pose later = scene_solo_pose(&solo);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_lt(fabs(later.position_m[i] - settled.position_m[i]), 0.001);
    }
    ck_assert_double_lt(fabs(later.yaw_rad - settled.yaw_rad), 1e-4);
    // And it does lie on the slope.
    ck_assert_double_eq_tol(fabs(later.pitch_rad) + fabs(later.roll_rad), atan(0.3), 0.03);
    scene_solo_destroy(&solo);
    scene_ground_destroy(ground);
}

TEST(parked_on_a_steep_hill_it_stays) {
    park(steep_up);
}

TEST(parked_across_a_steep_hill_it_stays) {
    park(steep_across);
}

TEST(nothing_moves_a_car_that_is_left_alone) {
    apex_car_def def = apex_default_car_def();
    def.fuel_kg_max = 0.0; // it is drawn empty, and fuel would let it down a little
    scene_solo solo = scene_solo_create(&def, scene_flat());
    scene_solo_run(&solo, 60 * 20);
    apex_car_pose pose = scene_solo_pose(&solo);
    ck_assert_double_lt(hypot(pose.position_m[0], pose.position_m[1]), 1e-3);
    ck_assert_double_eq_tol(pose.position_m[2], def.com_height_m, 1e-3);
    ck_assert_double_eq_tol(pose.engine_radps * 9.5493, def.engine.idle_rpm, 5.0);
    ck_assert_uint_eq(pose.wheels_on_road, 4);
    scene_solo_destroy(&solo);
}

static void brake_to_stop(double abs_strength) {
    apex_car_def def = scene_corvette();
    def.aids.abs = abs_strength;
    def.aero.drag_coefficient = 0.0;
    scene_solo solo = scene_solo_create(&def, scene_flat());
    place(&solo, 26.8);
    solo.controls.brake = 255;
    double before = 26.8, lowest = 0.0;
    for (int tick = 0; tick < 600; tick++) {
        scene_solo_run(&solo, 1);
        double now = along(&solo);
        if (now > 0.3) { // until it rocks back on its tyres
            ck_assert_double_le(now, before + 1e-4);
        }
        lowest = fmin(lowest, now);
        before = now;
    }
    double way = scene_solo_pose(&solo).position_m[0];
    double best = 26.8 * 26.8 / (2.0 * 9.81); // friction 1 on all wheels: 36.6 m
    ck_assert_double_gt(way, 0.999 * best);
    ck_assert_double_lt(way, abs_strength > 0.0 ? 1.06 * best : 1.15 * best);
    ck_assert_double_gt(lowest, -0.35); // tyres spring back a little, the car does not reverse
    ck_assert_double_lt(fabs(before), 1e-3);
    scene_solo_destroy(&solo);
}

TEST(brakes_stop_it_and_never_reverse) {
    brake_to_stop(0.0);
    brake_to_stop(1.0);
}

TEST(anti_lock_keeps_it_steering) {
    double turned[2];
    for (int with = 0; with < 2; with++) {
        apex_car_def def = scene_corvette();
        def.aids.abs = with;
        scene_solo solo = scene_solo_create(&def, scene_flat());
        place(&solo, 30.0);
        solo.controls.brake = 255;
        scene_solo_run(&solo, 30);
        solo.controls.steer = 8000;
        scene_solo_run(&solo, 45);
        turned[with] = scene_solo_pose(&solo).position_m[1];
        scene_solo_destroy(&solo);
    }
    ck_assert_double_gt(turned[1], 3.0 * fabs(turned[0]));
    ck_assert_double_gt(turned[1], 0.8);
}

TEST(handbrake_holds_the_rear_only) {
    apex_car_def def = scene_corvette();
    scene_solo solo = scene_solo_create(&def, scene_flat());
    place(&solo, 20.0);
    solo.controls.gear = APEX_GEAR_NEUTRAL;
    solo.controls.handbrake = 255;
    scene_solo_run(&solo, 30);
    apex_car_state state = scene_solo_state(&solo);
    ck_assert_double_eq(state.wheels[2].spin_radps, 0.0);
    ck_assert_double_eq(state.wheels[3].spin_radps, 0.0);
    ck_assert_double_gt(state.wheels[0].spin_radps, 30.0);
    scene_solo_destroy(&solo);
}

static double seconds_to(scene_solo *solo, double speed_mps) {
    int tick = 0;
    while (scene_solo_speed(solo) < speed_mps && tick < 60 * 60) {
        scene_solo_run(solo, 1);
        tick++;
    }
    return tick / 60.0;
}

TEST(corvette_is_as_quick_as_it_should_be) {
    // 0 to 60 mph in 4.8 s by the maker. Tyres of friction 1 could do 4.5 s at best (M17).
    apex_car_def def = scene_corvette();
    scene_solo solo = scene_solo_create(&def, scene_flat());
    solo.controls.throttle = 255;
    double time = seconds_to(&solo, 26.8);
    ck_assert_double_gt(time, 4.5);
    ck_assert_double_lt(time, 5.7);
    ck_assert_double_lt(fabs(scene_solo_pose(&solo).yaw_rad), 1e-3);
    scene_solo_destroy(&solo);
}

TEST(automatic_goes_through_the_gears_and_back) {
    apex_car_def def = scene_corvette();
    scene_solo solo = scene_solo_create(&def, scene_flat());
    solo.controls.throttle = 255;
    int shifts = 0, highest = 0;
    for (int tick = 0; tick < 60 * 40; tick++) {
        scene_solo_run(&solo, 1);
        size_t count;
        const apex_car_event *events = apex_world_car_events(solo.world, &count);
        for (size_t i = 0; i < count; i++) {
            shifts += events[i].kind == APEX_CAR_SHIFTED;
        }
        highest = scene_solo_pose(&solo).gear > highest ? scene_solo_pose(&solo).gear : highest;
    }
    ck_assert_int_ge(highest, 4);
    ck_assert_int_eq(shifts, highest - 1); // each gear once: no hunting (T05)
    solo.controls.throttle = 0;
    solo.controls.brake = 180;
    scene_solo_run(&solo, 60 * 10);
    ck_assert_int_eq(scene_solo_pose(&solo).gear, 1);
    scene_solo_destroy(&solo);
}

TEST(reverse_drives_backwards_and_only_from_rest) {
    apex_car_def def = scene_corvette();
    scene_solo solo = scene_solo_create(&def, scene_flat());
    place(&solo, 20.0);
    solo.controls.gear = APEX_GEAR_REVERSE;
    scene_solo_run(&solo, 5);
    ck_assert_int_ne(scene_solo_pose(&solo).gear, APEX_GEAR_REVERSE);
    solo.controls.brake = 255;
    scene_solo_run(&solo, 300);
    ck_assert_int_eq(scene_solo_pose(&solo).gear, APEX_GEAR_REVERSE);
    solo.controls.brake = 0;
    solo.controls.throttle = 255;
    scene_solo_run(&solo, 120);
    ck_assert_double_lt(along(&solo), -4.0);
    solo.controls.gear = APEX_GEAR_AUTOMATIC; // forward again, but not at once
    scene_solo_run(&solo, 2);
    ck_assert_int_eq(scene_solo_pose(&solo).gear, APEX_GEAR_REVERSE);
    scene_solo_destroy(&solo);
}

TEST(every_drive_drives) {
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        apex_car_def def = scene_car_kind(kind);
        scene_solo solo = scene_solo_create(&def, scene_flat());
        solo.controls.throttle = 255;
        scene_solo_run(&solo, 60 * 6);
        double speed = along(&solo);
        ck_assert_msg(speed > 6.0, "%s reaches %f m/s", def.name, speed);
        solo.controls.throttle = 0;
        solo.controls.brake = 255;
        scene_solo_run(&solo, 60 * 8);
        ck_assert_msg(fabs(along(&solo)) < 0.01, "%s stops: %f", def.name, along(&solo));
        scene_solo_destroy(&solo);
    }
}

TEST(open_differential_spins_the_wheel_on_ice) {
    double speed[2], spin[2];
    for (int locked = 0; locked < 2; locked++) {
        apex_car_def def = scene_plain_car();
        def.axles[1].differential.kind = locked ? APEX_DIFFERENTIAL_LOCKED : APEX_DIFFERENTIAL_OPEN;
        // Left wheels on ice: a tile column of it, seen from a car that stands on the edge.
        scene_ground *ground = scene_ground_create(64.0, steep_up);
        apex_ground split = *scene_ground_of(ground);
        apex_ground_tile *tiles = calloc(split.tile_count, sizeof *tiles);
        memcpy(tiles, split.tiles, split.tile_count * sizeof *tiles);
        for (uint32_t t = 0; t < split.tile_count; t++) {
            memset(tiles[t].height_m, 0, sizeof tiles[t].height_m);
            memset(tiles[t].surface, tiles[t].tile_y >= 0 ? SCENE_ICE : SCENE_ASPHALT,
                   sizeof tiles[t].surface);
        }
        split.tiles = tiles;
        scene_solo solo = scene_solo_create(&def, &split);
        solo.controls.throttle = 128;
        scene_solo_run(&solo, 90);
        speed[locked] = along(&solo);
        apex_car_state state = scene_solo_state(&solo);
        spin[locked] = state.wheels[2].spin_radps - state.wheels[3].spin_radps;
        scene_solo_destroy(&solo);
        free(tiles);
        scene_ground_destroy(ground);
    }
    ck_assert_double_gt(spin[0], 10.0);
    ck_assert_double_lt(fabs(spin[1]), 0.01);
    ck_assert_double_gt(speed[1], 1.5 * speed[0]);
}

TEST(limiter_holds_and_money_shift_blows) {
    apex_car_def def = scene_corvette();
    scene_solo solo = scene_solo_create(&def, scene_flat());
    solo.controls.gear = APEX_GEAR_NEUTRAL;
    solo.controls.throttle = 255;
    scene_solo_run(&solo, 300);
    double rpm = scene_solo_pose(&solo).engine_radps * 9.5493;
    ck_assert_double_lt(rpm, 6250.0);
    ck_assert_double_gt(rpm, 6000.0);
    place(&solo, 60.0); // 15,000 rpm in first
    solo.controls.gear = 1;
    bool blew = false;
    for (int tick = 0; tick < 120; tick++) {
        scene_solo_run(&solo, 1);
        size_t count;
        const apex_car_event *events = apex_world_car_events(solo.world, &count);
        for (size_t i = 0; i < count; i++) {
            if (events[i].kind == APEX_CAR_ENGINE_BLEW) {
                ck_assert_double_gt(events[i].value, 7500.0);
                blew = true;
            }
        }
    }
    ck_assert(blew && scene_solo_pose(&solo).engine_blown);
    scene_solo_run(&solo, 600);
    apex_service repair = {.fuel_kg = -1.0, .ballast_kg = -1.0, .repair = true};
    double dead = scene_solo_state(&solo).engine_radps;
    apex_world_service_car(solo.world, solo.car, &repair);
    ck_assert(scene_solo_pose(&solo).engine_blown); // a straight body is no engine
    repair = (apex_service){.fuel_kg = -1.0, .ballast_kg = -1.0, .engine = true};
    apex_world_service_car(solo.world, solo.car, &repair);
    solo.controls.gear = APEX_GEAR_NEUTRAL;
    scene_solo_run(&solo, 300);
    ck_assert_double_lt(dead, 1.0);
    ck_assert_double_gt(scene_solo_state(&solo).engine_radps, 100.0);
    scene_solo_destroy(&solo);
}

TEST(shift_counters_wrap_and_the_first_is_no_shift) {
    apex_car_def def = scene_corvette();
    scene_solo solo = scene_solo_create(&def, scene_flat());
    solo.controls.gear = APEX_GEAR_SEQUENTIAL;
    solo.controls.shift_up_count = 254; // a driver who came late
    int start = scene_solo_pose(&solo).gear;
    scene_solo_run(&solo, 60);
    ck_assert_int_eq(scene_solo_pose(&solo).gear, start);
    solo.controls.shift_up_count = 0; // two shifts, over the wrap
    scene_solo_run(&solo, 1);
    ck_assert_int_eq(scene_solo_pose(&solo).gear, start + 2);
    scene_solo_run(&solo, 60); // repeated samples shift nothing
    ck_assert_int_eq(scene_solo_pose(&solo).gear, start + 2);
    solo.controls.shift_up_count = 250; // an old sample
    scene_solo_run(&solo, 1);
    ck_assert_int_eq(scene_solo_pose(&solo).gear, start + 2);
    solo.controls.shift_down_count = 1;
    scene_solo_run(&solo, 1);
    ck_assert_int_eq(scene_solo_pose(&solo).gear, start + 1);
    solo.controls.shift_down_count = 100; // as far as it goes
    scene_solo_run(&solo, 1);
    ck_assert_int_eq(scene_solo_pose(&solo).gear, APEX_GEAR_REVERSE);
    scene_solo_destroy(&solo);
}

TEST(reset_counter_asks_once) {
    apex_car_def def = scene_corvette();
    scene_solo solo = scene_solo_create(&def, scene_flat());
    int asked = 0;
    for (int tick = 0; tick < 30; tick++) {
        solo.controls.reset_count = tick < 10 ? 7 : 8;
        scene_solo_run(&solo, 1);
        size_t count;
        const apex_car_event *events = apex_world_car_events(solo.world, &count);
        for (size_t i = 0; i < count; i++) {
            asked += events[i].kind == APEX_CAR_RESET_WANTED;
        }
    }
    ck_assert_int_eq(asked, 1);
    scene_solo_destroy(&solo);
}

TEST(clutch_pedal_frees_the_engine) {
    apex_car_def def = scene_corvette();
    def.aids.automatic_clutch = false;
    scene_solo solo = scene_solo_create(&def, scene_flat());
    solo.controls.gear = 1;
    solo.controls.clutch = 255;
    solo.controls.throttle = 120;
    scene_solo_run(&solo, 120);
    ck_assert_double_lt(fabs(along(&solo)), 1e-3);
    ck_assert_double_gt(scene_solo_state(&solo).engine_radps, 500.0);
    solo.controls.clutch = 0;
    scene_solo_run(&solo, 60);
    ck_assert_double_gt(along(&solo), 3.0);
    scene_solo_destroy(&solo);
}

TEST(slow_circle_is_ackermanns) { // M34: R = L / sin(steer) at the front, L / tan at the rear
    apex_car_def def = scene_plain_car();
    def.steering.ackermann = 1.0;
    def.aero.drag_coefficient = 0.0;
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].tyre.rolling_coefficient = 0.0;
    }
    scene_solo solo = scene_solo_create(&def, scene_flat());
    place(&solo, 3.0);
    solo.controls.gear = APEX_GEAR_NEUTRAL;
    double lock = def.steering.angle_rad_max;
    solo.controls.steer = (int16_t)(0.2 / lock * APEX_STEER_MAX);
    scene_solo_run(&solo, 150);
    apex_car_pose pose = scene_solo_pose(&solo);
    double rear_radius = along(&solo) / pose.angular_radps[2];
    ck_assert_double_eq_tol(rear_radius, 2.5 / tan(pose.steer_rad), 0.02);
    scene_solo_destroy(&solo);
}

TEST(linear_car_answers_as_the_bicycle_model) {
    // r / delta = V / (L + K V^2), neutral for equal axles: V / L = 20 / 2.5.
    apex_car_def def = scene_plain_car();
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].tyre.model = APEX_TYRE_LINEAR;
        def.axles[a].tyre.rolling_coefficient = 0.0;
    }
    def.aero.drag_coefficient = 0.0;
    scene_solo solo = scene_solo_create(&def, scene_flat());
    place(&solo, 20.0);
    solo.controls.gear = APEX_GEAR_NEUTRAL;
    solo.controls.steer = (int16_t)(0.005 / def.steering.angle_rad_max * APEX_STEER_MAX);
    scene_solo_run(&solo, 180);
    apex_car_pose pose = scene_solo_pose(&solo);
    double gain = pose.angular_radps[2] / pose.steer_rad;
    ck_assert_double_eq_tol(gain, scene_solo_speed(&solo) / 2.5, 0.01 * 8.0);
    scene_solo_destroy(&solo);
}

TEST(skidpad_reaches_the_friction_and_no_more) { // P21: a <= mu g
    apex_car_def def = scene_corvette();
    scene_solo solo = scene_solo_create(&def, scene_flat());
    double most = 0.0;
    place(&solo, 12.0);
    for (int tick = 0; tick < 60 * 20; tick++) {
        solo.controls.throttle = 90;
        solo.controls.steer = (int16_t)(tick < 1000 ? tick * 10 : 10000);
        scene_solo_run(&solo, 1);
        apex_car_work work = scene_solo_work(&solo);
        most = fmax(most, fabs(work.acceleration_mps2[1]));
    }
    ck_assert_double_gt(most, 0.93 * 9.81);
    ck_assert_double_lt(most, 1.01 * 9.81);
    scene_solo_destroy(&solo);
}

TEST(left_and_right_are_mirror_images) {
    apex_car_pose poses[2];
    apex_car_def def = apex_default_car_def();
    for (int side = 0; side < 2; side++) {
        scene_solo solo = scene_solo_create(&def, scene_flat());
        uint64_t seed = 11;
        for (int block = 0; block < 40; block++) {
            int steer = (int)scene_random_between(&seed, -20000.0, 20000.0);
            solo.controls.steer = (int16_t)(side == 0 ? steer : -steer);
            solo.controls.throttle = (uint8_t)scene_random_between(&seed, 0.0, 255.0);
            solo.controls.brake = block % 7 == 6 ? 200 : 0;
            scene_solo_run(&solo, 30);
        }
        poses[side] = scene_solo_pose(&solo);
        scene_solo_destroy(&solo);
    }
    ck_assert_double_gt(fabs(poses[0].position_m[1]), 1.0);
    ck_assert_double_eq(poses[0].position_m[0], poses[1].position_m[0]);
    ck_assert_double_eq(poses[0].position_m[1], -poses[1].position_m[1]);
    ck_assert_double_eq(poses[0].yaw_rad, -poses[1].yaw_rad);
    ck_assert_double_eq(poses[0].roll_rad, -poses[1].roll_rad);
}

TEST(motorcycle_leans_into_the_corner) { // P38: tan(lean) = v^2 / (g R)
    apex_car_def def = scene_motorcycle();
    scene_solo solo = scene_solo_create(&def, scene_flat());
    place(&solo, 15.0);
    solo.controls.steer = 1500;
    solo.controls.throttle = 60;
    scene_solo_run(&solo, 60 * 4);
    apex_car_pose pose = scene_solo_pose(&solo);
    double wanted = -atan(scene_solo_speed(&solo) * pose.angular_radps[2] / 9.81);
    ck_assert_double_lt(wanted, -0.1); // to the left, into it
    ck_assert_double_eq_tol(pose.roll_rad, wanted, 0.03);
    scene_solo_destroy(&solo);
}

TEST(three_axles_carry_the_whole) {
    apex_car_def def = scene_car_kind(5);
    def.fuel_kg_max = 0.0;
    scene_solo solo = scene_solo_create(&def, scene_flat());
    scene_solo_run(&solo, 300);
    apex_car_work work = scene_solo_work(&solo);
    double sum = 0.0, moment = 0.0;
    for (uint32_t w = 0; w < 6; w++) {
        ck_assert_double_gt(work.wheels[w].load_n, 0.0);
        sum += work.wheels[w].load_n;
        moment += work.wheels[w].load_n * def.axles[w / 2].x_m;
    }
    double weight = def.mass_kg * 9.81;
    ck_assert_double_eq_tol(sum, weight, 1e-4 * weight);
    ck_assert_double_eq_tol(moment, 0.0, 2e-3 * weight); // within 2 mm of the centre of mass
    scene_solo_destroy(&solo);
}

TEST(traction_control_tames_the_start) {
    double slip[2];
    for (int with = 0; with < 2; with++) {
        apex_car_def def = scene_corvette();
        def.aids.traction_control = with;
        for (uint32_t p = 0; p < def.engine.torque_count; p++) {
            def.engine.torque_nm[p] *= 1.6;
        }
        scene_solo solo = scene_solo_create(&def, scene_flat());
        solo.controls.throttle = 255;
        scene_solo_run(&solo, 90);
        slip[with] = scene_solo_work(&solo).wheels[2].slip_ratio;
        scene_solo_destroy(&solo);
    }
    ck_assert_double_gt(slip[0], 0.5);
    ck_assert_double_lt(slip[1], 0.25);
}

TEST(stability_control_keeps_the_nose_in_front) {
    double slip_angle[2];
    for (int with = 0; with < 2; with++) {
        apex_car_def def = scene_corvette();
        def.aids.stability_control = with;
        def.axles[1].tyre.lateral.d = 0.85; // a tail-happy car
        scene_solo solo = scene_solo_create(&def, scene_flat());
        place(&solo, 30.0);
        solo.controls.steer = 5000;
        scene_solo_run(&solo, 40);
        solo.controls.steer = -5000;
        scene_solo_run(&solo, 80);
        apex_car_pose pose = scene_solo_pose(&solo);
        double course = atan2(pose.velocity_mps[1], pose.velocity_mps[0]);
        slip_angle[with] = fabs(remainder(course - pose.yaw_rad, 2.0 * 3.14159265358979));
        scene_solo_destroy(&solo);
    }
    ck_assert_double_lt(slip_angle[1], 0.5 * slip_angle[0]);
}
