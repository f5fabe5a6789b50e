// The judging of a tick: the rules' judges are asked, and what they say is done.
#pragma once

#include "race/race_private.h"
#include "race/rules/verdict.h"
#include "race/timing/lap.h"

void race_judge_incidents(apex_race *race); // what the world tells of the tick
void race_judge_player(apex_race *race, uint32_t slot, race_advance advance);
// Does what they say, one after the other, and empties the list.
void race_apply_verdicts(apex_race *race, race_verdicts *verdicts);
void race_judge_by_flags(apex_race *race);              // after all have been judged
void race_judge_end_of(apex_race *race, uint32_t slot); // the race is over: is he still out?
void race_judge_flag(apex_race *race, uint32_t slot);   // he has taken it
void race_reset(apex_race *race, uint32_t slot);        // back on the track
