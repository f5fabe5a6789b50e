// The captured integers of SI values: nearest, clamped, angles wrapped.
#include "unit/race/test_race_scene.h"

#include "replicate/replicate.h"
#include "support/base/check_main.h"

static apex_car_pose still(void) {
    return (apex_car_pose){.orientation = {1.0}, .wheels_on_road = 4, .wheel_count = 4};
}

TEST(a_car_at_rest_is_zeros) {
    apex_car_pose pose = still();
    apex_wire_car car = apex_replicate_quantise(&pose);
    apex_wire_car zeros = {0};
    ck_assert_mem_eq(&car, &zeros, sizeof car);
}

static int32_t x_of(double metres) {
    apex_car_pose pose = still();
    pose.position_m[0] = metres;
    return apex_replicate_quantise(&pose).x_mm;
}

TEST(positions_are_whole_millimetres) {
    ck_assert_int_eq(x_of(1.2344), 1234);
    ck_assert_int_eq(x_of(1.2346), 1235);
    ck_assert_int_eq(x_of(-1.2344), -1234);
    ck_assert_int_eq(x_of(-1.2346), -1235);
    ck_assert_int_eq(x_of(0.0004), 0);
    ck_assert_int_eq(x_of(-0.0004), 0);
    ck_assert_int_eq(x_of(-0.0006), -1);
    ck_assert_int_eq(x_of(2147483.647), INT32_MAX);
    ck_assert_int_eq(x_of(2147483.649), INT32_MAX);
    ck_assert_int_eq(x_of(1e12), INT32_MAX);
    ck_assert_int_eq(x_of(-2147483.648), INT32_MIN);
    ck_assert_int_eq(x_of(-1e12), INT32_MIN);
    apex_car_pose pose = still();
    pose.position_m[1] = -3.25;
    pose.position_m[2] = 0.5;
    apex_wire_car car = apex_replicate_quantise(&pose);
    ck_assert_int_eq(car.x_mm, 0);
    ck_assert_int_eq(car.y_mm, -3250);
    ck_assert_int_eq(car.z_mm, 500);
}

static int32_t yaw_of(double rad) {
    apex_car_pose pose = still();
    pose.yaw_rad = rad;
    return apex_replicate_quantise(&pose).yaw_q;
}

TEST(angles_wrap) {
    ck_assert_int_eq(yaw_of(APEX_PI / 2.0), 16384);
    ck_assert_int_eq(yaw_of(-APEX_PI / 2.0), -16384);
    ck_assert_int_eq(yaw_of(APEX_PI), -32768); // the direction that has two names
    ck_assert_int_eq(yaw_of(-APEX_PI), -32768);
    ck_assert_int_eq(yaw_of(APEX_PI - 1e-6), -32768); // nearest, beyond the end of the range
    ck_assert_int_eq(yaw_of(-APEX_PI + 1e-6), -32768);
    ck_assert_int_eq(yaw_of(APEX_PI - 1e-4), 32767);
    ck_assert_int_eq(yaw_of(-APEX_PI + 1e-4), -32767);
    ck_assert_int_eq(yaw_of(2.0 * APEX_PI), 0);
    ck_assert_int_eq(yaw_of(2.5 * APEX_PI), 16384);
    ck_assert_int_eq(yaw_of(-41.0 * APEX_PI), -32768);
    ck_assert_int_eq(yaw_of(100.5 * APEX_PI), 16384);
}

TEST(angles_are_within_half_a_unit) {
    double worst_rad = 0.0;
    for (int i = -3140; i <= 3140; i++) {
        double rad = i / 1000.0;
        double error_rad = apex_wrap_angle(yaw_of(rad) / APEX_ANGLE_UNITS_PER_RAD - rad);
        error_rad = error_rad < 0.0 ? -error_rad : error_rad;
        worst_rad = error_rad > worst_rad ? error_rad : worst_rad;
    }
    ck_assert_double_le(worst_rad, 0.5 / APEX_ANGLE_UNITS_PER_RAD + 1e-12);
    ck_assert_double_gt(worst_rad, 0.45 / APEX_ANGLE_UNITS_PER_RAD);
}

