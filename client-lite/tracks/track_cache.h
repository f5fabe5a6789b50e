/// Tracks laid from what a server sent, found again by hash: predictors of one race share them.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "client-lite/client.h"
#include "physics/physics.h"

/// What a predictor drives on. Lives as long as the courses it is of.
typedef struct client_laid_track {
    uint64_t hash;
    apex_ground ground;
    apex_walls walls;
} client_laid_track;

/// NULL if there is none of that hash yet.
const client_laid_track *client_track_cache_find(const apex_client_courses *courses, uint64_t hash);
/// The one there is, or a new one. @return NULL if the bytes are no track that can be laid, or out
/// of memory.
const client_laid_track *client_track_cache_lay(apex_client_courses *courses, uint64_t hash,
                                                const uint8_t *bytes, size_t length);
/// One that was laid elsewhere. @param laid of client_laid_write; freed with the courses, or at
/// once where NULL is returned: it is none, or out of memory.
const client_laid_track *client_track_cache_take(apex_client_courses *courses, uint64_t hash,
                                                 uint8_t *laid, size_t length);
