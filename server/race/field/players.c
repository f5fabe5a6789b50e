// Joining and leaving. A player has a slot and a car for as long as he is in; his line stays for
// the results when he leaves a race that is under way.
#include "race/race_private.h"

#include "base/assert.h"

#include <string.h>

bool race_player_live(const apex_race *race, uint32_t slot) {
    return apex_pool_is_index_live(&race->field.pool, slot);
}

void race_player_list(apex_race *race) {
    uint32_t count = 0;
    for (uint32_t slot = 0; count < race->field.pool.live_count; slot++) {
        if (race_player_live(race, slot)) {
            race->field.live[count++] = slot;
        }
    }
}

uint32_t race_player_slot(const apex_race *race, apex_player_id id) {
    uint32_t slot = (uint32_t)id.index1 - 1u;
    if (id.index1 == 0 || slot >= race->field.capacity) {
        return race->field.capacity;
    }
    return race->field.players[slot].id.generation == id.generation && race_player_live(race, slot)
               ? slot
               : race->field.capacity;
}

static bool is_same(apex_player_id a, apex_player_id b) {
    return a.index1 == b.index1 && a.generation == b.generation;
}

const char *apex_race_player_name(const apex_race *race, apex_player_id player) {
    APEX_ASSERT(race != NULL);
    uint32_t slot = (uint32_t)player.index1 - 1u;
    if (player.index1 == 0 || slot >= race->field.capacity) {
        return "";
    }
    if (is_same(race->field.players[slot].id, player)) {
        return race->field.players[slot].name;
    }
    return is_same(race->field.left[slot].id, player) ? race->field.left[slot].name : "";
}

bool apex_race_player_of_car(const apex_race *race, apex_car_id car, apex_player_id *out) {
    APEX_ASSERT(race != NULL && out != NULL);
    uint32_t place = (uint32_t)car.index1 - 1u;
    if (car.index1 == 0 || place >= race->field.capacity) {
        return false;
    }
    uint32_t slot = race->field.slot_of_car[place];
    const race_player *player = &race->field.players[slot];
    if (!race_player_live(race, slot) || player->car_id.index1 != car.index1 ||
        player->car_id.generation != car.generation) {
        return false;
    }
    *out = player->id;
    return true;
}

void race_player_refresh(apex_race *race, uint32_t slot) {
    apex_car_id car = race->field.players[slot].car_id;
    bool found = apex_world_pose(race->field.world, car, &race->field.poses[car.index1 - 1]);
    APEX_ASSERT(found);
}

// Live generations of a pool are odd, so the low half of one never reads as null.
static apex_player_id id_from_ref(apex_pool_ref ref) {
    return (apex_player_id){(uint16_t)ref.index1, (uint16_t)ref.generation};
}

static apex_pool_ref next_ref(const apex_race *race) {
    const apex_pool *pool = &race->field.pool;
    if (pool->lowest_free >= pool->capacity) {
        return (apex_pool_ref){0, 0};
    }
    return (apex_pool_ref){pool->lowest_free + 1, pool->generations[pool->lowest_free] + 1};
}

bool apex_race_reserve(const apex_race *race, apex_player_id *out) {
    APEX_ASSERT(race != NULL && out != NULL);
    apex_pool_ref ref = next_ref(race);
    *out = id_from_ref(ref);
    return ref.index1 != 0;
}

static apex_err may_join(const apex_race *race) {
    switch (race->event.phase) {
    case APEX_PHASE_RACE:
    case APEX_PHASE_FINISH:
        return race->def.late_join ? APEX_OK : APEX_ERR_UNSUPPORTED;
    case APEX_PHASE_OVER:
        return APEX_ERR_STATE;
    default:
        return APEX_OK;
    }
}

