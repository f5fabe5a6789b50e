/// The prediction of a car from its baseline. Private to proto; inlined, so that a field which is
/// known to the compiler costs what its own case does.
///
/// A car turns and accelerates as it did (DECISIONS 26). The acceleration along is a field of its
/// own: 1.4 bits that save 1.8 of the speed. Speeds are the new ones when the place is foretold
/// (the mean of both ends): so a place costs about a bit each way, however hard a car turns. Tried:
/// * Two baselines (the newest two that were acknowledged). All rates would come for nothing, 1.7
///   bits less in all at 50 ms, 13.8 instead of 15.5; but a code then has two ages, which few
///   viewers share when packets get lost.
/// * The car model as the predictor: a world of one car set to the baseline's values, driven on by
///   the controls in use, over a race of 24 with contacts. Entropies of what remains, in bits a
///   car: at 50 ms 17.3, where turn and acceleration leave 16.2, the field of the acceleration
///   counted; at 100 ms 21.8 and 21.2. It foretells the sideways speed and the engine better, but
///   spins, slips and springs are not among what is told, and what they begin with wrong costs
///   more. With the exact state it would leave 8.3, and take 400 bytes of baseline a car, and a
///   physics step a car and tick at both ends.
#pragma once

#include "proto/delta/delta_values.h"

/// A car and what it was, both in the units of near cars.
typedef struct delta_view {
    int32_t before[APEX_DELTA_FIELDS];
    int32_t now[APEX_DELTA_FIELDS]; ///< fields before the one that is predicted
    int32_t drift_y_cm;             ///< found together with that along x
    apex_delta_span span;
} delta_view;

DELTA_INLINE int32_t delta_divide(int32_t value, int32_t by) {
    return (value + (value < 0 ? -by / 2 : by / 2)) / by;
}

// Of a quarter turn in 2048 steps, in units of 1/16384: sine by a polynomial whose error is 1/5000.
DELTA_INLINE int32_t delta_quarter_sine(int32_t z) {
    int32_t square = z * z >> 8;
    int32_t sum = 10539 - (square * 1191 >> 14);
    sum = 25733 - (square * sum >> 14);
    return z * sum >> 11;
}

DELTA_INLINE int32_t delta_sine(int32_t yaw) {
    int32_t z = yaw & 2047;
    int32_t size = delta_quarter_sine((yaw & 2048) != 0 ? 2048 - z : z);
    return (yaw & 4096) != 0 ? -size : size;
}

DELTA_INLINE int32_t delta_cosine(int32_t yaw) {
    return delta_sine(yaw + 2048);
}

// Of the velocities at both ends, along the world's axes, in units of 0.05 m/s / 16384.
DELTA_INLINE void delta_add_velocity(const int32_t end[APEX_DELTA_FIELDS], int32_t sum[2]) {
    int32_t along = end[APEX_DELTA_ALONG], aside = end[APEX_DELTA_ASIDE];
    int32_t sin = delta_sine(end[APEX_DELTA_YAW]), cos = delta_cosine(end[APEX_DELTA_YAW]);
    sum[0] += cos * along - sin * aside;
    sum[1] += sin * along + cos * aside;
}

// Centimetres that a car moves with the mean of both velocities. @return along x; y is kept.
DELTA_INLINE int32_t delta_drift(delta_view *view) {
    int32_t sum[2] = {0, 0}, age = (int32_t)view->span.age_ticks;
    int32_t by = 64 * (int32_t)view->span.tick_hz;
    delta_add_velocity(view->before, sum);
    delta_add_velocity(view->now, sum);
    view->drift_y_cm = delta_divide((sum[1] >> 9) * 5 * age, by);
    return delta_divide((sum[0] >> 9) * 5 * age, by);
}

// Engine and wheels turn together while the gear stays.
DELTA_INLINE int32_t delta_predict_rpm(const delta_view *view) {
    enum { SLOW = 40, RPM_MAX = 255 };
    int32_t rpm = view->before[APEX_DELTA_RPM], along = view->before[APEX_DELTA_ALONG];
    if (view->now[APEX_DELTA_GEAR] != view->before[APEX_DELTA_GEAR] ||
        (along < SLOW && along > -SLOW)) {
        return rpm;
    }
    int32_t turned = rpm * view->now[APEX_DELTA_ALONG] / along;
    return turned < 0 ? 0 : (turned < RPM_MAX ? turned : RPM_MAX);
}

DELTA_INLINE int32_t delta_predict(delta_view *view, apex_delta_field field) {
    const int32_t *before = view->before, *now = view->now;
    int32_t age = (int32_t)view->span.age_ticks, hz = (int32_t)view->span.tick_hz;
    int32_t was = before[field];
    switch (field) {
    case APEX_DELTA_ALONG: {
        int32_t both = before[APEX_DELTA_ACCELERATION] + now[APEX_DELTA_ACCELERATION];
        return was + delta_divide(5 * both * age, hz);
    }
    case APEX_DELTA_YAW: {
        int32_t both = before[APEX_DELTA_YAW_RATE] + now[APEX_DELTA_YAW_RATE];
        return was + delta_divide(163 * both * age, 16 * hz); // 8192 / (2 pi 64 2) = 163 / 16
    }
    case APEX_DELTA_X:
        return was + delta_drift(view);
    case APEX_DELTA_Y:
        return was + view->drift_y_cm;
    case APEX_DELTA_Z: {
        int32_t both = before[APEX_DELTA_CLIMB] + now[APEX_DELTA_CLIMB];
        return was + delta_divide(5 * both * age, 2 * hz);
    }
    case APEX_DELTA_RPM:
        return delta_predict_rpm(view);
    default:
        return was;
    }
}

DELTA_INLINE void delta_open_view(delta_view *view, const apex_delta_car *baseline,
                                  apex_delta_class class, apex_delta_span span) {
    view->span = span;
#pragma GCC unroll 32
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        view->before[f] = baseline->q[f] * (1 << delta_shift(class, f));
    }
}

/// The value that the field should have, in the units of the class. Fields in their order: y comes
/// after x.
DELTA_INLINE int32_t delta_foretell(delta_view *view, apex_delta_class class, uint32_t field) {
    return delta_predict(view, field) >> delta_shift(class, field);
}

/// Notes the value that it has: others lean on it.
DELTA_INLINE void delta_see(delta_view *view, apex_delta_class class, uint32_t field,
                            int32_t value) {
    view->now[field] = value * (1 << delta_shift(class, field));
}
