// Ghosts are cars without contacts to others: they were put down where others are, or their race is
// over.
#pragma once

#include "race/field/field.h"

void race_ghost_set(race_field *field, uint32_t slot, bool ghost);
// Set down among those who race: solid again once it is under way and nobody near.
void race_ghost_aside(race_field *field, uint32_t slot);

static inline void race_ghost_count_down(race_player *player) {
    if (player->ghost && player->ghost_ticks > 0 && !race_player_is_done(player)) {
        player->ghost_ticks--;
    }
}
