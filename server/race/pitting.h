// The pits in a tick: what is seen of a car there, what that does to it, and what its driver has
// served.
#pragma once

#include "race/race_private.h"

// A player who races, after he has been followed. @param[out] lane for the judges; as good as empty
// on a track without pits
void race_pits_follow(apex_race *race, uint32_t slot, race_lane_facts *lane);
// Somebody has come: he has his box for the event.
void race_pits_enter(apex_race *race, uint32_t slot);
apex_err race_pits_plan(apex_race *race, const apex_race_command *command);
// As they are told.
apex_pit_state race_pits_told(const apex_race *race, uint32_t entry);
