// The session of an event that is on: which it is, how it begins and when it is over.
#include "race/event/race_session.h"

#include "race/event/grid_order.h"
#include "race/event/race_clock.h"
#include "race/field/kept.h"
#include "race/timing/points.h"

#include "base/assert.h"

#include <string.h>

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

// Those take part in it whom a feed takes, and the rest if it takes them.
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

static race_outcome outcome_of(const race_timing *timing, const race_result_line *line,
                               uint32_t place) {
    const race_result_facts *facts = &timing->facts[line->who];
    return (race_outcome){
        .place = place,
        .class_place = line->class_position,
        .laps = facts->laps,
        .best_us = facts->best_us,
        .best_set_us = facts->best_set_us,
        .total_us = facts->ends_us[0],
        .penalty_us = facts->penalty_us,
        .status = line->status,
        .left_pits = facts->left_pits,
        .began_lap = facts->began_lap,
    };
}

// The lines were made of the order as it was before it became the result's.
void race_session_note(race_event *event, const race_field *field, const race_timing *timing) {
    if (event->weekend == NULL) {
        return;
    }
    uint32_t index = race_session_index(event, field);
    uint32_t *parts = field->scratch;
    uint32_t count = timing->line_count;
    memset(parts, 0, count * sizeof *parts);
    if (field->session->kind == APEX_SESSION_RACE) {
        race_score(timing->facts, timing->lines, count, field->session, parts);
    }
    race_book_clear_session(&event->weekend->book, index);
    for (uint32_t i = 0; i < count; i++) {
        const race_result_line *line = &timing->lines[i];
        if (line->status == APEX_RESULT_NOT_STARTED && !timing->facts[line->who].started) {
            continue;
        }
        race_outcome outcome = outcome_of(timing, line, i + 1);
        outcome.points = parts[line->who];
        race_book_note(&event->weekend->book, timing->facts[line->who].competitor1, index,
                       &outcome);
    }
}

// What he did before, as his grid is made of it.
static race_candidate candidate_of(const race_event *event, const race_field *field,
                                   uint32_t slot) {
    const race_card *card = &field->cards[slot];
    const race_book *book = &event->weekend->book;
    race_candidate one = {
        .points = race_book_points(book, card->competitor1),
        .class1 = card->class1,
        .entry = card->grid,
        .arrival = field->players[slot].join_number,
        .drop = field->session->kind == APEX_SESSION_RACE ? card->penalties.grid_drop : 0,
    };
    for (uint32_t i = 0; i < field->def->weekend.session_count; i++) {
        const race_outcome *did = race_book_outcome(book, card->competitor1, i);
        if (did == NULL || did->place == 0) {
            continue;
        }
        bool is_race = field->def->weekend.sessions[i].kind == APEX_SESSION_RACE;
        one.outcomes[i] = (race_grid_outcome){
            .place = did->place,
            .class_place = did->class_place,
            .timed = is_race ? did->laps > 0 : did->best_us > 0,
            .best_us = did->best_us,
        };
    }
    return one;
}

// The order of the starters becomes that of their boxes; the others watch, behind them.
bool race_session_line_up(race_event *event, race_field *field) {
    race_weekend *weekend = event->weekend;
    if (weekend == NULL) {
        return false;
    }
    uint32_t count = field->pool.live_count;
    bool has_order = field->session->feed_count > 0 || race_session_index(event, field) > 0;
    for (uint32_t i = 0; i < count; i++) {
        weekend->candidates[i] = candidate_of(event, field, field->live[i]);
        has_order |= weekend->candidates[i].entry > 0;
    }
    if (!has_order) { // the race before, or as they came
        return false;
    }
    uint32_t *order = weekend->grid_scratch + 3 * (size_t)field->capacity;
    race_grid_making making = {
        .weekend = &field->def->weekend,
        .session = race_session_index(event, field),
        .seed = apex_race_seed_of(field->def->world.seed, event->race_number),
        .candidates = weekend->candidates,
        .count = count,
        .scratch = weekend->grid_scratch,
    };
    uint32_t starters = race_grid_order(&making, order);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = field->live[order[i]];
        field->players[slot].grid = i + 1;
        field->cards[slot].watches = i >= starters;
        if (field->session->kind == APEX_SESSION_RACE) {
            race_penalties_take_drop(&field->cards[slot].penalties);
        }
    }
    return true;
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
