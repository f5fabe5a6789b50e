/// A race weekend: an event's sessions, rules, pits and entries, as the race file gives them. Part
/// of the public face of race; include "race/race.h". Without sessions an event is one race after
/// another, each driven to its end by everybody, and without rules nobody judges.
#pragma once

#include <stdbool.h>

#include "race/entry_list_def.h"
#include "race/pits_def.h"
#include "race/rules_def.h"
#include "race/session_def.h"

typedef struct apex_weekend_def {
    uint32_t session_count; ///< 0: an event without sessions
    apex_session_def sessions[APEX_SESSIONS_MAX];
    apex_rules_def rules;
    apex_pits_def pits;
    apex_entry_list_def entries;
} apex_weekend_def;

/// No sessions, rules that judge nothing, the usual pits, nobody listed.
apex_weekend_def apex_default_weekend_def(void);
/// Whether it makes an event other than one without sessions and rules: it has a session, a judge
/// that is on, a courtesy, a class or an entry. The pits by themselves do not. One that is all 0 is
/// none, and need not pass the check.
bool apex_weekend_is_set(const apex_weekend_def *def);

typedef struct apex_weekend_problem {
    char path[64];   ///< as a race file has it: "sessions[2].grid[0].from"
    char reason[96]; ///< a phrase
} apex_weekend_problem;

/// Looks for numbers outside their ranges (weekend_def_ranges.h), and for what contradicts itself:
/// no session ends, a grid from a session that comes later, more reversed than there are, a window
/// outside the race, two entries with one number or name, an order without a session, an unknown
/// class, car or compound.
/// @param car_count of the race, 1..APEX_RACE_CAR_DEFS_MAX
/// @return false with *problem filled for the first one.
bool apex_weekend_check(const apex_weekend_def *def, uint32_t car_count,
                        apex_weekend_problem *problem);
/// A row of the table of penalties by itself. @return a phrase; NULL: there is no problem.
const char *apex_penalty_step_problem(const apex_penalty_step *step);
