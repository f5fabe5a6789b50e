// The race's validator: whether the parts of a race agree with each other.
#pragma once

#include "race/race_private.h"

// @return what is wrong, as a sentence; NULL: nothing
const char *race_validate(const apex_race *race);
// The same at the end of a tick, where nothing may have fallen since `seen` was noted either.
// @param seen [capacity]
const char *race_validate_tick(const apex_race *race, const race_seen seen[]);
void race_note_seen(const apex_race *race, race_seen seen[]); // for the next tick
