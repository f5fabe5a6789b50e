// The race's validator: whether the parts of a race agree with each other.
#pragma once

#include "race/race_private.h"

// @return what is wrong, as a sentence; NULL: nothing
const char *race_validate(const apex_race *race);
// The same at the end of a tick, where nothing may have fallen since the tick before either.
const char *race_validate_tick(apex_race *race);
