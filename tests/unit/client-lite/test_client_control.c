// What a client keeps of sessions and penalties, how it says its plan for the pits, and the words
// for all of it.

#include "test_client_script.h"
#include <stdio.h>

#include "client-lite/client_internal.h"
#include "client-lite/session/session_pits.h"
#include "client-lite/text/text.h"
#include "client-lite/text/text_control.h"
#include "support/base/check_main.h"

static script self;
static apex_client client;

static void start(void) {
    apex_client_def def = script_def();
    self = script_begin(&def);
    script_driving(&self);
    client.session = self.session;
}

static void stop(void) {
    script_end(&self);
}

FIXTURE(start, stop)

static void tell_session(uint32_t index, bool with_lists) {
    apex_server_message message = {.kind = APEX_SERVER_SESSION_STATE,
                                   .session = {.index = index, .count = 2}};
    apex_race_session *session = &message.session;
    if (with_lists) {
        session->session_count = 2;
        session->sessions[0].kind = APEX_WIRE_SESSION_QUALIFYING;
        snprintf(session->sessions[0].name, APEX_WIRE_NAME_BYTES, "Q1");
        session->sessions[1].kind = APEX_WIRE_SESSION_RACE;
        snprintf(session->sessions[1].name, APEX_WIRE_NAME_BYTES, "Sprint");
        session->class_count = 1;
        snprintf(session->classes[0], APEX_WIRE_NAME_BYTES, "GT");
    }
    script_tell(&self, &message);
}

static void tell_penalty(bool complete, uint32_t number, uint32_t state) {
    const apex_penalty_message penalty = {.number = number,
                                          .player = 7,
                                          .name = "Ada",
                                          .kind = APEX_WIRE_PENALTY_DRIVE_THROUGH,
                                          .offence = APEX_WIRE_OFFENCE_JUMP_START,
                                          .state = state,
                                          .due_lap = 4};
    apex_server_message message = {
        .kind = APEX_SERVER_PENALTIES,
        .penalties = {.complete = complete, .count = number > 0, .penalties = &penalty}};
    script_tell(&self, &message);
}

static void tell_conduct(void) {
    apex_server_message message = {.kind = APEX_SERVER_CONDUCT, .conduct = {.box = 3}};
    script_tell(&self, &message);
}

TEST(lists_stay_until_others_come) {
    ck_assert_ptr_null(apex_client_session(&client));
    tell_session(0, true);
    tell_session(1, false);
    const apex_race_session *session = apex_client_session(&client);
    ck_assert_uint_eq(session->index, 1);
    ck_assert_uint_eq(session->session_count, 2);
    ck_assert_str_eq(session->sessions[1].name, "Sprint");
    ck_assert_uint_eq(session->class_count, 1);
    ck_assert_uint_eq(self.session->undecodable, 0);
}

