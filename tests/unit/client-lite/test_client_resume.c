// Tests of a client whose link breaks, against a server played by the test.
#include "client-lite/session/handshake/session_resume.h"
#include "client-lite/session/session.h"
#include "support/base/check_main.h"

#include "test_client_script.h"

static apex_client_def coming_def(void) {
    apex_client_def def = script_def();
    def.reconnect = true;
    return def;
}

static apex_server_message keeping_welcome(uint8_t token_byte) {
    apex_server_message welcome = script_welcome();
    welcome.welcome.resume_grace_s = 30;
    memset(welcome.welcome.resume_token, token_byte, APEX_TOKEN_BYTES);
    return welcome;
}

static script begin_driving(const apex_client_def *def) {
    script self = script_begin(def);
    apex_server_message welcome = keeping_welcome(0xA1);
    script_welcomed(&self, &welcome);
    apex_server_message joined = script_joined(7, 3);
    script_tell(&self, &joined);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_DRIVING);
    return self;
}

static void assert_state(const script *self, const char *name) {
    ck_assert_str_eq(apex_client_state_name(self->session->state), name);
}

// Steps until it wants a link; returns how long that took.
static uint64_t until_wish(script *self, uint64_t limit_us) {
    uint64_t begin_us = self->now_us;
    while (!client_session_take_wish(self->session)) {
        script_step(self, SCRIPT_STEP_US);
        ck_assert_uint_le(self->now_us - begin_us, limit_us);
    }
    return self->now_us - begin_us;
}

static script begin_resuming(apex_server_message *welcome) {
    apex_client_def def = script_def();
    const uint8_t token[APEX_TOKEN_BYTES] = {0xA1};
    def.resume_token = token;
    def.resume_only = true;
    script self = script_begin(&def);
    *welcome = keeping_welcome(0xA2);
    script_welcomed(&self, welcome);
    return self;
}

TEST(who_only_resumes_watches_when_the_player_is_gone) {
    apex_server_message welcome;
    script self = begin_resuming(&welcome);
    ck_assert_ptr_null(script_said(&self, APEX_CLIENT_JOIN, 0));
    ck_assert_ptr_nonnull(script_said(&self, APEX_CLIENT_SPECTATE, 0));
    apex_server_message joined = script_joined(0, 0);
    script_tell(&self, &joined);
    assert_state(&self, "spectating");
    script_end(&self);
}

TEST(who_only_resumes_drives_when_the_player_is_there) {
    apex_server_message welcome;
    script self = begin_resuming(&welcome);
    apex_server_message joined = script_joined(7, 3);
    joined.joined.resumed = true;
    script_tell(&self, &joined);
    assert_state(&self, "driving");
    ck_assert(!self.session->def.spectate);
    script_end(&self);
}

TEST(it_comes_back_with_its_token) {
    apex_client_def def = coming_def();
    script self = begin_driving(&def);
    ck_assert(!script_said(&self, APEX_CLIENT_HELLO, 0)->hello.has_token);
    client_session_link_closed(self.session);
    assert_state(&self, "reconnecting");
    ck_assert_ptr_nonnull(strstr(self.session->lost_text, "race.example"));
    ck_assert_uint_le(until_wish(&self, 100000), 2 * SCRIPT_STEP_US);
    ck_assert(!client_session_take_wish(self.session)); // said once

    apex_server_message welcome = keeping_welcome(0xA2);
    welcome.welcome.tick = 900;
    script_welcomed(&self, &welcome);
    const apex_hello *hello = &script_said(&self, APEX_CLIENT_HELLO, 0)->hello;
    uint8_t wanted[APEX_TOKEN_BYTES];
    memset(wanted, 0xA1, sizeof wanted);
    ck_assert(hello->has_token);
    ck_assert_mem_eq(hello->resume_token, wanted, sizeof wanted);
    assert_state(&self, "joining");
    apex_server_message joined = script_joined(7, 3);
    joined.joined.resumed = true;
    script_tell(&self, &joined);
    assert_state(&self, "driving");
    ck_assert(self.session->resumed);
    ck_assert_uint_eq(self.session->links_back, 1);
    size_t before = script_count(&self, APEX_CLIENT_CONTROLS);
    script_run(&self, 500000);
    ck_assert_uint_gt(script_count(&self, APEX_CLIENT_CONTROLS), before + 10);
    // Stamped by the new clock.
    uint32_t first = script_said(&self, APEX_CLIENT_CONTROLS, 0)->controls.first_tick;
    ck_assert_uint_ge(first, 900);
    ck_assert_uint_le(first, 960);

    // And the next time with the next.
    client_session_link_closed(self.session);
    until_wish(&self, 100000);
    client_session_opened(self.session, self.now_us);
    script_drain(&self);
    memset(wanted, 0xA2, sizeof wanted);
    ck_assert_mem_eq(script_said(&self, APEX_CLIENT_HELLO, 0)->hello.resume_token, wanted,
                     sizeof wanted);
    script_end(&self);
}

