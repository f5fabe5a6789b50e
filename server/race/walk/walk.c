// The walk over saved fields, value by value: little-endian, without padding.
#include "race/walk.h"

#include <string.h>

static const double METRES_MAX = 1e7;

static uint64_t walk_bits(race_walk *io, uint64_t value, unsigned bytes) {
    uint64_t read = 0;
    for (unsigned i = 0; i < bytes; i++) {
        if (io->out != NULL) {
            io->out[io->at + i] = (uint8_t)(value >> 8 * i);
        } else {
            read |= (uint64_t)io->in[io->at + i] << 8 * i;
        }
    }
    io->at += bytes;
    return io->out != NULL ? value : read;
}

void race_walk_u8(race_walk *io, uint8_t *value) {
    *value = (uint8_t)walk_bits(io, *value, 1);
}

void race_walk_u16(race_walk *io, uint16_t *value) {
    *value = (uint16_t)walk_bits(io, *value, 2);
}

void race_walk_u32(race_walk *io, uint32_t *value) {
    *value = (uint32_t)walk_bits(io, *value, 4);
}

void race_walk_u64(race_walk *io, uint64_t *value) {
    *value = walk_bits(io, *value, 8);
}

void race_walk_bool(race_walk *io, bool *value) {
    uint64_t bits = walk_bits(io, *value ? 1 : 0, 1);
    io->ok = io->ok && bits <= 1;
    *value = bits == 1;
}

void race_walk_double(race_walk *io, double *value) {
    uint64_t bits = 0;
    memcpy(&bits, value, sizeof bits);
    bits = walk_bits(io, bits, 8);
    memcpy(value, &bits, sizeof bits);
    io->ok = io->ok && *value >= -METRES_MAX && *value <= METRES_MAX;
}

void race_walk_choice(race_walk *io, uint32_t *value, uint32_t last) {
    race_walk_u32(io, value);
    io->ok = io->ok && *value <= last;
}
