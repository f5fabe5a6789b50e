// Lobby, grid, countdown, race, finish, results, and again or over. A phase ends where its own
// function below says so; nothing else changes the phase but the three commands at the end.
#include "race/race_private.h"

#include "base/assert.h"

#include <string.h>

static const double GRID_S = 1.0; // cars settle, and clients see who stands where

bool race_phase_is_running(apex_race_phase phase) {
    return phase == APEX_PHASE_RACE || phase == APEX_PHASE_FINISH;
}

uint64_t race_phase_ticks(const apex_race *race, double seconds) {
    return (uint64_t)(seconds * race->field.tick_hz + 0.5);
}

static uint64_t now_tick(const apex_race *race) {
    return apex_world_tick(race->field.world);
}

static uint64_t ticks_in_phase(const apex_race *race) {
    return now_tick(race) - race->event.phase_tick;
}

static int64_t ticks_to_us(const apex_race *race, uint64_t ticks) {
    return (int64_t)(ticks * 1000000u / race->field.tick_hz);
}

int64_t race_phase_time_us(const apex_race *race) {
    uint64_t countdown = race_phase_ticks(race, race->def.countdown_s);
    switch (race->event.phase) {
    case APEX_PHASE_GRID:
        return -ticks_to_us(race, countdown);
    case APEX_PHASE_COUNTDOWN:
        return countdown > ticks_in_phase(race)
                   ? -ticks_to_us(race, countdown - ticks_in_phase(race))
                   : 0;
    case APEX_PHASE_RACE:
    case APEX_PHASE_FINISH:
    case APEX_PHASE_RESULTS:
        return ticks_to_us(race, now_tick(race) - race->timing.records.go_tick);
    default:
        return 0;
    }
}

static void enter(apex_race *race, apex_race_phase phase) {
    race->event.phase = phase;
    race->event.phase_tick = now_tick(race);
    race_event_add(race, APEX_EVENT_PHASE, race->field.capacity, phase, 0);
}

static void enter_lobby(apex_race *race) {
    race->event.lobby_tick = now_tick(race);
    race->field.counts.grid = 0;
    race->field.counts.kept = race->field.kept_started =
        0; // who left the last race has no part in the next
    for (uint32_t i = 0; i < race->field.pool.live_count; i++) {
        race_player *player = &race->field.players[race->field.live[i]];
        player->state = APEX_STANDING_WAITING;
        player->ghost_ticks = 0; // solid as soon as nobody is inside it
        player->aside = false;
        race_grid_hold(race, race->field.live[i], false);
    }
    enter(race, APEX_PHASE_LOBBY);
}

static void form_grid(apex_race *race, bool same_order) {
    race->field.counts.kept = race->field.kept_started = 0;
    race->timing.records.finished = 0;
    race->timing.records.best_lap_us = 0;
    race->timing.records.winner_us = 0;
    memset(race->timing.records.best_sector_us, 0, sizeof race->timing.records.best_sector_us);
    for (uint32_t i = 0; i < race->timing.first_count; i++) {
        race->timing.first_us[i] = 0;
    }
    race_grid_form(race, same_order);
    enter(race, APEX_PHASE_GRID);
}

static uint64_t lobby_left_ticks(const apex_race *race) {
    uint64_t waited = now_tick(race) - race->event.lobby_tick;
    uint64_t all = race_phase_ticks(race, race->def.lobby_s);
    return waited < all ? all - waited : 0;
}

int64_t race_phase_lobby_left_us(const apex_race *race) {
    bool runs = race->event.phase == APEX_PHASE_LOBBY && race->field.pool.live_count > 0 &&
                race->def.start_players > 0;
    return runs ? ticks_to_us(race, lobby_left_ticks(race)) : 0;
}

static void advance_lobby(apex_race *race) {
    if (race->field.pool.live_count == 0) {
        race->event.lobby_tick = now_tick(race);
        return;
    }
    uint32_t wanted = race->def.start_players;
    bool timed_out = race->def.lobby_s > 0.0 && lobby_left_ticks(race) == 0;
    if (wanted > 0 && (race->field.pool.live_count >= wanted || timed_out)) {
        form_grid(race, false);
    }
}

static void go(apex_race *race) {
    race->timing.records.go_tick = now_tick(race);
    for (uint32_t i = 0; i < race->field.pool.live_count; i++) {
        uint32_t slot = race->field.live[i];
        race->field.players[slot].state = APEX_STANDING_RUNNING;
        race->field.players[slot].started = true;
        race_grid_hold(race, slot, false);
        race_lap_begin(race, slot);
    }
    race_event_add(race, APEX_EVENT_LIGHTS, race->field.capacity, 0, 0);
    enter(race, APEX_PHASE_RACE);
}

static void advance_countdown(apex_race *race) {
    uint64_t all = race_phase_ticks(race, race->def.countdown_s);
    uint64_t gone = ticks_in_phase(race);
    if (gone >= all) {
        go(race);
    } else if ((all - gone) % race->field.tick_hz == 0) {
        race_event_add(race, APEX_EVENT_LIGHTS, race->field.capacity,
                       (int64_t)((all - gone) / race->field.tick_hz), 0);
    }
}

