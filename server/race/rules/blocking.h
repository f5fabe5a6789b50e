// The judge of who stands where others race.
#pragma once

#include "race/rules/verdict.h"
#include "race/walk.h"

typedef struct race_blocking_watch {
    uint32_t slow_ticks; // more while he is slow, fewer while he is not
    bool told;
} race_blocking_watch;

// OFFENCE BLOCKING in races under green, once until he has driven as long as he stood (value:
// microseconds of slow_s). Nobody blocks off the road, in the lane, as a ghost, or in the first 10
// s after the start. A car that is broken does if it stands on the road: it could have rolled off.
void race_judge_blocking(const race_facts *facts, race_blocking_watch *watch, race_verdicts *out);
void race_blocking_walk(race_walk *io, race_blocking_watch *watch);
