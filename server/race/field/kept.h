// Lines of players who have left a race that is under way, kept for its results.
#pragma once

#include "race/field/field.h"

void race_kept_add(race_field *field, const race_player *player);
void race_kept_clear(race_field *field);
// Gives a player in a slot the line and the card that he left, if one is kept under his name.
// @return whether there was one
bool race_kept_revive(race_field *field, uint32_t slot);
void race_kept_count(race_field *field); // after the kept lines have changed

// Entries are player slots, and after them the kept lines.
static inline const race_player *race_kept_line(const race_field *in, uint32_t entry) {
    return entry < in->capacity ? &in->players[entry] : &in->kept[entry - in->capacity];
}

// @return whether the player has a line in the order.
bool race_kept_find(const race_field *field, apex_player_id player, uint32_t *entry);

// NULL without cards.
static inline race_card *race_kept_card(const race_field *in, uint32_t entry) {
    return in->cards == NULL      ? NULL
           : entry < in->capacity ? &in->cards[entry]
                                  : &in->kept_cards[entry - in->capacity];
}

// A player who has left without taking the start is in no order.
static inline bool race_kept_is_entry(const race_field *in, uint32_t entry) {
    if (entry < in->capacity) {
        return race_field_is_live(in, entry);
    }
    uint32_t kept = entry - in->capacity;
    return kept < in->counts.kept && in->kept[kept].started;
}
