// The client's protocol, state by state, against a server played by the test.
#include "support/base/check_main.h"

#include "test_client_script.h"
#include <stdio.h>

#include "client-lite/session/session.h"
#include "client-lite/session/session_receive.h"
#include "defs/defs.h"

static const char *closed_with(const script *self, apex_reason reason) {
    ck_assert_str_eq(apex_client_state_name(self->session->state), "closed");
    ck_assert_str_eq(apex_reason_name(self->session->close_reason), apex_reason_name(reason));
    return self->session->close_text;
}

TEST(joins_step_by_step) {
    apex_client_def def = script_def();
    def.car = "boxster-s";
    def.telemetry_hz = 10;
    def.standings = true;
    script self = script_begin(&def);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_CONNECTING);
    script_step(&self, SCRIPT_STEP_US);
    ck_assert_uint_eq(self.sent_count, 0);

    client_session_opened(self.session, self.now_us);
    script_drain(&self);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_GREETED);
    ck_assert_uint_eq(self.sent_count, 1);
    ck_assert_int_eq(self.sent[0].kind, APEX_CLIENT_HELLO);
    ck_assert_uint_eq(self.sent[0].hello.protocol_version, APEX_PROTOCOL_VERSION);

    apex_server_message welcome = script_welcome();
    script_tell(&self, &welcome);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_JOINING);
    const apex_client_message *subscribe = script_said(&self, APEX_CLIENT_SUBSCRIBE, 0);
    ck_assert_ptr_nonnull(subscribe);
    ck_assert_uint_eq(subscribe->subscribe.snapshot_hz, 20); // the server's rate
    ck_assert_uint_eq(subscribe->subscribe.telemetry_hz, 10);
    ck_assert(subscribe->subscribe.standings && !subscribe->subscribe.server_stats);
    const apex_client_message *join = script_said(&self, APEX_CLIENT_JOIN, 0);
    ck_assert_ptr_nonnull(join);
    ck_assert_str_eq(join->join.name, "ada");
    ck_assert_str_eq(join->join.car, "boxster-s");
    ck_assert_str_eq(join->join.password, "secret");

    apex_server_message joined = script_joined(7, 3);
    script_tell(&self, &joined);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_DRIVING);
    ck_assert_uint_eq(self.session->player, 7);
    ck_assert_uint_eq(self.session->car, 3);
    ck_assert_uint_eq(self.session->undecodable, 0);
    script_end(&self);
}

TEST(spectators_spectate_and_send_no_controls) {
    apex_client_def def = script_def();
    def.spectate = true;
    def.telemetry_hz = 10;
    def.snapshot_hz = 5;
    script self = script_begin(&def);
    apex_server_message welcome = script_welcome();
    script_welcomed(&self, &welcome);
    ck_assert_ptr_null(script_said(&self, APEX_CLIENT_JOIN, 0));
    ck_assert_str_eq(script_said(&self, APEX_CLIENT_SPECTATE, 0)->spectate.password, "secret");
    const apex_client_message *subscribe = script_said(&self, APEX_CLIENT_SUBSCRIBE, 0);
    ck_assert_uint_eq(subscribe->subscribe.snapshot_hz, 5);
    ck_assert_uint_eq(subscribe->subscribe.telemetry_hz, 10); // of the focus, once there is one
    ck_assert_uint_eq(subscribe->subscribe.focus_car, 0);
    apex_server_message joined = script_joined(0, 0);
    joined.joined.car_def[0] = '\0';
    script_tell(&self, &joined);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_SPECTATING);
    script_run(&self, 1000000);
    ck_assert_uint_eq(script_count(&self, APEX_CLIENT_CONTROLS), 0);
    ck_assert_uint_gt(script_count(&self, APEX_CLIENT_TIME_REQUEST), 1);
    script_end(&self);
}

TEST(another_version_is_named_with_both_numbers) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    apex_server_message welcome = script_welcome();
    welcome.welcome.protocol_version = APEX_PROTOCOL_VERSION + 41;
    script_welcomed(&self, &welcome);
    const char *text = closed_with(&self, APEX_REASON_VERSION);
    ck_assert_ptr_nonnull(strstr(text, "version 44"));
    ck_assert_ptr_nonnull(strstr(text, "version 3:"));
    ck_assert_ptr_null(script_said(&self, APEX_CLIENT_JOIN, 0));
    script_end(&self);
}

