// Joining, leaving and changing cars. A latecomer begins from the pits; the line of a player who
// leaves a race that is under way stays for its results.
#include "race/event/entries.h"

#include "race/event/phase.h"
#include "race/event/race_clock.h"
#include "race/event/race_session.h"
#include "race/field/along.h"
#include "race/field/berth.h"
#include "race/field/ghost.h"
#include "race/field/grid.h"
#include "race/field/kept.h"
#include "race/field/players.h"
#include "race/rules/watch.h"
#include "race/timing/lap.h"
#include "race/timing/order.h"

#include "base/assert.h"

#include <string.h>

static apex_err may_join(const race_event *event, const race_field *field) {
    switch (event->phase) {
    case APEX_PHASE_RACE:
    case APEX_PHASE_FINISH:
        return field->def->late_join || race_field_against_clock(field) ? APEX_OK
                                                                        : APEX_ERR_UNSUPPORTED;
    case APEX_PHASE_OVER:
        return APEX_ERR_STATE;
    default:
        return APEX_OK;
    }
}

// His place in the book, and what he left of this session.
// @return whether he has been in it before
static bool come_back(const race_event *event, race_field *field, uint32_t slot) {
    if (field->cards == NULL) {
        return false;
    }
    race_player *player = &field->players[slot];
    race_card *card = &field->cards[slot];
    *card = (race_card){0};
    if (event->weekend == NULL) {
        return false;
    }
    card->competitor1 = race_book_enter(&event->weekend->book, player->name, player->join_number);
    bool is_back = event->phase >= APEX_PHASE_GRID && race_kept_revive(field, slot);
    card->watches = !race_session_takes(event, field, slot);
    return is_back;
}

// Whether the session goes on for who comes in the middle of it.
static bool may_drive(const race_event *event, const race_field *field, uint32_t slot) {
    const race_card *card = race_field_card(field, &field->players[slot]);
    bool barred =
        card != NULL && (card->watches || card->lap.flagged || card->penalties.disqualified);
    return event->phase == APEX_PHASE_RACE && !barred;
}

// Nobody is to stand where others pass, nor to start a lap half-way round it. After the winner is
// home there is nothing left to begin: a player who comes then waits for the next race.
static void come_late(const race_event *event, race_field *field, const race_timing *timing,
                      uint32_t slot, bool is_back) {
    race_player *player = &field->players[slot];
    if (!field->open_session) {
        race_berth berth = race_berth_late(field, slot);
        race_grid_put(field, slot, &berth.at);
        player->s_m = player->safe_s_m = berth.s_m;
    }
    if (may_drive(event, field, slot)) {
        player->state = APEX_STANDING_RUNNING;
        // Where there is no gate to pass, or no start to be missed.
        player->started |= field->open_session || race_field_against_clock(field);
        if (is_back) {
            race_lap_resume(timing, field, player);
        } else {
            race_lap_begin_late(timing, field, player);
        }
        race_watch_from_here(player);
        race_card *card = race_field_card(field, player);
        if (card != NULL) {
            int64_t now_us = race_clock_time_us(event, field, timing);
            card->late = true;
            card->joined_us = now_us > 0 ? (uint64_t)now_us : 0;
        }
    } else {
        race_grid_hold(field, slot, true);
    }
    race_along_sort(field);
    race_ghost_aside(field, slot);
}

// A car that has just come is put where the phase wants it.
static void stand(const race_event *event, race_field *field, const race_timing *timing,
                  uint32_t slot) {
    race_player *player = &field->players[slot];
    bool is_back = come_back(event, field, slot);
    race_player line = *player;
    race_grid_line_up(field, slot);
    if (is_back) { // a box is lent to him, and none of what he has done is lost
        player->state = line.state;
        player->grid = race_phase_is_running(event->phase) ? line.grid : player->grid;
        player->way_m = line.way_m;
    }
    if (race_phase_is_running(event->phase)) {
        come_late(event, field, timing, slot, is_back);
        return;
    }
    if (event->phase != APEX_PHASE_LOBBY) {
        race_grid_hold(field, slot, true);
    }
    if (!race_along_is_free(field, slot)) {
        race_ghost_set(field, slot, true);
    }
}

