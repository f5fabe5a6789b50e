// The check of a weekend, part by part: numbers by themselves first, then what they say together.
#include "race/entries_check.h"
#include "race/session_check.h"
#include "race/weekend_numbers.h"

#include "race/weekend_def_ranges.h"

#include "base/assert.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RULE(part, member, owner, word) \
    WEEKEND_NUMBER(apex_rules_def, part.member, false, word, APEX_RANGE(owner, member))
#define RULE_COUNT(part, member, owner, word) \
    WEEKEND_NUMBER(apex_rules_def, part.member, true, word, APEX_RANGE(owner, member))

static const weekend_number RULES[] = {
    RULE(limits, carry_m, apex_limits_rule, "track_limits.carry_m"),
    RULE(start, move_m, apex_start_rule, "jump_start.move_m"),
    RULE(pits, tolerance_mps, apex_pit_rule, "pit_lane.tolerance_kmph"),
    RULE(pits, release_gap_s, apex_pit_rule, "pit_lane.release_gap_s"),
    RULE(direction, wrong_s, apex_direction_rule, "wrong_way.wrong_s"),
    RULE(blocking, slow_mps, apex_blocking_rule, "blocking.slow_kmph"),
    RULE(blocking, slow_s, apex_blocking_rule, "blocking.slow_s"),
    RULE(blue, notice_s, apex_blue_rule, "blue_flags.notice_s"),
    RULE(blue, shown_s, apex_blue_rule, "blue_flags.shown_s"),
    RULE(blue, ignored_s, apex_blue_rule, "blue_flags.ignored_s"),
    RULE(yellow, stretch_m, apex_yellow_rule, "yellow_flags.stretch_m"),
    RULE(yellow, slow_share, apex_yellow_rule, "yellow_flags.slow_share"),
    RULE(yellow, clear_s, apex_yellow_rule, "yellow_flags.clear_s"),
    RULE(full_course, limit_mps, apex_full_course_rule, "full_course.limit_kmph"),
    RULE(full_course, auto_s, apex_full_course_rule, "full_course.auto_s"),
    RULE(full_course, clear_s, apex_full_course_rule, "full_course.clear_s"),
    RULE_COUNT(incidents, off, apex_incident_rule, "incidents.off"),
    RULE_COUNT(incidents, lost, apex_incident_rule, "incidents.lost"),
    RULE_COUNT(incidents, wall, apex_incident_rule, "incidents.wall"),
    RULE_COUNT(incidents, heavy, apex_incident_rule, "incidents.heavy"),
    RULE(incidents, heavy_mps, apex_incident_rule, "incidents.heavy_kmph"),
    RULE_COUNT(incidents, points_max, apex_incident_rule, "incidents.points_max"),
    RULE(fault, closing_mps, apex_fault_rule, "fault.closing_kmph"),
    RULE_COUNT(fault, share, apex_fault_rule, "fault.share"),
    RULE(courtesy, joined_s, apex_courtesy_rule, "courtesy.joined_s"),
    RULE_COUNT(penalties, serve_within_laps, apex_penalty_def, "serving.serve_within_laps"),
    RULE(penalties, drive_through_s, apex_penalty_def, "serving.drive_through_s"),
    RULE(penalties, unserved_hold_s, apex_penalty_def, "serving.unserved_hold_s"),
    RULE(penalties, time_s_max, apex_penalty_def, "serving.time_s_max"),
    WEEKEND_NUMBER(apex_rules_def, classified_share, false, "classified_share",
                   APEX_RANGE(apex_rules_def, classified_share)),
};

static const char *amount_problem(const apex_penalty_step *step) {
    switch (step->kind) {
    case APEX_PENALTY_TIME:
    case APEX_PENALTY_STOP_AND_HOLD:
        return step->amount > 0.0 ? NULL : "the amount, in seconds, is missing";
    case APEX_PENALTY_GRID_DROP:
        return step->amount > 0.0 && step->amount == floor(step->amount)
                   ? NULL
                   : "the amount is a whole number of places";
    case APEX_PENALTY_WARNING:
    case APEX_PENALTY_DRIVE_THROUGH:
    case APEX_PENALTY_LAP_DELETED:
    case APEX_PENALTY_DISQUALIFIED:
        break;
    }
    return step->amount == 0.0 ? NULL : "a penalty of this kind has no amount";
}