static void begin_countdown(apex_race *race) {
    uint64_t all = race_phase_ticks(race, race->def.countdown_s);
    enter(race, APEX_PHASE_COUNTDOWN);
    if (all == 0) {
        go(race);
        return;
    }
    uint64_t seconds = (all + race->field.tick_hz - 1) / race->field.tick_hz;
    race_event_add(race, APEX_EVENT_LIGHTS, race->field.capacity, (int64_t)seconds, 0);
}

static bool is_anyone_running(const apex_race *race) {
    for (uint32_t i = 0; i < race->field.pool.live_count; i++) {
        if (race->field.players[race->field.live[i]].state == APEX_STANDING_RUNNING) {
            return true;
        }
    }
    return false;
}

static void classify(apex_race *race) {
    for (uint32_t i = 0; i < race->field.pool.live_count; i++) {
        uint32_t slot = race->field.live[i];
        if (race->field.players[slot].state != APEX_STANDING_RUNNING) {
            continue;
        }
        if (race->field.open_session) {
            race_open_end(race, slot);
        } else if (race->field.players[slot].started) {
            race_watch_retire(race, slot);
        } else {
            race->field.players[slot].state = APEX_STANDING_WAITING;
        }
    }
    race_order_update(race);
    race_phase_finish_some(race);
    for (uint32_t i = 0; i < race->timing.order_count; i++) {
        if (race->timing.order[i] < race->field.capacity) {
            race_player *player = &race->field.players[race->timing.order[i]];
            player->last_position = player->state == APEX_STANDING_WAITING ? 0 : i + 1;
        }
    }
    enter(race, APEX_PHASE_RESULTS);
}

void race_phase_finish_some(apex_race *race) {
    for (uint32_t i = 0; i < race->timing.order_count; i++) {
        uint32_t slot = race->timing.order[i];
        if (race_order_line(race, slot)->state != APEX_STANDING_FINISHED) {
            break;
        }
        if (slot >= race->field.capacity || race->field.players[slot].lap.finish_rank != 0) {
            continue;
        }
        race_player *player = &race->field.players[slot];
        player->lap.finish_rank = ++race->timing.records.finished;
        if (player->lap.finish_rank == 1) {
            race->timing.records.winner_us = player->lap.total_us;
        }
        race_event_add(race, APEX_EVENT_FINISHED, slot, player->lap.finish_rank,
                       player->lap.total_us);
    }
}

static void advance_race(apex_race *race) {
    if (race->event.phase == APEX_PHASE_RACE && race->timing.records.finished > 0) {
        enter(race, APEX_PHASE_FINISH);
    }
    uint64_t running_ticks = now_tick(race) - race->timing.records.go_tick;
    bool too_long =
        race->def.race_s_max > 0.0 && running_ticks >= race_phase_ticks(race, race->def.race_s_max);
    bool waited = race->event.phase == APEX_PHASE_FINISH &&
                  ticks_in_phase(race) >= race_phase_ticks(race, race->def.finish_wait_s);
    if (too_long || waited || !is_anyone_running(race)) {
        classify(race);
    }
}

static bool has_next(const apex_race *race) {
    return race->def.races == 0 || race->event.race_number < race->def.races;
}

static void advance_results(apex_race *race) {
    if (ticks_in_phase(race) < race_phase_ticks(race, race->def.results_s)) {
        return;
    }
    if (has_next(race)) {
        race->event.race_number++;
        enter_lobby(race);
    } else {
        enter(race, APEX_PHASE_OVER);
    }
}

void race_phase_advance(apex_race *race) {
    switch (race->event.phase) {
    case APEX_PHASE_LOBBY:
        advance_lobby(race);
        break;
    case APEX_PHASE_GRID:
        if (race->field.pool.live_count == 0) {
            enter_lobby(race);
        } else if (ticks_in_phase(race) >= race_phase_ticks(race, GRID_S)) {
            begin_countdown(race);
        }
        break;
    case APEX_PHASE_COUNTDOWN:
        if (race->field.pool.live_count == 0) {
            enter_lobby(race);
        } else {
            advance_countdown(race);
        }
        break;
    case APEX_PHASE_RACE:
    case APEX_PHASE_FINISH:
        advance_race(race);
        break;
    case APEX_PHASE_RESULTS:
        advance_results(race);
        break;
    case APEX_PHASE_OVER:
        break;
    }
}

apex_err race_phase_start(apex_race *race) {
    bool again = race->event.phase == APEX_PHASE_RESULTS && has_next(race);
    if ((race->event.phase != APEX_PHASE_LOBBY && !again) || race->field.pool.live_count == 0) {
        return APEX_ERR_STATE;
    }
    race_event_begin(race);
    if (again) {
        race->event.race_number++;
        enter_lobby(race);
    }
    form_grid(race, false);
    return APEX_OK;
}

apex_err race_phase_restart(apex_race *race) {
    apex_race_phase phase = race->event.phase;
    if (phase == APEX_PHASE_LOBBY || phase == APEX_PHASE_OVER || race->field.pool.live_count == 0) {
        return APEX_ERR_STATE;
    }
    race_event_begin(race);
    form_grid(race, true);
    return APEX_OK;
}

apex_err race_phase_end(apex_race *race) {
    if (race->event.phase == APEX_PHASE_OVER) {
        return APEX_ERR_STATE;
    }
    race_event_begin(race);
    if (race_phase_is_running(race->event.phase)) {
        classify(race);
    }
    enter(race, APEX_PHASE_OVER);
    return APEX_OK;
}
