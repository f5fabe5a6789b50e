// The place where a car last stood upright: in an open session a reset puts it back there.
#pragma once

#include "race/field/field.h"

void race_stood_remember(race_field *field, uint32_t slot);       // where the rules have put it
void race_stood_follow(race_field *field, uint32_t slot);         // when it stands elsewhere
apex_placement race_stood_back(race_field *field, uint32_t slot); // where a reset puts it
bool race_stood_is_upright(const apex_car_pose *pose);
