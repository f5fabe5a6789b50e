// Telemetry of a car at speed against the world that it comes from.
#include "unit/race/test_race_one.h"

#include "race/race_private.h"
#include "replicate/replicate.h"
#include "support/base/check_main.h"

#include <math.h>

enum { RADIUS_M = 120, SLOTS = 4 };

static apex_player_id ada, bob;

static void begin(void) {
    apex_race_def def = scene_race_def(SLOTS);
    begin_on(scene_ring(RADIUS_M), &def);
    ada = scene_join_driver(race, "ada", 1.0);
    bob = scene_join_driver(race, "bob", 0.9);
    go();
    for (int i = 0; i < 500; i++) {
        scene_tick(race, NULL);
    }
}

static apex_telemetry telemetry_of(apex_player_id player) {
    apex_telemetry out;
    memset(&out, 0xff, sizeof out);
    ck_assert(apex_replicate_telemetry(race, player, &out));
    return out;
}

static void assert_car(const apex_telemetry *got, apex_player_id player) {
    const apex_world *world = apex_race_world(race);
    apex_standing standing = scene_standing(race, player);
    apex_car_pose pose;
    apex_car_work work;
    apex_car_state state;
    ck_assert(apex_world_pose(world, standing.car_id, &pose));
    ck_assert(apex_world_get_work(world, standing.car_id, &work));
    ck_assert(apex_world_get_car(world, standing.car_id, &state));
    ck_assert_uint_eq(got->tick, apex_world_tick(world));
    ck_assert_uint_eq(got->car, apex_car_wire_id(standing.car_id));
    // Along the nose, by the angles; the telemetry goes by the quaternion.
    double along_mps = apex_cos(pose.pitch_rad) * (apex_cos(pose.yaw_rad) * pose.velocity_mps[0] +
                                                   apex_sin(pose.yaw_rad) * pose.velocity_mps[1]) -
                       apex_sin(pose.pitch_rad) * pose.velocity_mps[2];
    ck_assert_double_gt(along_mps, 10.0);
    ck_assert_double_eq_tol(got->speed_mps, along_mps, 1e-4);
    ck_assert_double_eq_tol(got->rpm, pose.engine_radps * 60.0 / (2.0 * APEX_PI), 0.01);
    ck_assert_double_gt(got->rpm, 500.0);
    ck_assert_int_eq(got->gear, pose.gear);
    ck_assert_int_ge(got->gear, 1);
    ck_assert_double_eq_tol(got->throttle, pose.throttle, 1e-6);
    ck_assert_double_eq_tol(got->brake, pose.brake, 1e-6);
    ck_assert_double_eq_tol(got->steer_rad, pose.steer_rad, 1e-6);
    ck_assert_double_gt(got->steer_rad, 0.0); // counter-clockwise: to the left
    ck_assert_double_eq_tol(got->acceleration_x_mps2, work.acceleration_mps2[0], 1e-4);
    ck_assert_double_eq_tol(got->acceleration_y_mps2, work.acceleration_mps2[1], 1e-4);
    ck_assert_double_eq_tol(got->fuel_kg, state.fuel_kg, 1e-4);
    ck_assert_double_gt(got->fuel_kg, 1.0);
}

static void assert_place(const apex_telemetry *got, apex_player_id player) {
    apex_standing standing = scene_standing(race, player);
    apex_car_pose pose;
    ck_assert(apex_world_pose(apex_race_world(race), standing.car_id, &pose));
    double length_m = 2.0 * APEX_PI * RADIUS_M;
    double angle_rad = apex_atan2(pose.position_m[1], pose.position_m[0]);
    double s_m = angle_rad < 0.0 ? angle_rad * RADIUS_M + length_m : angle_rad * RADIUS_M;
    ck_assert_double_eq_tol(got->lap_m, s_m, 1.0);
    double x = pose.position_m[0];
    double y = pose.position_m[1];
    double left_m = RADIUS_M - sqrt(x * x + y * y); // the middle is on the left
    ck_assert_double_eq_tol(got->offset_m, left_m, 0.2);
}