apex_err race_player_join(apex_race *race, const apex_race_command *command) {
    apex_err err = may_join(race);
    if (err != APEX_OK) {
        return err;
    }
    if (command->car >= race->field.car_count) {
        return APEX_ERR_NOT_FOUND;
    }
    apex_player_id id = {0, 0};
    if (!apex_race_reserve(race, &id)) {
        return APEX_ERR_FULL;
    }
    if (id.index1 != command->player.index1 || id.generation != command->player.generation) {
        return APEX_ERR_INVALID; // a recording that belongs to another race
    }
    apex_car_id car_id = {0, 0};
    apex_placement at = apex_track_grid_placement(race->field.track, id.index1 - 1u);
    err = apex_world_add_car(race->field.world, race->field.types[command->car], &at, &car_id);
    if (err != APEX_OK) {
        return err;
    }
    apex_pool_take(&race->field.pool);
    race_player_list(race);
    uint32_t slot = id.index1 - 1u;
    race_player *player = &race->field.players[slot];
    *player = (race_player){.id = id, .car_id = car_id, .car = command->car};
    size_t length = strnlen(command->name, APEX_NAME_BYTES - 1);
    memcpy(player->name, command->name, length);
    player->join_number = ++race->field.counts.joins;
    player->driver = apex_driver_create(1.0, 0.0);
    race->field.slot_of_car[car_id.index1 - 1] = slot;
    race->field.car_end = car_id.index1 > race->field.car_end ? car_id.index1 : race->field.car_end;
    race_player_refresh(race, slot);
    race_event_begin(race);
    race_event_add(race, APEX_EVENT_JOINED, slot, 0, 0);
    race_grid_add(race, slot);
    race_order_update(race);
    return APEX_OK;
}

void race_player_count_kept(apex_race *race) {
    race->field.kept_started = 0;
    for (uint32_t i = 0; i < race->field.counts.kept; i++) {
        race->field.kept_started += race->field.kept[i].started;
    }
}

static bool got_less_far(const race_player *a, const race_player *b) {
    bool a_home = a->state == APEX_STANDING_FINISHED, b_home = b->state == APEX_STANDING_FINISHED;
    if (a->started != b->started || a_home != b_home) {
        return a->started != b->started ? b->started : b_home;
    }
    return !a_home && a->way_m < b->way_m;
}

// The results need the line; should more players have come and gone than there are slots, the
// newest takes the place of whoever got least far.
static void keep_line(apex_race *race, const race_player *player) {
    race_player *line = NULL;
    if (race->field.counts.kept < race->field.capacity) {
        line = &race->field.kept[race->field.counts.kept++];
    } else {
        line = &race->field.kept[0];
        for (uint32_t i = 1; i < race->field.counts.kept; i++) {
            if (got_less_far(&race->field.kept[i], line)) {
                line = &race->field.kept[i];
            }
        }
        if (got_less_far(player, line)) {
            return;
        }
    }
    *line = *player;
    line->car_id = (apex_car_id){0, 0};
    race_player_count_kept(race);
}

// A player who took the start has a place among the others; one who has not is noted apart, from
// when the grid forms. A bot that made room for a person is as if it had never been.
static bool is_worth_a_line(const apex_race *race, const race_player *player, apex_leave_why why) {
    apex_race_phase phase = race->event.phase;
    bool under_way = phase >= APEX_PHASE_GRID && phase <= APEX_PHASE_FINISH;
    bool has_raced = player->state == APEX_STANDING_FINISHED || player->state == APEX_STANDING_DNF;
    return why != APEX_LEAVE_REPLACED && (player->started ? has_raced : under_way);
}

