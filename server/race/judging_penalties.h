// The stewards: what offences bring, what becomes of it at the line, and what stewards order.
// Whatever changes is told as events PENALTY.
#pragma once

#include "race/penalties/penalties.h"
#include "race/race_private.h"

// What happens to him happens now, on his lap.
race_penalty_moment race_stewards_moment(apex_race *race, uint32_t entry);
void race_stewards_tell(apex_race *race, uint32_t entry, const race_penalty_changes *changes);

void race_stewards_offend(apex_race *race, uint32_t slot, apex_offence offence);
// He has crossed the line, and goes on.
void race_stewards_line(apex_race *race, uint32_t slot);
// He has taken the flag instead.
void race_stewards_flag(apex_race *race, uint32_t slot);

// Also of who has left, as long as his line is kept. The order, and results that stand, are made
// anew. @return APEX_ERR_UNSUPPORTED without rules or sessions, APEX_ERR_NOT_FOUND for the player;
// else as race_penalties_order and race_penalties_cancel
apex_err race_stewards_order(apex_race *race, const apex_race_command *command);
apex_err race_stewards_pardon(apex_race *race, const apex_race_command *command);
