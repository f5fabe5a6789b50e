// The event: which of its races is on, and in which phase.
#pragma once

#include "race/event/book.h"
#include "race/event/chequered.h"
#include "race/event/grid_order.h"
#include "race/penalties/penalties.h"
#include "race/race.h"

// Of an event with sessions.
typedef struct race_weekend {
    race_chequered chequered; // of the session that is on
    uint64_t duration_us;     // of it, as extended; 0: by laps alone
    race_penalty_numbers penalty_numbers;
    race_book book;

    // Room to make grids in.
    race_candidate *candidates; // [capacity]
    uint32_t *grid_scratch;     // [4 * capacity]
} race_weekend;

typedef struct race_event {
    apex_race_phase phase;
    uint32_t race_number;  // from 1; sessions count as races
    uint64_t phase_tick;   // when the phase began
    uint64_t lobby_tick;   // since when somebody has been waiting in the lobby
    race_weekend *weekend; // NULL: an event without sessions
} race_event;
