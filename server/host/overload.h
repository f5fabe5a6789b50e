/// What the server leaves out while its ticks take longer than they may: step by step, and back
/// again. Cars are never among it: physics and rules run as ever.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum host_strain {
    HOST_STRAIN_NONE,
    HOST_STRAIN_FEWER_CARS,  ///< viewers are told of half the neighbours, and of nobody else
    HOST_STRAIN_HALF_RATE,   ///< and half as often
    HOST_STRAIN_NO_NEWCOMERS ///< and nobody new gets in
} host_strain;

typedef struct host_overload {
    host_strain strain;
    uint32_t ticks, long_ticks, short_ticks; ///< of the second under way
    uint32_t calm_seconds;
} host_overload;

const char *host_strain_text(host_strain strain);

/// After each tick. A second most of whose ticks took more than 85 % of their time is one step up;
/// five in a row of which nearly none took more than 60 % are one down.
/// @return whether the strain has changed.
bool host_overload_note(host_overload *overload, uint64_t work_us, uint64_t period_us,
                        uint32_t tick_hz);
