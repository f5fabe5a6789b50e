// Player slots: the player of each, his car and its pose. A player has a slot and a car for as long
// as he is in.
#include "race/field/players.h"

#include "race/field/ghost.h"

#include "base/assert.h"

void race_player_list(race_field *field) {
    uint32_t count = 0;
    for (uint32_t slot = 0; count < field->pool.live_count; slot++) {
        if (race_field_is_live(field, slot)) {
            field->live[count++] = slot;
        }
    }
}

uint32_t race_player_slot(const race_field *field, apex_player_id id) {
    uint32_t slot = (uint32_t)id.index1 - 1u;
    if (id.index1 == 0 || slot >= field->capacity) {
        return field->capacity;
    }
    return field->players[slot].id.generation == id.generation && race_field_is_live(field, slot)
               ? slot
               : field->capacity;
}

uint32_t race_player_slot_of_car(const race_field *field, apex_car_id car) {
    if (car.index1 == 0) {
        return field->capacity;
    }
    uint32_t slot = field->slot_of_car[car.index1 - 1];
    return race_field_is_live(field, slot) ? slot : field->capacity;
}

void race_player_refresh(race_field *field, uint32_t slot) {
    apex_car_id car = field->players[slot].car_id;
    bool found = apex_world_pose(field->world, car, &field->poses[car.index1 - 1]);
    APEX_ASSERT(found);
}

void race_player_retire(race_field *field, uint32_t slot, race_log *log) {
    RACE_ASSERT_LIVE(field, slot);
    APEX_ASSERT(field->players[slot].state == APEX_STANDING_RUNNING);
    field->players[slot].state = APEX_STANDING_DNF;
    race_log_add(log, APEX_EVENT_DNF, field->players[slot].id, 0, 0);
    race_ghost_set(field, slot, true);
}

// Live generations of a pool are odd, so the low half of one never reads as null.
static apex_player_id id_from_ref(apex_pool_ref ref) {
    return (apex_player_id){(uint16_t)ref.index1, (uint16_t)ref.generation};
}

static apex_pool_ref next_ref(const race_field *field) {
    const apex_pool *pool = &field->pool;
    if (pool->lowest_free >= pool->capacity) {
        return (apex_pool_ref){0, 0};
    }
    return (apex_pool_ref){pool->lowest_free + 1, pool->generations[pool->lowest_free] + 1};
}

bool race_player_next(const race_field *field, apex_player_id *out) {
    apex_pool_ref ref = next_ref(field);
    *out = id_from_ref(ref);
    return ref.index1 != 0;
}

void race_player_take_car(race_field *field, uint32_t slot) {
    RACE_ASSERT_LIVE(field, slot);
    uint32_t index1 = field->players[slot].car_id.index1;
    APEX_ASSERT(index1 >= 1 && index1 <= field->capacity);
    field->slot_of_car[index1 - 1] = slot;
    field->car_end = index1 > field->car_end ? index1 : field->car_end;
    race_player_refresh(field, slot);
}

void race_player_drop_car(race_field *field, uint32_t slot) {
    RACE_ASSERT_LIVE(field, slot);
    apex_car_id car = field->players[slot].car_id;
    apex_world_remove_car(field->world, car);
    field->poses[car.index1 - 1] = (apex_car_pose){0};
}