apex_err race_player_leave(apex_race *race, apex_player_id id, apex_leave_why why) {
    uint32_t slot = race_player_slot(race, id);
    if (slot == race->field.capacity) {
        return APEX_ERR_NOT_FOUND;
    }
    if ((uint32_t)why > APEX_LEAVE_IDLE) {
        return APEX_ERR_INVALID;
    }
    race_player *player = &race->field.players[slot];
    bool running = player->state == APEX_STANDING_RUNNING;
    race_event_begin(race);
    if (running && player->started) {
        race_watch_retire(race, slot);
    }
    race_event_add(race, APEX_EVENT_LEFT, slot, running ? 1 : 0, 0);
    if (is_worth_a_line(race, player, why)) {
        player->state = player->started ? player->state : APEX_STANDING_WAITING;
        player->left_why = why;
        keep_line(race, player);
    }
    race->field.left[slot].id = player->id;
    memcpy(race->field.left[slot].name, player->name, sizeof player->name);
    apex_world_remove_car(race->field.world, player->car_id);
    race->field.poses[player->car_id.index1 - 1] = (apex_car_pose){0};
    apex_pool_give(&race->field.pool, apex_pool_ref_at(&race->field.pool, slot));
    race_player_list(race);
    *player = (race_player){0};
    race->field.used[slot] = (apex_controls){0};
    race_order_update(race);
    return APEX_OK;
}

// Two hands count shifts and resets separately. Without this the first sample of the new hand would
// look like as many shifts and resets as its counts differ from the old one's.
static void forget_counters(apex_race *race, uint32_t slot) {
    apex_car_state state;
    if (apex_world_get_car(race->field.world, race->field.players[slot].car_id, &state)) {
        state.counters_known = false;
        apex_world_set_car(race->field.world, race->field.players[slot].car_id, &state);
    }
}

apex_err race_player_takeover(apex_race *race, const apex_race_command *command) {
    uint32_t slot = race_player_slot(race, command->player);
    if (slot == race->field.capacity) {
        return APEX_ERR_NOT_FOUND;
    }
    race_player *player = &race->field.players[slot];
    player->driver = apex_driver_create(command->skill, command->lane_m);
    player->driver.patience_s = command->patience_s > 0.0 ? command->patience_s : 0.0;
    player->driver.s_m = player->s_m;
    player->driver.placed = true;
    player->driven_by_server = true;
    forget_counters(race, slot);
    return APEX_OK;
}

apex_err race_player_handback(apex_race *race, apex_player_id id) {
    uint32_t slot = race_player_slot(race, id);
    if (slot == race->field.capacity) {
        return APEX_ERR_NOT_FOUND;
    }
    if (race->field.players[slot].driven_by_server) {
        race->field.players[slot].driven_by_server = false;
        forget_counters(race, slot);
    }
    return APEX_OK;
}

// Where the old car stands.
static apex_placement place_of(const apex_car_pose *pose) {
    return (apex_placement){.x_m = pose->position_m[0],
                            .y_m = pose->position_m[1],
                            .z_m = pose->position_m[2],
                            .yaw_rad = pose->yaw_rad};
}

apex_err race_player_change_car(apex_race *race, const apex_race_command *command) {
    uint32_t slot = race_player_slot(race, command->player);
    if (slot == race->field.capacity || command->car >= race->field.car_count) {
        return APEX_ERR_NOT_FOUND;
    }
    bool on_grid = race->event.phase == APEX_PHASE_GRID;
    if (!on_grid && race->event.phase != APEX_PHASE_LOBBY) {
        return APEX_ERR_STATE;
    }
    race_player *player = &race->field.players[slot];
    if (player->car == command->car) {
        return APEX_OK;
    }
    apex_placement at = on_grid ? apex_track_grid_placement(race->field.track, player->grid - 1)
                                : place_of(race_player_pose(race, slot));
    apex_world_remove_car(race->field.world, player->car_id);
    race->field.poses[player->car_id.index1 - 1] = (apex_car_pose){0};
    apex_err err = apex_world_add_car(race->field.world, race->field.types[command->car], &at,
                                      &player->car_id);
    APEX_ASSERT(err == APEX_OK); // the old one has just made room
    player->car = command->car;
    race->field.slot_of_car[player->car_id.index1 - 1] = slot;
    race->field.car_end =
        player->car_id.index1 > race->field.car_end ? player->car_id.index1 : race->field.car_end;
    race_player_refresh(race, slot);
    race_grid_hold(race, slot, on_grid);
    race_grid_ghost(race, slot, !race_grid_is_free(race, slot)); // a longer one may not fit in
    return APEX_OK;
}
