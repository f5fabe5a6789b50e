/// A race weekend: an event's sessions, rules, pits and entries, as the race file gives them. Part
/// of the public face of race; include "race/race.h". Without sessions an event is one race after
/// another, each driven to its end by everybody, and without rules nobody judges.
#pragma once

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

typedef struct apex_weekend_problem {
    const char *key;    ///< "sessions", "entries", ...
    uint32_t index;     ///< in that list, from 0
    const char *member; ///< of that item
    char reason[96];    ///< a phrase
} apex_weekend_problem;

/// Looks for what contradicts itself: no session ends, a grid from a session that comes later, more
/// reversed than there are, a window outside the race, two entries with one number or name, an
/// order without a session, an unknown class or car.
/// @return false with *problem filled for the first one.
bool apex_weekend_check(const apex_weekend_def *def, uint32_t car_count,
                        apex_weekend_problem *problem);
