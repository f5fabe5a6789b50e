/// A race of real cars on a track that ships: most drivers keep clear of each other, some do not
/// look and steer carelessly, so that cars touch, spin and leave the road. The same race each time.
#pragma once

#include "race/race.h"

typedef struct lively_race lively_race;

typedef struct lively_race_def {
    const char *track;   ///< of those that ship
    const char *cars[2]; ///< in turn
    uint32_t players;    ///< 1..64
    uint32_t careless;   ///< of them, those that do not look
    uint64_t seed;
} lively_race_def;

/// The lights are out. Aborts on errors.
lively_race *lively_race_create(const lively_race_def *def);
void lively_race_destroy(lively_race *lively);
void lively_race_tick(lively_race *lively);
const apex_race *lively_race_of(const lively_race *lively);
/// Pairs of cars, and cars and walls, that have touched so far, counted in each tick.
uint64_t lively_race_contacts(const lively_race *lively);
