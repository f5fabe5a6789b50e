/// Angles from sides, eight at a time: to the bit those of base/trig.h.
#pragma once

#include "physics/lanes/lanes.h"

// Of what is not a number: of 0.
static inline lanes_wide wide_atan_unit(lanes_wide x) {
    const lanes_wide ONE = wide_all(1.0);
    x = wide_choose(wide_less(wide_all(0.0), x), x, wide_all(0.0));
    lanes_wide sixteenth;
    lanes_wide known = wide_look_up(APEX_ATAN_SIXTEENTHS,
                                    wide_add(wide_scale(x, 16.0), wide_all(0.5)), &sixteenth);
    lanes_wide centre = wide_scale(sixteenth, 1.0 / 16.0);
    lanes_wide t = wide_divide(wide_subtract(x, centre), wide_add(ONE, wide_multiply(x, centre)));
    lanes_wide z = wide_multiply(t, t);
    lanes_wide p = wide_all(-1.0 / 11.0);
    p = wide_add(wide_multiply(p, z), wide_all(1.0 / 9.0));
    p = wide_subtract(wide_multiply(p, z), wide_all(1.0 / 7.0));
    p = wide_add(wide_multiply(p, z), wide_all(1.0 / 5.0));
    p = wide_subtract(wide_multiply(p, z), wide_all(1.0 / 3.0));
    return wide_add(known, wide_add(t, wide_multiply(wide_multiply(t, z), p)));
}

// `full` less the angle, with what the nearest double to `full` falls short of it.
static inline lanes_wide wide_rest_of(double full, double tail, lanes_wide angle) {
    return wide_subtract(wide_all(full), wide_subtract(angle, wide_all(tail)));
}

static inline lanes_wide wide_atan2(lanes_wide y, lanes_wide x) {
    const lanes_wide ZERO = wide_all(0.0);
    lanes_wide width = wide_abs(x), height = wide_abs(y);
    lanes_wide_mask is_steep = wide_less(width, height);
    lanes_wide angle = wide_atan_unit(
        wide_divide(wide_choose(is_steep, width, height), wide_choose(is_steep, height, width)));
    angle = wide_choose(is_steep, wide_rest_of(APEX_PI / 2.0, APEX_PI_TAIL / 2.0, angle), angle);
    angle = wide_choose(wide_less(x, ZERO), wide_rest_of(APEX_PI, APEX_PI_TAIL, angle), angle);
    return wide_choose(wide_less(y, ZERO), wide_negate(angle), angle);
}

static inline lanes_wide wide_asin(lanes_wide x) {
    const lanes_wide ONE = wide_all(1.0), ZERO = wide_all(0.0);
    lanes_wide square = wide_multiply(wide_subtract(ONE, x), wide_add(ONE, x));
    return wide_atan2(x, wide_sqrt(wide_choose(wide_less(ZERO, square), square, ZERO)));
}
