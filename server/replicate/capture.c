// Capturing a race's poses as the wire's integers.
#include "replicate/capture.h"

#include "base/assert.h"
#include "base/trig.h"

static int32_t round_to(double value, double low, double high) {
    double rounded = value < 0.0 ? value - 0.5 : value + 0.5;
    if (!(rounded > low)) {
        return (int32_t)low;
    }
    return rounded < high ? (int32_t)rounded : (int32_t)high;
}

static int32_t to_mm(double metres) {
    return round_to(metres * 1000.0, -2147483648.0, 2147483647.0);
}

static int16_t to_i16(double value) {
    return (int16_t)round_to(value, -32768.0, 32767.0);
}

// An angle wraps instead of stopping at the end of the range: pi and -pi are one direction.
static int16_t to_angle(double rad) {
    int32_t units = round_to(rad * APEX_ANGLE_UNITS_PER_RAD, -2147483648.0, 2147483647.0);
    uint32_t wrapped = (uint32_t)units & 0xffffu;
    return (int16_t)(wrapped < 0x8000u ? (int32_t)wrapped : (int32_t)wrapped - 0x10000);
}

static uint8_t to_share(double share) {
    return (uint8_t)round_to(share * 255.0, 0.0, 255.0);
}

_Static_assert((int)APEX_WIRE_ZONES == (int)APEX_ZONE_COUNT &&
                   (int)APEX_WIRE_ZONE_FRONT == (int)APEX_ZONE_FRONT &&
                   (int)APEX_WIRE_ZONE_LEFT == (int)APEX_ZONE_LEFT &&
                   (int)APEX_WIRE_ZONE_ROOF == (int)APEX_ZONE_ROOF,
               "zones are numbered alike");

uint32_t pose_zones(const apex_car_pose *pose) {
    // Most cars are whole, most of the time.
    return pose->damage > 0.0 ? apex_car_zones(pose->zone_damage) : 0;
}

uint8_t pose_flags(const apex_car_pose *pose) {
    return apex_car_flags((apex_car_condition){.airborne = pose->airborne,
                                               .held = pose->held,
                                               .ghost = pose->ghost,
                                               .engine_blown = pose->engine_blown,
                                               .off_road = pose->wheels_on_road == 0});
}

uint32_t apex_car_wire_id(apex_car_id car) {
    return (uint32_t)car.generation << 16 | car.index1;
}

apex_car_id apex_car_of_wire_id(uint32_t id) {
    return (apex_car_id){.index1 = (uint16_t)id, .generation = (uint16_t)(id >> 16)};
}

uint32_t apex_player_wire_id(apex_player_id player) {
    return (uint32_t)player.generation << 16 | player.index1;
}

apex_wire_car apex_replicate_quantise(const apex_car_pose *pose) {
    return (apex_wire_car){
        .id = apex_car_wire_id(pose->id),
        .x_mm = to_mm(pose->position_m[0]),
        .y_mm = to_mm(pose->position_m[1]),
        .z_mm = to_mm(pose->position_m[2]),
        .yaw_q = to_angle(pose->yaw_rad),
        .pitch_q = to_angle(pose->pitch_rad),
        .roll_q = to_angle(pose->roll_rad),
        .vx_cmps = to_i16(pose->velocity_mps[0] * 100.0),
        .vy_cmps = to_i16(pose->velocity_mps[1] * 100.0),
        .vz_cmps = to_i16(pose->velocity_mps[2] * 100.0),
        .yaw_rate_q = to_i16(pose->angular_radps[2] * APEX_YAW_RATE_UNITS_PER_RADPS),
        .steer_q = to_angle(pose->steer_rad),
        .rpm = (uint16_t)round_to(pose->engine_radps * APEX_RPM_PER_RADPS, 0.0, 65535.0),
        .gear = pose->gear,
        .throttle = to_share(pose->throttle),
        .brake = to_share(pose->brake),
        .flags = pose_flags(pose),
        .damage = to_share(pose->damage),
        .damage_zones = pose_zones(pose),
    };
}

static void merge(const apex_wire_car from[], size_t middle, size_t end, apex_wire_car to[]) {
    size_t left = 0;
    size_t right = middle;
    for (size_t i = 0; i < end; i++) {
        bool take_left = left < middle && (right == end || from[left].id < from[right].id);
        to[i] = take_left ? from[left++] : from[right++];
    }
}

static bool is_sorted(const apex_wire_car cars[], size_t count) {
    for (size_t i = 1; i < count; i++) {
        if (cars[i - 1].id > cars[i].id) {
            return false;
        }
    }
    return true;
}

// The wire id has the generation on top, so slot order is not id order once slots were reused;
// after hours of coming and going it is any order, and an insertion sort would take a tick for
// itself. qsort may allocate. @return the array, of the two, that holds the result.
static apex_wire_car *sort_by_id(apex_wire_car cars[], apex_wire_car spare[], size_t count) {
    if (is_sorted(cars, count)) {
        return cars;
    }
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t at = 0; at < count; at += 2 * run) {
            size_t end = count - at < 2 * run ? count - at : 2 * run;
            merge(cars + at, run < end ? run : end, end, spare + at);
        }
        apex_wire_car *sorted = spare;
        spare = cars;
        cars = sorted;
    }
    return cars;
}

apex_snapshot apex_replicate_status(const apex_race *race) {
    return (apex_snapshot){
        .tick = (uint32_t)apex_world_tick(apex_race_world(race)),
        .phase = (uint32_t)apex_race_phase_of(race),
        .race_time_ms = (int32_t)(apex_race_time_us(race) / 1000),
    };
}

apex_snapshot apex_replicate_capture(const apex_race *race, apex_arena *frame) {
    apex_snapshot snapshot = apex_replicate_status(race);
    uint32_t end, count = 0;
    const apex_car_pose *poses = apex_race_poses(race, &end);
    APEX_ASSERT(end == 0 || poses != NULL);
    apex_wire_car *cars = apex_arena_alloc(frame, end * sizeof *cars);
    apex_wire_car *spare = apex_arena_alloc(frame, end * sizeof *spare);
    if (cars == NULL || spare == NULL) {
        return snapshot;
    }
    for (uint32_t slot = 0; slot < end; slot++) {
        if (poses[slot].id.index1 != 0) {
            cars[count++] = apex_replicate_quantise(&poses[slot]);
        }
    }
    snapshot.car_count = count;
    snapshot.cars = sort_by_id(cars, spare, count);
    return snapshot;
}
