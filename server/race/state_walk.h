// The walk over the fields of a race that serves its save, restore and hash, so that none of them
// can forget one. Little-endian, without padding.
#pragma once

#include "race/race_private.h"
#include "race/walk.h"

enum { RACE_LINE_BYTES_MAX = 512 };

// The state that is saved beside the lines and the world.
typedef struct race_head {
    race_event event;
    race_records records;
    race_counts counts;
} race_head;

race_walk race_walk_writing(const apex_race *race, uint8_t *out);
race_walk race_walk_reading(const apex_race *race, const uint8_t *in);
void race_walk_shape(race_walk *io, const apex_race *race); // which only races alike have
void race_walk_head(race_walk *io, race_head *head);
void race_walk_player(race_walk *io, race_player *player);
void race_walk_who(race_walk *io, race_player *player); // how the walk of a player begins

race_head race_head_of(const apex_race *race);
size_t race_head_bytes(const apex_race *race); // the shape included
size_t race_line_bytes(const apex_race *race);
size_t race_weekend_at(const apex_race *race); // there the pieces of a weekend begin
size_t race_lines_end(const apex_race *race);  // there the world begins
