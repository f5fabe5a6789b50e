// The fields of a car in a delta snapshot: what is told of it, and how finely.
#include "proto/delta/delta_values.h"
#include "proto/proto.h"

#include <math.h>

int32_t apex_delta_quantise(apex_delta_field field, double value) {
    const apex_delta_field_spec *spec = &apex_delta_fields[field];
    double count = (double)(1 << spec->bits);
    double low = spec->is_signed ? -0.5 * count : 0.0;
    double nearest = value < 0.0 ? value - 0.5 : value + 0.5;
    if (spec->is_circle) {
        return (int32_t)nearest & ((1 << spec->bits) - 1);
    }
    if (!(nearest > low)) {
        return (int32_t)low;
    }
    return (int32_t)(nearest < low + count ? nearest : low + count - 1.0);
}

apex_delta_car apex_delta_far_car(const apex_delta_car *near_car) {
    apex_delta_car car = {.id = near_car->id};
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        bool has = delta_has(APEX_DELTA_FAR, f);
        car.q[f] = has ? near_car->q[f] >> delta_shift(APEX_DELTA_FAR, f) : 0;
    }
    return car;
}

uint16_t apex_delta_hash(const apex_delta_car *car) {
    return delta_hash(car, APEX_DELTA_NEAR);
}

static int16_t to_i16(double value) {
    return (int16_t)(value < -32768.0 ? -32768.0 : (value > 32767.0 ? 32767.0 : value));
}

// A circle of 2^bits steps as one of 2^16.
static int16_t to_angle(int32_t steps, uint32_t bits) {
    return (int16_t)(uint16_t)((uint32_t)steps << (16 - bits));
}

// A far value stands for all that would be shifted to it: for the middle one.
static double value_of(const apex_delta_car *car, apex_delta_class class, apex_delta_field field) {
    uint32_t shift = delta_has(class, field) ? delta_shift(class, field) : 0;
    double half = shift > 0 ? 0.5 * (double)((1 << shift) - 1) : 0.0;
    return (double)(car->q[field] * (1 << shift)) + half;
}

static uint8_t worst_zone(uint32_t zones) {
    uint32_t worst = 0;
    for (uint32_t zone = 0; zone < APEX_WIRE_ZONES; zone++) {
        uint32_t damage = apex_car_zone(zones, zone);
        worst = damage > worst ? damage : worst;
    }
    return (uint8_t)(worst * 17);
}

static void put_motion(const apex_delta_car *car, apex_delta_class class, apex_wire_car *out) {
    const double CMPS = 5.0, TURN_RAD = 6.28318530717958648;
    double along = CMPS * value_of(car, class, APEX_DELTA_ALONG);
    double aside = CMPS * value_of(car, class, APEX_DELTA_ASIDE);
    double yaw_rad = value_of(car, class, APEX_DELTA_YAW) * (TURN_RAD / 8192.0);
    out->vx_cmps = to_i16(nearbyint(cos(yaw_rad) * along - sin(yaw_rad) * aside));
    out->vy_cmps = to_i16(nearbyint(sin(yaw_rad) * along + cos(yaw_rad) * aside));
    out->vz_cmps = to_i16(nearbyint(CMPS * value_of(car, class, APEX_DELTA_CLIMB)));
    out->yaw_rate_q = to_i16(value_of(car, class, APEX_DELTA_YAW_RATE) * 16.0);
}

void apex_delta_to_wire(const apex_delta_car *car, apex_delta_class class, apex_wire_car *out) {
    const double STEER_UNITS = APEX_ANGLE_UNITS_PER_RAD / 64.0;
    *out = (apex_wire_car){
        .id = car->id,
        .x_mm = (int32_t)(10.0 * value_of(car, class, APEX_DELTA_X)),
        .y_mm = (int32_t)(10.0 * value_of(car, class, APEX_DELTA_Y)),
        .z_mm = (int32_t)(10.0 * value_of(car, class, APEX_DELTA_Z)),
        .yaw_q = (int16_t)(uint16_t)(uint32_t)(8.0 * value_of(car, class, APEX_DELTA_YAW)),
        .pitch_q = to_angle(car->q[APEX_DELTA_PITCH], 11),
        .roll_q = to_angle(car->q[APEX_DELTA_ROLL], 11),
        .steer_q = to_i16(nearbyint(car->q[APEX_DELTA_STEER] * STEER_UNITS)),
        .rpm = (uint16_t)(car->q[APEX_DELTA_RPM] * 128),
        .gear = (int8_t)car->q[APEX_DELTA_GEAR],
        .throttle = (uint8_t)(car->q[APEX_DELTA_THROTTLE] * 17),
        .brake = (uint8_t)(car->q[APEX_DELTA_BRAKE] * 17),
        .flags = (uint8_t)car->q[APEX_DELTA_FLAGS],
        .damage = worst_zone((uint32_t)car->q[APEX_DELTA_DAMAGE]),
        .damage_zones = (uint32_t)car->q[APEX_DELTA_DAMAGE],
    };
    put_motion(car, class, out);
}
