/// Bits to bytes and back, the first in the lowest bit. Private to proto.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t bits_mask(uint32_t count) {
    return count < 64 ? (1ull << count) - 1 : UINT64_MAX;
}

/// The next up to 32 bits, zeros beyond the end.
static inline uint32_t bits_peek(const uint8_t *bytes, size_t length, uint64_t at) {
    size_t first = (size_t)(at >> 3);
    uint64_t word = 0;
    if (first + sizeof word <= length) {
        memcpy(&word, bytes + first, sizeof word);
    } else if (first < length) {
        memcpy(&word, bytes + first, length - first);
    }
    return (uint32_t)(word >> (at & 7));
}

/// The number of leading ones, from the lowest bit.
static inline uint32_t bits_ones(uint32_t bits) {
    return ~bits != 0 ? (uint32_t)__builtin_ctz(~bits) : 32;
}
