/// Units in which people measure cars, and the number that was not reached.
#pragma once

#include <math.h>

#include "base/trig.h"

#define PROVING_KMH (1.0 / 3.6)
#define PROVING_MPH 0.44704
#define PROVING_RPM (APEX_PI / 30.0)

static inline double proving_degrees(double angle_rad) {
    return angle_rad * 180.0 / APEX_PI;
}

static inline double proving_clamp(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

/// A number that was not reached.
static inline double proving_nothing(void) {
    return (double)NAN;
}
