// The judging of a tick: the rules' judges are asked, and what they say is done. That goes player
// by player, and within one in three steps (his way, his hands, his ghost), each applied before the
// next: a car that was put back stands in the way of the next ghost, and a player who has retired
// is not idle. To judge everybody first would be another race.
//
// A new judge (of penalties, flags, pit stops) takes its place in race_judge_player.
#include "race/judging.h"

#include "race/field/ghost.h"
#include "race/field/grid.h"
#include "race/field/players.h"
#include "race/rules/clear.h"
#include "race/rules/idle.h"
#include "race/rules/off_track.h"
#include "race/rules/stuck.h"
#include "race/rules/watch.h"
#include "race/rules/world_events.h"
#include "race/timing/lap.h"

#include <math.h>

void race_reset(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    race_grid_put_back(&race->field, slot);
    if (player->state == APEX_STANDING_RUNNING) {
        race_ghost_aside(&race->field, slot);
        race_lap_place(&race->timing, &race->field, player);
        race_watch_from_here(player);
        player->watch.stuck_ticks = 0;
        player->watch.resets++;
    } else {
        race_ghost_set(&race->field, slot, true);
        player->s_m = player->safe_s_m;
    }
    race_log_add(&race->log, APEX_EVENT_RESET, player->id, 0, 0);
}

static void note_contact(apex_race *race, const race_verdict *verdict) {
    race_player *player = &race->field.players[verdict->slot];
    apex_player_id other_id = RACE_NOBODY;
    player->watch.contacts += player->state == APEX_STANDING_RUNNING;
    if (verdict->other < race->field.capacity) {
        race_player *other = &race->field.players[verdict->other];
        other_id = other->id;
        other->watch.contacts += other->state == APEX_STANDING_RUNNING;
    }
    race_log_contact(&race->log, player->id, other_id, verdict->value);
}

static void apply(apex_race *race, const race_verdict *verdict) {
    RACE_ASSERT_LIVE(&race->field, verdict->slot);
    switch (verdict->kind) {
    case RACE_VERDICT_WARN:
        race_log_add(&race->log, verdict->event, race->field.players[verdict->slot].id,
                     verdict->value, 0);
        break;
    case RACE_VERDICT_RESET:
        race_reset(race, verdict->slot);
        break;
    case RACE_VERDICT_RETIRE:
        race_player_retire(&race->field, verdict->slot, &race->log);
        break;
    case RACE_VERDICT_SOLID:
        race_ghost_set(&race->field, verdict->slot, false);
        break;
    case RACE_VERDICT_CONTACT:
        note_contact(race, verdict);
        break;
    }
}

static void apply_all(apex_race *race, race_verdicts *verdicts) {
    for (uint32_t i = 0; i < verdicts->count; i++) {
        apply(race, &verdicts->all[i]);
    }
    verdicts->count = 0;
}

static race_facts facts_of(const apex_race *race, uint32_t slot, double step_m) {
    return (race_facts){
        .field = &race->field,
        .player = &race->field.players[slot],
        .pose = race_field_pose(&race->field, slot),
        .used = &race->field.used[slot],
        .slot = slot,
        .step_m = step_m,
        .in_lobby = race->event.phase == APEX_PHASE_LOBBY,
    };
}

static void judge_car_events(apex_race *race, race_verdicts *verdicts) {
    size_t count = 0;
    const apex_car_event *events = apex_world_car_events(race->field.world, &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = race_player_slot_of_car(&race->field, events[i].car);
        if (slot == race->field.capacity) {
            continue;
        }
        race_facts facts = facts_of(race, slot, 0.0);
        race_judge_car_event(&facts, &events[i], &race->field.players[slot].watch, verdicts);
        apply_all(race, verdicts);
    }
}

static void judge_contacts(apex_race *race, race_verdicts *verdicts) {
    size_t count = 0;
    const apex_contact_event *contacts = apex_world_contacts(race->field.world, &count);
    for (size_t i = 0; i < count; i++) {
        race_judge_contact(&race->field, &contacts[i], verdicts);
        apply_all(race, verdicts);
    }
}

void race_judge_incidents(apex_race *race) {
    race_verdicts verdicts;
    verdicts.count = 0;
    judge_car_events(race, &verdicts);
    judge_contacts(race, &verdicts);
}

void race_judge_player(apex_race *race, uint32_t slot, double step_m) {
    RACE_ASSERT_LIVE(&race->field, slot);
    APEX_ASSERT(isfinite(step_m));
    race_player *player = &race->field.players[slot];
    race_facts facts = facts_of(race, slot, step_m);
    race_verdicts verdicts;
    verdicts.count = 0;
    bool running = player->state == APEX_STANDING_RUNNING;
    if (running && race->field.open_session) {
        race_judge_session(&facts, &player->watch, &verdicts);
    } else if (running) {
        race_judge_road(&facts, &player->watch, &verdicts);
        race_judge_direction(&facts, &player->watch, &verdicts);
        race_judge_way(&facts, &player->watch, &verdicts);
    }
    apply_all(race, &verdicts);
    if (player->state == APEX_STANDING_RUNNING) {
        race_judge_idle(&facts, &player->watch, &verdicts);
        apply_all(race, &verdicts);
    }
    if (player->ghost) {
        race_judge_ghost(&facts, &verdicts);
        apply_all(race, &verdicts);
        race_ghost_count_down(player);
    }
}