static void assert_wheels(const apex_telemetry *got, apex_player_id player) {
    const apex_world *world = apex_race_world(race);
    apex_standing standing = scene_standing(race, player);
    apex_car_work work;
    apex_car_state state;
    ck_assert(apex_world_get_work(world, standing.car_id, &work));
    ck_assert(apex_world_get_car(world, standing.car_id, &state));
    ck_assert_uint_eq(got->wheel_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const apex_wheel_telemetry *wheel = &got->wheels[i];
        ck_assert_double_gt(wheel->load_n, 500.0);
        ck_assert_double_eq_tol(wheel->load_n, work.wheels[i].load_n, 0.01);
        ck_assert_double_eq_tol(wheel->slip_ratio, work.wheels[i].slip_ratio, 1e-6);
        ck_assert_double_eq_tol(wheel->slip_angle_rad, work.wheels[i].slip_angle_rad, 1e-6);
        ck_assert_double_eq_tol(wheel->force_long_n, work.wheels[i].force_long_n, 0.01);
        ck_assert_double_eq_tol(wheel->force_lat_n, work.wheels[i].force_lat_n, 0.01);
        ck_assert_double_gt(wheel->friction, 0.3);
        ck_assert_double_eq_tol(wheel->friction, work.wheels[i].friction, 1e-6);
        ck_assert_double_gt(wheel->spin_radps, 10.0);
        ck_assert_double_eq_tol(wheel->spin_radps, state.wheels[i].spin_radps, 1e-4);
        ck_assert_double_eq_tol(wheel->temperature_c, state.wheels[i].temperature_c, 1e-4);
        ck_assert_uint_eq(wheel->surface, work.wheels[i].surface);
        ck_assert_int_eq(wheel->sliding, work.wheels[i].sliding);
    }
}

TEST(telemetry_is_what_the_world_says) {
    begin();
    apex_telemetry got = telemetry_of(ada);
    assert_car(&got, ada);
    assert_place(&got, ada);
    assert_wheels(&got, ada);
    got = telemetry_of(bob);
    assert_car(&got, bob);
    assert_place(&got, bob);
    assert_wheels(&got, bob);
    end();
}

// On the ring the nose hardly rises. A quarter turn to the left, then 30 degrees up: (0, cos, sin).
TEST(speed_is_along_the_nose_uphill_too) {
    begin();
    apex_car_state state;
    apex_car_id car = scene_standing(race, ada).car_id;
    ck_assert(apex_world_get_car(race->field.world, car, &state));
    double half = apex_sin(APEX_PI / 4.0);
    double c = apex_cos(APEX_PI / 12.0);
    double s = apex_sin(APEX_PI / 12.0);
    const double orientation[4] = {half * c, half * s, -half * s, half * c};
    const double velocity_mps[3] = {7.0, 10.0, 20.0};
    memcpy(state.orientation, orientation, sizeof orientation);
    memcpy(state.velocity_mps, velocity_mps, sizeof velocity_mps);
    ck_assert(apex_world_set_car(race->field.world, car, &state));
    ck_assert_double_eq_tol(telemetry_of(ada).speed_mps, 10.0 * sqrt(0.75) + 20.0 * 0.5, 1e-4);
    end();
}

TEST(telemetry_goes_over_the_wire) {
    begin();
    static apex_server_message message, back;
    static _Alignas(64) uint8_t scratch_bytes[APEX_DECODE_SCRATCH_BYTES];
    message.kind = APEX_SERVER_TELEMETRY;
    message.telemetry = telemetry_of(ada);
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    size_t length = apex_encode_server(&message, bytes, sizeof bytes);
    ck_assert_uint_gt(length, 0);
    const char *why = "";
    apex_scratch scratch = {scratch_bytes, sizeof scratch_bytes};
    ck_assert_msg(apex_decode_server(bytes, length, scratch, &back, &why), "%s", why);
    ck_assert_uint_eq(back.telemetry.car, message.telemetry.car);
    ck_assert_double_eq(back.telemetry.speed_mps, message.telemetry.speed_mps);
    ck_assert_double_eq(back.telemetry.wheels[3].load_n, message.telemetry.wheels[3].load_n);
    end();
}

TEST(without_a_car_there_is_none) {
    begin();
    apex_telemetry out;
    ck_assert(!apex_replicate_telemetry(race, (apex_player_id){0, 0}, &out));
    ck_assert(!apex_replicate_telemetry(race, (apex_player_id){SLOTS + 1, 1}, &out));
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, bob), APEX_OK);
    ck_assert(!apex_replicate_telemetry(race, bob, &out));
    ck_assert(apex_replicate_telemetry(race, ada, &out));
    scene_tick(race, NULL);
    ck_assert(!apex_replicate_telemetry(race, bob, &out));
    end();
}
