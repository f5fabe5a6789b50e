/// Tracks laid from what a server sent, found again by hash: predictors of one race share them.
#pragma once

#include <stdint.h>

#include "client-lite/client.h"
#include "track/track.h"

/// @return the laid track, which lives as long as `courses`; NULL if the bytes are no track that
/// can be laid, or out of memory.
const apex_track *client_courses_track(apex_client_courses *courses, uint64_t hash,
                                       const uint8_t *bytes, size_t length);
