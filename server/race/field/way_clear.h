// Whether cars would meet soon, by where they are and how fast.
#pragma once

#include "race/field/field.h"

// @return whether no solid car would reach that of a slot within four seconds, nor it another.
bool race_way_is_clear(const race_field *field, uint32_t slot);
