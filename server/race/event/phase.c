// Lobby, grid, countdown, race, finish, results, and again or over. A phase ends where its own
// function below says so; nothing else changes the phase but the commands at the end.
#include "race/event/phase.h"

#include "race/event/race_clock.h"
#include "race/event/race_session.h"
#include "race/field/ghost.h"
#include "race/field/grid.h"
#include "race/field/kept.h"
#include "race/rules/watch.h"
#include "race/timing/lap.h"
#include "race/timing/order.h"
#include "race/timing/session_result.h"

#include "base/assert.h"

static const double GRID_S = 1.0; // cars settle, and clients see the grid

static void assert_parts(const race_event *event, const race_field *field) {
    APEX_ASSERT((uint32_t)event->phase <= APEX_PHASE_OVER);
    APEX_ASSERT(field->pool.live_count <= field->capacity);
}

static void enter(race_event *event, const race_field *field, race_log *log,
                  apex_race_phase phase) {
    APEX_ASSERT((uint32_t)phase <= APEX_PHASE_OVER);
    event->phase = phase;
    event->phase_tick = apex_world_tick(field->world);
    race_log_add(log, APEX_EVENT_PHASE, RACE_NOBODY, phase, 0);
}

static void enter_lobby(race_event *event, race_field *field, race_timing *timing, race_log *log) {
    event->lobby_tick = apex_world_tick(field->world);
    field->counts.grid = 0;
    race_kept_clear(field); // players who left the last race have no part in the next
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        race_player *player = &field->players[field->live[i]];
        player->state = APEX_STANDING_WAITING;
        player->ghost_ticks = 0; // solid as soon as nobody is inside it
        player->aside = false;
        race_grid_hold(field, field->live[i], false);
    }
    enter(event, field, log, APEX_PHASE_LOBBY);
    race_session_settle(event, field, timing);
}

static void form_grid(race_event *event, race_field *field, race_timing *timing, race_log *log,
                      bool same_order) {
    race_kept_clear(field);
    race_lap_forget_records(timing);
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        race_player *player = &field->players[field->live[i]];
        race_lap_forget(&player->lap);
        race_watch_forget(&player->watch);
        player->tally = (race_tally){0};
        player->started = false;
    }
    race_session_begin(event, field, timing, log);
    bool has_order = !same_order && race_session_line_up(event, field);
    race_grid_form(field, same_order || has_order);
    race_order_update(timing, field);
    enter(event, field, log, APEX_PHASE_GRID);
}

// @return whether there is a lobby before the race that is on.
static bool has_lobby(const race_event *event, const race_field *field) {
    return event->weekend == NULL || race_session_index(event, field) == 0;
}

// Nobody is there any more. Within a round of sessions the next who comes finds the grid.
static void wait_for_players(race_event *event, race_field *field, race_timing *timing,
                             race_log *log) {
    if (has_lobby(event, field)) {
        enter_lobby(event, field, timing, log);
    } else if (event->phase != APEX_PHASE_GRID) {
        enter(event, field, log, APEX_PHASE_GRID);
    }
}

static void advance_lobby(race_event *event, race_field *field, race_timing *timing,
                          race_log *log) {
    if (field->pool.live_count == 0) {
        event->lobby_tick = apex_world_tick(field->world);
        return;
    }
    uint32_t wanted = field->def->start_players;
    bool timed_out = field->def->lobby_s > 0.0 && race_clock_lobby_left_ticks(event, field) == 0;
    if (wanted > 0 && (field->pool.live_count >= wanted || timed_out)) {
        form_grid(event, field, timing, log, false);
    }
}

static void go(race_event *event, race_field *field, race_timing *timing, race_log *log) {
    APEX_ASSERT(event->phase == APEX_PHASE_COUNTDOWN);
    timing->records.go_tick = apex_world_tick(field->world);
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        uint32_t slot = field->live[i];
        if (field->session != NULL && field->cards[slot].watches) {
            race_ghost_aside(field, slot);
            continue;
        }
        field->players[slot].state = APEX_STANDING_RUNNING;
        field->players[slot].started = true;
        race_grid_hold(field, slot, false);
        if (race_field_against_clock(field)) {
            race_lap_begin_late(timing, field, &field->players[slot]);
        } else {
            race_lap_begin(timing, field, &field->players[slot]);
        }
        race_watch_from_here(&field->players[slot]);
    }
    race_log_add(log, APEX_EVENT_LIGHTS, RACE_NOBODY, 0, 0);
    enter(event, field, log, APEX_PHASE_RACE);
}

