// The card that race control keeps of a player beside his lap, only in events with sessions or
// rules. Each part is written by one room.
#pragma once

#include "race/penalties/penalties.h"
#include "race/pits/pit.h"
#include "race/race.h"

// Of laps and their times.
typedef struct race_lap_card {
    uint32_t voids, next_voids; // bits of apex_lap_void: of the lap under way, of the next
    uint64_t best_us;           // of the laps that count; 0 none
    uint64_t best_set_us;       // race time at its end
    uint64_t began_us;          // of the lap under way
    uint32_t counted;           // laps that count
    double trap_mps;
} race_lap_card;

typedef struct race_card {
    uint32_t competitor1; // in the event's book, from 1; 0: none yet
    race_lap_card lap;
    race_penalties penalties;
    race_pit pit;
    uint32_t incident_points;
    uint32_t points; // of the event so far
} race_card;
