// The rows of a player's penalties. Sixteen are enough for what people look at; of older ones only
// what they cost is kept.
#include "race/penalties/penalty_rows.h"

#include <string.h>

uint64_t race_penalty_us(double seconds) {
    APEX_ASSERT(seconds >= 0.0 && seconds <= APEX_RACE_SECONDS_MAX);
    return (uint64_t)(seconds * 1e6 + 0.5);
}

void race_penalty_add_time(const apex_penalty_def *def, apex_penalty *penalty) {
    APEX_ASSERT(penalty->state == APEX_PENALTY_OPEN && race_penalty_is_served(penalty->kind));
    double seconds = penalty->kind == APEX_PENALTY_TIME ? penalty->amount
                                                        : def->drive_through_s + penalty->amount;
    penalty->state = APEX_PENALTY_CONVERTED;
    penalty->added_us = race_penalty_us(seconds);
    penalty->due_lap = 0;
}

void race_penalty_start(race_penalties *his, const race_penalty_moment *at, apex_penalty *penalty) {
    bool is_late = at->is_over || at->laps_left <= RACE_PENALTY_LAST_LAPS;
    penalty->given_us = at->time_us;
    penalty->due_lap = 0;
    penalty->added_us = 0;
    penalty->state = APEX_PENALTY_OPEN;
    switch (penalty->kind) {
    case APEX_PENALTY_TIME:
        penalty->added_us = race_penalty_us(penalty->amount);
        if (at->is_over) {
            race_penalty_add_time(at->def, penalty);
        }
        break;
    case APEX_PENALTY_DRIVE_THROUGH:
    case APEX_PENALTY_STOP_AND_HOLD:
        penalty->due_lap = at->lap + at->def->serve_within_laps;
        if (is_late) {
            race_penalty_add_time(at->def, penalty);
        }
        break;
    case APEX_PENALTY_GRID_DROP:
        his->grid_drop += (uint32_t)penalty->amount;
        his->grid_drop = his->grid_drop < RACE_GRID_DROP_MAX ? his->grid_drop : RACE_GRID_DROP_MAX;
        break;
    case APEX_PENALTY_DISQUALIFIED:
        his->disqualified = true;
        penalty->state = APEX_PENALTY_SERVED;
        break;
    default:
        penalty->state = APEX_PENALTY_SERVED;
        break;
    }
}

static bool is_disqualified_but_for(const race_penalties *his, uint32_t row) {
    for (uint32_t i = 0; i < his->count; i++) {
        if (i != row && his->all[i].kind == APEX_PENALTY_DISQUALIFIED &&
            his->all[i].state == APEX_PENALTY_SERVED) {
            return true;
        }
    }
    return false;
}

void race_penalty_undo(race_penalties *his, uint32_t row) {
    APEX_ASSERT(row < his->count);
    apex_penalty *penalty = &his->all[row];
    APEX_ASSERT(penalty->kind != APEX_PENALTY_GRID_DROP || penalty->state == APEX_PENALTY_OPEN);
    if (penalty->kind == APEX_PENALTY_GRID_DROP) {
        uint32_t places = (uint32_t)penalty->amount;
        his->grid_drop -= places < his->grid_drop ? places : his->grid_drop;
    } else if (penalty->kind == APEX_PENALTY_DISQUALIFIED) {
        his->disqualified = is_disqualified_but_for(his, row);
    }
    penalty->state = APEX_PENALTY_CANCELLED;
    penalty->added_us = 0;
    penalty->due_lap = 0;
    his->standing[row] = false;
}

// How much is lost if a row makes room: nothing of what is over, a pardon of what has had its
// effect, the chance to serve what is open.
static uint32_t weight_of(const apex_penalty *penalty) {
    if (penalty->state == APEX_PENALTY_OPEN && penalty->kind != APEX_PENALTY_GRID_DROP) {
        return penalty->kind == APEX_PENALTY_TIME ? 3 : 4;
    }
    if (penalty->state == APEX_PENALTY_CANCELLED || penalty->kind == APEX_PENALTY_WARNING) {
        return 0;
    }
    if (penalty->kind == APEX_PENALTY_DISQUALIFIED) {
        return 5;
    }
    bool is_over = race_penalty_is_served(penalty->kind) && penalty->added_us == 0;
    return is_over ? 1 : 2;
}

