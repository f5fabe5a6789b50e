// The race as it was at moments not long ago: to go a frame back, or a little, need not begin at a
// keyframe. 32 of them, 8 MB at most, make a frame back a matter of 60 ticks (DECISIONS 36).

#include <stdlib.h>

#include "playback/stills.h"

// Stills are kept at ticks with recorded hashes: those were found to be right.
enum { APART_TICKS = 60, BYTES_MAX = 8 * 1024 * 1024 };

bool playback_stills_create(playback_stills *stills, size_t still_bytes) {
    size_t room = BYTES_MAX / still_bytes;
    stills->count = room < PLAYBACK_STILLS_MAX ? (uint32_t)room : PLAYBACK_STILLS_MAX;
    stills->still_bytes = still_bytes;
    stills->bytes = malloc(stills->count * still_bytes + 1);
    return stills->bytes != NULL;
}

void playback_stills_destroy(playback_stills *stills) {
    free(stills->bytes);
}

static uint32_t place_of(const playback_stills *stills, uint64_t tick) {
    return (uint32_t)(tick / APART_TICKS % stills->count);
}

void playback_stills_keep(playback_stills *stills, const apex_race *race, uint64_t tick) {
    if (stills->count == 0 || tick % APART_TICKS != 0) {
        return;
    }
    uint32_t place = place_of(stills, tick);
    if (stills->ticks[place] != tick) {
        stills->ticks[place] = tick;
        apex_race_save(race, stills->bytes + place * stills->still_bytes);
    }
}

playback_still playback_stills_find(const playback_stills *stills, uint64_t after, uint64_t goal) {
    for (uint64_t tick = goal - goal % APART_TICKS; stills->count > 0 && tick > after;
         tick -= APART_TICKS) {
        uint32_t place = place_of(stills, tick);
        if (stills->ticks[place] == tick) {
            return (playback_still){tick, stills->bytes + place * stills->still_bytes};
        }
    }
    return (playback_still){.tick = 0};
}
