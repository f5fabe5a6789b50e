// The stewards: what offences bring, what becomes of it at the line, and what stewards order.
#include "race/judging_penalties.h"

#include "race/event/phase.h"
#include "race/event/race_clock.h"
#include "race/event/race_session.h"
#include "race/field/kept.h"
#include "race/field/players.h"
#include "race/flagging.h"
#include "race/timing/lap_card.h"
#include "race/timing/order.h"
#include "race/timing/session_result.h"

#include "base/assert.h"

static uint32_t laps_left(const apex_race *race) {
    const race_weekend *weekend = race->event.weekend;
    if (weekend == NULL) {
        return RACE_LAPS_LEFT_UNKNOWN;
    }
    const race_chequered *flag = &weekend->chequered;
    uint32_t laps = flag->target > 0 ? flag->target : race->field.session->laps;
    if (flag->out) {
        return 0;
    }
    return laps > flag->lead_laps ? laps - flag->lead_laps : RACE_LAPS_LEFT_UNKNOWN;
}

race_penalty_moment race_stewards_moment(apex_race *race, uint32_t entry) {
    const race_player *line = race_kept_line(&race->field, entry);
    int64_t now_us = race_clock_time_us(&race->event, &race->field, &race->timing);
    return (race_penalty_moment){
        .def = &race->def.weekend.rules.penalties,
        .numbers = &race->event.weekend->penalty_numbers,
        .time_us = now_us > 0 ? (uint64_t)now_us : 0,
        .lap = line->lap.laps + 1,
        .laps_left = laps_left(race),
        .is_race = !race_field_against_clock(&race->field),
        .is_over = race_player_is_done(line) || race->event.phase >= APEX_PHASE_RESULTS,
    };
}

// A lap that a penalty takes away does not count, be it under way or done.
static void delete_lap(apex_race *race, uint32_t entry, const apex_penalty *penalty) {
    race_card *card = race_kept_card(&race->field, entry);
    const race_player *line = race_kept_line(&race->field, entry);
    bool counts = penalty->state == APEX_PENALTY_CANCELLED;
    if (penalty->lap == line->lap.laps + 1) {
        card->lap.voids = counts ? card->lap.voids & ~(uint32_t)APEX_VOID_DELETED
                                 : card->lap.voids | APEX_VOID_DELETED;
    } else {
        race_lap_card_delete(&card->lap, penalty->lap, !counts);
    }
    race_log_add(&race->log, APEX_EVENT_LAP_VOID, line->id, card->lap.voids, 0);
}

void race_stewards_tell(apex_race *race, uint32_t entry, const race_penalty_changes *changes) {
    const race_player *line = race_kept_line(&race->field, entry);
    for (uint32_t i = 0; i < changes->count; i++) {
        const apex_penalty *penalty = &changes->all[i];
        race_log_add(&race->log, APEX_EVENT_PENALTY, line->id, penalty->number, 0);
        if (penalty->kind == APEX_PENALTY_LAP_DELETED) {
            delete_lap(race, entry, penalty);
        } else if (penalty->kind == APEX_PENALTY_DISQUALIFIED &&
                   line->state == APEX_STANDING_RUNNING) {
            race_player_retire(&race->field, entry, &race->log);
        }
    }
}

static race_penalties *penalties_of(apex_race *race, uint32_t entry) {
    race_card *card = race_kept_card(&race->field, entry);
    APEX_ASSERT(card != NULL);
    return &card->penalties;
}

void race_stewards_offend(apex_race *race, uint32_t slot, apex_offence offence) {
    race_penalty_changes changes = {0};
    race_penalty_moment at = race_stewards_moment(race, slot);
    race_penalties_offend(penalties_of(race, slot), &at, offence, &changes);
    race_stewards_tell(race, slot, &changes);
}

void race_stewards_line(apex_race *race, uint32_t slot) {
    race_penalty_changes changes = {0};
    race_penalty_moment at = race_stewards_moment(race, slot);
    const race_card *card = &race->field.cards[slot];
    bool spared = card->lap.in_lane || race_flags_neutral(race);
    race_penalties_cross(penalties_of(race, slot), &at, spared, &changes);
    race_stewards_tell(race, slot, &changes);
}

// He may not have stopped as often as he had to.
static void judge_stops(apex_race *race, uint32_t slot) {
    const apex_session_def *session = race->field.session;
    const race_card *card = &race->field.cards[slot];
    if (session != NULL && card->pit.stops_counted < session->stops_min) {
        race_log_add(&race->log, APEX_EVENT_OFFENCE, race->field.players[slot].id,
                     APEX_OFFENCE_STOPS_MISSING, session->stops_min - card->pit.stops_counted);
        race_stewards_offend(race, slot, APEX_OFFENCE_STOPS_MISSING);
    }
}

void race_stewards_flag(apex_race *race, uint32_t slot) {
    judge_stops(race, slot);
    race_penalty_changes changes = {0};
    race_penalty_moment at = race_stewards_moment(race, slot);
    race_penalties_flag(penalties_of(race, slot), &at, &changes);
    race_stewards_tell(race, slot, &changes);
}

// What was given after the flag is right in the results.
static void renew_order(apex_race *race) {
    if (race->event.phase == APEX_PHASE_RESULTS && race->event.weekend != NULL) {
        race_results_make(&race->timing, &race->field);
        race_session_note(&race->event, &race->field, &race->timing);
    }
    race_order_update(&race->timing, &race->field);
}

static apex_err find(apex_race *race, apex_player_id player, uint32_t *entry) {
    if (race->field.cards == NULL) {
        return APEX_ERR_UNSUPPORTED;
    }
    return race_kept_find(&race->field, player, entry) ? APEX_OK : APEX_ERR_NOT_FOUND;
}

apex_err race_stewards_order(apex_race *race, const apex_race_command *command) {
    uint32_t entry;
    apex_err err = find(race, command->player, &entry);
    if (err != APEX_OK) {
        return err;
    }
    race_log_begin(&race->log);
    race_penalty_changes changes = {0};
    race_penalty_moment at = race_stewards_moment(race, entry);
    err = race_penalties_order(penalties_of(race, entry), &at, &command->penalty, &changes);
    race_stewards_tell(race, entry, &changes);
    renew_order(race);
    return err;
}

apex_err race_stewards_pardon(apex_race *race, const apex_race_command *command) {
    uint32_t entry;
    apex_err err = find(race, command->player, &entry);
    if (err != APEX_OK) {
        return err;
    }
    race_log_begin(&race->log);
    race_penalty_changes changes = {0};
    err = race_penalties_cancel(penalties_of(race, entry), command->penalty.number, &changes);
    race_stewards_tell(race, entry, &changes);
    renew_order(race);
    return err;
}
