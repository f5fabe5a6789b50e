// Places where the rules set a car down while others race: in the pits, or on the side of the road
// that the fast line leaves free.
#pragma once

#include "race/field/field.h"

void race_berth_find_pits(race_field *field);
race_berth race_berth_late(const race_field *field, uint32_t slot);               // to begin from
race_berth race_berth_beside(const race_field *field, uint32_t slot, double s_m); // or behind that
