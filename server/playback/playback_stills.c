// The race as it was at moments not long ago: who goes a frame back, or a little, need not come all
// the way from a keyframe.

#include <stdlib.h>

#include "host/host_private.h"

// Where hashes are recorded: what is kept there was found to be right.
enum { APART_TICKS = 60, BYTES_MAX = 8 * 1024 * 1024 };

bool host_stills_create(host_stills *stills, size_t still_bytes) {
    size_t room = BYTES_MAX / still_bytes;
    stills->count = room < HOST_STILLS_MAX ? (uint32_t)room : HOST_STILLS_MAX;
    stills->still_bytes = still_bytes;
    stills->bytes = malloc(stills->count * still_bytes + 1);
    return stills->bytes != NULL;
}

void host_stills_destroy(host_stills *stills) {
    free(stills->bytes);
}

static uint32_t place_of(const host_stills *stills, uint64_t tick) {
    return (uint32_t)(tick / APART_TICKS % stills->count);
}

void host_stills_keep(host_stills *stills, const apex_race *race, uint64_t tick) {
    if (stills->count == 0 || tick % APART_TICKS != 0) {
        return;
    }
    uint32_t place = place_of(stills, tick);
    if (stills->ticks[place] != tick) {
        stills->ticks[place] = tick;
        apex_race_save(race, stills->bytes + place * stills->still_bytes);
    }
}

host_still host_stills_find(const host_stills *stills, uint64_t after, uint64_t goal) {
    for (uint64_t tick = goal - goal % APART_TICKS; stills->count > 0 && tick > after;
         tick -= APART_TICKS) {
        uint32_t place = place_of(stills, tick);
        if (stills->ticks[place] == tick) {
            return (host_still){tick, stills->bytes + place * stills->still_bytes};
        }
    }
    return (host_still){.tick = 0};
}
