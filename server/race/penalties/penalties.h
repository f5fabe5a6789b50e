// The penalties of one player in one session, and how they live: given, due, served, converted,
// cancelled. Nothing here knows a car or a clock: what happened comes in as values.
#pragma once

#include "race/race.h"
#include "race/walk.h"

typedef struct race_penalties {
    uint32_t offences[APEX_OFFENCES]; // counted in this session
    uint32_t count;                   // when full, the oldest that is over makes room
    apex_penalty all[APEX_PENALTIES_EACH_MAX];
    uint32_t grid_drop; // places owed at the next race's grid
    bool disqualified;
} race_penalties;

// Numbers of penalties count over the event.
typedef struct race_penalty_numbers {
    uint32_t issued;
} race_penalty_numbers;

void race_penalties_walk(race_walk *io, race_penalties *penalties);
