/// The step's number type: float in the product, double in the build that checks it.
/// Positions are double in both. Only + - * / sqrt and comparisons, so that every compiler and
/// processor gives the same bits (reference: IEEE 754 requires these five to be exactly rounded).
#pragma once

#include <float.h>
#include <math.h>
#include <stdbool.h>

#ifdef APEX_REAL_DOUBLE
typedef double real;
#define R(x) x
#else
typedef float real;
#define R(x) x##f
#endif

_Static_assert(FLT_EVAL_METHOD == 0, "excess precision would make builds disagree");

static inline real real_sqrt(real x) {
#ifdef APEX_REAL_DOUBLE
    return sqrt(x);
#else
    return sqrtf(x);
#endif
}

static inline real real_abs(real x) {
#ifdef APEX_REAL_DOUBLE
    return fabs(x);
#else
    return fabsf(x);
#endif
}
static inline real real_min(real a, real b) {
    return a < b ? a : b;
}
static inline real real_max(real a, real b) {
    return a > b ? a : b;
}
static inline real real_clamp(real x, real low, real high) {
    return real_min(real_max(x, low), high);
}
static inline real real_sign(real x) {
    return x < R(0.0) ? R(-1.0) : R(1.0);
}
static inline bool real_is_finite(real x) {
    return x - x == R(0.0);
}

/// 0 below `low`, 1 above `high`, with level ends between.
static inline real real_smoothstep(real x, real low, real high) {
    real t = real_clamp((x - low) / (high - low), R(0.0), R(1.0));
    return t * t * (R(3.0) - R(2.0) * t);
}

/// Relative error below 8e-7. Odd polynomial fitted so that its slope at 0 is exactly 1.
static inline real real_atan(real x) {
    real size = real_abs(x);
    real t = size > R(1.0) ? R(1.0) / size : size;
    real z = t * t;
    real p = R(0.00810619437873);
    p = p * z - R(0.0377962212262);
    p = p * z + R(0.0848405093914);
    p = p * z - R(0.135445509288);
    p = p * z + R(0.198978681841);
    p = p * z - R(0.333284916227);
    real angle = t + t * z * p;
    angle = size > R(1.0) ? R(1.57079632679489662) - angle : angle;
    return x < R(0.0) ? -angle : angle;
}

/// Sine for -3 pi/2 .. 3 pi/2, error below 3e-7.
static inline real real_sin(real x) {
    const real PI = R(3.14159265358979324), HALF_PI = R(1.57079632679489662);
    real t = x > HALF_PI ? PI - x : (x < -HALF_PI ? -PI - x : x);
    real z = t * t;
    real p = R(2.60578203496e-6);
    p = p * z - R(0.000198096035987);
    p = p * z + R(0.00833306625678);
    p = p * z - R(0.166666595509);
    return t + t * z * p;
}

/// Cosine for -pi .. pi.
static inline real real_cos(real x) {
    return real_sin(real_abs(x) + R(1.57079632679489662));
}
