// The tick of a race, which is the table of contents of this folder: controls, the world's step,
// timing, what the rules make of it, the order, the next phase. A stage takes the parts of the race
// that it needs, as const where it only reads them.
#include "race/race_private.h"

#include "race/crossings.h"
#include "race/driver_orders.h"
#include "race/event/entries.h"
#include "race/event/phase.h"
#include "race/event/race_clock.h"
#include "race/event/race_session.h"
#include "race/field/along.h"
#include "race/field/drive.h"
#include "race/field/follow.h"
#include "race/field/players.h"
#include "race/field/takeover.h"
#include "race/flagging.h"
#include "race/judging.h"
#include "race/judging_penalties.h"
#include "race/listed.h"
#include "race/pitting.h"
#include "race/race_validator.h"
#include "race/timing/lap.h"
#include "race/timing/order.h"

#include "base/assert.h"

// Whoever is still out is judged; then the order is the result.
static void end_race(apex_race *race) {
    for (uint32_t i = 0; i < race->field.pool.live_count; i++) {
        race_judge_end_of(race, race->field.live[i]);
    }
    race_phase_classify(&race->event, &race->field, &race->timing, &race->log);
}

static apex_err end_event(apex_race *race) {
    if (race->event.phase == APEX_PHASE_OVER) {
        return APEX_ERR_STATE;
    }
    race_log_begin(&race->log);
    if (race_phase_is_running(race->event.phase)) {
        end_race(race);
    }
    race_phase_close(&race->event, &race->field, &race->log);
    race_session_settle(&race->event, &race->field, &race->timing);
    return APEX_OK;
}

// What the list of entries has for him, and his box.
static void enlist(apex_race *race, uint32_t slot) {
    if (race->field.cards == NULL) {
        return;
    }
    const apex_entry_list_def *list = &race->def.weekend.entries;
    const race_player *player = &race->field.players[slot];
    const apex_race_entry_def *entry = race_entry_named(list, player->name);
    race_card *card = &race->field.cards[slot];
    card->number = entry != NULL ? entry->number : 0;
    card->grid = entry != NULL ? entry->grid : 0;
    card->class1 = race_entry_class(list, entry, player->car);
    race_pits_enter(race, slot);
}

static apex_err join(apex_race *race, const apex_race_command *command) {
    apex_err err = race_entry_join(&race->event, &race->field, &race->timing, &race->log, command);
    if (err == APEX_OK) {
        enlist(race, command->player.index1 - 1u);
        race_flags_forget(race, command->player.index1 - 1u);
    }
    return err;
}

// After a command that may have formed a grid.
static apex_err begun_anew(apex_race *race, apex_err err) {
    if (err == APEX_OK && race->event.phase == APEX_PHASE_GRID) {
        race_flags_begin(race);
    }
    return err;
}

apex_err apex_race_apply(apex_race *race, const apex_race_command *command) {
    APEX_ASSERT(race != NULL && command != NULL);
    if (command->kind != APEX_RACE_LEAVE && !race_log_has_room(&race->log)) {
        return APEX_ERR_FULL; // thousands of commands in one tick; the tick's own events come first
    }
    switch (command->kind) {
    case APEX_RACE_JOIN:
        return join(race, command);
    case APEX_RACE_LEAVE:
        return race_entry_leave(&race->event, &race->field, &race->timing, &race->log, command);
    case APEX_RACE_TAKEOVER:
        return race_takeover(&race->field, command);
    case APEX_RACE_HANDBACK:
        return race_handback(&race->field, command->player);
    case APEX_RACE_START:
        return begun_anew(race,
                          race_phase_start(&race->event, &race->field, &race->timing, &race->log));
    case APEX_RACE_RESTART:
        return begun_anew(
            race, race_phase_restart(&race->event, &race->field, &race->timing, &race->log));
    case APEX_RACE_END:
        return end_event(race);
    case APEX_RACE_CAR:
        return race_entry_change_car(&race->event, &race->field, command);
    case APEX_RACE_SESSION_END:
        return race_end_session(race);
    case APEX_RACE_SESSION_EXTEND:
        return race_session_extend(&race->event, &race->field, &race->timing, command->seconds);
    case APEX_RACE_SESSION_SKIP:
        return begun_anew(race,
                          race_phase_skip(&race->event, &race->field, &race->timing, &race->log));
    case APEX_RACE_CALL:
        return race_flags_call(race, command->flag);
    case APEX_RACE_PENALISE:
        return race_stewards_order(race, command);
    case APEX_RACE_PARDON:
        return race_stewards_pardon(race, command);
    case APEX_RACE_PIT_PLAN:
        return race_pits_plan(race, command);
    }
    return APEX_ERR_INVALID;
}

