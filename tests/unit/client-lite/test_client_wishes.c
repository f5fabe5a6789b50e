// Tests of what a client asks to be told of, and of how often it says so.
#include "client-lite/session/handshake/session_requests.h"
#include "client-lite/session/session.h"
#include "support/base/check_main.h"

#include "test_client_script.h"

static const apex_subscribe *last_subscribed(const script *self) {
    return &script_said(self, APEX_CLIENT_SUBSCRIBE, 0)->subscribe;
}

TEST(a_focus_is_told_at_once_and_then_ten_times_a_second) {
    apex_client_def def = script_def();
    def.spectate = true;
    def.standings = true;
    def.telemetry_hz = 20;
    def.sectors = true;
    script self = script_begin(&def);
    client_session_focus(self.session, 41); // before there is anybody to tell
    apex_server_message welcome = script_welcome(), joined = script_joined(0, 0);
    script_welcomed(&self, &welcome);
    ck_assert_uint_eq(last_subscribed(&self)->focus_car, 41);
    script_tell(&self, &joined);
    script_run(&self, 200000);
    ck_assert_uint_eq(script_count(&self, APEX_CLIENT_SUBSCRIBE), 1);
    client_session_focus(self.session, 42);
    script_step(&self, SCRIPT_STEP_US);
    const apex_subscribe wanted = {.snapshot_hz = 20,
                                   .telemetry_hz = 20,
                                   .standings = true,
                                   .sectors = true,
                                   .encoding = APEX_ENCODING_DELTA,
                                   .focus_car = 42};
    ck_assert_mem_eq(last_subscribed(&self), &wanted, sizeof wanted); // all of it, again
    uint64_t due_us = client_session_due_us(self.session, self.now_us);
    client_session_focus(self.session, 1);
    ck_assert_uint_le(client_session_due_us(self.session, self.now_us), self.now_us + 100000);
    ck_assert_uint_le(client_session_due_us(self.session, self.now_us), due_us);
    for (uint32_t car = 1; car <= 125; car++) { // a second
        client_session_focus(self.session, car);
        script_step(&self, SCRIPT_STEP_US);
    }
    size_t told = script_count(&self, APEX_CLIENT_SUBSCRIBE) - 2;
    ck_assert_uint_ge(told, 8);
    ck_assert_uint_le(told, 10);
    script_run(&self, 100000);
    ck_assert_uint_eq(last_subscribed(&self)->focus_car, 125);
    script_end(&self);
}

TEST(telemetry_of_another_car_than_the_focus_is_passed_over) {
    apex_client_def def = script_def();
    def.spectate = true;
    script self = script_begin(&def);
    apex_server_message welcome = script_welcome(), joined = script_joined(0, 0);
    apex_server_message telemetry = {.kind = APEX_SERVER_TELEMETRY};
    script_welcomed(&self, &welcome);
    script_tell(&self, &joined);
    client_session_focus(self.session, 42);
    telemetry.telemetry.car = 41;
    script_tell(&self, &telemetry);
    ck_assert(!self.session->knowledge.has_telemetry);
    telemetry.telemetry.car = 42;
    script_tell(&self, &telemetry);
    ck_assert(self.session->knowledge.has_telemetry);
    client_session_focus(self.session, 42);
    ck_assert(self.session->knowledge.has_telemetry);
    client_session_focus(self.session, 43);
    ck_assert(!self.session->knowledge.has_telemetry);
    ck_assert_uint_eq(self.session->undecodable, 0);
    script_end(&self);
}

// Who foretells his rivals wants those at his side as often as they are given, and nobody else
// does.
TEST(cars_side_by_side_are_asked_for_by_who_foretells_them) {
    static const struct {
        bool ahead, predict, spectate;
        uint32_t nearest_hz;
    } wishes[] = {{true, false, false, 240},
                  {false, true, false, 0},
                  {false, false, false, 0},
                  {true, false, true, 0}};
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++) {
        apex_client_def def = script_def();
        def.ahead = wishes[i].ahead;
        def.predict = wishes[i].predict;
        def.spectate = wishes[i].spectate;
        script self = script_begin(&def);
        apex_server_message welcome = script_welcome();
        script_welcomed(&self, &welcome);
        ck_assert_uint_eq(last_subscribed(&self)->nearest_hz, wishes[i].nearest_hz);
        script_end(&self);
    }
}
