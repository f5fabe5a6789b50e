// The walk over saved fields, value by value: it writes them or reads them, so that save, restore
// and hash list each field once. A room that keeps state gives a walk over it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct race_walk {
    uint8_t *out;      // writing
    const uint8_t *in; // reading
    size_t at;
    uint32_t sectors;          // of a lap
    uint32_t reset_wait_ticks; // at most; 0: there is no such count
    bool ok;                   // reading: no value yet that cannot be
} race_walk;

void race_walk_bool(race_walk *io, bool *value);
void race_walk_u8(race_walk *io, uint8_t *value);
void race_walk_u16(race_walk *io, uint16_t *value);
void race_walk_u32(race_walk *io, uint32_t *value);
void race_walk_u64(race_walk *io, uint64_t *value);
// A distance, a time or a share: within 10,000 km of 0.
void race_walk_double(race_walk *io, double *value);
// An enumeration, from 0 to `last`.
void race_walk_choice(race_walk *io, uint32_t *value, uint32_t last);
