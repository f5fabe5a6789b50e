// The rows of a player's penalties: how one is added and found, and what is told of it.
#pragma once

#include "race/penalties/penalties.h"

#include "base/assert.h"

static inline void race_penalty_note(race_penalty_changes *changes, const apex_penalty *penalty) {
    APEX_ASSERT(changes->count < RACE_PENALTY_CHANGES_MAX);
    changes->all[changes->count++] = *penalty;
}

// It has to be served, or stood, or it is added.
static inline bool race_penalty_is_served(apex_penalty_kind kind) {
    return kind == APEX_PENALTY_TIME || kind == APEX_PENALTY_DRIVE_THROUGH ||
           kind == APEX_PENALTY_STOP_AND_HOLD;
}

uint64_t race_penalty_us(double seconds);

// Gives one of its kind, amount, offence, lap and by_stewards, and tells of it. The rest follows
// from the moment. Its effects are had at once where the kind has no term.
void race_penalty_add(race_penalties *his, const race_penalty_moment *at, const apex_penalty *given,
                      race_penalty_changes *changes);
// Fills in what follows from kind and amount at this moment, and lets it have its effect.
void race_penalty_start(race_penalties *his, const race_penalty_moment *at, apex_penalty *penalty);
// Takes back the effect of one that is cancelled or changed.
void race_penalty_undo(race_penalties *his, uint32_t row);
// Adds what an open one costs to his time.
void race_penalty_add_time(const apex_penalty_def *def, apex_penalty *penalty);
// Disqualifies him when the seconds that were added have become too many. Whom stewards have let
// off after that stays so.
// @param before_us the sum before what has just happened
void race_penalty_judge_sum(race_penalties *his, const race_penalty_moment *at, uint64_t before_us,
                            race_penalty_changes *changes);
