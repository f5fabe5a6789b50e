/// The lesser, the larger and the size of numbers, and how a height is shown.
#pragma once

static inline double drawing_min(double a, double b) {
    return a < b ? a : b;
}

static inline double drawing_max(double a, double b) {
    return a > b ? a : b;
}

static inline double drawing_size(double value) {
    return value < 0 ? -value : value;
}

/// A curve through level points is not level to the last millimetre: no "-0.0".
static inline double drawing_shown(double value_m) {
    return drawing_size(value_m) < 0.05 ? 0 : value_m;
}
