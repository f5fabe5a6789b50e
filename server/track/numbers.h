/// Small functions of numbers without libm, so that they give the same bits everywhere.
#pragma once

#include <stdint.h>

/// Largest integer not above a value; saturates. libm's floor is a call on plain x86-64.
static inline int32_t track_floor(double value) {
    if (!(value > -2147483647.0)) {
        return -2147483647;
    }
    if (value >= 2147483646.0) {
        return 2147483646;
    }
    int32_t whole = (int32_t)value;
    return (double)whole > value ? whole - 1 : whole;
}

static inline double track_lerp(double from, double to, double t) {
    return from + (to - from) * t;
}

static inline double track_clamp(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

static inline double track_min(double a, double b) {
    return a < b ? a : b;
}
static inline double track_max(double a, double b) {
    return a > b ? a : b;
}
