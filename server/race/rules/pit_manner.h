// The judge of manners in the pit lane: speed, release, reversing, and the line at the exit.
#pragma once

#include "race/rules/verdict.h"
#include "race/walk.h"

typedef struct race_lane_watch {
    bool inside;     // a tick ago
    bool speed_told; // in this visit, as the three below
    bool exit_told, reverse_told;
    double worst_mps;
    double reversed_m; // without a pause
} race_lane_watch;

// Offences of PIT_SPEED (value: the worst speed of the visit in mm/s; given where it stops or
// leaves, and once a visit), UNSAFE_RELEASE (the gap in microseconds), PIT_REVERSE (mm of way
// back, once a visit) and PIT_EXIT_LINE (0, once a visit). They are judged under every flag.
void race_judge_lane(const race_facts *facts, race_lane_watch *watch, race_verdicts *out);
void race_lane_walk(race_walk *io, race_lane_watch *watch);
