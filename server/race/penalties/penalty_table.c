// The table from offence and count to penalty: its rows may stand in any order.
#include "race/penalties/penalty_table.h"

#include "base/assert.h"

const apex_penalty_step *race_penalty_step_for(const apex_penalty_def *def, apex_offence offence,
                                               uint32_t count) {
    APEX_ASSERT(def->step_count <= APEX_PENALTY_STEPS_MAX && count > 0);
    const apex_penalty_step *found = NULL;
    for (uint32_t i = 0; i < def->step_count; i++) {
        const apex_penalty_step *step = &def->steps[i];
        if (step->offence == offence && step->count <= count &&
            (found == NULL || step->count > found->count)) {
            found = step;
        }
    }
    return found;
}

bool race_penalty_amount_ok(apex_penalty_kind kind, double amount) {
    // What is not a number is in no range.
    bool in_range = amount > 0.0 && amount <= APEX_PENALTY_AMOUNT_MAX;
    switch (kind) {
    case APEX_PENALTY_TIME:
    case APEX_PENALTY_STOP_AND_HOLD:
        return in_range;
    case APEX_PENALTY_GRID_DROP:
        return in_range && amount == (uint32_t)amount;
    default:
        return amount == 0.0;
    }
}
