// A client in a race that goes as fast as it can: the race waits for the client's controls, and so
// the client has to find out by itself for which tick.
#include "test_client_script.h"

#include "support/base/check_main.h"

static void tell_time(script *self, uint32_t tick, uint32_t into_tick_us) {
    const apex_client_message *asked = script_said(self, APEX_CLIENT_TIME_REQUEST, 0);
    apex_server_message reply = {.kind = APEX_SERVER_TIME_REPLY};
    reply.time_reply = (apex_time_reply){asked->client_us, tick, into_tick_us};
    script_tell(self, &reply);
}

static void tell_joined(script *self) {
    apex_server_message joined = script_joined(7, 3);
    script_tell(self, &joined);
    ck_assert_int_eq(self->session->state, APEX_CLIENT_DRIVING);
}

// It knows the tick of its last question, some hundreds ago, and the race now waits for its
// controls.
static script join_unpaced(void) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    apex_server_message welcome = script_welcome();
    welcome.welcome.speed_permille = 0;
    script_welcomed(&self, &welcome);
    script_run(&self, 3000000);
    tell_time(&self, 700, 0);
    script_run(&self, 300000);
    return self;
}

TEST(who_joins_a_race_that_waits_asks_for_its_tick) {
    script self = join_unpaced();
    size_t asked = script_count(&self, APEX_CLIENT_TIME_REQUEST);
    tell_joined(&self);
    script_step(&self, SCRIPT_STEP_US);
    ck_assert_uint_eq(script_count(&self, APEX_CLIENT_TIME_REQUEST), asked + 1);
    size_t sent = script_count(&self, APEX_CLIENT_CONTROLS);
    tell_time(&self, 5000, 700000); // the server has made no tick for so long
    script_step(&self, SCRIPT_STEP_US);
    size_t since = script_count(&self, APEX_CLIENT_CONTROLS) - sent;
    ck_assert_uint_gt(since, 0);
    const apex_client_message *controls = script_said(&self, APEX_CLIENT_CONTROLS, since - 1);
    ck_assert_uint_eq(controls->controls.first_tick, 5001);
    script_end(&self);
}

TEST(who_hears_nothing_of_a_race_that_waits_asks_again) {
    script self = join_unpaced();
    tell_joined(&self);
    script_step(&self, SCRIPT_STEP_US);
    tell_time(&self, 5000, 0);
    size_t asked = script_count(&self, APEX_CLIENT_TIME_REQUEST);
    for (uint32_t tick = 5003; tick <= 5030; tick += 3) { // ticks go on: there is no need
        apex_server_message snapshot = script_snapshot(tick, NULL, 0);
        script_tell(&self, &snapshot);
        script_run(&self, 48000);
    }
    ck_assert_uint_eq(script_count(&self, APEX_CLIENT_TIME_REQUEST), asked);
    script_run(&self, 320000); // what was said last is lost
    size_t more = script_count(&self, APEX_CLIENT_TIME_REQUEST) - asked;
    ck_assert_msg(more >= 4 && more <= 6, "%zu", more);
    script_end(&self);
}
