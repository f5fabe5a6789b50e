// The block is a head and then the arrays as they lie in memory.
#include "client-lite/tracks/laid.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum { PARTS = 6, ALIGNMENT = 8 };

typedef struct laid_head {
    uint64_t length; ///< of the whole block
    apex_ground ground;
    apex_walls walls;
} laid_head;

typedef struct part {
    const void *from;
    uint64_t bytes;
} part;

static uint64_t aligned(uint64_t bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

// In the order in which they lie in the block.
static void list_parts(const apex_ground *ground, const apex_walls *walls, part parts[PARTS]) {
    uint64_t places = (uint64_t)ground->width * ground->depth;
    const part all[PARTS] = {
        {ground->tiles, ground->tile_count * (uint64_t)sizeof *ground->tiles},
        {ground->directory, places * sizeof *ground->directory},
        {ground->surfaces, ground->surface_count * (uint64_t)sizeof *ground->surfaces},
        {walls->segments, walls->segment_count * (uint64_t)sizeof *walls->segments},
        {walls->posts, walls->post_count * (uint64_t)sizeof *walls->posts},
        {walls->materials, walls->material_count * (uint64_t)sizeof *walls->materials},
    };
    memcpy(parts, all, sizeof all);
}

static uint64_t length_of(const part parts[PARTS]) {
    uint64_t length = aligned(sizeof(laid_head));
    for (int i = 0; i < PARTS; i++) {
        length += aligned(parts[i].bytes);
    }
    return length;
}

uint8_t *client_laid_write(const apex_ground *ground, const apex_walls *walls, size_t *length) {
    part parts[PARTS];
    list_parts(ground, walls, parts);
    laid_head head = {.length = length_of(parts), .ground = *ground, .walls = *walls};
    uint8_t *bytes = head.length <= SIZE_MAX ? calloc(1, (size_t)head.length) : NULL;
    if (bytes == NULL) {
        return NULL;
    }
    memcpy(bytes, &head, sizeof head);
    uint8_t *at = bytes + aligned(sizeof head);
    for (int i = 0; i < PARTS; i++) {
        if (parts[i].bytes > 0) {
            memcpy(at, parts[i].from, (size_t)parts[i].bytes);
        }
        at += aligned(parts[i].bytes);
    }
    APEX_ASSERT(at == bytes + head.length);
    *length = (size_t)head.length;
    return bytes;
}

bool client_laid_read(const uint8_t *bytes, size_t length, apex_ground *ground, apex_walls *walls) {
    laid_head head;
    if (length < aligned(sizeof head)) {
        return false;
    }
    memcpy(&head, bytes, sizeof head);
    part parts[PARTS];
    list_parts(&head.ground, &head.walls, parts);
    if (head.length != length || length_of(parts) != length) {
        return false;
    }
    const void *at[PARTS];
    size_t offset = (size_t)aligned(sizeof head);
    for (int i = 0; i < PARTS; i++) {
        at[i] = bytes + offset;
        offset += (size_t)aligned(parts[i].bytes);
    }
    *ground = head.ground;
    *walls = head.walls;
    ground->tiles = at[0];
    ground->directory = at[1];
    ground->surfaces = at[2];
    walls->segments = at[3];
    walls->posts = at[4];
    walls->materials = at[5];
    return true;
}
