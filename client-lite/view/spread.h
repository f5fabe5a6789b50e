/// The spread of a measure: counts in steps that grow by a half, so that any quantile of millions
/// of values is known to within a step, in half a kilobyte.
#pragma once

#include <stdint.h>

enum { CLIENT_SPREAD_STEPS = 48 };

typedef struct client_spread {
    uint64_t counts[CLIENT_SPREAD_STEPS + 1]; ///< the first are zeros
    uint64_t count;
    double max;
} client_spread;

/// Steps begin at a ten-thousandth and reach past twenty thousand; not-a-number counts as that.
void client_spread_add(client_spread *spread, double value);
/// @return what a share of the values did not exceed, rounded up to its step but never above the
/// largest; 0 of none.
double client_spread_quantile(const client_spread *spread, double share);