TEST(a_refused_greeting_closes) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    client_session_opened(self.session, self.now_us);
    apex_server_message reject =
        script_refusal(APEX_SERVER_REJECT, APEX_REASON_SERVER_FULL, "64 clients are here", true);
    script_tell(&self, &reject);
    ck_assert_str_eq(closed_with(&self, APEX_REASON_SERVER_FULL), "64 clients are here");
    script_end(&self);
}

static const apex_reason HOPELESS[] = {APEX_REASON_PASSWORD,       APEX_REASON_UNKNOWN_CAR,
                                       APEX_REASON_BAD_NAME,       APEX_REASON_RACE_FULL,
                                       APEX_REASON_ALREADY_JOINED, APEX_REASON_LOCKDOWN};

TEST_OVER(a_join_that_can_never_succeed_closes, 0, sizeof HOPELESS / sizeof HOPELESS[0]) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    apex_server_message welcome = script_welcome();
    script_welcomed(&self, &welcome);
    apex_server_message reject =
        script_refusal(APEX_SERVER_REJECT, HOPELESS[_i], "no such thing", false);
    script_tell(&self, &reject);
    ck_assert_str_eq(closed_with(&self, HOPELESS[_i]), "no such thing");
    script_end(&self);
}

TEST(a_join_too_early_is_repeated_each_second) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    apex_server_message welcome = script_welcome();
    script_welcomed(&self, &welcome);
    apex_server_message reject =
        script_refusal(APEX_SERVER_REJECT, APEX_REASON_RACE_CLOSED, "a race is under way", false);
    for (size_t round = 1; round <= 20; round++) {
        script_tell(&self, &reject);
        ck_assert_int_eq(self.session->state, APEX_CLIENT_JOINING);
        ck_assert_uint_eq(script_count(&self, APEX_CLIENT_JOIN), round);
        script_run(&self, 990000);
        ck_assert_uint_eq(script_count(&self, APEX_CLIENT_JOIN), round);
        script_run(&self, 20000);
        ck_assert_uint_eq(script_count(&self, APEX_CLIENT_JOIN), round + 1);
    }
    ck_assert_int_eq(self.session->reject_reason, APEX_REASON_RACE_CLOSED);
    ck_assert_str_eq(self.session->reject_text, "a race is under way");
    script_end(&self);
}

TEST(a_refusal_while_driving_is_kept_and_harmless) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_driving(&self);
    apex_server_message reject =
        script_refusal(APEX_SERVER_REJECT, APEX_REASON_RATE, "too many messages", false);
    script_tell(&self, &reject);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_DRIVING);
    ck_assert_int_eq(self.session->reject_reason, APEX_REASON_RATE);
    script_run(&self, 2000000);
    ck_assert_uint_eq(script_count(&self, APEX_CLIENT_JOIN), 1);
    script_end(&self);
}

TEST(goodbye_tells_why) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_driving(&self);
    apex_server_message goodbye =
        script_refusal(APEX_SERVER_GOODBYE, APEX_REASON_KICKED, "mind your manners", false);
    script_tell(&self, &goodbye);
    client_session_link_closed(self.session); // comes after; the first reason stays
    ck_assert_str_eq(closed_with(&self, APEX_REASON_KICKED), "mind your manners");
    script_end(&self);
}

TEST(goodbye_without_text_gets_the_reasons_own) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_driving(&self);
    apex_server_message goodbye =
        script_refusal(APEX_SERVER_GOODBYE, APEX_REASON_EVENT_OVER, "", false);
    script_tell(&self, &goodbye);
    ck_assert_str_eq(closed_with(&self, APEX_REASON_EVENT_OVER),
                     apex_reason_text(APEX_REASON_EVENT_OVER));
    script_end(&self);
}

TEST(no_answer_is_a_timeout_that_names_the_server) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_run(&self, 4990000);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_CONNECTING);
    script_run(&self, 20000);
    const char *text = closed_with(&self, APEX_REASON_TIMEOUT);
    ck_assert_ptr_nonnull(strstr(text, "race.example:26000 within 5 s"));
    ck_assert_ptr_nonnull(strstr(text, "apex-server"));
    script_end(&self);
}

TEST(a_server_that_never_welcomes_is_a_timeout_too) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_run(&self, 3000000);
    client_session_opened(self.session, self.now_us);
    script_run(&self, 2020000);
    closed_with(&self, APEX_REASON_TIMEOUT);
    script_end(&self);
}

