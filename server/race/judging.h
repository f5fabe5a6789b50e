// The judging of a tick: the rules' judges are asked, and what they say is done.
#pragma once

#include "race/race_private.h"

void race_judge_incidents(apex_race *race); // what the world tells of the tick
void race_judge_player(apex_race *race, uint32_t slot, double step_m);
void race_reset(apex_race *race, uint32_t slot); // back on the track
