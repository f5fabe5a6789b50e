// The order of a session's grid, made of what drivers did before. Pure: nobody is moved here.
#pragma once

#include "race/race.h"

// A driver's outcome of a session, as far as a grid asks for it.
typedef struct race_grid_outcome {
    uint32_t place, class_place; // from 1; 0: he took no part
    bool timed;                  // a lap that counts or, in a race, one at all
    uint64_t best_us;            // of the laps that count; 0 none
} race_grid_outcome;

// Somebody who is there when a grid is made.
typedef struct race_candidate {
    race_grid_outcome outcomes[APEX_SESSIONS_MAX];
    uint32_t points;  // of the event so far
    uint32_t class1;  // from 1; 0: none
    uint32_t entry;   // place that the list of entries gives him, from 1; 0: none
    uint32_t arrival; // in which order they came; each one's is another
    uint32_t drop;    // places that penalties cost him at this grid
} race_candidate;

typedef struct race_grid_making {
    const apex_weekend_def *weekend;
    uint32_t session;
    uint64_t seed; // of the event
    const race_candidate *candidates;
    uint32_t count;
    uint32_t *scratch; // [3 * count]
} race_grid_making;

// @param[out] order candidates by their places, [count]; after those who start come those who
// watch, as they arrived. @return how many start
uint32_t race_grid_order(const race_grid_making *making, uint32_t order[]);
