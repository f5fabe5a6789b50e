/// The server leaves things out while its ticks take longer than they may: what costs most and
/// matters least, a step each second: fewer cars told, then half the snapshots, then nobody new.
/// Physics, rules and the storing of what counts are never thinned. It comes back a step each five
/// calm seconds, so that it does not swing, and waits twice as long where it came back too early
/// (DECISIONS 27).
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
    uint32_t back_s;     ///< seconds since the last step back; 0: none, or long ago
    uint32_t patience_s; ///< calm seconds until the next one; 0: as many as at first
} host_overload;

const char *host_strain_text(host_strain strain);

/// After each tick. A second most of whose ticks took more than 85 % of their time is one step up;
/// five in a row most of whose ticks took no more than 65 % are one down. If that was too early,
/// twice as many are needed for the next try, 80 at most; after a minute that went well five again.
/// @return whether the strain has changed.
bool host_overload_note(host_overload *overload, uint64_t work_us, uint64_t period_us,
                        uint32_t tick_hz);
