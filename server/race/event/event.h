// The event: which of its races is on, and in which phase.
#pragma once

#include "race/race.h"

typedef struct race_event {
    apex_race_phase phase;
    uint32_t race_number; // from 1
    uint64_t phase_tick;  // when the phase began
    uint64_t lobby_tick;  // since when somebody has been waiting in the lobby
} race_event;