apex_err race_entry_join(const race_event *event, race_field *field, race_timing *timing,
                         race_log *log, const apex_race_command *command) {
    apex_err err = may_join(event, field);
    if (err != APEX_OK) {
        return err;
    }
    if (command->car >= field->car_count) {
        return APEX_ERR_NOT_FOUND;
    }
    apex_player_id id = {0, 0};
    if (!race_player_next(field, &id)) {
        return APEX_ERR_FULL;
    }
    if (id.index1 != command->player.index1 || id.generation != command->player.generation) {
        return APEX_ERR_INVALID; // a recording that belongs to another race
    }
    apex_car_id car_id = {0, 0};
    apex_placement at = apex_track_grid_placement(field->track, id.index1 - 1u);
    err = apex_world_add_car(field->world, field->types[command->car], &at, &car_id);
    if (err != APEX_OK) {
        return err;
    }
    apex_pool_take(&field->pool);
    race_player_list(field);
    uint32_t slot = id.index1 - 1u;
    race_player *player = &field->players[slot];
    *player = (race_player){.id = id, .car_id = car_id, .car = command->car};
    size_t length = strnlen(command->name, APEX_NAME_BYTES - 1);
    memcpy(player->name, command->name, length);
    player->join_number = ++field->counts.joins;
    player->driver = apex_driver_create(1.0, 0.0);
    race_player_take_car(field, slot);
    race_log_begin(log);
    race_log_add(log, APEX_EVENT_JOINED, player->id, 0, 0);
    stand(event, field, timing, slot);
    race_order_update(timing, field);
    return APEX_OK;
}

// A player who took the start has a place among the others; one who has not is noted apart, from
// when the grid forms. A bot that made room for a person is as if it had never been.
static bool is_worth_a_line(const race_event *event, const race_player *player,
                            apex_leave_why why) {
    apex_race_phase phase = event->phase;
    bool under_way = phase >= APEX_PHASE_GRID && phase <= APEX_PHASE_FINISH;
    bool has_raced = player->state == APEX_STANDING_FINISHED || player->state == APEX_STANDING_DNF;
    return why != APEX_LEAVE_REPLACED && (player->started ? has_raced : under_way);
}

static void forget_card(const race_event *event, race_field *field, uint32_t slot) {
    if (field->cards == NULL) {
        return;
    }
    if (event->weekend != NULL) {
        race_book_leave(&event->weekend->book, field->cards[slot].competitor1);
    }
    field->cards[slot] = (race_card){0};
}

apex_err race_entry_leave(const race_event *event, race_field *field, race_timing *timing,
                          race_log *log, const apex_race_command *command) {
    uint32_t slot = race_player_slot(field, command->player);
    if (slot == field->capacity) {
        return APEX_ERR_NOT_FOUND;
    }
    if ((uint32_t)command->why > APEX_LEAVE_IDLE) {
        return APEX_ERR_INVALID;
    }
    race_player *player = &field->players[slot];
    bool running = player->state == APEX_STANDING_RUNNING;
    race_log_begin(log);
    if (running && player->started && race_field_against_clock(field)) {
        player->state = APEX_STANDING_FINISHED; // he has done what he wanted
    } else if (running && player->started) {
        race_player_retire(field, slot, log);
    }
    race_log_add(log, APEX_EVENT_LEFT, player->id, running ? 1 : 0, 0);
    if (is_worth_a_line(event, player, command->why)) {
        player->state = player->started ? player->state : APEX_STANDING_WAITING;
        player->left_why = command->why;
        race_kept_add(field, player);
    }
    forget_card(event, field, slot);
    field->left[slot].id = player->id;
    memcpy(field->left[slot].name, player->name, sizeof player->name);
    race_player_drop_car(field, slot);
    apex_pool_give(&field->pool, apex_pool_ref_at(&field->pool, slot));
    race_player_list(field);
    *player = (race_player){0};
    field->used[slot] = (apex_controls){0};
    race_order_update(timing, field);
    return APEX_OK;
}

// The place of the old car.
static apex_placement place_of(const apex_car_pose *pose) {
    return (apex_placement){.x_m = pose->position_m[0],
                            .y_m = pose->position_m[1],
                            .z_m = pose->position_m[2],
                            .yaw_rad = pose->yaw_rad};
}

apex_err race_entry_change_car(const race_event *event, race_field *field,
                               const apex_race_command *command) {
    uint32_t slot = race_player_slot(field, command->player);
    if (slot == field->capacity || command->car >= field->car_count) {
        return APEX_ERR_NOT_FOUND;
    }
    bool on_grid = event->phase == APEX_PHASE_GRID;
    if (!on_grid && event->phase != APEX_PHASE_LOBBY) {
        return APEX_ERR_STATE;
    }
    race_player *player = &field->players[slot];
    if (player->car == command->car) {
        return APEX_OK;
    }
    bool in_box = race_field_against_clock(field);
    apex_placement at = on_grid && !in_box
                            ? apex_track_grid_placement(field->track, player->grid - 1)
                            : place_of(race_field_pose(field, slot));
    race_player_drop_car(field, slot);
    apex_err err =
        apex_world_add_car(field->world, field->types[command->car], &at, &player->car_id);
    APEX_ASSERT(err == APEX_OK); // the old one has just made room
    player->car = command->car;
    race_player_take_car(field, slot);
    race_grid_hold(field, slot, on_grid);
    race_ghost_set(field, slot, !race_along_is_free(field, slot)); // a longer one may not fit in
    return APEX_OK;
}
