// The pits in a tick: what is seen of a car there, what that does to it, and what its driver has
// served (DECISIONS 67).
#include "race/pitting.h"

#include "race/event/race_clock.h"
#include "race/field/kept.h"
#include "race/field/players.h"
#include "race/flagging.h"
#include "race/judging_penalties.h"
#include "race/listed.h"
#include "race/pits/pit_boxes.h"
#include "race/pits/pit_sight.h"

#include <math.h>

static uint64_t now_us(const apex_race *race) {
    int64_t us = race_clock_time_us(&race->event, &race->field, &race->timing);
    return us > 0 ? (uint64_t)us : 0;
}

static uint64_t us_of(double seconds) {
    return (uint64_t)(seconds * 1e6 + 0.5);
}

static bool has_to_stand(const race_penalties *his) {
    return race_penalties_open(his, APEX_PENALTY_TIME) != NULL ||
           race_penalties_open(his, APEX_PENALTY_STOP_AND_HOLD) != NULL;
}

static race_pit_orders orders_of(const apex_race *race, uint32_t slot) {
    const race_card *card = &race->field.cards[slot];
    const apex_session_def *session = race->field.session;
    race_pit_need need = race_pit_need_of(&race->field, slot);
    return (race_pit_orders){
        .holds = has_to_stand(&card->penalties),
        .work = race_pit_work_for(&race->def.weekend.pits, &card->pit.plan, &need),
        .window_from_us = session != NULL ? us_of(session->window_from_s) : 0,
        .window_to_us = session != NULL ? us_of(session->window_to_s) : 0,
    };
}

static void tell(apex_race *race, uint32_t slot, apex_pit_phase phase, uint64_t us) {
    race_log_add(&race->log, APEX_EVENT_PIT, race->field.players[slot].id, phase, us);
}

static void serve(apex_race *race, uint32_t slot, const race_pit_event *event) {
    race_card *card = &race->field.cards[slot];
    race_penalty_changes changes = {0};
    race_penalty_hold hold;
    switch (event->kind) {
    case RACE_PIT_STOPPED:
        hold = race_penalties_stop(&card->penalties);
        race_pit_hold(&card->pit, hold.stand_us, hold.no_work);
        tell(race, slot, APEX_PIT_STOPPED, race_pit_stop_takes_us(&card->pit));
        break;
    case RACE_PIT_HELD:
        race_penalties_stood(&card->penalties, &changes);
        break;
    case RACE_PIT_DONE: {
        apex_service service = race_pit_service(&card->pit.job, card->pit.jobs);
        apex_world_service_car(race->field.world, race->field.players[slot].car_id, &service);
        break;
    }
    case RACE_PIT_RELEASED:
        tell(race, slot, APEX_PIT_LEAVING, event->us);
        break;
    default:
        break;
    }
    race_stewards_tell(race, slot, &changes);
}

// Over the lines of the lane. Who came in or went out elsewhere has served nothing by it.
static void cross_lines(apex_race *race, uint32_t slot, const race_pit_events *events) {
    race_penalties *his = &race->field.cards[slot].penalties;
    bool astray = race_pit_has(events, RACE_PIT_ASTRAY);
    race_penalty_changes changes = {0};
    for (uint32_t i = 0; i < events->count; i++) {
        const race_pit_event *event = &events->all[i];
        if (event->kind == RACE_PIT_ENTERED) {
            tell(race, slot, APEX_PIT_LANE, 0);
            if (!astray) {
                race_penalties_enter_lane(his, event->us, race_flags_neutral(race));
            }
        } else if (event->kind == RACE_PIT_LEFT) {
            tell(race, slot, APEX_PIT_ROAD, event->us);
            if (!astray) {
                race_penalties_leave_lane(his, &changes);
            }
        }
    }
    race_stewards_tell(race, slot, &changes);
}

static void put_down(apex_race *race, uint32_t slot, const apex_track_pits *pits) {
    race_card *card = &race->field.cards[slot];
    const apex_track_place *place = &race->field.places[slot];
    race_pit_place(&card->pit, race_pit_holds(race->field.track, pits, place),
                   race_pit_since_m(race->field.track, pits, place->s_m));
    card->put = false;
}

