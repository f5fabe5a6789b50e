// Ghosts are cars without contacts to others: they were put down where others are, or their race is
// over.
#include "race/field/ghost.h"

static const double GHOST_S = 2.0;

void race_ghost_set(race_field *field, uint32_t slot, bool ghost) {
    RACE_ASSERT_LIVE(field, slot);
    race_player *player = &field->players[slot];
    player->ghost = ghost;
    player->aside = false;
    player->ghost_ticks = ghost ? (uint32_t)race_field_ticks(field, GHOST_S) : 0;
    apex_world_ghost_car(field->world, player->car_id, ghost);
    field->poses[player->car_id.index1 - 1].ghost = ghost;
}

void race_ghost_aside(race_field *field, uint32_t slot) {
    race_ghost_set(field, slot, true);
    field->players[slot].aside = true;
}
