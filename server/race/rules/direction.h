// The judge of who drives against the lap. That a car goes the wrong way at all is told to its
// driver by off_track.h; this is the offence.
#pragma once

#include "race/rules/verdict.h"
#include "race/walk.h"

typedef struct race_direction_watch {
    uint32_t wrong_ticks;
    bool told;
} race_direction_watch;

// OFFENCE WRONG_WAY, once until he drives the right way again (value: microseconds of it). It is
// judged under every flag: whatever waves, others come the other way. In the pit lane it is
// PIT_REVERSE.
void race_judge_wrong_way(const race_facts *facts, race_direction_watch *watch, race_verdicts *out);
void race_direction_walk(race_walk *io, race_direction_watch *watch);
