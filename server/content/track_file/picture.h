/// Grey-scale pictures: portable grey maps, binary (P5), of 8 or 16 bits. Every paint program
/// writes them, and nothing in them needs a library to be read safely.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct content_picture {
    uint32_t columns, rows;
    uint32_t white;   ///< the largest value
    uint16_t *values; ///< [row * columns + column], the top row first; free() it
} content_picture;

enum { CONTENT_PICTURE_WHY_BYTES = 128 };

/// @param pixels_max more of them are refused. @return false with *why filled ("byte 12: ...").
bool content_picture_read(const char *bytes, size_t length, uint32_t pixels_max,
                          content_picture *out, char why[CONTENT_PICTURE_WHY_BYTES]);
