// What is told of a car, how finely, and how it is foretold.

#include "proto/delta_private.h"
#include "proto/proto.h"

#include <math.h>

// Near: 1 cm, 0.05 m/s, 0.04 degrees where the nose points and 0.2 for the rest. Positions reach
// 42 km from the origin and 5 km high; speeds 204 m/s.
const apex_delta_field_spec apex_delta_fields[APEX_DELTA_FIELDS] = {
    [APEX_DELTA_GEAR] = {.name = "gear", .bits = 5, .is_signed = true},
    [APEX_DELTA_FLAGS] = {.name = "flags", .bits = 8},
    [APEX_DELTA_DAMAGE] = {.name = "damage", .bits = 20, .is_near_only = true},
    [APEX_DELTA_ACCELERATION] = {.name = "acceleration",
                                 .bits = 9,
                                 .far_shift = 1,
                                 .is_signed = true},
    [APEX_DELTA_ALONG] = {.name = "along", .bits = 13, .far_shift = 2, .is_signed = true},
    [APEX_DELTA_ASIDE] = {.name = "aside", .bits = 13, .far_shift = 3, .is_signed = true},
    [APEX_DELTA_CLIMB] = {.name = "climb", .bits = 13, .far_shift = 3, .is_signed = true},
    [APEX_DELTA_YAW_RATE] = {.name = "yaw rate", .bits = 13, .far_shift = 3, .is_signed = true},
    [APEX_DELTA_YAW] = {.name = "yaw", .bits = 13, .far_shift = 4, .is_circle = true},
    [APEX_DELTA_X] = {.name = "x", .bits = 23, .far_shift = 4, .is_signed = true},
    [APEX_DELTA_Y] = {.name = "y", .bits = 23, .far_shift = 4, .is_signed = true},
    [APEX_DELTA_Z] = {.name = "z", .bits = 20, .far_shift = 4, .is_signed = true},
    [APEX_DELTA_PITCH] = {.name = "pitch", .bits = 11, .is_circle = true, .is_near_only = true},
    [APEX_DELTA_ROLL] = {.name = "roll", .bits = 11, .is_circle = true, .is_near_only = true},
    [APEX_DELTA_RPM] = {.name = "rpm", .bits = 8, .is_near_only = true},
    [APEX_DELTA_STEER] = {.name = "steer", .bits = 8, .is_signed = true, .is_near_only = true},
    [APEX_DELTA_THROTTLE] = {.name = "throttle", .bits = 4, .is_near_only = true},
    [APEX_DELTA_BRAKE] = {.name = "brake", .bits = 4, .is_near_only = true},
};

// --- Values --------------------------------------------------------------------------------------

bool delta_is_within(apex_delta_class class, apex_delta_field field, int64_t value) {
    int64_t count = (int64_t)1 << delta_bits(class, field);
    int64_t low = apex_delta_fields[field].is_signed ? -count / 2 : 0;
    return value >= low && value < low + count;
}

int32_t delta_wrap(apex_delta_class class, apex_delta_field field, int32_t value) {
    if (!apex_delta_fields[field].is_circle) {
        return value;
    }
    int32_t turn = 1 << delta_bits(class, field), within = value & (turn - 1);
    return within < turn / 2 ? within : within - turn;
}

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
    const uint32_t PRIME = 16777619;
    uint32_t hash = (2166136261u ^ car->id) * PRIME;
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        hash = (hash ^ (uint32_t)car->q[f]) * PRIME;
    }
    return (uint16_t)(hash >> 16);
}

// --- Prediction ----------------------------------------------------------------------------------

static int32_t divide(int32_t value, int32_t by) {
    return (value + (value < 0 ? -by / 2 : by / 2)) / by;
}

// Of a quarter turn in 2048 steps, in units of 1/16384: sine by a polynomial whose error is 1/5000.
static int32_t quarter_sine(int32_t z) {
    int32_t square = z * z >> 8;
    int32_t sum = 10539 - (square * 1191 >> 14);
    sum = 25733 - (square * sum >> 14);
    return z * sum >> 11;
}

static int32_t sine(int32_t yaw) {
    int32_t z = yaw & 2047;
    switch (yaw >> 11 & 3) {
    case 0:
        return quarter_sine(z);
    case 1:
        return quarter_sine(2048 - z);
    case 2:
        return -quarter_sine(z);
    default:
        return -quarter_sine(2048 - z);
    }
}

