// Definitions of a weekend to begin with, and whether there is one.
#include "race/weekend_def.h"

#include "base/assert.h"

#include <stdio.h>

apex_pits_def apex_default_pits_def(void) {
    return (apex_pits_def){
        .work = APEX_PIT_PARALLEL,
        .base_s = 2.0,
        .tyres_axle_s = 6.0,
        .fuel_kg_per_s = 1.875, // 2.5 litres of 0.75 kg
        .repair_percent_s = 0.3,
    };
}

static const char *const SESSION_TITLES[] = {"Practice", "Qualifying", "Warm-up", "Race"};

apex_session_def apex_default_session_def(apex_session_kind kind) {
    APEX_ASSERT((uint32_t)kind < APEX_SESSION_KINDS);
    apex_session_def def = {
        .kind = kind,
        .finish_wait_s = 60.0,
        .results_s = 30.0,
        .rolling_mps = 80.0 / 3.6,
        .takes_rest = true,
    };
    if (kind != APEX_SESSION_RACE) {
        def.duration_s = 600.0;
        def.overtime_s = 120.0;
    }
    snprintf(def.name, sizeof def.name, "%s", SESSION_TITLES[kind]);
    return def;
}

apex_weekend_def apex_default_weekend_def(void) {
    return (apex_weekend_def){
        .rules = apex_preset_rules(APEX_RULES_FREE),
        .pits = apex_default_pits_def(),
    };
}

static bool judges(const apex_rules_def *rules) {
    return rules->limits.on || rules->start.on || rules->pits.on || rules->direction.on ||
           rules->blocking.on || rules->blue.on || rules->yellow.on || rules->full_course.on ||
           rules->incidents.on || rules->fault.on;
}

bool apex_weekend_is_set(const apex_weekend_def *def) {
    const apex_entry_list_def *entries = &def->entries;
    const apex_courtesy_rule *courtesy = &def->rules.courtesy;
    return def->session_count > 0 || judges(&def->rules) || courtesy->lapped ||
           courtesy->joined_s > 0.0 || entries->count > 0 || entries->class_count > 0 ||
           entries->success_count > 0;
}