static race_lane_facts facts_of(const race_field *field, uint32_t slot, const race_pit_sight *sight,
                                const race_pit_events *events) {
    race_lane_facts lane = {
        .inside = race_pit_is_inside(&field->cards[slot].pit),
        .entered = race_pit_has(events, RACE_PIT_ENTERED),
        .left = race_pit_has(events, RACE_PIT_LEFT),
        .released = race_pit_has(events, RACE_PIT_RELEASED),
        .behind_m = (double)INFINITY,
        .over_exit_line = sight->over_m > 0.0,
    };
    if (lane.released) {
        race_pit_follower follower = race_pit_behind(field, field->cards, slot);
        lane.behind_m = follower.behind_m;
        lane.behind_mps = follower.speed_mps;
    }
    return lane;
}

void race_pits_follow(apex_race *race, uint32_t slot, race_lane_facts *lane) {
    race_field *field = &race->field;
    apex_track_pits pits = apex_track_pits_of(field->track);
    *lane = (race_lane_facts){.behind_m = (double)INFINITY};
    if (field->cards == NULL || !pits.exists || field->open_session) {
        return;
    }
    race_card *card = &field->cards[slot];
    if (card->put) {
        put_down(race, slot, &pits);
    }
    race_pit_sight sight = race_pit_see(field, &pits, field->cards, slot, now_us(race));
    race_pit_orders orders = {0};
    if (race_pit_is_inside(&card->pit)) {
        orders = orders_of(race, slot);
    }
    race_pit_events events;
    race_pit_step(&card->pit, &pits, &sight, &orders, &events);
    for (uint32_t i = 0; i < events.count; i++) {
        serve(race, slot, &events.all[i]);
    }
    cross_lines(race, slot, &events);
    *lane = facts_of(field, slot, &sight, &events);
    lane->limit_mps = pits.speed_limit_mps;
    card->lap.in_lane = lane->inside;
}

static const char *team_of(const apex_race *race, const char *name) {
    const apex_race_entry_def *entry = race_entry_named(&race->def.weekend.entries, name);
    return entry != NULL ? entry->team : NULL;
}

// All of the book have a box, also those who have left.
static uint32_t list_holders(const apex_race *race, race_box_holder out[]) {
    const race_book *book = &race->event.weekend->book;
    APEX_ASSERT(book->competitors != NULL && book->count <= book->capacity);
    for (uint32_t i = 0; i < book->count; i++) {
        const race_competitor *one = &book->competitors[i];
        out[i] = (race_box_holder){one->box1, team_of(race, one->name)};
    }
    return book->count;
}

void race_pits_enter(apex_race *race, uint32_t slot) {
    apex_track_pits pits = apex_track_pits_of(race->field.track);
    if (race->event.weekend == NULL || !pits.exists) {
        return;
    }
    race_card *card = &race->field.cards[slot];
    race_competitor *one = card->competitor1 > 0
                               ? &race->event.weekend->book.competitors[card->competitor1 - 1]
                               : NULL;
    uint32_t box1 = one != NULL ? one->box1 : 0;
    if (box1 == 0) {
        const char *name = race->field.players[slot].name;
        uint32_t count = list_holders(race, race->box_holders);
        box1 = race_box_choose(pits.box_count, race->box_holders, count,
                               race->def.weekend.pits.by_team ? team_of(race, name) : NULL);
    }
    card->pit.box1 = box1;
    if (one != NULL) {
        one->box1 = box1;
    }
}

apex_err race_pits_plan(apex_race *race, const apex_race_command *command) {
    uint32_t slot = race_player_slot(&race->field, command->player);
    if (race->field.cards == NULL || !apex_track_pits_of(race->field.track).exists) {
        return APEX_ERR_UNSUPPORTED;
    }
    if (slot == race->field.capacity) {
        return APEX_ERR_NOT_FOUND;
    }
    if (!race_pit_plan_is_sane(&command->plan)) {
        return APEX_ERR_RANGE;
    }
    race->field.cards[slot].pit.plan = command->plan;
    return APEX_OK;
}

apex_pit_state race_pits_told(const apex_race *race, uint32_t entry) {
    const race_card *card = race_kept_card(&race->field, entry);
    if (card == NULL || entry >= race->field.capacity) {
        return (apex_pit_state){0};
    }
    race_pit_need need = race_pit_need_of(&race->field, entry);
    race_pit_work work = race_pit_work_for(&race->def.weekend.pits, &card->pit.plan, &need);
    return race_pit_tell(&card->pit, work.all_us, now_us(race), race->field.tick_hz);
}