static uint32_t lightest_row(const race_penalties *his) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < his->count; i++) {
        if (weight_of(&his->all[i]) < weight_of(&his->all[best])) {
            best = i;
        }
    }
    return best;
}

static void make_room(race_penalties *his, const apex_penalty_def *def,
                      race_penalty_changes *changes) {
    uint32_t row = lightest_row(his);
    apex_penalty *penalty = &his->all[row];
    if (penalty->state == APEX_PENALTY_OPEN && race_penalty_is_served(penalty->kind)) {
        race_penalty_add_time(def, penalty);
        race_penalty_note(changes, penalty);
    }
    his->forgotten_us += penalty->added_us;
    his->forgotten_us =
        his->forgotten_us < RACE_ADDED_US_MAX ? his->forgotten_us : RACE_ADDED_US_MAX;
    uint32_t behind = his->count - row - 1;
    memmove(penalty, penalty + 1, behind * sizeof *penalty);
    memmove(&his->standing[row], &his->standing[row + 1], behind * sizeof his->standing[0]);
    his->count--;
    his->all[his->count] = (apex_penalty){0};
    his->standing[his->count] = false;
}

void race_penalty_add(race_penalties *his, const race_penalty_moment *at, const apex_penalty *given,
                      race_penalty_changes *changes) {
    APEX_ASSERT(his->count <= APEX_PENALTIES_EACH_MAX && at->lap > 0);
    APEX_ASSERT((uint32_t)given->kind < APEX_PENALTY_KINDS);
    if (his->count == APEX_PENALTIES_EACH_MAX) {
        make_room(his, at->def, changes);
    }
    apex_penalty *penalty = &his->all[his->count++];
    *penalty = (apex_penalty){.number = ++at->numbers->issued,
                              .offence = given->offence,
                              .kind = given->kind,
                              .amount = given->amount,
                              .lap = given->lap,
                              .by_stewards = given->by_stewards};
    race_penalty_start(his, at, penalty);
    race_penalty_note(changes, penalty);
}

uint64_t race_penalties_added_us(const race_penalties *his) {
    uint64_t sum_us = his->forgotten_us;
    for (uint32_t i = 0; i < his->count; i++) {
        sum_us += his->all[i].state == APEX_PENALTY_CONVERTED ? his->all[i].added_us : 0;
    }
    return sum_us;
}

uint64_t race_penalties_pending_us(const race_penalties *his) {
    uint64_t sum_us = 0;
    for (uint32_t i = 0; i < his->count; i++) {
        sum_us += his->all[i].state == APEX_PENALTY_OPEN ? his->all[i].added_us : 0;
    }
    return sum_us;
}

const apex_penalty *race_penalties_open(const race_penalties *his, apex_penalty_kind kind) {
    for (uint32_t i = 0; i < his->count; i++) {
        if (his->all[i].kind == kind && his->all[i].state == APEX_PENALTY_OPEN) {
            return &his->all[i];
        }
    }
    return NULL;
}

void race_penalty_judge_sum(race_penalties *his, const race_penalty_moment *at, uint64_t before_us,
                            race_penalty_changes *changes) {
    uint64_t most_us = race_penalty_us(at->def->time_s_max);
    bool crossed = before_us <= most_us && race_penalties_added_us(his) > most_us;
    if (most_us == 0 || his->disqualified || !crossed) {
        return;
    }
    const apex_penalty out = {
        .offence = APEX_OFFENCE_NOT_SERVED, .kind = APEX_PENALTY_DISQUALIFIED, .lap = at->lap};
    race_penalty_add(his, at, &out, changes);
}
