/// Tracks laid from what a server sent, found again by hash: predictors and drivers of one process
/// share them.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "client-lite/client.h"
#include "physics/physics.h"
#include "track/track.h"

/// A track as cars drive on it. It lives as long as the cache that it is in.
typedef struct client_laid_track {
    uint64_t hash;
    const apex_track *track; ///< with its lap; NULL if it was laid elsewhere
    apex_ground ground;
    apex_walls walls;
} client_laid_track;

/// NULL if there is none of that hash yet.
const client_laid_track *client_track_cache_find(const apex_client_tracks *tracks, uint64_t hash);
/// The one there is, or a new one. @return NULL, and *problem says why, if the bytes are no track
/// that can be laid, or out of memory.
const client_laid_track *client_track_cache_lay(apex_client_tracks *tracks, uint64_t hash,
                                                const uint8_t *bytes, size_t length,
                                                apex_def_problem *problem);
/// One that was laid elsewhere. @param laid of client_laid_write; freed with the tracks, or at
/// once where NULL is returned: it is none, or out of memory.
const client_laid_track *client_track_cache_take(apex_client_tracks *tracks, uint64_t hash,
                                                 uint8_t *laid, size_t length);
