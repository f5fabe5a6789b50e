// The table from offence and count to penalty.
#pragma once

#include "race/race.h"

// The penalty that the count-th offence brings. @return NULL: none
const apex_penalty_step *race_penalty_step_for(const apex_penalty_def *def, apex_offence offence,
                                               uint32_t count);
// Whether a kind can have such an amount.
bool race_penalty_amount_ok(apex_penalty_kind kind, double amount);
