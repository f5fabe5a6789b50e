// The gates of the lap, which a car has to cross one after the other.
#pragma once

#include "race/player.h"
#include "race/timing/timing.h"

// A gate by its number, which counts on over the laps.
typedef struct race_numbered_gate {
    const race_gate *gate;
    double way_m; // counted from the start line of lap 1
} race_numbered_gate;

void race_gates_make(race_timing *timing, const apex_track *track);

// Number of the gate that is to come; below zero for a player who has gone back from the grid.
static inline int64_t race_gates_ahead_of(const race_player *player) {
    return (int64_t)player->lap.gates_passed - player->lap.gates_back;
}

static inline race_numbered_gate race_gates_at(const race_timing *timing, int64_t number) {
    int64_t count = timing->gate_count;
    if (!timing->closed) {
        const race_gate *gate = &timing->gates[number < 0       ? 0
                                               : number < count ? number
                                                                : count - 1];
        return (race_numbered_gate){gate, gate->s_m};
    }
    // Of 32 bits, since this runs for every car in every tick.
    int64_t lap =
        number >= 0 ? (uint32_t)number / (uint32_t)count : -((count - 1 - number) / count);
    const race_gate *gate = &timing->gates[number - lap * count];
    return (race_numbered_gate){gate, timing->length_m * (double)lap + gate->s_m};
}

// @return whether there is a gate behind that can be crossed backwards.
static inline bool race_gates_has_behind(const race_timing *timing, const race_player *player) {
    return timing->closed || race_gates_ahead_of(player) > 0;
}
