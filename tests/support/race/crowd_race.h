/// A race of up to thousands of cars in moving traffic on one round road: eight lanes, everybody
/// with 26 m to the next in his lane, at 25 m/s. For what many viewers cost.
#pragma once

#include "race/race.h"

typedef struct crowd_race crowd_race;

/// All drive, and have come up to speed. Aborts on errors.
crowd_race *crowd_race_create(uint32_t cars);
void crowd_race_destroy(crowd_race *crowd);
void crowd_race_tick(crowd_race *crowd);
const apex_race *crowd_race_of(const crowd_race *crowd);
