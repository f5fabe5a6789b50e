// What befalls a player's penalties on the road: offences, the line, the flag, the next session.
#include "race/penalties/penalties.h"

#include "race/penalties/penalty_rows.h"
#include "race/penalties/penalty_table.h"

void race_penalties_offend(race_penalties *his, const race_penalty_moment *at, apex_offence offence,
                           race_penalty_changes *changes) {
    APEX_ASSERT((uint32_t)offence < APEX_OFFENCES);
    uint64_t before_us = race_penalties_added_us(his);
    uint32_t *counted = &his->offences[offence];
    *counted += *counted < UINT32_MAX ? 1 : 0;
    const apex_penalty_step *step = race_penalty_step_for(at->def, offence, *counted);
    if (step == NULL) {
        return;
    }
    apex_penalty given = {
        .offence = offence, .kind = step->kind, .amount = step->amount, .lap = at->lap};
    if (!at->is_race && race_penalty_is_served(step->kind)) {
        given.kind = APEX_PENALTY_LAP_DELETED;
        given.amount = 0.0;
    }
    race_penalty_add(his, at, &given, changes);
    race_penalty_judge_sum(his, at, before_us, changes);
}

// An ignored drive-through turns into a stop-and-hold, if there is one, and that into the end of
// his race, or into time.
static void convert(race_penalties *his, const race_penalty_moment *at, apex_penalty *overdue,
                    race_penalty_changes *changes) {
    bool is_last = overdue->kind == APEX_PENALTY_STOP_AND_HOLD || at->def->unserved_hold_s <= 0.0;
    if (is_last && !at->def->unserved_disqualifies) {
        race_penalty_add_time(at->def, overdue);
        race_penalty_note(changes, overdue);
        return;
    }
    overdue->state = APEX_PENALTY_CONVERTED;
    overdue->due_lap = 0;
    race_penalty_note(changes, overdue);
    const apex_penalty harder = {
        .offence = APEX_OFFENCE_NOT_SERVED,
        .kind = is_last ? APEX_PENALTY_DISQUALIFIED : APEX_PENALTY_STOP_AND_HOLD,
        .amount = is_last ? 0.0 : at->def->unserved_hold_s,
        .lap = at->lap,
    };
    his->offences[APEX_OFFENCE_NOT_SERVED]++;
    race_penalty_add(his, at, &harder, changes);
}

// The oldest, since the rows move when a harder one needs room. One that has just been given is not
// overdue.
static apex_penalty *overdue_of(race_penalties *his, uint32_t laps) {
    for (uint32_t i = 0; i < his->count; i++) {
        apex_penalty *penalty = &his->all[i];
        if (penalty->state == APEX_PENALTY_OPEN && penalty->due_lap != 0 &&
            penalty->due_lap <= laps) {
            return penalty;
        }
    }
    return NULL;
}

void race_penalties_cross(race_penalties *his, const race_penalty_moment *at, bool spared,
                          race_penalty_changes *changes) {
    APEX_ASSERT(at->lap > 0 && his->count <= APEX_PENALTIES_EACH_MAX);
    uint64_t before_us = race_penalties_added_us(his);
    for (uint32_t i = 0; spared && i < his->count; i++) {
        his->all[i].due_lap += his->all[i].due_lap != 0 ? 1 : 0;
    }
    // A disqualified driver's race is over: what he has not served stays as it is.
    for (apex_penalty *overdue; !his->disqualified && (overdue = overdue_of(his, at->lap - 1));) {
        convert(his, at, overdue, changes);
    }
    race_penalty_judge_sum(his, at, before_us, changes);
}

void race_penalties_flag(race_penalties *his, const race_penalty_moment *at,
                         race_penalty_changes *changes) {
    uint64_t before_us = race_penalties_added_us(his);
    for (uint32_t i = 0; i < his->count; i++) {
        apex_penalty *penalty = &his->all[i];
        if (penalty->state == APEX_PENALTY_OPEN && race_penalty_is_served(penalty->kind)) {
            race_penalty_add_time(at->def, penalty);
            race_penalty_note(changes, penalty);
        }
        his->standing[i] = false;
    }
    race_penalty_judge_sum(his, at, before_us, changes);
}

void race_penalties_next_session(race_penalties *his) {
    *his = (race_penalties){.grid_drop = his->grid_drop};
}

uint32_t race_penalties_take_drop(race_penalties *his) {
    uint32_t places = his->grid_drop;
    his->grid_drop = 0;
    for (uint32_t i = 0; i < his->count; i++) {
        apex_penalty *penalty = &his->all[i];
        if (penalty->kind == APEX_PENALTY_GRID_DROP && penalty->state == APEX_PENALTY_OPEN) {
            penalty->state = APEX_PENALTY_SERVED;
        }
    }
    return places;
}