// Follows a car along the lap.
static race_advance time_player(apex_race *race, uint32_t slot) {
    RACE_ASSERT_LIVE(&race->field, slot);
    race_player *player = &race->field.players[slot];
    if (!race_phase_is_running(race->event.phase) || race->field.open_session ||
        player->state != APEX_STANDING_RUNNING) {
        race_follow_only(&race->field, slot);
        return (race_advance){.step_m = 0.0};
    }
    return race_lap_advance(&race->timing, &race->field, player, &race->log);
}

void apex_race_tick(apex_race *race, const apex_controls controls[], apex_jobs *jobs) {
    APEX_ASSERT(race != NULL && controls != NULL);
    race_field *field = &race->field;
    race_log_begin(&race->log);
    race_order_drivers(race);
    race_drive(field, controls, jobs);
    apex_world_step(field->world, field->by_car, jobs);
    apex_world_poses_by_slot(field->world, field->poses);
    race->log.tick = apex_world_tick(field->world);
    race_judge_incidents(race);
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        race_advance advance = time_player(race, field->live[i]);
        race_judge_player(race, field->live[i], advance);
    }
    race_judge_by_flags(race);
    race_settle_crossings(race);
    race_order_update(&race->timing, field);
    race_order_finish(&race->timing, field, &race->log);
    apex_race_phase phase = race->event.phase;
    if (race_phase_advance(&race->event, field, &race->timing, &race->log)) {
        end_race(race);
    }
    if (race->event.phase != phase && race->event.phase == APEX_PHASE_GRID) {
        race_flags_begin(race);
    }
    if (race->event.phase != phase) { // positions depend on it; on ranks given they do not
        race_order_update(&race->timing, field);
    }
    race->log.read = true;
    APEX_VALIDATE(race_validate_tick(race, race->seen));
#if APEX_VALIDATES
    race_note_seen(race, race->seen);
#endif
}

apex_race_status apex_race_status_of(const apex_race *race) {
    APEX_ASSERT(race != NULL);
    apex_race_status status = {
        .phase = race->event.phase,
        .race_number = race->event.race_number,
        .tick = apex_world_tick(race->field.world),
        .race_time_us = race_clock_time_us(&race->event, &race->field, &race->timing),
        .players = race->field.pool.live_count,
        .laps = race->field.session != NULL ? race->field.session->laps : race->timing.laps,
        .lobby_left_us = race_clock_lobby_left_us(&race->event, &race->field),
        .seed = apex_race_seed_of(race->def.world.seed, race->event.race_number),
    };
    if (status.phase == APEX_PHASE_LOBBY) {
        status.start_players = race->def.start_players;
    }
    for (uint32_t i = 0; i < race->field.pool.live_count; i++) {
        status.running += race->field.players[race->field.live[i]].state == APEX_STANDING_RUNNING;
    }
    return status;
}

apex_race_phase apex_race_phase_of(const apex_race *race) {
    APEX_ASSERT(race != NULL);
    return race->event.phase;
}

int64_t apex_race_time_us(const apex_race *race) {
    APEX_ASSERT(race != NULL);
    return race_clock_time_us(&race->event, &race->field, &race->timing);
}

uint32_t apex_race_tick_hz(const apex_race *race) {
    APEX_ASSERT(race != NULL);
    return race->field.tick_hz;
}

size_t apex_race_standings_max(const apex_race *race) {
    APEX_ASSERT(race != NULL);
    return 2 * (size_t)race->field.capacity;
}

uint32_t apex_race_player_capacity(const apex_race *race) {
    APEX_ASSERT(race != NULL);
    return race->field.capacity;
}

const apex_world *apex_race_world(const apex_race *race) {
    APEX_ASSERT(race != NULL);
    return race->field.world;
}

const apex_car_pose *apex_race_poses(const apex_race *race, uint32_t *end) {
    APEX_ASSERT(race != NULL && end != NULL);
    *end = race->field.car_end;
    return race->field.poses;
}

const apex_track *apex_race_track(const apex_race *race) {
    APEX_ASSERT(race != NULL);
    return race->field.track;
}

const apex_controls *apex_race_controls_used(const apex_race *race) {
    APEX_ASSERT(race != NULL);
    return race->field.used;
}

bool apex_race_reserve(const apex_race *race, apex_player_id *out) {
    APEX_ASSERT(race != NULL && out != NULL);
    return race_player_next(&race->field, out);
}

const apex_race_event *apex_race_events(const apex_race *race, size_t *count) {
    APEX_ASSERT(race != NULL && count != NULL);
    *count = race->log.count;
    return race->log.events;
}