static void tell_past(script *self, uint32_t first_tick, uint32_t count) {
    apex_race_event_message events[APEX_PAST_EVENTS_MAX];
    for (uint32_t i = 0; i < count; i++) {
        events[i] = (apex_race_event_message){.kind = 1, .tick = first_tick + 10 * i, .player = i};
    }
    apex_server_message message = {.kind = APEX_SERVER_PAST_EVENTS,
                                   .past_events = {.event_count = count, .events = events}};
    client_knowledge_begin_update(&self->session->knowledge);
    script_tell(self, &message);
}

static void come_back(script *self, uint32_t tick) {
    client_session_link_closed(self->session);
    (void)until_wish(self, 100000);
    apex_server_message welcome = keeping_welcome(0xA1);
    welcome.welcome.tick = tick;
    script_welcomed(self, &welcome);
    apex_server_message joined = script_joined(7, 3);
    script_tell(self, &joined);
}

TEST(what_happened_before_is_told_once) {
    apex_client_def def = coming_def();
    script self = begin_driving(&def);
    const client_knowledge *knowledge = &self.session->knowledge;
    tell_past(&self, 100, 5); // up to tick 140
    ck_assert_uint_eq(knowledge->past_count, 5);
    ck_assert_uint_eq(knowledge->event_count, 0); // nothing to act on
    apex_server_message event = {.kind = APEX_SERVER_RACE_EVENT,
                                 .event = {.kind = 1, .tick = 160, .player = 7}};
    script_tell(&self, &event);
    come_back(&self, 900);
    tell_past(&self, 100, 9); // up to tick 180
    ck_assert_uint_eq(knowledge->past_count, 2);
    ck_assert_uint_eq(knowledge->past[0].tick, 170);
    come_back(&self, 180);
    tell_past(&self, 100, 9);
    ck_assert_uint_eq(knowledge->past_count, 0);
    // Another server's count has begun anew, and so has what happened.
    come_back(&self, 150);
    tell_past(&self, 100, 5);
    ck_assert_uint_eq(knowledge->past_count, 5);
    client_knowledge_begin_update(&self.session->knowledge);
    ck_assert_ptr_null(knowledge->past);
    ck_assert_uint_eq(self.session->undecodable, 0);
    script_end(&self);
}

TEST(a_crowds_client_keeps_no_past) {
    apex_client_def def = coming_def();
    def.own_car_only = true;
    script self = begin_driving(&def);
    tell_past(&self, 100, 5);
    ck_assert_uint_eq(self.session->knowledge.past_count, 0);
    ck_assert_uint_eq(self.session->undecodable, 0);
    script_end(&self);
}

TEST(silence_breaks_a_link_too) {
    apex_client_def def = coming_def();
    script self = begin_driving(&def);
    script_run(&self, def.silence_timeout_us - 100000);
    assert_state(&self, "driving");
    script_run(&self, 200000);
    assert_state(&self, "reconnecting");
    ck_assert_ptr_nonnull(strstr(self.session->lost_text, "nothing heard"));
    script_end(&self);
}

TEST(it_tries_again_and_again_and_then_gives_up) {
    apex_client_def def = coming_def();
    script self = begin_driving(&def);
    client_session_link_closed(self.session);
    uint64_t lost_us = self.now_us;
    uint32_t tries = 0;
    while (self.session->state == APEX_CLIENT_RECONNECTING) {
        script_step(&self, SCRIPT_STEP_US);
        tries += client_session_take_wish(self.session);
        client_session_link_closed(self.session); // as ENet says of a try that failed
    }
    assert_state(&self, "closed");
    ck_assert_uint_eq(self.session->links_lost, 1);
    ck_assert_uint_eq(self.session->links_back, 0);
    uint64_t took_us = self.now_us - lost_us;
    ck_assert_uint_ge(took_us, 30000000);
    ck_assert_uint_le(took_us, 30100000);
    ck_assert_uint_ge(tries, 14);
    ck_assert_uint_le(tries, 16);
    ck_assert_int_eq(self.session->close_reason, APEX_REASON_TIMEOUT);
    ck_assert_ptr_nonnull(strstr(self.session->close_text, "closed the connection"));
    ck_assert_ptr_nonnull(strstr(self.session->close_text, "no way back within 30 s"));
    script_end(&self);
}

static const apex_reason PASSING[] = {APEX_REASON_SERVER_FULL, APEX_REASON_ADDRESS_LIMIT,
                                      APEX_REASON_TIMEOUT};

TEST_OVER(a_refusal_that_may_pass_is_waited_out, 0, 3) {
    apex_client_def def = coming_def();
    script self = begin_driving(&def);
    client_session_link_closed(self.session);
    until_wish(&self, 100000);
    client_session_opened(self.session, self.now_us);
    apex_server_message reject = script_refusal(APEX_SERVER_REJECT, PASSING[_i], "not now", true);
    script_tell(&self, &reject);
    client_session_link_closed(self.session);
    assert_state(&self, "reconnecting");
    uint64_t waited_us = until_wish(&self, 3000000);
    ck_assert_uint_ge(waited_us, 900000);
    ck_assert_uint_le(waited_us, 1100000);
    script_end(&self);
}

