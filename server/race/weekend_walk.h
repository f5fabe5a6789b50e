// The walk over the state that only events with sessions or rules have: the session's end, the book
// and the cards. It comes in pieces, of which an event without them has none.
#pragma once

#include "race/race_private.h"
#include "race/walk.h"

enum { RACE_PIECE_BYTES_MAX = 8192 };

uint32_t race_weekend_pieces(const apex_race *race);
size_t race_weekend_bytes(const apex_race *race); // all of them
void race_weekend_write(const apex_race *race, race_walk *io, uint32_t piece);
// The players and kept lines that cards belong to, as they are restored.
typedef struct race_weekend_lines {
    uint32_t kept;
    const uint32_t *generations; // of slots
} race_weekend_lines;

// Reads all pieces; takes them over only when `commit`. @return whether all of it can be
bool race_weekend_read(apex_race *race, race_walk *io, const race_weekend_lines *lines,
                       bool commit);
