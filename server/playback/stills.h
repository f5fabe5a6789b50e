/// Stills: the race as it was at some moments not long ago.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "race/race.h"

enum { PLAYBACK_STILLS_MAX = 32 };

/// Saved races of some ticks that were played or passed; a newer one takes an older one's place.
typedef struct playback_stills {
    uint32_t count; ///< places; of a large race there are fewer, or none
    size_t still_bytes;
    uint64_t ticks[PLAYBACK_STILLS_MAX]; ///< 0: none there
    uint8_t *bytes;
} playback_stills;

typedef struct playback_still {
    uint64_t tick; ///< 0: none
    const uint8_t *bytes;
} playback_still;

bool playback_stills_create(playback_stills *stills, size_t still_bytes);
void playback_stills_destroy(playback_stills *stills);
/// Keeps the race, if this is one of the ticks.
void playback_stills_keep(playback_stills *stills, const apex_race *race, uint64_t tick);
/// The last one up to the goal, if it lies after the other.
playback_still playback_stills_find(const playback_stills *stills, uint64_t after, uint64_t goal);
