// The result of a session: who is classified, and where, from the lines as they are now.
#pragma once

#include "race/field/field.h"
#include "race/timing/timing.h"

// Made from the running order, and again whenever a penalty changes it: cards get their ranks, and
// race_stands_by_result reads those. Whoever has no card's rank had no part.
void race_results_make(race_timing *timing, race_field *field);
