// The places where cars are put: on the grid, behind it, back on the track.
#include "race/field/grid.h"

#include "race/field/along.h"
#include "race/field/berth.h"
#include "race/field/ghost.h"
#include "race/field/players.h"
#include "race/field/stood.h"

#include "base/assert.h"

#include <string.h>

void race_grid_hold(race_field *field, uint32_t slot, bool held) {
    RACE_ASSERT_LIVE(field, slot);
    apex_car_id car = field->players[slot].car_id;
    apex_world_hold_car(field->world, car, held);
    field->poses[car.index1 - 1].held = held;
}

void race_grid_put(race_field *field, uint32_t slot, const apex_placement *at) {
    RACE_ASSERT_LIVE(field, slot);
    apex_world_place_car(field->world, field->players[slot].car_id, at);
    race_player_refresh(field, slot);
    if (field->cards != NULL) {
        field->cards[slot].put = true;
    }
}

static void find_s(race_field *field, uint32_t slot) {
    const double *at = race_field_pose(field, slot)->position_m;
    race_player *player = &field->players[slot];
    player->s_m = apex_track_find(field->track, at[0], at[1], at[2]).s_m;
    player->safe_s_m = player->s_m;
    player->driver.placed = false;
}

static void line_up(race_field *field, uint32_t slot, uint32_t box) {
    race_player *player = &field->players[slot];
    bool in_pits = race_field_against_clock(field) && field->pit_box_count > 0;
    uint32_t own1 = in_pits ? field->cards[slot].pit.box1 : 0;
    uint32_t pit_box = own1 > 0 && own1 <= field->pit_box_count ? own1 - 1 : box;
    apex_placement at = in_pits ? field->pit_boxes[pit_box % field->pit_box_count].at
                                : apex_track_grid_placement(field->track, box);
    race_grid_put(field, slot, &at);
    find_s(field, slot);
    player->grid = box + 1;
    player->state = APEX_STANDING_WAITING;
    player->way_m = 0.0;
    race_stood_remember(field, slot);
}

static void ready_for_race(race_field *field, uint32_t slot) {
    race_player *player = &field->players[slot];
    apex_service service = {
        .fuel_kg = field->cars[player->car].fuel_kg_max,
        .ballast_kg = -1.0,
        .tyres = true,
        .repair = true,
        .engine = true,
    };
    apex_world_service_car(field->world, player->car_id, &service);
    double patience_s = player->driver.patience_s;
    player->driver = apex_driver_create(player->driver.skill, player->driver.lane_m);
    player->driver.patience_s = patience_s;
}

void race_grid_form(race_field *field, bool same_order) {
    race_along_starters(field, same_order);
    uint32_t count = field->along_count;
    bool reverse = field->def->reverse_grid && !same_order && !race_field_against_clock(field);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = field->along[i];
        ready_for_race(field, slot);
        line_up(field, slot, reverse ? count - 1 - i : i);
        race_grid_hold(field, slot, true);
        race_ghost_set(field, slot, false);
    }
    field->counts.grid = count;
    race_along_sort(field);
    // On a short lap the boxes go round more than once and cars stand in each other.
    for (uint32_t i = 0; i < count; i++) {
        if (!race_along_is_free(field, field->along[i])) {
            race_ghost_set(field, field->along[i], true);
        }
    }
}

static uint32_t first_free_box(const race_field *field) {
    uint32_t boxes = 2 * field->capacity;
    uint32_t *taken = field->scratch;
    memset(taken, 0, boxes * sizeof *taken);
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        uint32_t box1 = field->players[field->live[i]].grid;
        if (box1 > 0 && box1 <= boxes) {
            taken[box1 - 1] = 1;
        }
    }
    uint32_t box = field->counts.grid;
    while (taken[box] != 0) {
        box++;
        APEX_ASSERT(box < boxes);
    }
    return box;
}

void race_grid_line_up(race_field *field, uint32_t slot) {
    line_up(field, slot, first_free_box(field));
    race_along_sort(field);
}

static apex_placement back_on_lap(race_field *field, uint32_t slot) {
    race_berth berth = race_berth_beside(field, slot, field->players[slot].safe_s_m);
    field->players[slot].safe_s_m = berth.s_m;
    return berth.at;
}

void race_grid_put_back(race_field *field, uint32_t slot) {
    apex_placement at =
        field->open_session ? race_stood_back(field, slot) : back_on_lap(field, slot);
    race_grid_put(field, slot, &at);
    field->players[slot].driver.placed = false;
}