static void advance_countdown(race_event *event, race_field *field, race_timing *timing,
                              race_log *log) {
    uint64_t all = race_clock_countdown_ticks(field);
    uint64_t gone = race_clock_ticks_in_phase(event, field);
    if (gone >= all) {
        go(event, field, timing, log);
    } else if ((all - gone) % field->tick_hz == 0) {
        race_log_add(log, APEX_EVENT_LIGHTS, RACE_NOBODY, (int64_t)((all - gone) / field->tick_hz),
                     0);
    }
}

// Where the start is judged nobody holds a car but its driver.
static void free_starters(race_field *field) {
    if (field->rules == NULL || !field->rules->start.on || race_field_against_clock(field)) {
        return;
    }
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        if (!field->cards[field->live[i]].watches) {
            race_grid_hold(field, field->live[i], false);
        }
    }
}

static void begin_countdown(race_event *event, race_field *field, race_timing *timing,
                            race_log *log) {
    uint64_t all = race_clock_countdown_ticks(field);
    enter(event, field, log, APEX_PHASE_COUNTDOWN);
    free_starters(field);
    if (all == 0) {
        go(event, field, timing, log);
        return;
    }
    uint64_t seconds = (all + field->tick_hz - 1) / field->tick_hz;
    race_log_add(log, APEX_EVENT_LIGHTS, RACE_NOBODY, (int64_t)seconds, 0);
}

static bool is_anyone_running(const race_field *field) {
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        if (field->players[field->live[i]].state == APEX_STANDING_RUNNING) {
            return true;
        }
    }
    return false;
}

void race_phase_classify(race_event *event, race_field *field, race_timing *timing, race_log *log) {
    assert_parts(event, field);
    APEX_ASSERT(race_phase_is_running(event->phase) && !is_anyone_running(field));
    race_order_update(timing, field);
    if (event->weekend != NULL) {
        race_results_make(timing, field);
        timing->is_result = true;
        race_order_update(timing, field);
    }
    race_order_finish(timing, field, log);
    for (uint32_t i = 0; i < timing->order_count; i++) {
        if (timing->order[i] < field->capacity) {
            race_player *player = &field->players[timing->order[i]];
            player->last_position = player->state == APEX_STANDING_WAITING ? 0 : i + 1;
        }
    }
    race_session_note(event, field, timing);
    enter(event, field, log, APEX_PHASE_RESULTS);
}

// The hard end is that of races.
static bool is_too_long(const race_field *field, const race_timing *timing) {
    uint64_t running_ticks = apex_world_tick(field->world) - timing->records.go_tick;
    return !race_field_against_clock(field) && field->def->race_s_max > 0.0 &&
           running_ticks >= race_field_ticks(field, field->def->race_s_max);
}

// A session against the clock goes on when all have left: others may come.
static bool ends_empty(const race_event *event, const race_field *field) {
    return !race_field_against_clock(field) || event->weekend == NULL ||
           event->weekend->chequered.out;
}

// @return whether it is over
static bool advance_race(race_event *event, const race_field *field, const race_timing *timing,
                         race_log *log) {
    bool has_ended =
        event->weekend != NULL ? event->weekend->chequered.out : timing->records.finished > 0;
    if (event->phase == APEX_PHASE_RACE && has_ended) {
        enter(event, field, log, APEX_PHASE_FINISH);
    }
    bool waited = event->weekend != NULL
                      ? race_session_is_over(event, field, timing)
                      : event->phase == APEX_PHASE_FINISH &&
                            race_clock_ticks_in_phase(event, field) >=
                                race_field_ticks(field, field->def->finish_wait_s);
    return is_too_long(field, timing) || waited ||
           (ends_empty(event, field) && !is_anyone_running(field));
}

static bool has_next(const race_event *event, const race_field *field) {
    uint32_t each = event->weekend != NULL ? field->def->weekend.session_count : 1;
    return field->def->races == 0 || event->race_number < field->def->races * each;
}

