// A car's place on the lap, followed from tick to tick.
#pragma once

#include "race/field/field.h"

// @return whether it could be followed to where it is
bool race_follow(const race_field *field, race_player *player);
// The same for a player who makes no way by it, and the place where a reset would put him.
void race_follow_only(race_field *field, uint32_t slot);
