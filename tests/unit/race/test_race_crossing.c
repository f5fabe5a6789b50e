// The moment of a crossing between ticks, against the closed form, at 1,000 places of the line
// within a tick.
#include "race/timing/crossing.h"

#include "support/base/check_main.h"

#include <math.h>

enum { OFFSETS = 1000 };

// From t = 0 with a speed and an acceleration; the line is passed `share` into the third tick.
// @return the greatest error in microseconds
static double worst_us(double hz, double v_mps, double a_mps2) {
    double dt_s = 1.0 / hz, worst = 0.0;
    for (int i = 0; i < OFFSETS; i++) {
        double t_s = (2.0 + (i + 0.5) / OFFSETS) * dt_s;
        double line_m = v_mps * t_s + 0.5 * a_mps2 * t_s * t_s;
        double at_m[4];
        for (int k = 0; k < 4; k++) {
            at_m[k] = v_mps * k * dt_s + 0.5 * a_mps2 * k * dt_s * k * dt_s;
        }
        race_way way = {line_m - at_m[2], line_m - at_m[3], at_m[2] - at_m[1]};
        double found_s = (2.0 + race_crossing_share(&way)) * dt_s;
        worst = fmax(worst, fabs(found_s - t_s) * 1e6);
    }
    return worst;
}

TEST(steady_speed_and_acceleration_are_exact) {
    static const struct {
        double hz, v_mps, a_mps2;
    } drives[] = {
        {60, 3, 0},    {60, 80, 0},  {20, 40, 0},   {60, 35, 10}, {60, 10, 8},
        {60, 40, -25}, {20, 30, 10}, {20, 50, -20}, {240, 5, 12}, {30, 12, -9},
    };
    for (size_t i = 0; i < sizeof drives / sizeof drives[0]; i++) {
        double us = worst_us(drives[i].hz, drives[i].v_mps, drives[i].a_mps2);
        ck_assert_msg(us < 0.01, "drive %zu: %g us", i, us);
    }
}

// Half-way through a tick at 30 m/s and 20 Hz with 10 m/s^2 the straight line is 104 us off: what
// the step before is good for.
TEST(without_the_step_before_it_is_a_straight_line) {
    race_way way = {0.5, -1.5, 0.0};
    ck_assert_double_eq_tol(race_crossing_share(&way), 0.25, 1e-12);
    way.step_m = 1.0; // a car that was pushed: no acceleration is like that
    ck_assert_double_eq_tol(race_crossing_share(&way), 0.25, 1e-12);
    way.step_m = -2.0;
    ck_assert_double_eq_tol(race_crossing_share(&way), 0.25, 1e-12);
    way = (race_way){0.5, -1.5, 1.6}; // 0.4 f^2 / 2 + 1.8 f = 0.5: f = 0.26969...
    ck_assert_double_eq_tol(race_crossing_share(&way), (sqrt(1.8 * 1.8 + 0.4) - 1.8) / 0.4, 1e-12);
    way = (race_way){0.5, 0.0, 0.45};
    ck_assert_double_eq_tol(race_crossing_share(&way), 1.0, 1e-12);
}
