// The session of an event that is on: which it is, how it begins and when it is over.
#include "race/event/race_session.h"

#include "race/event/race_clock.h"
#include "race/field/kept.h"
#include "race/timing/order_sessions.h"

#include "base/assert.h"

static const double EXTEND_S_MIN = 1.0, EXTEND_S_MAX = 86400.0;
static const double STANDS_MPS = 2.2; // a lap of a car as slow as this holds nobody up

static uint64_t us_of(double seconds) {
    return (uint64_t)(seconds * 1e6 + 0.5);
}

uint32_t race_session_index(const race_event *event, const race_field *field) {
    APEX_ASSERT(event->weekend != NULL && event->race_number >= 1);
    return (event->race_number - 1) % field->def->weekend.session_count;
}

uint32_t race_session_laps(const race_field *field, uint32_t race_number) {
    const apex_weekend_def *weekend = &field->def->weekend;
    APEX_ASSERT(race_number >= 1 && weekend->session_count > 0);
    const apex_session_def *session =
        &weekend->sessions[(race_number - 1) % weekend->session_count];
    if (!apex_track_closed(field->track)) {
        return 1;
    }
    return session->kind == APEX_SESSION_RACE && session->laps > 0 ? session->laps
                                                                   : APEX_RACE_LAPS_MAX;
}

race_ending race_session_ending(const race_event *event, const race_field *field) {
    const apex_session_def *session = field->session;
    APEX_ASSERT(session != NULL);
    bool is_race = session->kind == APEX_SESSION_RACE && !field->open_session;
    return (race_ending){
        .is_race = is_race,
        .laps = race_session_laps(field, event->race_number),
        .duration_us = event->weekend->duration_us,
        .overtime_us = is_race || field->open_session ? 0 : us_of(session->overtime_s),
        .extra_lap = session->extra_lap,
    };
}

static race_deadline deadline_of(const race_chequered *flag, const race_ending *ending) {
    uint64_t end_us = flag->out ? flag->out_us : ending->duration_us;
    if (ending->is_race || (!flag->out && end_us == 0)) {
        return (race_deadline){UINT64_MAX, UINT64_MAX};
    }
    return (race_deadline){end_us, end_us + ending->overtime_us};
}

void race_session_settle(const race_event *event, race_field *field, race_timing *timing) {
    if (event->weekend == NULL) {
        return;
    }
    field->session = &field->def->weekend.sessions[race_session_index(event, field)];
    race_ending ending = race_session_ending(event, field);
    timing->laps = field->open_session ? 0 : ending.laps;
    timing->deadline = deadline_of(&event->weekend->chequered, &ending);
    timing->is_result = event->phase >= APEX_PHASE_RESULTS;
}

// Who takes part in it: those whom a feed takes, and the rest if it takes them.
static bool is_taken(const race_event *event, const race_field *field, uint32_t competitor1) {
    const apex_session_def *session = field->session;
    for (uint32_t i = 0; i < session->feed_count; i++) {
        const apex_session_feed *feed = &session->feeds[i];
        const race_outcome *outcome =
            race_book_outcome(&event->weekend->book, competitor1, feed->session);
        uint32_t last = feed->to > 0 ? feed->to : UINT32_MAX;
        bool in_it = feed->session == APEX_SESSION_NONE ||
                     (outcome != NULL && outcome->place > 0 && outcome->place >= feed->from &&
                      outcome->place <= last);
        if (in_it) {
            return true;
        }
    }
    return session->feed_count == 0 || session->takes_rest;
}

bool race_session_takes(const race_event *event, const race_field *field, uint32_t slot) {
    return event->weekend == NULL || is_taken(event, field, field->cards[slot].competitor1);
}

// The place in the session before, also of one who left since and came back.
static uint32_t place_before(const race_event *event, const race_field *field,
                             uint32_t competitor1) {
    uint32_t index = race_session_index(event, field);
    const race_outcome *outcome =
        index > 0 ? race_book_outcome(&event->weekend->book, competitor1, index - 1) : NULL;
    return outcome != NULL ? outcome->place : 0;
}

void race_session_begin(race_event *event, race_field *field, race_timing *timing, race_log *log) {
    if (event->weekend == NULL) {
        return;
    }
    race_weekend *weekend = event->weekend;
    uint32_t index = race_session_index(event, field);
    race_book_clear_session(&weekend->book, index);
    weekend->chequered = (race_chequered){0};
    weekend->duration_us = us_of(field->def->weekend.sessions[index].duration_s);
    race_session_settle(event, field, timing);
    timing->is_result = false;
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        uint32_t slot = field->live[i];
        race_card *card = &field->cards[slot];
        race_card_forget(card);
        card->watches = !race_session_takes(event, field, slot);
        if (index > 0) {
            field->players[slot].last_position = place_before(event, field, card->competitor1);
        }
    }
    race_log_add(log, APEX_EVENT_SESSION, RACE_NOBODY, index, 0);
}

