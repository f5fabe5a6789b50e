// The order along the lap: cars near each other, and places with room for a car.
#pragma once

#include "race/field/field.h"

void race_along_sort(race_field *field);
// Lists in `along` the players in the order of their boxes, until race_along_sort.
void race_along_starters(race_field *field, bool same_order);
bool race_along_is_free(const race_field *field, uint32_t slot); // nobody touches its footprint
bool race_along_is_place_free(const race_field *field, uint32_t slot, double s_m,
                              const double at_m[2]);
