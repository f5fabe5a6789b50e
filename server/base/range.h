/// Ranges that are said once: pairs of constants, because tables of constants are made from them.
#pragma once

#include <stdbool.h>

/// The lowest and the highest value that a member may have, with a comma between them. Each pair is
/// a macro APEX_RANGE_<struct>_<member>, beside the struct.
#define APEX_RANGE(owner, member) APEX_RANGE_##owner##_##member

/// Both ends are allowed. @return false for what is not a number, too.
static inline bool apex_is_within(double value, double low, double high) {
    return value >= low && value <= high;
}
