// A number kept within limits.
#pragma once

static inline double driver_clamped(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}