const char *apex_penalty_step_problem(const apex_penalty_step *step) {
    if ((uint32_t)step->offence >= APEX_OFFENCES || (uint32_t)step->kind >= APEX_PENALTY_KINDS) {
        return "no such offence or penalty";
    }
    if (step->offence == APEX_OFFENCE_NOT_SERVED) {
        return "what follows is not up to a row: see rules.serving";
    }
    if (!apex_is_within(step->count, APEX_RANGE(apex_penalty_step, count))) {
        return "offences are counted from 1 to 1000";
    }
    if (!apex_is_within(step->amount, APEX_RANGE(apex_penalty_step, amount))) {
        return "the amount is outside 0..3600";
    }
    return amount_problem(step);
}

static bool steps_ok(const apex_penalty_def *def, apex_weekend_problem *problem) {
    static const char path[] = "rules.penalties";
    if (def->step_count > APEX_PENALTY_STEPS_MAX) {
        return weekend_refuse(problem, "more rows than there is room for", path);
    }
    for (uint32_t i = 0; i < def->step_count; i++) {
        const apex_penalty_step *step = &def->steps[i];
        const char *reason = apex_penalty_step_problem(step);
        if (reason != NULL) {
            return weekend_refuse(problem, reason, path);
        }
        for (uint32_t k = 0; k < i; k++) {
            if (def->steps[k].offence == step->offence && def->steps[k].count == step->count) {
                char twice[sizeof problem->reason];
                snprintf(twice, sizeof twice, "%s has two rows of count %u",
                         apex_offence_name(step->offence), step->count);
                return weekend_refuse(problem, twice, path);
            }
        }
    }
    return true;
}

static bool rules_ok(const apex_rules_def *rules, apex_weekend_problem *problem) {
    if ((uint32_t)rules->preset >= APEX_RULES_PRESETS) {
        return weekend_refuse(problem, "no such preset", "rules.preset");
    }
    return WEEKEND_NUMBERS_OK(RULES, rules, "rules", problem) &&
           steps_ok(&rules->penalties, problem);
}

#define PIT(member) \
    WEEKEND_NUMBER(apex_pits_def, member, false, #member, APEX_RANGE(apex_pits_def, member))
#define COMPOUND(member) \
    WEEKEND_NUMBER(apex_compound_def, member, false, #member, APEX_RANGE(apex_compound_def, member))

static const weekend_number PITS[] = {
    PIT(base_s), PIT(tyres_axle_s), PIT(fuel_kg_per_s), PIT(repair_percent_s), PIT(engine_s),
};

static const weekend_number COMPOUNDS[] = {COMPOUND(grip), COMPOUND(wear), COMPOUND(best_c)};

static bool compounds_ok(const apex_pits_def *pits, apex_weekend_problem *problem) {
    if (pits->compound_count > APEX_COMPOUNDS_MAX) {
        return weekend_refuse(problem, "more than there is room for", "pits.compounds");
    }
    for (uint32_t i = 0; i < pits->compound_count; i++) {
        const apex_compound_def *compound = &pits->compounds[i];
        char path[sizeof problem->path];
        snprintf(path, sizeof path, "pits.compounds[%u]", i);
        if (!WEEKEND_NUMBERS_OK(COMPOUNDS, compound, path, problem)) {
            return false;
        }
        if (compound->name[0] == '\0') {
            return weekend_refuse(problem, "a compound has a name", "%s.name", path);
        }
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(pits->compounds[k].name, compound->name) == 0) {
                return weekend_refuse(problem, "another compound has this name", "%s.name", path);
            }
        }
    }
    return true;
}

static bool pits_ok(const apex_pits_def *pits, apex_weekend_problem *problem) {
    if ((uint32_t)pits->work > APEX_PIT_FUEL_FIRST) {
        return weekend_refuse(problem, "no such order of work", "pits.work");
    }
    return WEEKEND_NUMBERS_OK(PITS, pits, "pits", problem) && compounds_ok(pits, problem);
}

bool apex_weekend_check(const apex_weekend_def *def, uint32_t car_count,
                        apex_weekend_problem *problem) {
    APEX_ASSERT(def != NULL && problem != NULL);
    APEX_ASSERT(car_count >= 1 && car_count <= APEX_RACE_CAR_DEFS_MAX);
    return rules_ok(&def->rules, problem) && pits_ok(&def->pits, problem) &&
           weekend_entries_ok(def, car_count, problem) && weekend_sessions_ok(def, problem);
}