static int32_t cosine(int32_t yaw) {
    return sine(yaw + 2048);
}

// Of the velocities at both ends, along the world's axes, in units of 0.05 m/s / 16384.
static void add_velocity(const int32_t end[APEX_DELTA_FIELDS], int32_t sum[2]) {
    int32_t along = end[APEX_DELTA_ALONG], aside = end[APEX_DELTA_ASIDE];
    int32_t sin = sine(end[APEX_DELTA_YAW]), cos = cosine(end[APEX_DELTA_YAW]);
    sum[0] += cos * along - sin * aside;
    sum[1] += sin * along + cos * aside;
}

// Centimetres that a car moves with the mean of both velocities. @return along x; y is kept.
static int32_t drift(delta_view *view) {
    int32_t sum[2] = {0, 0}, age = (int32_t)view->span.age_ticks;
    int32_t by = 64 * (int32_t)view->span.tick_hz;
    add_velocity(view->before, sum);
    add_velocity(view->now, sum);
    view->drift_y_cm = divide((sum[1] >> 9) * 5 * age, by);
    return divide((sum[0] >> 9) * 5 * age, by);
}

// Engine and wheels turn together while the gear stays.
static int32_t predict_rpm(const delta_view *view) {
    enum { SLOW = 40, RPM_MAX = 255 };
    int32_t rpm = view->before[APEX_DELTA_RPM], along = view->before[APEX_DELTA_ALONG];
    if (view->now[APEX_DELTA_GEAR] != view->before[APEX_DELTA_GEAR] ||
        (along < SLOW && along > -SLOW)) {
        return rpm;
    }
    int32_t turned = rpm * view->now[APEX_DELTA_ALONG] / along;
    return turned < 0 ? 0 : (turned < RPM_MAX ? turned : RPM_MAX);
}

int32_t delta_predict(delta_view *view, apex_delta_field field) {
    const int32_t *before = view->before, *now = view->now;
    int32_t age = (int32_t)view->span.age_ticks, hz = (int32_t)view->span.tick_hz;
    int32_t was = before[field];
    switch (field) {
    case APEX_DELTA_ALONG: {
        int32_t both = before[APEX_DELTA_ACCELERATION] + now[APEX_DELTA_ACCELERATION];
        return was + divide(5 * both * age, hz);
    }
    case APEX_DELTA_YAW: {
        int32_t both = before[APEX_DELTA_YAW_RATE] + now[APEX_DELTA_YAW_RATE];
        return was + divide(163 * both * age, 16 * hz); // 8192 / (2 pi 64 2) = 163 / 16
    }
    case APEX_DELTA_X:
        return was + drift(view);
    case APEX_DELTA_Y:
        return was + view->drift_y_cm;
    case APEX_DELTA_Z: {
        int32_t both = before[APEX_DELTA_CLIMB] + now[APEX_DELTA_CLIMB];
        return was + divide(5 * both * age, 2 * hz);
    }
    case APEX_DELTA_RPM:
        return predict_rpm(view);
    default:
        return was;
    }
}

// --- Car -----------------------------------------------------------------------------------------

static int16_t to_i16(double value) {
    return (int16_t)(value < -32768.0 ? -32768.0 : (value > 32767.0 ? 32767.0 : value));
}

// A circle of 2^bits steps as one of 2^16.
static int16_t to_angle(int32_t steps, uint32_t bits) {
    return (int16_t)(uint16_t)((uint32_t)steps << (16 - bits));
}

// A far value stands for all that would be shifted to it: for the middle one.
static double value_of(const apex_delta_car *car, apex_delta_class class, apex_delta_field field) {
    uint32_t shift = delta_shift(class, field);
    double half = shift > 0 ? 0.5 * (double)((1 << shift) - 1) : 0.0;
    return (double)(car->q[field] * (1 << shift)) + half;
}

static uint8_t worst_zone(uint32_t zones) {
    uint32_t worst = 0;
    for (uint32_t zone = 0; zone < APEX_WIRE_ZONES; zone++) {
        uint32_t damage = zones >> (APEX_WIRE_ZONE_BITS * zone) & APEX_WIRE_ZONE_MAX;
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
