// Race control in a tick: what it sees of each car, what it says, and what is called.
#pragma once

#include "race/race_private.h"
#include "race/timing/lap.h"

// NULL in an event without rules, and on a track without a lap.
race_control *race_flags_of(apex_race *race);
// A player who has been timed and judged by himself.
void race_flags_see(apex_race *race, const race_facts *facts);
// Once all have been; then each is judged by what all did.
void race_flags_step(apex_race *race);
void race_flags_judge(apex_race *race, uint32_t slot, race_verdicts *out);
void race_flags_begin(apex_race *race);                 // a session, all anew
void race_flags_forget(apex_race *race, uint32_t slot); // somebody came, or has left
apex_err race_flags_call(apex_race *race, apex_race_flag flag);
// That is shown to all.
apex_race_flag race_flags_shown(const apex_race *race);
// Whether all are held back: places and deadlines do not run then.
bool race_flags_neutral(const apex_race *race);