TEST(silence_ends_a_session_and_any_word_prolongs_it) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_driving(&self);
    script_run(&self, 4900000);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_DRIVING);
    apex_server_message notice = {.kind = APEX_SERVER_NOTICE};
    strcpy(notice.notice.text, "hello");
    script_tell(&self, &notice);
    script_run(&self, 4990000);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_DRIVING);
    script_run(&self, 20000);
    ck_assert_ptr_nonnull(strstr(closed_with(&self, APEX_REASON_TIMEOUT), "for 5 s"));
    script_end(&self);
}

TEST(a_client_that_slept_does_not_call_the_server_dead) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_driving(&self);
    script_step(&self, 60000000);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_DRIVING);
    script_run(&self, 5100000);
    closed_with(&self, APEX_REASON_TIMEOUT);
    script_end(&self);
}

TEST(leaving_says_so_and_ends_without_a_reason) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_driving(&self);
    self.sent_count = 0;
    client_session_leave(self.session, self.now_us);
    client_session_leave(self.session, self.now_us);
    script_run(&self, 500000);
    ck_assert_uint_eq(self.sent_count, 1); // one Leave, and controls have ended
    ck_assert_int_eq(self.sent[0].kind, APEX_CLIENT_LEAVE);
    client_session_link_closed(self.session);
    ck_assert_str_eq(closed_with(&self, APEX_REASON_NONE), "");
    script_end(&self);
}

TEST(a_link_that_is_refused_says_why) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    client_session_link_refused(self.session, APEX_REASON_SERVER_FULL);
    ck_assert_ptr_nonnull(strstr(closed_with(&self, APEX_REASON_SERVER_FULL),
                                 apex_reason_text(APEX_REASON_SERVER_FULL)));
    script_end(&self);
}

TEST(leaving_a_dead_server_takes_a_second_at_most) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_driving(&self);
    client_session_leave(self.session, self.now_us);
    script_run(&self, 1020000);
    closed_with(&self, APEX_REASON_NONE);
    script_end(&self);
}

static const uint8_t TRACK_BYTES[] = "track";
static const uint8_t CAR_BYTES[] = "a car";

static void list_def(apex_welcome *welcome, apex_def_kind kind, const char *name,
                     const uint8_t *bytes, uint32_t length) {
    apex_def_name *def = &welcome->defs[welcome->def_count++];
    def->kind = kind;
    strcpy(def->name, name);
    def->hash = apex_def_hash(bytes, length);
    def->length = length;
}

static apex_server_message welcome_with_defs(void) {
    apex_server_message message = script_welcome();
    list_def(&message.welcome, APEX_DEF_TRACK, "ridgeway", TRACK_BYTES, sizeof TRACK_BYTES);
    list_def(&message.welcome, APEX_DEF_CAR, "boxster-s", CAR_BYTES, sizeof CAR_BYTES);
    // The same car under a second name: asked for once, good for both.
    list_def(&message.welcome, APEX_DEF_CAR, "boxster-too", CAR_BYTES, sizeof CAR_BYTES);
    return message;
}

static apex_server_message def_of(const apex_welcome *welcome, uint32_t index,
                                  const uint8_t *bytes) {
    apex_server_message message = {.kind = APEX_SERVER_DEF};
    message.def.kind = welcome->defs[index].kind;
    strcpy(message.def.name, welcome->defs[index].name);
    message.def.hash = welcome->defs[index].hash;
    message.def.bytes = bytes;
    message.def.length = welcome->defs[index].length;
    return message;
}

static script loading_script(void) {
    apex_client_def def = script_def();
    def.want_defs = true;
    script self = script_begin(&def);
    apex_server_message welcome = welcome_with_defs();
    script_welcomed(&self, &welcome);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_LOADING);
    return self;
}

TEST(definitions_come_before_the_join) {
    script self = loading_script();
    const apex_welcome *welcome = &self.session->knowledge.welcome;
    ck_assert_uint_eq(script_count(&self, APEX_CLIENT_DEF_REQUEST), 2);
    ck_assert_uint_eq(script_said(&self, APEX_CLIENT_DEF_REQUEST, 0)->def_hash,
                      welcome->defs[1].hash);
    apex_server_message track = def_of(welcome, 0, TRACK_BYTES);
    apex_server_message car = def_of(welcome, 1, CAR_BYTES);
    script_tell(&self, &car);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_LOADING);
    ck_assert_ptr_null(script_said(&self, APEX_CLIENT_JOIN, 0));
    script_tell(&self, &track);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_JOINING);
    ck_assert_ptr_nonnull(script_said(&self, APEX_CLIENT_JOIN, 0));
    int second = client_knowledge_def_find(&self.session->knowledge, APEX_DEF_CAR, "boxster-too");
    ck_assert_int_eq(second, 2);
    ck_assert_mem_eq(self.session->knowledge.defs[2].bytes, CAR_BYTES, sizeof CAR_BYTES);
    script_end(&self);
}

