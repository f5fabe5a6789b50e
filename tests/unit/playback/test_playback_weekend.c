// A recording of an event with sessions tells of them as the race did, wherever one goes in it.

#include "test_playback_cinema.h"

static void with_sessions(apex_race_file *file) {
    apex_weekend_def *weekend = &file->race.weekend;
    *weekend = apex_default_weekend_def();
    weekend->session_count = 2;
    weekend->sessions[0] = apex_default_session_def(APEX_SESSION_PRACTICE);
    snprintf(weekend->sessions[0].name, APEX_NAME_BYTES, "FP");
    weekend->sessions[0].duration_s = 8.0;
    weekend->sessions[0].overtime_s = 0.0;
    weekend->sessions[0].results_s = 1.0;
    weekend->sessions[1] = apex_default_session_def(APEX_SESSION_RACE);
    snprintf(weekend->sessions[1].name, APEX_NAME_BYTES, "Race");
    weekend->sessions[1].laps = 1;
    weekend->sessions[1].results_s = 4.0;
}

static const apex_race_session *session_of(const watcher *one) {
    const apex_race_session *session = apex_client_session(one->client);
    ck_assert_ptr_nonnull(session);
    return session;
}

TEST(sessions_are_told_wherever_one_goes) {
    static cinema self;
    tape_change = with_sessions;
    tape_record();
    cinema_open(&self);
    watcher *one = cinema_begin(&self);
    cinema_run(&self, 240);
    ck_assert_uint_eq(session_of(one)->index, 0);
    ck_assert_uint_eq(session_of(one)->count, 2);
    ck_assert_str_eq(session_of(one)->name, "FP");
    ck_assert_uint_eq(session_of(one)->session_count, 2);
    watcher_seek(one, tape.ticks - 120);
    cinema_run(&self, 240);
    ck_assert_uint_eq(session_of(one)->index, 1);
    ck_assert_str_eq(session_of(one)->name, "Race");
    ck_assert_uint_eq(session_of(one)->kind, APEX_WIRE_SESSION_RACE);
    ck_assert_str_eq(session_of(one)->sessions[0].name, "FP");
    watcher_seek(one, 300);
    cinema_run(&self, 240);
    ck_assert_uint_eq(session_of(one)->index, 0);
    // Sessions and flags are among the marks, in their place.
    const apex_playback_state *state = apex_client_playback(one->client);
    uint32_t sessions = 0, flags = 0;
    for (uint32_t i = 0; i < state->mark_count; i++) {
        sessions += state->marks[i].kind == APEX_WIRE_EVENT_SESSION;
        flags += state->marks[i].kind == APEX_WIRE_EVENT_CHEQUERED;
        ck_assert(i == 0 || state->marks[i - 1].tick <= state->marks[i].tick);
    }
    ck_assert_uint_ge(sessions, 1);
    ck_assert_uint_eq(flags, 2);
    ck_assert_uint_eq(one->client->session->undecodable, 0);
    cinema_close(&self);
    tape_drop();
}
