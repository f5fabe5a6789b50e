// The judging of a tick: facts are found, the rules' judges are asked, and what they say is done.
// That goes player by player, and within one in four steps (home, his way, his hands, his ghost),
// each applied before the next: a car that was put back stands in the way of the next ghost, and a
// player who has retired is not idle. To judge everybody first would be another race.
//
// A new judge (of penalties, flags, pit stops) takes its place in race_judge_player, what it sees
// in facts_of or, of events with rules, in rule_facts.c, and what it may say in apply.
#include "race/judging.h"

#include "race/event/race_clock.h"
#include "race/field/along.h"
#include "race/field/ghost.h"
#include "race/field/grid.h"
#include "race/field/players.h"
#include "race/field/stood.h"
#include "race/field/way_clear.h"
#include "race/flagging.h"
#include "race/judging_penalties.h"
#include "race/pitting.h"
#include "race/rule_facts.h"
#include "race/rules/clear.h"
#include "race/rules/conduct.h"
#include "race/rules/courtesy.h"
#include "race/rules/finish.h"
#include "race/rules/idle.h"
#include "race/rules/off_track.h"
#include "race/rules/stuck.h"
#include "race/rules/watch.h"
#include "race/rules/world_events.h"
#include "race/timing/lap_card.h"

// The lap under way does not count, for one reason more.
static void void_lap(apex_race *race, uint32_t slot, uint32_t bits) {
    const race_player *player = &race->field.players[slot];
    race_card *card = race_field_card(&race->field, player);
    if (card != NULL && player->state == APEX_STANDING_RUNNING &&
        race_lap_card_void(&card->lap, bits)) {
        race_log_add(&race->log, APEX_EVENT_LAP_VOID, player->id, card->lap.voids, 0);
    }
}

void race_reset(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    race_grid_put_back(&race->field, slot);
    void_lap(race, slot, APEX_VOID_RESET);
    if (race->field.cards != NULL) {
        race_conduct_put_back(&race->field.cards[slot].conduct);
    }
    if (player->state == APEX_STANDING_RUNNING) {
        race_ghost_aside(&race->field, slot);
        race_lap_place(&race->timing, &race->field, player);
        race_watch_from_here(player);
        player->tally.resets++;
    } else {
        race_ghost_set(&race->field, slot, true);
        player->s_m = player->safe_s_m;
    }
    race_log_add(&race->log, APEX_EVENT_RESET, player->id, 0, 0);
}

static void note_contact(apex_race *race, const race_verdict *verdict) {
    race_player *player = &race->field.players[verdict->slot];
    apex_player_id other_id = RACE_NOBODY;
    player->tally.contacts += player->state == APEX_STANDING_RUNNING;
    if (verdict->other != RACE_SLOT_NONE) {
        RACE_ASSERT_LIVE(&race->field, verdict->other);
        race_player *other = &race->field.players[verdict->other];
        other_id = other->id;
        other->tally.contacts += other->state == APEX_STANDING_RUNNING;
    }
    race_log_contact(&race->log, player->id, other_id, verdict->value);
}

static void finish(const apex_race *race, race_player *player, int64_t time_us) {
    APEX_ASSERT(player->state == APEX_STANDING_RUNNING && time_us >= 0);
    player->state = APEX_STANDING_FINISHED;
    player->lap.total_us = (uint64_t)time_us;
    if (race->field.session != NULL) {
        player->way_m = race->timing.length_m * player->lap.laps;
    }
}

// The time of the event is by how much, see race_verdict.
static void offend(apex_race *race, const race_verdict *verdict) {
    race_log_add(&race->log, APEX_EVENT_OFFENCE, race->field.players[verdict->slot].id,
                 verdict->offence, (uint64_t)verdict->value);
    race_stewards_offend(race, verdict->slot, verdict->offence);
}

static void note_incident(apex_race *race, const race_verdict *verdict) {
    const race_player *player = &race->field.players[verdict->slot];
    apex_player_id other =
        verdict->other != RACE_SLOT_NONE ? race->field.players[verdict->other].id : RACE_NOBODY;
    race_log_pair(&race->log, APEX_EVENT_INCIDENT, player->id, other, verdict->value);
}

// Verdicts that only rules give.
static void apply_rule(apex_race *race, const race_verdict *verdict) {
    APEX_ASSERT(race->field.cards != NULL);
    race_lap_card *lap = &race->field.cards[verdict->slot].lap;
    switch (verdict->kind) {
    case RACE_VERDICT_OFFENCE:
        offend(race, verdict);
        break;
    case RACE_VERDICT_VOID:
        void_lap(race, verdict->slot, (uint32_t)verdict->value);
        break;
    case RACE_VERDICT_VOID_NEXT:
        lap->next_voids |= (uint32_t)verdict->value;
        break;
    case RACE_VERDICT_INCIDENT:
        note_incident(race, verdict);
        break;
    default:
        APEX_ASSERT(false);
    }
}