TEST(velocities_stop_at_the_end_of_the_range) {
    static const struct {
        double mps;
        int32_t cmps;
    } cases[] = {{1.234, 123},      {1.236, 124},   {-1.236, -124}, {327.67, 32767}, {400.0, 32767},
                 {-327.68, -32768}, {-1e9, -32768}, {0.004, 0},     {-0.006, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        apex_car_pose pose = still();
        for (size_t axis = 0; axis < 3; axis++) {
            pose.velocity_mps[axis] = axis == 1 ? -cases[i].mps : cases[i].mps;
        }
        apex_wire_car car = apex_replicate_quantise(&pose);
        ck_assert_int_eq(car.vx_cmps, cases[i].cmps);
        ck_assert_int_eq(car.vz_cmps, cases[i].cmps);
        if (cases[i].cmps > -32767 && cases[i].cmps < 32767) {
            ck_assert_int_eq(car.vy_cmps, -cases[i].cmps);
        }
    }
    apex_car_pose pose = still();
    pose.angular_radps[0] = 7.0;
    pose.angular_radps[1] = 7.0;
    pose.angular_radps[2] = -1.5;
    ck_assert_int_eq(apex_replicate_quantise(&pose).yaw_rate_q, -1536);
    pose.angular_radps[2] = 33.0;
    ck_assert_int_eq(apex_replicate_quantise(&pose).yaw_rate_q, 32767);
}

TEST(the_rest_has_its_units) {
    apex_car_pose pose = still();
    pose.id = (apex_car_id){.index1 = 0x1234, .generation = 0xfedc};
    pose.pitch_rad = APEX_PI / 8.0;
    pose.roll_rad = -APEX_PI / 4.0;
    pose.steer_rad = APEX_PI / 16.0;
    pose.engine_radps = 100.0;
    pose.gear = -1;
    pose.throttle = 0.5;
    pose.brake = 1.0 / 255.0;
    pose.damage = 0.999;
    pose.zone_damage[APEX_ZONE_FRONT] = 0.001; // a scratch
    pose.zone_damage[APEX_ZONE_REAR] = 0.5;    // 7.5
    pose.zone_damage[APEX_ZONE_LEFT] = 0.999;
    pose.zone_damage[APEX_ZONE_ROOF] = 0.6;
    apex_wire_car car = apex_replicate_quantise(&pose);
    ck_assert_uint_eq(car.id, 0xfedc1234u);
    ck_assert_int_eq(car.pitch_q, 4096);
    ck_assert_int_eq(car.roll_q, -8192);
    ck_assert_int_eq(car.steer_q, 2048);
    ck_assert_uint_eq(car.rpm, 955); // 954.93
    ck_assert_int_eq(car.gear, -1);
    ck_assert_uint_eq(car.throttle, 128);
    ck_assert_uint_eq(car.brake, 1);
    ck_assert_uint_eq(car.damage, 255);
    ck_assert_uint_eq(car.damage_zones, 0x90F81);
    pose.engine_radps = -5.0;
    pose.throttle = 1.5;
    pose.brake = -0.5;
    car = apex_replicate_quantise(&pose);
    ck_assert_uint_eq(car.rpm, 0);
    ck_assert_uint_eq(car.throttle, 255);
    ck_assert_uint_eq(car.brake, 0);
    pose.engine_radps = 1e6;
    ck_assert_uint_eq(apex_replicate_quantise(&pose).rpm, 65535);
    ck_assert_uint_eq(apex_player_wire_id((apex_player_id){.index1 = 7, .generation = 3}), 0x30007);
    ck_assert_uint_eq(apex_player_wire_id((apex_player_id){0, 0}), 0);
    ck_assert_uint_eq(apex_car_wire_id((apex_car_id){0, 0}), 0);
}

static uint8_t flags_of(apex_car_pose pose) {
    return apex_replicate_quantise(&pose).flags;
}

TEST(each_flag_stands_alone) {
    apex_car_pose pose = still();
    pose.airborne = true;
    ck_assert_uint_eq(flags_of(pose), APEX_CAR_FLAG_AIRBORNE);
    pose = still();
    pose.held = true;
    ck_assert_uint_eq(flags_of(pose), APEX_CAR_FLAG_HELD);
    pose = still();
    pose.ghost = true;
    ck_assert_uint_eq(flags_of(pose), APEX_CAR_FLAG_GHOST);
    pose = still();
    pose.engine_blown = true;
    ck_assert_uint_eq(flags_of(pose), APEX_CAR_FLAG_ENGINE_BLOWN);
    pose = still();
    pose.wheels_on_road = 1;
    ck_assert_uint_eq(flags_of(pose), 0);
    pose.wheels_on_road = 0;
    ck_assert_uint_eq(flags_of(pose), APEX_CAR_FLAG_OFF_ROAD);
}
