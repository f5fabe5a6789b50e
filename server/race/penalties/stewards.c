// What stewards do to a player's penalties: give, change, cancel.
#include "race/penalties/penalties.h"
#include "race/penalties/penalty_rows.h"
#include "race/penalties/penalty_table.h"

static apex_penalty *find(race_penalties *his, uint32_t number) {
    for (uint32_t i = 0; number != 0 && i < his->count; i++) {
        if (his->all[i].number == number) {
            return &his->all[i];
        }
    }
    return NULL;
}

// Whether it can still be taken back. What was driven or stood cannot, nor what a harder one has
// replaced, which can be cancelled itself.
static bool can_be_undone(const apex_penalty *penalty) {
    switch (penalty->state) {
    case APEX_PENALTY_OPEN:
        return true;
    case APEX_PENALTY_SERVED:
        return !race_penalty_is_served(penalty->kind) && penalty->kind != APEX_PENALTY_GRID_DROP;
    case APEX_PENALTY_CONVERTED:
        return penalty->added_us > 0;
    default:
        return false;
    }
}

static void change(race_penalties *his, const race_penalty_moment *at, apex_penalty *penalty,
                   const apex_penalty *order) {
    penalty->kind = order->kind;
    penalty->amount = order->amount;
    penalty->by_stewards = true;
    race_penalty_start(his, at, penalty);
}

apex_err race_penalties_order(race_penalties *his, const race_penalty_moment *at,
                              const apex_penalty *order, race_penalty_changes *changes) {
    if ((uint32_t)order->kind >= APEX_PENALTY_KINDS || (uint32_t)order->offence >= APEX_OFFENCES ||
        !race_penalty_amount_ok(order->kind, order->amount) || order->lap > APEX_RACE_SECONDS_MAX) {
        return APEX_ERR_RANGE;
    }
    if (!at->is_race && race_penalty_is_served(order->kind)) {
        return APEX_ERR_STATE;
    }
    uint64_t before_us = race_penalties_added_us(his);
    if (order->number != 0) {
        apex_penalty *penalty = find(his, order->number);
        if (penalty == NULL || !can_be_undone(penalty)) {
            return penalty == NULL ? APEX_ERR_NOT_FOUND : APEX_ERR_STATE;
        }
        race_penalty_undo(his, (uint32_t)(penalty - his->all));
        race_penalty_note(changes, penalty);
        change(his, at, penalty, order);
        race_penalty_note(changes, penalty);
    } else {
        apex_penalty given = *order;
        given.lap = order->lap != 0 ? order->lap : at->lap;
        given.by_stewards = true;
        race_penalty_add(his, at, &given, changes);
    }
    race_penalty_judge_sum(his, at, before_us, changes);
    return APEX_OK;
}

apex_err race_penalties_cancel(race_penalties *his, uint32_t number,
                               race_penalty_changes *changes) {
    apex_penalty *penalty = find(his, number);
    if (penalty == NULL || !can_be_undone(penalty)) {
        return penalty == NULL ? APEX_ERR_NOT_FOUND : APEX_ERR_STATE;
    }
    race_penalty_undo(his, (uint32_t)(penalty - his->all));
    race_penalty_note(changes, penalty);
    return APEX_OK;
}
