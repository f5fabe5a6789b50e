// One player in the pits: where he is between the lines, his stop, and what is done to his car.
#pragma once

#include "race/race.h"
#include "race/walk.h"

typedef struct race_pit {
    apex_pit_state told;  // as the race tells of it
    uint32_t stop_ticks;  // left of the stop under way
    uint32_t hold_ticks;  // of these, what a penalty has him stand before the work
    bool works;           // work is done in this stop
    bool moved;           // has left the place where he stood
    uint64_t entered_us;  // race times of the lines
    double speed_mps_max; // the worst in the lane in this visit
} race_pit;

void race_pit_walk(race_walk *io, race_pit *pit);
