// Ghosts are cars without contacts to others: they were put down where others are, or their race is
// over.
#pragma once

#include "race/field/field.h"

void race_ghost_set(race_field *field, uint32_t slot, bool ghost);
// Set down among those who race: solid again once it is under way and nobody near.
void race_ghost_aside(race_field *field, uint32_t slot);

// The car of a player whose race is over stays one.
static inline bool race_ghost_is_for_good(const race_player *player) {
    return player->state == APEX_STANDING_FINISHED || player->state == APEX_STANDING_DNF;
}

static inline void race_ghost_count_down(race_player *player) {
    if (player->ghost && player->ghost_ticks > 0 && !race_ghost_is_for_good(player)) {
        player->ghost_ticks--;
    }
}