static void apply(apex_race *race, const race_verdict *verdict) {
    RACE_ASSERT_LIVE(&race->field, verdict->slot);
    APEX_ASSERT((uint32_t)verdict->kind < RACE_VERDICT_KINDS);
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
    case RACE_VERDICT_FINISH:
        finish(race, &race->field.players[verdict->slot], verdict->value);
        break;
    case RACE_VERDICT_WAIT:
        race->field.players[verdict->slot].state = APEX_STANDING_WAITING;
        break;
    case RACE_VERDICT_GHOST:
        race_ghost_set(&race->field, verdict->slot, true);
        break;
    case RACE_VERDICT_SOLID:
        race_ghost_set(&race->field, verdict->slot, false);
        break;
    case RACE_VERDICT_CONTACT:
        note_contact(race, verdict);
        break;
    case RACE_VERDICT_OFFENCE:
    case RACE_VERDICT_VOID:
    case RACE_VERDICT_VOID_NEXT:
    case RACE_VERDICT_INCIDENT:
        apply_rule(race, verdict);
        break;
    case RACE_VERDICT_KINDS:
        break;
    }
}

void race_apply_verdicts(apex_race *race, race_verdicts *verdicts) {
    APEX_ASSERT(verdicts->count <= RACE_VERDICTS_MAX);
    for (uint32_t i = 0; i < verdicts->count; i++) {
        apply(race, &verdicts->all[i]);
    }
    verdicts->count = 0;
}

// Where a start is judged cars are free to move under the lights.
static bool has_lights_on(const apex_race *race, uint32_t slot) {
    const race_field *field = &race->field;
    return field->rules != NULL && field->rules->start.on &&
           race->event.phase == APEX_PHASE_COUNTDOWN && !race_field_against_clock(field) &&
           !field->cards[slot].watches;
}

// What a judge may know of a player. The two facts that are dear to find are left to find_room.
static race_facts facts_of(const apex_race *race, uint32_t slot, race_advance advance) {
    const race_field *field = &race->field;
    RACE_ASSERT_LIVE(field, slot);
    const apex_car_pose *pose = race_field_pose(field, slot);
    return (race_facts){
        .player = &field->players[slot],
        .pose = pose,
        .used = &field->used[slot],
        .slot = slot,
        .tick_hz = field->tick_hz,
        .stuck_s = field->def->stuck_s,
        .idle_s = field->def->idle_s,
        .reset_wait_s = field->def->reset_wait_s,
        .open_session = field->open_session,
        .has_sessions = field->session != NULL,
        .is_race = !race_field_against_clock(field),
        .rules = field->rules,
        .in_lobby = race->event.phase == APEX_PHASE_LOBBY,
        .lights_on = has_lights_on(race, slot),
        .flag = race_flags_shown(race),
        .race_time_us = race_clock_time_us(&race->event, field, &race->timing),
        .step_m = advance.step_m,
        .is_home = advance.is_home,
        .is_upright = race_stood_is_upright(pose),
    };
}

// A lap that the server drove in part is not a person's.
static void note_hands(apex_race *race, uint32_t slot) {
    const race_player *player = &race->field.players[slot];
    race_card *card = race_field_card(&race->field, player);
    if (card == NULL || player->state != APEX_STANDING_RUNNING) {
        return;
    }
    card->is_person |= !player->driven_by_server;
    if (player->driven_by_server && card->is_person) {
        void_lap(race, slot, APEX_VOID_SERVER);
    }
}

static void find_room(const race_field *field, race_facts *facts) {
    if (race_ghost_is_due(facts)) {
        facts->way_is_clear = !facts->player->aside || race_way_is_clear(field, facts->slot);
        facts->place_is_free = facts->way_is_clear && race_along_is_free(field, facts->slot);
    }
}

static void judge_car_events(apex_race *race, race_verdicts *verdicts) {
    size_t count = 0;
    const apex_car_event *events = apex_world_car_events(race->field.world, &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = race_player_slot_of_car(&race->field, events[i].car);
        if (slot == race->field.capacity) {
            continue;
        }
        race_facts facts = facts_of(race, slot, (race_advance){0});
        race_judge_car_event(&facts, &events[i], &race->field.players[slot].watch, verdicts);
        race_apply_verdicts(race, verdicts);
    }
}

static uint32_t slot_or_none(const race_field *field, apex_car_id car) {
    uint32_t slot = race_player_slot_of_car(field, car);
    return slot < field->capacity ? slot : RACE_SLOT_NONE;
}

// Each of the two as he sees it.
static void judge_touch(apex_race *race, const race_touch *touch, race_verdicts *verdicts) {
    if (race->field.rules == NULL || race->field.open_session) {
        return;
    }
    const uint32_t slots[2] = {touch->slot, touch->other};
    for (uint32_t i = 0; i < 2 && slots[i] != RACE_SLOT_NONE; i++) {
        race_facts facts = facts_of(race, slots[i], (race_advance){0});
        race_find_rule_facts(&race->field, &facts, (race_advance){0});
        race_touch his = {touch->contact, slots[i], slots[1 - i]};
        race_judge_conduct_touch(&facts, &his, &race->field.cards[slots[i]].conduct, verdicts);
        race_apply_verdicts(race, verdicts);
    }
}

