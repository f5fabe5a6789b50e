// Where the rules put cars: on the grid, behind it, back on the track.
#include "race/race_private.h"

#include "base/assert.h"

#include <string.h>

static const double GHOST_S = 2.0;
static const double NEAR_M = 25.0; // further along the lap nobody can touch

void race_grid_ghost(apex_race *race, uint32_t slot, bool ghost) {
    race_player *player = &race->field.players[slot];
    player->ghost = ghost;
    player->aside = false;
    player->ghost_ticks = ghost ? (uint32_t)race_phase_ticks(race, GHOST_S) : 0;
    apex_world_ghost_car(race->field.world, player->car_id, ghost);
    race->field.poses[player->car_id.index1 - 1].ghost = ghost;
}

// Set down among those who race: solid again once it is under way and nobody near.
static void ghost_aside(apex_race *race, uint32_t slot) {
    race_grid_ghost(race, slot, true);
    race->field.players[slot].aside = true;
}

void race_grid_hold(apex_race *race, uint32_t slot, bool held) {
    apex_car_id car = race->field.players[slot].car_id;
    apex_world_hold_car(race->field.world, car, held);
    race->field.poses[car.index1 - 1].held = held;
}

static void put(apex_race *race, uint32_t slot, const apex_placement *at) {
    apex_world_place_car(race->field.world, race->field.players[slot].car_id, at);
    race_player_refresh(race, slot);
}

static bool touches(const apex_race *race, uint32_t a, uint32_t b, const double at_m[2]) {
    double reach_m = race->field.car_reach_m[race->field.players[a].car] +
                     race->field.car_reach_m[race->field.players[b].car];
    double x_m = race_player_pose(race, b)->position_m[0] - at_m[0];
    double y_m = race_player_pose(race, b)->position_m[1] - at_m[1];
    return x_m * x_m + y_m * y_m < reach_m * reach_m;
}

// First rank along the lap whose distance is not below s_m.
static uint32_t rank_at(const apex_race *race, double s_m) {
    uint32_t low = 0;
    uint32_t high = race->field.along_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (race->field.players[race->field.along[middle]].s_m < s_m) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool free_one_way(const apex_race *race, uint32_t slot, double s_m, const double at_m[2],
                         bool ahead) {
    uint32_t count = race->field.along_count;
    uint32_t rank = rank_at(race, s_m);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = ahead ? (rank + i) % count : (rank + count - 1 - i) % count;
        uint32_t other = race->field.along[at];
        double gap_m = apex_track_gap_m(race->field.track, s_m, race->field.players[other].s_m);
        if (gap_m > NEAR_M || gap_m < -NEAR_M) {
            return true;
        }
        if (other != slot && touches(race, slot, other, at_m)) {
            return false;
        }
    }
    return true;
}

bool race_grid_is_place_free(const apex_race *race, uint32_t slot, double s_m,
                             const double at_m[2]) {
    return free_one_way(race, slot, s_m, at_m, true) && free_one_way(race, slot, s_m, at_m, false);
}

bool race_grid_is_free(const apex_race *race, uint32_t slot) {
    return race_grid_is_place_free(race, slot, race->field.players[slot].s_m,
                                   race_player_pose(race, slot)->position_m);
}

static void find_s(apex_race *race, uint32_t slot) {
    const double *at = race_player_pose(race, slot)->position_m;
    race_player *player = &race->field.players[slot];
    player->s_m = apex_track_find(race->field.track, at[0], at[1], at[2]).s_m;
    player->safe_s_m = player->s_m;
    player->driver.placed = false;
}

static void line_up(apex_race *race, uint32_t slot, uint32_t box) {
    race_player *player = &race->field.players[slot];
    apex_placement at = apex_track_grid_placement(race->field.track, box);
    put(race, slot, &at);
    find_s(race, slot);
    player->grid = box + 1;
    player->state = APEX_STANDING_WAITING;
    player->way_m = 0.0;
    race_open_stand(race, slot);
}