TEST_OVER(a_goodbye_and_a_hopeless_refusal_are_the_end, 0, 3) {
    static const struct {
        apex_server_message_kind kind;
        apex_reason reason;
    } ends[] = {{APEX_SERVER_GOODBYE, APEX_REASON_RESUMED},
                {APEX_SERVER_GOODBYE, APEX_REASON_KICKED},
                {APEX_SERVER_REJECT, APEX_REASON_VERSION}};
    apex_client_def def = coming_def();
    script self = begin_driving(&def);
    apex_server_message end = script_refusal(ends[_i].kind, ends[_i].reason, "that is all", true);
    script_tell(&self, &end);
    client_session_link_closed(self.session);
    assert_state(&self, "closed");
    ck_assert_int_eq(self.session->close_reason, ends[_i].reason);
    script_end(&self);
}

TEST(a_greeting_without_an_answer_is_tried_again) {
    apex_client_def def = coming_def();
    script self = begin_driving(&def);
    client_session_link_closed(self.session);
    until_wish(&self, 100000);
    client_session_opened(self.session, self.now_us);
    assert_state(&self, "greeted");
    uint64_t waited_us = until_wish(&self, 10000000);
    ck_assert_uint_ge(waited_us, def.connect_timeout_us);
    ck_assert_uint_le(waited_us, def.connect_timeout_us + 1100000);
    script_end(&self);
}

TEST(another_server_at_the_old_address_is_not_joined) {
    apex_client_def def = coming_def();
    script self = begin_driving(&def);
    client_session_link_closed(self.session);
    until_wish(&self, 100000);
    apex_server_message welcome = keeping_welcome(0xA2);
    welcome.welcome.def_count = 1;
    welcome.welcome.defs[0] = (apex_def_name){APEX_DEF_TRACK, "elsewhere", 5, 100};
    size_t joins = script_count(&self, APEX_CLIENT_JOIN);
    script_welcomed(&self, &welcome);
    assert_state(&self, "closed");
    // Not as if the event had come to its end.
    ck_assert_int_eq(self.session->close_reason, APEX_REASON_UNKNOWN_DEF);
    ck_assert_uint_eq(script_count(&self, APEX_CLIENT_JOIN), joins);
    script_end(&self);
}

TEST_OVER(it_does_not_come_back_where_that_is_in_vain_or_unwanted, 0, 3) {
    apex_client_def def = coming_def();
    def.reconnect = _i != 0;
    script self = begin_driving(&def);
    if (_i == 1) {
        client_session_leave(self.session, self.now_us);
    } else if (_i == 2) {
        self.session->knowledge.welcome.resume_grace_s = 0;
    }
    client_session_link_closed(self.session);
    assert_state(&self, "closed");
    ck_assert_int_eq(self.session->close_reason, _i == 1 ? APEX_REASON_NONE : APEX_REASON_TIMEOUT);
    script_end(&self);
}

TEST(leaving_ends_the_tries) {
    apex_client_def def = coming_def();
    script self = begin_driving(&def);
    client_session_link_closed(self.session);
    client_session_leave(self.session, self.now_us);
    assert_state(&self, "closed");
    ck_assert_int_eq(self.session->close_reason, APEX_REASON_NONE);
    ck_assert(!client_session_take_wish(self.session));
    script_end(&self);
}

// The secret shows a server whose messages these are; another one is not told it.
TEST(what_is_said_carries_the_secret_of_the_newest_welcome) {
    apex_client_def def = script_def();
    def.reconnect = true;
    script self = script_begin(&def);
    apex_server_message welcome = keeping_welcome(0xA1);
    welcome.welcome.secret = 0x1122334455667788u;
    script_welcomed(&self, &welcome);
    apex_server_message joined = script_joined(7, 3);
    script_tell(&self, &joined);
    script_run(&self, 1000000);
    ck_assert_int_eq(self.sent[0].kind, APEX_CLIENT_HELLO);
    ck_assert_uint_eq(self.sent[0].secret, 0);
    ck_assert_uint_gt(self.sent_count, 20);
    for (size_t i = 1; i < self.sent_count; i++) {
        ck_assert_uint_eq(self.sent[i].secret, 0x1122334455667788u);
    }
    client_session_link_closed(self.session);
    until_wish(&self, 5000000);
    self.sent_count = 0;
    welcome = keeping_welcome(0xA2);
    welcome.welcome.secret = UINT64_MAX;
    script_welcomed(&self, &welcome);
    script_run(&self, 100000);
    ck_assert_int_eq(self.sent[0].kind, APEX_CLIENT_HELLO);
    ck_assert_uint_eq(self.sent[0].secret, 0);
    ck_assert_uint_gt(self.sent_count, 2);
    for (size_t i = 1; i < self.sent_count; i++) {
        ck_assert_uint_eq(self.sent[i].secret, UINT64_MAX);
    }
    script_end(&self);
}
