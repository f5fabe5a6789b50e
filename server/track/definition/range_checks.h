/// Checks of one value each, for functions that return the refusal: they need a `problem` at hand.
#pragma once

#include "track/definition/refuse.h"

static inline bool track_within(double value, double low, double high) {
    return value >= low && value <= high;
}

/// Coordinates and heights: plenty for a track in a map's coordinates, and few enough for whole
/// numbers of half metres.
#define TRACK_COORDINATE_M_MAX 100000.0
#define TRACK_HEIGHT_M_MAX     5000.0

#define TRACK_CHECK_RANGE(value, low, high, path)                                    \
    if (!track_within((value), (low), (high))) {                                     \
        return track_refuse(problem, path ": %g is outside %g..%g", (double)(value), \
                            (double)(low), (double)(high));                          \
    }