static void ready_for_race(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    apex_service service = {
        .fuel_kg = race->field.cars[player->car].fuel_kg_max,
        .ballast_kg = -1.0,
        .tyres = true,
        .repair = true,
    };
    apex_world_service_car(race->field.world, player->car_id, &service);
    player->lap.laps = player->lap.sectors = 0;
    player->lap.gates_passed = player->lap.gates_back = 0;
    player->lap.finish_rank = 0;
    player->lap.last_lap_us = player->lap.best_lap_us = player->lap.total_us = 0;
    race_lap_forget_sectors(player);
    player->watch.off_ticks = player->watch.off_ticks_max = player->watch.off_count = 0;
    player->watch.wrong_ticks = player->watch.stuck_ticks = 0;
    player->watch.idle_ticks = 0;
    player->watch.resets = player->watch.contacts = 0;
    player->watch.off = player->watch.wrong_told = player->watch.crippled = player->started = false;
    double patience_s = player->driver.patience_s;
    player->driver = apex_driver_create(player->driver.skill, player->driver.lane_m);
    player->driver.patience_s = patience_s;
}

void race_grid_form(apex_race *race, bool same_order) {
    race_order_starters(race, same_order);
    uint32_t count = race->field.along_count;
    bool reverse = race->def.reverse_grid && !same_order;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = race->field.along[i];
        ready_for_race(race, slot);
        line_up(race, slot, reverse ? count - 1 - i : i);
        race_grid_hold(race, slot, true);
        race_grid_ghost(race, slot, false);
    }
    race->field.counts.grid = count;
    race_order_along(race);
    // On a short lap the boxes go round more than once and cars stand in each other.
    for (uint32_t i = 0; i < count; i++) {
        if (!race_grid_is_free(race, race->field.along[i])) {
            race_grid_ghost(race, race->field.along[i], true);
        }
    }
    race_order_update(race);
}

static uint32_t first_free_box(apex_race *race) {
    uint32_t boxes = 2 * race->field.capacity;
    uint32_t *taken = race->field.scratch;
    memset(taken, 0, boxes * sizeof *taken);
    for (uint32_t i = 0; i < race->field.pool.live_count; i++) {
        uint32_t box1 = race->field.players[race->field.live[i]].grid;
        if (box1 > 0 && box1 <= boxes) {
            taken[box1 - 1] = 1;
        }
    }
    uint32_t box = race->field.counts.grid;
    while (taken[box] != 0) {
        box++;
        APEX_ASSERT(box < boxes);
    }
    return box;
}

// Nobody is to stand where others pass, nor to start a lap half-way round it. After the winner is
// home there is nothing left to begin: who comes then waits for the next race.
static void come_late(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    if (!race->field.open_session) {
        race_berth berth = race_berth_late(race, slot);
        put(race, slot, &berth.at);
        player->s_m = player->safe_s_m = berth.s_m;
    }
    if (race->event.phase == APEX_PHASE_RACE) {
        player->state = APEX_STANDING_RUNNING;
        player->started = race->field.open_session; // where there is no gate to pass
        race_lap_begin_late(race, slot);
    } else {
        race_grid_hold(race, slot, true);
    }
    race_order_along(race);
    ghost_aside(race, slot);
}

void race_grid_add(apex_race *race, uint32_t slot) {
    line_up(race, slot, first_free_box(race));
    race_order_along(race);
    if (race_phase_is_running(race->event.phase)) {
        come_late(race, slot);
        return;
    }
    if (race->event.phase != APEX_PHASE_LOBBY) {
        race_grid_hold(race, slot, true);
    }
    if (!race_grid_is_free(race, slot)) {
        race_grid_ghost(race, slot, true);
    }
}

static apex_placement back_on_lap(apex_race *race, uint32_t slot) {
    race_berth berth = race_berth_beside(race, slot, race->field.players[slot].safe_s_m);
    race->field.players[slot].safe_s_m = berth.s_m;
    return berth.at;
}

void race_grid_reset(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    apex_placement at =
        race->field.open_session ? race_open_back(race, slot) : back_on_lap(race, slot);
    put(race, slot, &at);
    player->driver.placed = false;
    if (player->state == APEX_STANDING_RUNNING) {
        ghost_aside(race, slot);
        race_lap_place(race, slot);
        player->watch.resets++;
    } else {
        race_grid_ghost(race, slot, true);
        player->s_m = player->safe_s_m;
    }
    race_event_add(race, APEX_EVENT_RESET, slot, 0, 0);
}