TEST(a_definition_that_does_not_match_its_hash_is_refused) {
    script self = loading_script();
    static const uint8_t FORGED[sizeof CAR_BYTES] = "a cat";
    apex_server_message forged = def_of(&self.session->knowledge.welcome, 1, FORGED);
    script_tell(&self, &forged);
    ck_assert_ptr_nonnull(strstr(closed_with(&self, APEX_REASON_BAD_MESSAGE), "boxster-s"));
    ck_assert_ptr_null(script_said(&self, APEX_CLIENT_JOIN, 0));
    ck_assert_ptr_null(self.session->knowledge.defs[1].bytes);
    script_end(&self);
}

TEST(a_definition_of_another_length_or_kind_is_refused) {
    for (int what = 0; what < 2; what++) {
        script self = loading_script();
        apex_server_message wrong = def_of(&self.session->knowledge.welcome, 1, CAR_BYTES);
        if (what == 0) {
            wrong.def.length--;
        } else {
            wrong.def.kind = APEX_DEF_TRACK;
        }
        script_tell(&self, &wrong);
        closed_with(&self, APEX_REASON_BAD_MESSAGE);
        script_end(&self);
    }
}

TEST(a_length_other_than_the_promised_one_is_refused_even_if_the_hash_fits) {
    apex_client_def def = script_def();
    def.want_defs = true;
    script self = script_begin(&def);
    apex_server_message welcome = welcome_with_defs();
    welcome.welcome.defs[1].length = 1000; // readers will trust this length
    welcome.welcome.defs[2].length = 1000;
    script_welcomed(&self, &welcome);
    apex_server_message car = def_of(&welcome.welcome, 1, CAR_BYTES);
    car.def.length = sizeof CAR_BYTES;
    script_tell(&self, &car);
    closed_with(&self, APEX_REASON_BAD_MESSAGE);
    ck_assert_ptr_null(self.session->knowledge.defs[1].bytes);
    script_end(&self);
}

TEST(a_definition_nobody_asked_for_is_counted_and_ignored) {
    script self = loading_script();
    apex_server_message stray = def_of(&self.session->knowledge.welcome, 1, CAR_BYTES);
    stray.def.hash++;
    script_tell(&self, &stray);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_LOADING);
    ck_assert_uint_eq(self.session->undecodable, 1);
    script_end(&self);
}

TEST(garbage_is_counted_and_survived) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_driving(&self);
    uint32_t seed = 1;
    for (uint64_t i = 1; i <= 500; i++) {
        uint8_t bytes[64];
        // 0xFF begins no field that protobuf knows, so that none of these can be a message.
        for (size_t at = 0; at < sizeof bytes; at++) {
            seed = seed * 1664525u + 1013904223u;
            bytes[at] = at == 0 ? 0xFF : (uint8_t)(seed >> 24);
        }
        client_session_receive(self.session, (uint8_t)(i % 2), bytes, 1 + i % sizeof bytes,
                               self.now_us);
        ck_assert_uint_eq(self.session->undecodable, i);
    }
    ck_assert_int_eq(self.session->state, APEX_CLIENT_DRIVING);
    script_end(&self);
}

TEST(a_message_out_of_place_is_counted_and_ignored) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    client_session_opened(self.session, self.now_us);
    apex_server_message joined = script_joined(7, 3);
    script_tell(&self, &joined); // before the Welcome
    ck_assert_int_eq(self.session->state, APEX_CLIENT_GREETED);
    ck_assert_uint_eq(self.session->undecodable, 1);
    apex_server_message welcome = script_welcome();
    script_tell(&self, &welcome);
    script_tell(&self, &joined);
    joined.joined.player = 8;
    script_tell(&self, &joined); // a second time
    welcome.welcome.tick_hz = 20;
    script_tell(&self, &welcome); // a second time
    ck_assert_uint_eq(self.session->undecodable, 3);
    ck_assert_uint_eq(self.session->player, 7);
    ck_assert_uint_eq(self.session->knowledge.welcome.tick_hz, 60);
    script_end(&self);
}

