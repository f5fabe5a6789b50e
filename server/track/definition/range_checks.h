/// Checks of one value each, for functions that return the refusal: they need a `problem` at hand.
#pragma once

#include "track/definition/refuse.h"
#include "track/track_def_ranges.h"

#define TRACK_CHECK_RANGE(value, low, high, path)                                    \
    if (!apex_is_within((value), (low), (high))) {                                   \
        return track_refuse(problem, path ": %g is outside %g..%g", (double)(value), \
                            (double)(low), (double)(high));                          \
    }
/// A member within its range; `path` is the way to it, "" or one that ends in a dot.
#define TRACK_CHECK_MEMBER(owner, item, member, path) \
    TRACK_CHECK_PAIR((item)->member, APEX_RANGE(owner, member), path #member)
#define TRACK_CHECK_PAIR(...) TRACK_CHECK_RANGE(__VA_ARGS__)
