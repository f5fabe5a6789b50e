// The table from offence and count to penalty: what has to hold of it, and its reading.
#include "race/penalties/penalty_table.h"

#include "base/assert.h"

const apex_penalty_step *race_penalty_step_for(const apex_penalty_def *def, apex_offence offence,
                                               uint32_t count) {
    APEX_ASSERT(def->step_count <= APEX_PENALTY_STEPS_MAX && count > 0);
    const apex_penalty_step *found = NULL;
    for (uint32_t i = 0; i < def->step_count; i++) {
        const apex_penalty_step *step = &def->steps[i];
        if (step->offence == offence && step->count <= count) {
            found = step; // rows of one offence rise in count
        }
    }
    return found;
}

// False for what is not a number, too.
static bool is_within(double value, double least, double most) {
    return value >= least && value <= most;
}

static bool is_seconds(double seconds) {
    return seconds > 0.0 && seconds <= APEX_PENALTY_SECONDS_MAX;
}

bool race_penalty_amount_ok(apex_penalty_kind kind, double amount) {
    switch (kind) {
    case APEX_PENALTY_TIME:
    case APEX_PENALTY_STOP_AND_HOLD:
        return is_seconds(amount);
    case APEX_PENALTY_GRID_DROP:
        return is_within(amount, 1.0, APEX_PENALTY_PLACES_MAX) && amount == (uint32_t)amount;
    default:
        return amount == 0.0;
    }
}

static bool has_problem(apex_penalty_def_problem *out, const char *member, uint32_t step1,
                        const char *reason) {
    *out = (apex_penalty_def_problem){member, step1, reason};
    return false;
}

static const char *amount_reason(apex_penalty_kind kind) {
    switch (kind) {
    case APEX_PENALTY_TIME:
    case APEX_PENALTY_STOP_AND_HOLD:
        return "has to be above 0 and at most 600 seconds";
    case APEX_PENALTY_GRID_DROP:
        return "has to be 1 to 99 whole places";
    default:
        return "has to be 0 for a penalty without an amount";
    }
}

static bool check_step(const apex_penalty_def *def, uint32_t index, apex_penalty_def_problem *out) {
    const apex_penalty_step *step = &def->steps[index];
    uint32_t step1 = index + 1;
    if ((uint32_t)step->offence >= APEX_OFFENCES) {
        return has_problem(out, "offence", step1, "is none");
    }
    if (step->offence == APEX_OFFENCE_NOT_SERVED) {
        return has_problem(out, "offence", step1,
                           "is for unserved_hold_s and unserved_disqualifies to decide");
    }
    if (step->count < 1 || step->count > APEX_PENALTY_COUNT_MAX) {
        return has_problem(out, "count", step1, "has to be 1 to 999");
    }
    if ((uint32_t)step->kind >= APEX_PENALTY_KINDS) {
        return has_problem(out, "kind", step1, "is none");
    }
    if (!race_penalty_amount_ok(step->kind, step->amount)) {
        return has_problem(out, "amount", step1, amount_reason(step->kind));
    }
    for (uint32_t i = 0; i < index; i++) {
        if (def->steps[i].offence == step->offence && def->steps[i].count >= step->count) {
            return has_problem(out, "count", step1,
                               "has to be more than in the row before of this offence");
        }
    }
    return true;
}

bool apex_penalty_def_check(const apex_penalty_def *def, apex_penalty_def_problem *problem) {
    APEX_ASSERT(def != NULL && problem != NULL);
    if (def->serve_within_laps < 1 || def->serve_within_laps > APEX_PENALTY_TERM_MAX) {
        return has_problem(problem, "serve_within_laps", 0, "has to be 1 to 99");
    }
    if (!is_seconds(def->drive_through_s)) {
        return has_problem(problem, "drive_through_s", 0, "has to be above 0 and at most 600");
    }
    if (!is_seconds(def->unserved_hold_s)) {
        return has_problem(problem, "unserved_hold_s", 0, "has to be above 0 and at most 600");
    }
    if (!is_within(def->time_s_max, 0.0, APEX_RACE_SECONDS_MAX)) {
        return has_problem(problem, "time_s_max", 0, "has to be 0 to 1000000");
    }
    if (def->step_count > APEX_PENALTY_STEPS_MAX) {
        return has_problem(problem, "steps", 0, "are more than 48");
    }
    for (uint32_t i = 0; i < def->step_count; i++) {
        if (!check_step(def, i, problem)) {
            return false;
        }
    }
    return true;
}
