// What the cars that were at the line in a tick come to, in a session. They are looked at in the
// order of their times, whatever slots they have: a lapped car that was there a moment before the
// winner has a lap to go.
#include "race/crossings.h"

#include "race/driver_orders.h"
#include "race/event/phase.h"
#include "race/event/race_clock.h"
#include "race/event/race_session.h"
#include "race/field/sorting.h"
#include "race/judging.h"
#include "race/judging_penalties.h"

static bool crossed_before(const race_field *field, uint32_t a, uint32_t b) {
    uint64_t a_us = field->cards[a].lap.line_us, b_us = field->cards[b].lap.line_us;
    if (a_us != b_us) {
        return a_us < b_us;
    }
    uint32_t a_laps = field->players[a].lap.laps, b_laps = field->players[b].lap.laps;
    return a_laps != b_laps ? a_laps > b_laps : a < b;
}

static void take_flag(apex_race *race, uint32_t slot) {
    if (race->field.players[slot].state == APEX_STANDING_RUNNING) {
        race->field.cards[slot].lap.flagged = true;
        race_judge_flag(race, slot);
    }
}

static void tell_of_flag(apex_race *race) {
    race_session_settle(&race->event, &race->field, &race->timing);
    race_log_add(&race->log, APEX_EVENT_CHEQUERED, RACE_NOBODY, 0,
                 race->event.weekend->chequered.out_us);
}

void race_settle_crossings(apex_race *race) {
    race_timing *timing = &race->timing;
    if (race->event.weekend == NULL || !race_phase_is_running(race->event.phase)) {
        return;
    }
    race_chequered *flag = &race->event.weekend->chequered;
    race_ending ending = race_session_ending(&race->event, &race->field);
    bool was_out = flag->out;
    race_sort(&(race_sorting){&race->field, crossed_before, timing->crossed, race->field.scratch,
                              timing->crossed_count});
    for (uint32_t i = 0; i < timing->crossed_count; i++) {
        uint32_t slot = timing->crossed[i];
        if (race_chequered_cross(flag, &ending, race->field.players[slot].lap.laps,
                                 race->field.cards[slot].lap.line_us)) {
            take_flag(race, slot);
        } else if (race->field.players[slot].state == APEX_STANDING_RUNNING) {
            race_stewards_line(race, slot);
            race_plan_stop(race, slot);
        }
    }
    timing->crossed_count = 0;
    race_chequered_clock(flag, &ending,
                         (uint64_t)race_clock_time_us(&race->event, &race->field, timing));
    if (flag->out && !was_out) {
        tell_of_flag(race);
    }
}

// Those who have been at the line since the lead was taken have ended there.
apex_err race_end_session(apex_race *race) {
    apex_err err = race_session_call(&race->event, &race->field, &race->timing);
    if (err != APEX_OK) {
        return err;
    }
    race_log_begin(&race->log);
    tell_of_flag(race);
    const race_chequered *flag = &race->event.weekend->chequered;
    bool is_race = race_session_ending(&race->event, &race->field).is_race;
    for (uint32_t i = 0; i < race->field.pool.live_count && is_race; i++) {
        uint32_t slot = race->field.live[i];
        const race_player *player = &race->field.players[slot];
        if (player->lap.laps > 0 && race->field.cards[slot].lap.line_us >= flag->out_us) {
            take_flag(race, slot);
        }
    }
    return APEX_OK;
}