static double results_s(const race_field *field) {
    return field->session != NULL ? field->session->results_s : field->def->results_s;
}

static void next_race(race_event *event, const race_field *field, race_log *log) {
    event->race_number++;
    log->race_number = event->race_number;
    if (event->weekend != NULL && race_session_index(event, field) == 0) {
        race_book_begin_round(&event->weekend->book);
    }
}

// The next race of the event, or its end.
static void go_on(race_event *event, race_field *field, race_timing *timing, race_log *log) {
    if (!has_next(event, field)) {
        enter(event, field, log, APEX_PHASE_OVER);
        return;
    }
    next_race(event, field, log);
    if (has_lobby(event, field)) {
        enter_lobby(event, field, timing, log);
    } else {
        form_grid(event, field, timing, log, false);
    }
}

static void advance_results(race_event *event, race_field *field, race_timing *timing,
                            race_log *log) {
    if (race_clock_ticks_in_phase(event, field) >= race_field_ticks(field, results_s(field))) {
        go_on(event, field, timing, log);
    }
}

bool race_phase_advance(race_event *event, race_field *field, race_timing *timing, race_log *log) {
    assert_parts(event, field);
    switch (event->phase) {
    case APEX_PHASE_LOBBY:
        advance_lobby(event, field, timing, log);
        break;
    case APEX_PHASE_GRID:
        if (field->pool.live_count == 0) {
            wait_for_players(event, field, timing, log);
        } else if (race_clock_ticks_in_phase(event, field) >= race_field_ticks(field, GRID_S)) {
            begin_countdown(event, field, timing, log);
        }
        break;
    case APEX_PHASE_COUNTDOWN:
        if (field->pool.live_count == 0) {
            wait_for_players(event, field, timing, log);
        } else {
            advance_countdown(event, field, timing, log);
        }
        break;
    case APEX_PHASE_RACE:
    case APEX_PHASE_FINISH:
        return advance_race(event, field, timing, log);
    case APEX_PHASE_RESULTS:
        advance_results(event, field, timing, log);
        break;
    case APEX_PHASE_OVER:
        break;
    }
    return false;
}

apex_err race_phase_start(race_event *event, race_field *field, race_timing *timing,
                          race_log *log) {
    assert_parts(event, field);
    bool again = event->phase == APEX_PHASE_RESULTS && has_next(event, field);
    if ((event->phase != APEX_PHASE_LOBBY && !again) || field->pool.live_count == 0) {
        return APEX_ERR_STATE;
    }
    race_log_begin(log);
    if (again) {
        next_race(event, field, log);
        if (has_lobby(event, field)) {
            enter_lobby(event, field, timing, log);
        }
    }
    form_grid(event, field, timing, log, false);
    return APEX_OK;
}

apex_err race_phase_restart(race_event *event, race_field *field, race_timing *timing,
                            race_log *log) {
    assert_parts(event, field);
    apex_race_phase phase = event->phase;
    if (phase == APEX_PHASE_LOBBY || phase == APEX_PHASE_OVER || field->pool.live_count == 0) {
        return APEX_ERR_STATE;
    }
    race_log_begin(log);
    form_grid(event, field, timing, log, true);
    return APEX_OK;
}

apex_err race_phase_skip(race_event *event, race_field *field, race_timing *timing, race_log *log) {
    assert_parts(event, field);
    if (event->weekend == NULL || event->phase == APEX_PHASE_OVER) {
        return APEX_ERR_STATE;
    }
    race_log_begin(log);
    if (event->phase != APEX_PHASE_RESULTS) { // else its results have been told, and stand
        race_book_clear_session(&event->weekend->book, race_session_index(event, field));
        for (uint32_t i = 0; i < field->pool.live_count; i++) {
            field->players[field->live[i]].state = APEX_STANDING_WAITING;
        }
    }
    go_on(event, field, timing, log);
    return APEX_OK;
}

void race_phase_close(race_event *event, const race_field *field, race_log *log) {
    assert_parts(event, field);
    APEX_ASSERT(!race_phase_is_running(event->phase));
    enter(event, field, log, APEX_PHASE_OVER);
}
