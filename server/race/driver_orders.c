// What the rules ask of the server's drivers. A driver sees flags and penalties as a person would
// on his dash, and decides on stops once a lap.
#include "race/driver_orders.h"

#include "race/event/race_clock.h"
#include "race/flagging.h"

#include "base/assert.h"

// Without fuel for so many laps more he comes in, and so he does with a zone as damaged as this.
static const double FUEL_LAPS = 1.5;
static const double DAMAGE = 0.5;

static const double YELLOW_SEEN_M = 60.0; // before the stretch it is in
static const double YELLOW_PACE = 0.85, DOUBLE_PACE = 0.6;
static const double RED_MPS = 20.0;

static bool has_open(const race_penalties *his, apex_penalty_kind kind) {
    return race_penalties_open(his, kind) != NULL;
}

// A plan, or a stop-and-hold, is for the box; a drive-through is not. Seconds wait for a stop.
static void order_pits(const race_card *card, apex_driver_orders *orders) {
    bool stands = has_open(&card->penalties, APEX_PENALTY_STOP_AND_HOLD);
    bool through = has_open(&card->penalties, APEX_PENALTY_DRIVE_THROUGH);
    bool is_served = card->pit.done || card->pit.jobs == 0;
    bool stops = stands || (card->pit.plan.stop && !through) ||
                 (card->pit.phase == APEX_PIT_STOPPED && !is_served);
    race_pit_order_driver(&card->pit, stops || through, stops, orders);
}

// Yellow is slowed down for where it is seen from; under red all go to their boxes, and stand.
static void order_flags(apex_race *race, uint32_t slot, apex_driver_orders *orders) {
    const race_control *control = race_flags_of(race);
    if (control == NULL) {
        return;
    }
    race_flags_seen seen = race_control_seen(control, &race->field, slot);
    bool yellow_ahead = seen.yellow_next > 0 && seen.next_m < YELLOW_SEEN_M;
    orders->no_passing = !seen.may_pass || yellow_ahead;
    orders->gives_way = seen.blue == 2;
    orders->limit_mps = seen.limit_mps;
    if (seen.yellow > 0 || yellow_ahead) {
        orders->pace_share = seen.yellow > 1 || seen.yellow_next > 1 ? DOUBLE_PACE : YELLOW_PACE;
    }
    if (seen.flag == APEX_FLAG_RED) {
        orders->limit_mps = RED_MPS;
        orders->pits = apex_track_pits_of(race->field.track).exists;
        orders->box1 = race->field.cards[slot].pit.box1;
        orders->released = false;
    }
}

void race_order_drivers(apex_race *race) {
    race_field *field = &race->field;
    if (field->orders == NULL) {
        return;
    }
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        uint32_t slot = field->live[i];
        field->orders[slot] = (apex_driver_orders){0};
        if (field->players[slot].driven_by_server && !field->open_session) {
            order_pits(&field->cards[slot], &field->orders[slot]);
            order_flags(race, slot, &field->orders[slot]);
        }
    }
}

static double used_kg_a_lap(const apex_car_state *car, const apex_car_def *def,
                            const race_player *player) {
    double used_kg = def->fuel_kg_max - car->fuel_kg;
    return player->lap.laps > 0 && used_kg > 0.0 ? used_kg / player->lap.laps : 0.0;
}

static bool is_damaged(const apex_car_state *car) {
    for (uint32_t i = 0; i < APEX_ZONE_COUNT; i++) {
        if (car->damage[i] >= DAMAGE) {
            return true;
        }
    }
    return false;
}

// Mandatory stops are spread over their window by the number of the car's box, so that not
// everybody comes in at once.
static bool owes_stop(const apex_race *race, const race_card *card, uint64_t now_us) {
    const apex_session_def *session = race->field.session;
    if (session == NULL || card->pit.stops_counted >= session->stops_min) {
        return false;
    }
    double to_s = session->window_to_s > 0.0 ? session->window_to_s : session->duration_s;
    double span_s = to_s > session->window_from_s ? 0.6 * (to_s - session->window_from_s) : 0.0;
    double share = (double)(card->pit.box1 % 8) / 8.0;
    double due_s = session->window_from_s + share * span_s;
    return (double)now_us >= due_s * 1e6;
}

void race_plan_stop(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    race_card *card = &race->field.cards[slot];
    bool decides = player->driven_by_server && !card->is_person &&
                   player->state == APEX_STANDING_RUNNING && !card->pit.plan.stop &&
                   !race_field_against_clock(&race->field) &&
                   apex_track_pits_of(race->field.track).exists;
    apex_car_state car;
    if (!decides || !apex_world_get_car(race->field.world, player->car_id, &car)) {
        return;
    }
    const apex_car_def *def = &race->field.cars[player->car];
    int64_t us = race_clock_time_us(&race->event, &race->field, &race->timing);
    bool burns = race->def.world.fuel_burns;
    bool needs_fuel = burns && car.fuel_kg < FUEL_LAPS * used_kg_a_lap(&car, def, player);
    if (needs_fuel || is_damaged(&car) || owes_stop(race, card, us > 0 ? (uint64_t)us : 0)) {
        card->pit.plan = (apex_pit_plan){
            .stop = true,
            .fuel_kg = burns ? def->fuel_kg_max : 0.0,
            .tyres = true,
            .repair = true,
        };
    }
}
