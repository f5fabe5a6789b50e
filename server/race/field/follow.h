// Where on the lap a car is, followed from tick to tick.
#pragma once

#include "race/field/field.h"

bool race_follow(const race_field *field, race_player *player); // @return whether it could be
void race_follow_only(race_field *field, uint32_t slot);        // who does not race