TEST(penalties_are_kept_by_number) {
    size_t count;
    tell_penalty(false, 5, APEX_WIRE_PENALTY_STATE_OPEN);
    tell_penalty(false, 6, APEX_WIRE_PENALTY_STATE_OPEN);
    tell_penalty(false, 5, APEX_WIRE_PENALTY_STATE_SERVED);
    const apex_penalty_message *penalties = apex_client_penalties(&client, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(penalties[0].state, APEX_WIRE_PENALTY_STATE_SERVED);
    ck_assert_uint_eq(penalties[1].state, APEX_WIRE_PENALTY_STATE_OPEN);
    tell_penalty(true, 0, 0);
    (void)apex_client_penalties(&client, &count);
    ck_assert_uint_eq(count, 0);
}

TEST(more_penalties_than_are_kept_lose_the_oldest) {
    size_t count;
    for (uint32_t number = 1; number <= APEX_PENALTIES_LINES_MAX + 2; number++) {
        tell_penalty(false, number, APEX_WIRE_PENALTY_STATE_OPEN);
    }
    const apex_penalty_message *penalties = apex_client_penalties(&client, &count);
    ck_assert_uint_eq(count, APEX_PENALTIES_LINES_MAX);
    ck_assert_uint_eq(penalties[0].number, 3);
}

// A server from before refuses a plan; one that knows pits has told of them.
TEST(no_plan_is_said_before_a_conduct_came) {
    client_session_plan_pits(self.session, &(apex_wire_pit_plan){.tyres = true});
    script_run(&self, 1000000);
    ck_assert_uint_eq(script_count(&self, APEX_CLIENT_PIT_PLAN), 0);
    tell_conduct();
    ck_assert_uint_eq(apex_client_conduct(&client)->box, 3);
    script_run(&self, 1000000);
    ck_assert_uint_eq(script_count(&self, APEX_CLIENT_PIT_PLAN), 0); // nor is the old one then
    client_session_plan_pits(self.session, &(apex_wire_pit_plan){.tyres = true});
    script_step(&self, SCRIPT_STEP_US);
    ck_assert_uint_eq(script_count(&self, APEX_CLIENT_PIT_PLAN), 1);
}

// Somebody turns a knob from 0 to 99 within a second: the first goes at once, the newest half a
// second later, and the last in the end.
TEST(the_newest_plan_goes_twice_a_second) {
    tell_conduct();
    for (uint32_t i = 0; i < 100; i++) {
        client_session_plan_pits(self.session, &(apex_wire_pit_plan){.fuel_g = 1000 * i});
        script_step(&self, 10000);
    }
    script_run(&self, 2000000);
    ck_assert_uint_eq(script_count(&self, APEX_CLIENT_PIT_PLAN), 3);
    ck_assert_uint_eq(script_said(&self, APEX_CLIENT_PIT_PLAN, 2)->pit_plan.fuel_g, 0);
    ck_assert_uint_eq(script_said(&self, APEX_CLIENT_PIT_PLAN, 1)->pit_plan.fuel_g, 50000);
    ck_assert_uint_eq(script_said(&self, APEX_CLIENT_PIT_PLAN, 0)->pit_plan.fuel_g, 99000);
}

TEST(a_session_in_one_line) {
    char text[CLIENT_SESSION_BYTES];
    apex_race_session session = {.index = 1,
                                 .count = 4,
                                 .kind = APEX_WIRE_SESSION_QUALIFYING,
                                 .name = "Q1",
                                 .duration_ms = 600000,
                                 .left_us = 192000000};
    client_text_session(&session, text);
    ck_assert_str_eq(text, "session 2 of 4: qualifying Q1, 3:12.0 left");
    session.left_us = -4500000;
    session.chequered = true;
    session.flag = APEX_WIRE_FLAG_RED;
    client_text_session(&session, text);
    ck_assert_str_eq(text, "session 2 of 4: qualifying Q1, 4.5 over, chequered flag, red flag");
    session = (apex_race_session){.flag = APEX_WIRE_FLAG_FULL_COURSE};
    client_text_session(&session, text);
    ck_assert_str_eq(text, "full-course yellow");
    session = (apex_race_session){.count = 0};
    client_text_session(&session, text);
    ck_assert_str_eq(text, "");
}

TEST(a_length_in_words) {
    char text[CLIENT_LENGTH_BYTES];
    const apex_race_session none = {.count = 0}, session = {.count = 1};
    client_text_length(&session, 0, text);
    ck_assert_str_eq(text, "by time");
    client_text_length(&session, 1, text);
    ck_assert_str_eq(text, "1 lap");
    client_text_length(&none, 0, text);
    ck_assert_str_eq(text, "open session");
    client_text_length(NULL, UINT32_MAX, text);
    ck_assert_str_eq(text, "4294967295 laps");
}

TEST(a_penalty_in_words) {
    char text[CLIENT_PENALTY_BYTES];
    apex_penalty_message penalty = {.number = 3,
                                    .kind = APEX_WIRE_PENALTY_TIME,
                                    .offence = APEX_WIRE_OFFENCE_PIT_SPEED,
                                    .time_ms = 5500};
    client_text_penalty(&penalty, text);
    ck_assert_str_eq(text, "time 5.5 s for pit-speed");
    penalty.state = APEX_WIRE_PENALTY_STATE_CONVERTED;
    penalty.added_us = 5500000;
    client_text_penalty(&penalty, text);
    ck_assert_str_eq(text, "time 5.5 s for pit-speed, converted, +5.5 s");
    penalty = (apex_penalty_message){.kind = APEX_WIRE_PENALTY_GRID_DROP, .places = 1};
    client_text_penalty(&penalty, text);
    ck_assert_str_eq(text, "grid-drop 1 place for track-limits");
}

TEST(a_line_of_the_order_says_what_is_due) {
    char text[CLIENT_PENALTY_BYTES];
    apex_wire_standing line = {.player = 7};
    client_text_conduct(&client, &line, text);
    ck_assert_str_eq(text, "");
    tell_penalty(false, 5, APEX_WIRE_PENALTY_STATE_OPEN);
    tell_penalty(false, 6, APEX_WIRE_PENALTY_STATE_CANCELLED);
    line.pit = APEX_WIRE_PIT_STOPPED;
    line.stops = 1;
    line.penalty_us = 10000000;
    client_text_conduct(&client, &line, text);
    ck_assert_str_eq(text, "pits: stopped, 1 stop, +10 s, drive-through by lap 4");
    line.player = 8;
    client_text_conduct(&client, &line, text);
    ck_assert_str_eq(text, "pits: stopped, 1 stop, +10 s");
}

TEST(sentences_of_race_control) {
    char text[CLIENT_EVENT_BYTES];
    apex_race_event_message event = {.kind = APEX_WIRE_EVENT_PENALTY, .name = "Ada", .value = 5};
    tell_penalty(false, 5, APEX_WIRE_PENALTY_STATE_OPEN);
    tell_session(0, true);
    ck_assert(client_text_control(&client, &event, "Ada", "", text));
    ck_assert_str_eq(text, "penalty 5, Ada: drive-through for jump-start, by lap 4");
    event.kind = APEX_WIRE_EVENT_SESSION;
    event.value = 1;
    ck_assert(client_text_control(&client, &event, "Ada", "", text));
    ck_assert_str_eq(text, "session 2 begins: race Sprint");
    event.value = 2; // more than there are
    ck_assert(!client_text_control(&client, &event, "Ada", "", text));
    event.kind = APEX_WIRE_EVENT_CONTROL;
    event.value = APEX_WIRE_FLAG_RED;
    ck_assert(client_text_control(&client, &event, "Ada", "", text));
    ck_assert_str_eq(text, "race control: red flag");
    event.value = -1;
    ck_assert(!client_text_control(&client, &event, "Ada", "", text));
    event.kind = APEX_WIRE_EVENT_LAP_VOID;
    event.value = 4 | 128;
    ck_assert(client_text_control(&client, &event, "Ada", "", text));
    ck_assert_str_eq(text, "the lap of Ada does not count: cut the track, contact");
    event.kind = APEX_WIRE_EVENT_INCIDENT;
    event.value = 0;
    ck_assert(!client_text_control(&client, &event, "Ada", "", text));
}

// The longest of all that may be told is cut, not written past its end.
TEST(long_texts_are_cut) {
    char text[CLIENT_VOID_BYTES];
    client_text_voids(UINT32_MAX, text);
    ck_assert_uint_lt(strlen(text), CLIENT_VOID_BYTES);
}