static void judge_contacts(apex_race *race, race_verdicts *verdicts) {
    size_t count = 0;
    const apex_contact_event *contacts = apex_world_contacts(race->field.world, &count);
    for (size_t i = 0; i < count; i++) {
        race_touch touch = {.contact = &contacts[i],
                            .slot = slot_or_none(&race->field, contacts[i].car),
                            .other = slot_or_none(&race->field, contacts[i].other)};
        if (touch.slot != RACE_SLOT_NONE) {
            race_judge_contact(&touch, verdicts);
            race_apply_verdicts(race, verdicts);
            judge_touch(race, &touch, verdicts);
        }
    }
}

void race_judge_incidents(apex_race *race) {
    race_verdicts verdicts;
    verdicts.count = 0;
    judge_car_events(race, &verdicts);
    judge_contacts(race, &verdicts);
}

// His way: the judges of whoever races.
static void judge_way(const race_facts *facts, race_watch *watch, race_verdicts *verdicts) {
    if (facts->open_session) {
        race_judge_session(facts, watch, verdicts);
        return;
    }
    race_judge_road(facts, watch, verdicts);
    race_judge_direction(facts, watch, verdicts);
    race_judge_way(facts, watch, verdicts);
}

// Who stands in the pits while all drive against the clock is not idle: nobody has to be out.
static bool may_rest(const race_field *field, const race_player *player) {
    const race_card *card = race_field_card(field, player);
    return card != NULL && card->lap.in_lane && race_field_against_clock(field);
}

// His conduct is judged on the road and, with the lights on, on the grid.
static bool is_judged(const race_facts *facts) {
    return facts->rules != NULL && !facts->open_session &&
           (facts->player->state == APEX_STANDING_RUNNING || facts->lights_on);
}

void race_judge_player(apex_race *race, uint32_t slot, race_advance advance) {
    APEX_ASSERT((uint32_t)race->event.phase <= APEX_PHASE_OVER);
    race_facts facts = facts_of(race, slot, advance);
    race_player *player = &race->field.players[slot];
    race_find_rule_facts(&race->field, &facts, advance);
    if (player->state == APEX_STANDING_RUNNING) {
        race_pits_follow(race, slot, &facts.lane);
    }
    note_hands(race, slot);
    race_verdicts verdicts;
    verdicts.count = 0;
    race_judge_waited(&player->watch);
    race_judge_home(&facts, &verdicts);
    race_apply_verdicts(race, &verdicts);
    if (player->state == APEX_STANDING_RUNNING) {
        judge_way(&facts, &player->watch, &verdicts);
        race_apply_verdicts(race, &verdicts);
    }
    if (facts.rules == NULL && race->field.cards != NULL &&
        player->state == APEX_STANDING_RUNNING) {
        race_judge_courtesy(&facts, &verdicts);
        race_apply_verdicts(race, &verdicts);
    }
    if (is_judged(&facts)) {
        race_judge_conduct(&facts, &race->field.cards[slot].conduct, &verdicts);
        race_apply_verdicts(race, &verdicts);
    }
    if (player->state == APEX_STANDING_RUNNING && !may_rest(&race->field, player)) {
        race_judge_idle(&facts, &player->watch, &verdicts);
        race_apply_verdicts(race, &verdicts);
    }
    if (player->ghost) {
        find_room(&race->field, &facts);
        race_judge_ghost(&facts, &verdicts);
        race_apply_verdicts(race, &verdicts);
        race_ghost_count_down(player);
    }
    race_flags_see(race, &facts);
}

void race_judge_by_flags(apex_race *race) {
    race_verdicts verdicts;
    verdicts.count = 0;
    race_flags_step(race);
    for (uint32_t i = 0; i < race->field.pool.live_count; i++) {
        race_flags_judge(race, race->field.live[i], &verdicts);
        race_apply_verdicts(race, &verdicts);
    }
}

void race_judge_flag(apex_race *race, uint32_t slot) {
    race_lap *lap = &race->field.players[slot].lap;
    lap->total_us = lap->lap_from_us; // it was shown to him at the line
    race_facts facts = facts_of(race, slot, (race_advance){.is_home = true});
    race_verdicts verdicts;
    verdicts.count = 0;
    race_judge_home(&facts, &verdicts);
    race_apply_verdicts(race, &verdicts);
    race_stewards_flag(race, slot);
}

void race_judge_end_of(apex_race *race, uint32_t slot) {
    race_facts facts = facts_of(race, slot, (race_advance){0});
    race_verdicts verdicts;
    verdicts.count = 0;
    if (facts.player->state == APEX_STANDING_RUNNING) {
        race_judge_end(&facts, &verdicts);
        race_apply_verdicts(race, &verdicts);
    }
}
