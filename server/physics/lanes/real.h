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