TEST(nothing_is_heard_after_the_end) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_driving(&self);
    client_session_link_closed(self.session);
    ck_assert_ptr_nonnull(strstr(closed_with(&self, APEX_REASON_TIMEOUT), "without a word"));
    self.sent_count = 0;
    apex_server_message welcome = script_welcome();
    script_tell(&self, &welcome);
    script_run(&self, 1000000);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_CLOSED);
    ck_assert_uint_eq(self.sent_count, 0);
    script_end(&self);
}

TEST(names_too_long_are_refused_at_once) {
    apex_client_def def = script_def();
    def.name = "a-name-that-has-thirty-one-byte"; // and fits
    client_session *session = NULL;
    ck_assert_int_eq(client_session_create(&def, &session), APEX_OK);
    client_session_destroy(session);
    def.name = "a-name-that-has-thirty-two-bytes";
    ck_assert_int_eq(client_session_create(&def, &session), APEX_ERR_INVALID);
}

TEST(events_and_notices_last_for_one_update) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_driving(&self);
    apex_server_message event = {.kind = APEX_SERVER_RACE_EVENT};
    for (uint32_t i = 0; i < 40; i++) {
        event.event = (apex_race_event_message){
            .kind = 5, .tick = i, .race_number = 1, .player = 7, .value = 2, .time_us = 100 + i};
        script_tell(&self, &event);
    }
    apex_server_message notice = {.kind = APEX_SERVER_NOTICE};
    strcpy(notice.notice.text, "rain at six");
    script_tell(&self, &notice);
    const client_knowledge *knowledge = &self.session->knowledge;
    ck_assert_uint_eq(knowledge->event_count, 40);
    ck_assert_uint_eq(knowledge->events[0].time_us, 100);
    ck_assert_uint_eq(knowledge->events[39].time_us, 139);
    ck_assert_uint_eq(knowledge->notice_count, 1);
    ck_assert_str_eq(knowledge->notices[0], "rain at six");
    client_knowledge_begin_update(&self.session->knowledge);
    ck_assert_uint_eq(knowledge->event_count, 0);
    ck_assert_uint_eq(knowledge->notice_count, 0);
    script_end(&self);
}

TEST(the_newest_standings_and_results_outlive_their_packets) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_driving(&self);
    apex_wire_standing lines[3] = {{.position = 1, .player = 7, .name = "ada"},
                                   {.position = 2, .player = 8, .name = "bob"},
                                   {.position = 3, .player = 9, .name = "eve"}};
    apex_server_message message = {.kind = APEX_SERVER_STANDINGS};
    message.standings = (apex_standings){.tick = 5, .total = 3, .line_count = 3, .lines = lines};
    script_tell(&self, &message);
    message.standings.tick = 6;
    message.standings.line_count = 2;
    script_tell(&self, &message);
    message = (apex_server_message){.kind = APEX_SERVER_RESULTS};
    message.results = (apex_results){.race_number = 1, .laps = 3, .line_count = 3, .lines = lines};
    script_tell(&self, &message);
    memset(self.scratch, 0xA5, APEX_DECODE_SCRATCH_BYTES);
    memset(self.session->scratch, 0xA5, APEX_DECODE_SCRATCH_BYTES);
    const client_knowledge *knowledge = &self.session->knowledge;
    ck_assert(knowledge->has_standings && knowledge->has_results);
    ck_assert_uint_eq(knowledge->standings.tick, 6);
    ck_assert_uint_eq(knowledge->standings.line_count, 2);
    ck_assert_str_eq(knowledge->standings.lines[1].name, "bob");
    ck_assert_uint_eq(knowledge->results.line_count, 3);
    ck_assert_str_eq(knowledge->results.lines[2].name, "eve");
    script_end(&self);
}

TEST(a_long_reliable_message_decodes) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_driving(&self);
    enum { MANY = 4000 };
    apex_wire_standing *lines = calloc(MANY, sizeof *lines);
    for (uint32_t i = 0; i < MANY; i++) {
        lines[i].position = i + 1;
        lines[i].player = i + 1;
        snprintf(lines[i].name, sizeof lines[i].name, "driver-%u", i);
    }
    apex_server_message message = {.kind = APEX_SERVER_RESULTS};
    message.results = (apex_results){.race_number = 1, .line_count = MANY, .lines = lines};
    script_tell(&self, &message);
    ck_assert_uint_eq(self.session->undecodable, 0);
    ck_assert_uint_eq(self.session->knowledge.results.line_count, MANY);
    ck_assert_str_eq(self.session->knowledge.results.lines[MANY - 1].name, "driver-3999");
    free(lines);
    script_end(&self);
}