static bool is_on_its_way(const race_field *field, uint32_t slot) {
    const double *v = race_field_pose(field, slot)->velocity_mps;
    return v[0] * v[0] + v[1] * v[1] >= STANDS_MPS * STANDS_MPS;
}

// A lap under way that may still count holds a session against the clock.
static bool is_held(const race_event *event, const race_field *field, uint64_t now_us) {
    race_ending ending = race_session_ending(event, field);
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        uint32_t slot = field->live[i];
        const race_player *player = &field->players[slot];
        bool may_count = player->state == APEX_STANDING_RUNNING && player->lap.gates_passed > 0 &&
                         field->cards[slot].lap.voids == 0 && is_on_its_way(field, slot);
        if (may_count && race_chequered_in_time(&ending, &event->weekend->chequered,
                                                player->lap.lap_from_us, now_us)) {
            return true;
        }
    }
    return false;
}

bool race_session_is_over(const race_event *event, const race_field *field,
                          const race_timing *timing) {
    if (event->weekend == NULL || !event->weekend->chequered.out) {
        return false;
    }
    if (race_session_ending(event, field).is_race) {
        return race_clock_ticks_in_phase(event, field) >=
                   race_field_ticks(field, field->session->finish_wait_s) &&
               event->phase == APEX_PHASE_FINISH;
    }
    return !is_held(event, field, (uint64_t)race_clock_time_us(event, field, timing));
}

static race_outcome outcome_of(const race_field *field, uint32_t entry, uint32_t place) {
    const race_player *line = race_kept_line(field, entry);
    const race_card *card = race_kept_card(field, entry);
    return (race_outcome){
        .place = place,
        .laps = line->lap.laps,
        .best_us = card->lap.best_us,
        .best_set_us = card->lap.best_set_us,
        .total_us = line->lap.laps > 0 ? line->lap.lap_from_us : 0,
        .penalty_us = race_added_us(card),
        .status = card->penalties.disqualified ? APEX_RESULT_DISQUALIFIED : APEX_RESULT_CLASSIFIED,
        .left_pits = line->lap.gates_passed > 0 || !card->lap.in_lane,
        .began_lap = line->lap.gates_passed > 0,
    };
}

// @return the entry with the best lap of all; UINT32_MAX where nobody has one.
static uint32_t fastest(const race_field *field, const race_timing *timing) {
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < timing->order_count; i++) {
        uint32_t entry = timing->order[i];
        const race_lap_card *lap = &race_kept_card(field, entry)->lap;
        if (lap->best_us == 0) {
            continue;
        }
        const race_lap_card *than = best != UINT32_MAX ? &race_kept_card(field, best)->lap : NULL;
        if (than == NULL || lap->best_us < than->best_us ||
            (lap->best_us == than->best_us && lap->best_set_us < than->best_set_us)) {
            best = entry;
        }
    }
    return best;
}

void race_session_note(race_event *event, const race_field *field, const race_timing *timing) {
    if (event->weekend == NULL) {
        return;
    }
    const apex_session_def *session = field->session;
    uint32_t index = race_session_index(event, field);
    uint32_t best = session->kind == APEX_SESSION_RACE ? fastest(field, timing) : UINT32_MAX;
    uint32_t place = 0;
    race_book_clear_session(&event->weekend->book, index);
    for (uint32_t i = 0; i < timing->order_count; i++) {
        uint32_t entry = timing->order[i];
        if (!race_kept_line(field, entry)->started) {
            continue;
        }
        race_outcome outcome = outcome_of(field, entry, ++place);
        bool scores = outcome.status == APEX_RESULT_CLASSIFIED;
        outcome.points = scores && place <= session->points_count ? session->points[place - 1] : 0;
        outcome.points += scores && entry == best ? session->best_lap_points : 0;
        race_book_note(&event->weekend->book, race_kept_card(field, entry)->competitor1, index,
                       &outcome);
    }
}

apex_err race_session_extend(race_event *event, race_field *field, race_timing *timing,
                             double seconds) {
    race_weekend *weekend = event->weekend;
    if (weekend == NULL || event->phase != APEX_PHASE_RACE || weekend->chequered.out ||
        weekend->chequered.target != 0 || weekend->duration_us == 0) {
        return APEX_ERR_STATE;
    }
    if (!(seconds >= EXTEND_S_MIN && seconds <= EXTEND_S_MAX)) {
        return APEX_ERR_RANGE;
    }
    weekend->duration_us += us_of(seconds);
    race_session_settle(event, field, timing);
    return APEX_OK;
}

apex_err race_session_call(race_event *event, race_field *field, race_timing *timing) {
    if (event->weekend == NULL || event->phase != APEX_PHASE_RACE ||
        event->weekend->chequered.out) {
        return APEX_ERR_STATE;
    }
    race_ending ending = race_session_ending(event, field);
    race_chequered_call(&event->weekend->chequered, &ending,
                        (uint64_t)race_clock_time_us(event, field, timing));
    race_session_settle(event, field, timing);
    return APEX_OK;
}
