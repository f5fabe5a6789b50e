// The deterministic functions against the C library's, over a few million points.

#include "base/trig.h"
#include "support/base/check_main.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { POINTS = 1000000 };

static uint64_t random_state;

// Steele, Lea and Flood's SplitMix64.
static double random_between(double low, double high) {
    random_state += 0x9e3779b97f4a7c15u;
    uint64_t z = random_state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return low + (high - low) * ((double)(z >> 11) / 9007199254740992.0);
}

static double relative(double got, double want) {
    return want == 0.0 ? fabs(got) : fabs(got - want) / fabs(want);
}

// Not fmax, which passes over a NaN. The worst of all points is asserted, because check keeps
// account of each assertion.
static double worse(double a, double b) {
    return isnan(a) || isnan(b) ? HUGE_VAL : fmax(a, b);
}

TEST(sine_and_cosine_over_many_turns) {
    static const double RANGES[] = {1e-3, 1.0, 10.0, 1e3, 1e6};
    double worst = 0.0, worst_relative = 0.0;
    for (size_t r = 0; r < sizeof RANGES / sizeof *RANGES; r++) {
        for (int i = 0; i < POINTS; i++) {
            double x = random_between(-RANGES[r], RANGES[r]);
            double s, c;
            apex_sincos(x, &s, &c);
            worst = worse(worst, worse(fabs(s - sin(x)), fabs(c - cos(x))));
            worst_relative = worse(worst_relative, worse(relative(s, sin(x)), relative(c, cos(x))));
        }
    }
    ck_assert_double_lt(worst, 2.3e-16);
    ck_assert_double_lt(worst_relative, 1e-15);
}

// Next to multiples of pi/2 the leading bits cancel: a reduction in two parts fails here.
TEST(near_multiples_of_a_right_angle) {
    double worst = 0.0, worst_relative = 0.0;
    for (int n = 1; n < 636000; n += 7) {
        double x = (double)n * (APEX_PI / 2.0);
        double want = n & 1 ? cos(x) : sin(x);
        double got = n & 1 ? apex_cos(x) : apex_sin(x);
        worst = worse(worst, fabs(got - want));
        worst_relative = worse(worst_relative, relative(got, want));
    }
    ck_assert_double_lt(worst, 2.3e-16);
    ck_assert_double_lt(worst_relative, 2e-9);
}

TEST(tangent) {
    double worst = 0.0;
    for (int i = 0; i < POINTS; i++) {
        double x = random_between(-1.5, 1.5), wide = random_between(-1e3, 1e3);
        worst =
            worse(worst, worse(relative(apex_tan(x), tan(x)), relative(apex_tan(wide), tan(wide))));
    }
    ck_assert_double_lt(worst, 5e-16);
    ck_assert_double_eq(apex_tan(0.0), 0.0);
    ck_assert_double_eq(apex_tan(-1e-300), -1e-300);
    ck_assert_double_nan(apex_tan(HUGE_VAL));
}

TEST(arctangent) {
    double worst = 0.0;
    for (int i = 0; i < POINTS; i++) {
        double x = random_between(-1.0, 1.0);
        double wide = 1.0 / x;
        worst = worse(
            worst, worse(relative(apex_atan(x), atan(x)), relative(apex_atan(wide), atan(wide))));
    }
    ck_assert_double_lt(worst, 5e-16);
    ck_assert_double_eq(apex_atan(HUGE_VAL), APEX_PI / 2.0);
    ck_assert_double_eq(apex_atan(-HUGE_VAL), -APEX_PI / 2.0);
    ck_assert_double_eq(apex_atan(1e-300), 1e-300);
}

TEST(arctangent_of_a_point_in_every_quadrant) {
    double worst = 0.0;
    for (int i = 0; i < POINTS; i++) {
        double scale = i & 1 ? 1.0 : 1e-6;
        double x = random_between(-1.0, 1.0) * scale, y = random_between(-1.0, 1.0);
        worst = worse(worst, relative(apex_atan2(y, x), atan2(y, x)));
        worst = worse(worst, relative(apex_atan2(x, y), atan2(x, y)));
    }
    ck_assert_double_lt(worst, 6e-16);
    ck_assert_double_eq(apex_atan2(0.0, 0.0), 0.0);
    ck_assert_double_eq(apex_atan2(0.0, -2.0), APEX_PI);
    ck_assert_double_eq(apex_atan2(3.0, 0.0), APEX_PI / 2.0);
    ck_assert_double_eq(apex_atan2(-3.0, 0.0), -APEX_PI / 2.0);
    ck_assert_double_eq_tol(apex_atan2(-HUGE_VAL, -HUGE_VAL), -0.75 * APEX_PI, 1e-15);
}

TEST(arcsine) {
    double worst = 0.0;
    for (int i = 0; i < POINTS; i++) {
        double x = random_between(-1.0, 1.0);
        worst = worse(worst, fabs(apex_asin(x) - asin(x)));
    }
    ck_assert_double_lt(worst, 1e-15);
    ck_assert_double_eq(apex_asin(1.0 + 1e-15), APEX_PI / 2.0);
    ck_assert_double_eq(apex_asin(-1.0 - 1e-15), -APEX_PI / 2.0);
}

TEST(exponential) {
    double worst = 0.0;
    for (int i = 0; i < POINTS; i++) {
        double x = random_between(-1.0, 1.0), wide = random_between(-700.0, 709.0);
        worst =
            worse(worst, worse(relative(apex_exp(x), exp(x)), relative(apex_exp(wide), exp(wide))));
    }
    ck_assert_double_lt(worst, 5e-16);
    ck_assert_double_eq(apex_exp(0.0), 1.0);
    ck_assert_double_eq(apex_exp(-1000.0), 0.0);
    ck_assert(isinf(apex_exp(710.0)));
}

TEST(signs_mirror_exactly) {
    int broken = 0;
    for (int i = 0; i < POINTS; i++) {
        double x = random_between(0.0, 100.0);
        bool mirrored = apex_sin(-x) == -apex_sin(x) && apex_cos(-x) == apex_cos(x) &&
                        apex_atan(-x) == -apex_atan(x) &&
                        apex_atan2(-x, 3.0) == -apex_atan2(x, 3.0);
        broken += !mirrored;
    }
    ck_assert_int_eq(broken, 0);
}

TEST(what_is_not_finite_stays_harmless) {
    ck_assert(isnan(apex_sin((double)(double)NAN)));
    ck_assert(isnan(apex_cos(HUGE_VAL)));
    ck_assert(isnan(apex_atan((double)(double)NAN)));
    ck_assert(isnan(apex_atan2((double)(double)NAN, 1.0)));
    ck_assert(isnan(apex_asin((double)(double)NAN)));
    ck_assert(isnan(apex_exp((double)(double)NAN)));
    double s, c;
    apex_sincos(1e300, &s, &c);
    ck_assert(fabs(s) <= 1.0 && fabs(c) <= 1.0);
    apex_sincos(3e9, &s, &c);
    ck_assert_double_eq_tol(s, sin(3e9), 1e-6);
}

TEST(angles_wrap_to_half_a_turn) {
    ck_assert_double_eq(apex_wrap_angle(1.5), 1.5);
    ck_assert_double_eq_tol(apex_wrap_angle(1.5 + 8.0 * APEX_PI), 1.5, 1e-14);
    ck_assert_double_eq_tol(apex_wrap_angle(-4.0), 2.0 * APEX_PI - 4.0, 1e-15);
    ck_assert_double_eq(apex_wrap_angle(-APEX_PI), -APEX_PI);
}
