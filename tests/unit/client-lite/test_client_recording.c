// A recording that is watched: it pauses, goes faster and slower, and is somewhere else all of a
// sudden. The cars shown go on evenly all the while, and are right where it stops.
#include "support/base/check_main.h"

#include <math.h>
#include <stdio.h>

#include "test_client_script.h"
#include "client-lite/session/handshake/session_requests.h"
#include "client-lite/session/session.h"
#include "client-lite/session/showing/session_playback.h"
#include "proto/delta.h"

enum { TICK_HZ = 60, CAR = 1 << 16 | 9, STEP_US = 8000, SNAPSHOT_STEPS = 6, CARS_SHOWN = 4 };

// A server that plays a recording in which one car drives along x, a third of a metre a tick.
typedef struct tape {
    script client;
    apex_playback_state state;
    double tick;
    uint32_t steps;
    uint32_t answered; // of all that the client said
    bool is_silent;    // it makes its way to another tick
} tape;

static apex_wire_car car_at(uint32_t tick) {
    return (apex_wire_car){.id = CAR, .x_mm = (int32_t)(tick * 1000 / 3), .vx_cmps = 2000};
}

static void tell_state(tape *self) {
    self->state.tick = (uint32_t)self->tick;
    apex_server_message message = {.kind = APEX_SERVER_PLAYBACK_STATE,
                                   .playback_state = self->state};
    script_tell(&self->client, &message);
}

static void tell_snapshot(tape *self) {
    apex_wire_car car = car_at((uint32_t)self->tick);
    apex_server_message message = script_snapshot((uint32_t)self->tick, &car, 1);
    script_tell(&self->client, &message);
}

static void answer_times(tape *self) {
    for (; self->answered < self->client.sent_count; self->answered++) {
        const apex_client_message *said = &self->client.sent[self->answered];
        if (said->kind == APEX_CLIENT_TIME_REQUEST) {
            apex_server_message reply = {.kind = APEX_SERVER_TIME_REPLY};
            reply.time_reply.client_us = said->client_us;
            reply.time_reply.tick = (uint32_t)self->tick;
            script_tell(&self->client, &reply);
        }
    }
}

static void step(tape *self) {
    if (self->state.playing && !self->is_silent) {
        self->tick += TICK_HZ * (self->state.speed_permille / 1000.0) * STEP_US / 1e6;
    }
    script_step(&self->client, STEP_US);
    answer_times(self);
    if (self->steps++ % SNAPSHOT_STEPS == 0 && self->state.playing && !self->is_silent) {
        tell_snapshot(self);
    }
}

static size_t show(const tape *self, apex_client_pose out[CARS_SHOWN]) {
    client_session *session = self->client.session;
    client_frame frame = {.server_tick = client_clock_tick(&session->clock, self->client.now_us),
                          .out = out,
                          .capacity = CARS_SHOWN};
    return client_interpolation_show(&session->shown, &session->snapshots, self->client.now_us,
                                     &frame);
}

static double shown_m(const tape *self) {
    apex_client_pose poses[CARS_SHOWN];
    ck_assert_uint_eq(show(self, poses), 1);
    ck_assert_uint_eq(poses[0].car, CAR);
    return poses[0].position_m[0];
}

static double clock_tick(const tape *self) {
    return client_clock_tick(&self->client.session->clock, self->client.now_us);
}

// Runs, and holds that the car goes on as a car does: never back, never by a leap.
// @return the fastest it went, by the length of a tick.
static double run(tape *self, double seconds) {
    double before_m = shown_m(self), fastest_m = 0.0;
    for (double ran_s = 0.0; ran_s < seconds; ran_s += STEP_US / 1e6) {
        step(self);
        double now_m = shown_m(self);
        ck_assert_msg(now_m > before_m - 1e-3, "it went back by %g m", before_m - now_m);
        fastest_m = fmax(fastest_m, now_m - before_m);
        before_m = now_m;
    }
    return fastest_m * 3.0 / (TICK_HZ * STEP_US / 1e6);
}

static apex_client_def watching(void) {
    apex_client_def def = script_def();
    def.spectate = true;
    def.show = true;
    return def;
}

static tape begin(double tick) {
    apex_client_def def = watching();
    tape self = {.client = script_begin(&def), .tick = tick};
    self.state = (apex_playback_state){
        .last_tick = 1000000, .playing = true, .speed_permille = 1000, .epoch = 4};
    apex_server_message welcome = script_welcome();
    apex_server_message joined = script_joined(0, 0);
    script_welcomed(&self.client, &welcome);
    script_tell(&self.client, &joined);
    tell_state(&self);
    return self;
}

static void end(tape *self) {
    ck_assert_uint_eq(self->client.session->undecodable, 0);
    script_end(&self->client);
}

// The pace of what is shown settles within a tenth of what is played.
static void check_pace(tape *self, double speed) {
    ck_assert_double_lt(run(self, 1.0), 1.15 * speed);
    double from_m = shown_m(self);
    run(self, 2.0);
    ck_assert_double_eq_tol((shown_m(self) - from_m) * 3.0 / (2.0 * TICK_HZ), speed, 0.1 * speed);
    ck_assert_double_eq_tol(clock_tick(self), self->tick, 1.0 + 0.02 * TICK_HZ * speed);
    double behind_s = (self->tick / 3.0 - shown_m(self)) * 3.0 / (TICK_HZ * speed);
    ck_assert_msg(behind_s > 0.03 && behind_s < 0.2, "%g s behind at %gx", behind_s, speed);
}

static void pause(tape *self) {
    self->state.playing = false;
    tell_state(self);
    tell_snapshot(self);
}

static void play(tape *self, uint32_t speed_permille) {
    self->state.playing = true;
    self->state.speed_permille = speed_permille;
    tell_state(self);
}

TEST(it_is_played_as_it_was_driven) {
    tape self = begin(5000.0);
    step(&self);
    check_pace(&self, 1.0);
    const apex_playback_state *state = &self.client.session->knowledge.playback;
    ck_assert(state->playing && state->epoch == 4 && state->last_tick == 1000000);
    end(&self);
}

TEST(a_pause_shows_the_very_tick) {
    tape self = begin(5000.0);
    step(&self);
    run(&self, 2.0);
    pause(&self);
    ck_assert_double_lt(run(&self, 0.4), 1.15);
    apex_client_pose poses[CARS_SHOWN];
    for (int second = 0; second < 4; second++) {
        ck_assert_uint_eq(show(&self, poses), 1);
        ck_assert_double_eq_tol(poses[0].tick, (uint32_t)self.tick, 1e-9);
        ck_assert_double_eq_tol(poses[0].position_m[0], car_at((uint32_t)self.tick).x_mm / 1e3,
                                1e-6);
        ck_assert(!poses[0].extrapolated && !poses[0].stale);
        ck_assert_double_eq_tol(clock_tick(&self), (uint32_t)self.tick, 1e-9);
        run(&self, 1.0);
    }
    play(&self, 1000);
    check_pace(&self, 1.0);
    ck_assert_uint_eq(self.client.session->shown.stale, 0);
    end(&self);
}

TEST(it_goes_faster_and_slower) {
    static const uint32_t speeds_permille[] = {16000, 1000, 250, 4000, 125, 16000, 125, 2000, 1500};
    tape self = begin(5000.0);
    step(&self);
    run(&self, 2.0);
    double before = 1.0;
    for (size_t i = 0; i < sizeof speeds_permille / sizeof speeds_permille[0]; i++) {
        double speed = speeds_permille[i] / 1000.0;
        play(&self, speeds_permille[i]);
        ck_assert_double_lt(run(&self, 1.0), 1.15 * fmax(speed, before));
        check_pace(&self, speed);
        before = speed;
    }
    ck_assert_uint_eq(self.client.session->shown.stale, 0);
    end(&self);
}

TEST(faster_after_a_pause) {
    tape self = begin(5000.0);
    step(&self);
    run(&self, 1.0);
    pause(&self);
    run(&self, 1.0);
    play(&self, 8000);
    ck_assert_double_lt(run(&self, 0.5), 1.15 * 8.0);
    check_pace(&self, 8.0);
    end(&self);
}

// The car stays in sight where it was.
static void wait_ms(tape *self, uint32_t way_ms, double before_m) {
    for (uint32_t waited_us = 0; waited_us < 1000 * way_ms; waited_us += STEP_US) {
        step(self);
        ck_assert_double_eq_tol(shown_m(self), before_m, 1e-9);
    }
}

// To another tick, by way of so many milliseconds.
static void seek(tape *self, double tick, uint32_t way_ms) {
    double before_m = shown_m(self);
    self->tick = tick;
    if (way_ms > 100) { // it says that it will go, and goes later
        self->state.seeking = self->is_silent = true;
        tell_state(self);
        wait_ms(self, way_ms / 3, before_m);
    }
    self->state.epoch++;
    self->state.seeking = self->is_silent = way_ms > 0;
    tell_state(self);
    wait_ms(self, way_ms, before_m);
    self->is_silent = false;
    if (self->state.seeking) {
        self->state.seeking = false;
        tell_state(self);
    }
    tell_snapshot(self);
}

static const uint32_t jumps[][2] = {{100, 0}, {100, 150}, {300000, 0}, {300000, 150}, {5070, 40}};

TEST_OVER(a_jump_shows_the_other_place_at_once, 0, sizeof jumps / sizeof jumps[0]) {
    tape self = begin(5000.0);
    step(&self);
    run(&self, 2.0);
    seek(&self, jumps[_i][0], jumps[_i][1]);
    ck_assert_double_eq_tol(shown_m(&self), jumps[_i][0] / 3.0, 1e-3);
    ck_assert_double_eq_tol(clock_tick(&self), jumps[_i][0], 0.01);
    ck_assert_uint_eq(self.client.session->snapshots.tick, jumps[_i][0]);
    ck_assert_double_lt(run(&self, 1.0), 1.15);
    check_pace(&self, 1.0);
    end(&self);
}

// Frame by frame.
TEST(jumps_while_it_pauses) {
    tape self = begin(5000.0);
    step(&self);
    run(&self, 2.0);
    pause(&self);
    run(&self, 1.0);
    for (uint32_t tick = 6000; tick > 5990; tick--) {
        seek(&self, tick, 16);
        for (int i = 0; i < 20; i++) {
            step(&self);
            ck_assert_double_eq_tol(shown_m(&self), car_at(tick).x_mm / 1e3, 1e-6);
        }
        ck_assert_double_eq_tol(clock_tick(&self), tick, 1e-9);
    }
    play(&self, 1000);
    check_pace(&self, 1.0);
    end(&self);
}

TEST(what_was_known_of_the_other_time_is_forgotten) {
    tape self = begin(5000.0);
    step(&self);
    apex_wire_standing line = {.position = 1};
    apex_server_message results = {.kind = APEX_SERVER_RESULTS};
    results.results = (apex_results){.race_number = 1, .line_count = 1, .lines = &line};
    apex_server_message telemetry = {.kind = APEX_SERVER_TELEMETRY};
    telemetry.telemetry.car = CAR;
    client_session_focus(self.client.session, CAR);
    script_tell(&self.client, &results);
    script_tell(&self.client, &telemetry);
    const client_knowledge *knowledge = &self.client.session->knowledge;
    tell_state(&self);
    ck_assert(knowledge->has_results && knowledge->has_telemetry);
    seek(&self, 100.0, 0);
    ck_assert(!knowledge->has_results && !knowledge->has_telemetry);
    end(&self);
}

// @param age of the baseline, whose car is the same; 0: the car by itself.
static void tell_delta(tape *self, uint16_t sequence, uint32_t tick, uint32_t age) {
    uint8_t bytes[256];
    apex_delta_car car = {.id = CAR};
    apex_delta_code code;
    apex_delta_span span = {.age_ticks = age, .tick_hz = TICK_HZ};
    if (age == 0) {
        apex_delta_code_full(&car, APEX_DELTA_NEAR, &code);
    } else {
        apex_delta_code_change(&car, &car, APEX_DELTA_NEAR, span, &code);
    }
    uint16_t slot = (uint16_t)apex_delta_slot(CAR);
    apex_delta_head head = {.tick = tick,
                            .sequence = sequence,
                            .age_ticks = age > 0 ? age : 1,
                            .car_count = 1,
                            .spread = apex_delta_spread(&slot, 1)};
    apex_delta_writer writer;
    apex_delta_begin(&writer, &head, bytes, sizeof bytes);
    apex_delta_add(&writer, slot, head.age_ticks, APEX_DELTA_NEAR, &code);
    apex_server_message message = {.kind = APEX_SERVER_SNAPSHOT};
    message.snapshot.delta_length = apex_delta_end(&writer);
    message.snapshot.delta = bytes;
    script_tell(&self->client, &message);
}

static apex_snapshot_ack last_ack(tape *self) {
    script_step(&self->client, STEP_US);
    const apex_client_message *said = script_said(&self->client, APEX_CLIENT_SNAPSHOT_ACK, 0);
    ck_assert_ptr_nonnull(said);
    return said->snapshot_ack;
}

static const uint16_t first_sequences[] = {0, 400, 127, 128, 255, 65535};

TEST_OVER(deltas_begin_anew_after_a_jump, 0, sizeof first_sequences / sizeof first_sequences[0]) {
    tape self = begin(5000.0);
    self.is_silent = true;
    for (uint16_t i = 0; i < 400; i++) {
        tell_delta(&self, i, 5000 + 3u * i, i == 0 ? 0 : 3);
    }
    ck_assert_uint_eq(last_ack(&self).newest, 400);
    self.tick = 250000.0; // farther than the bits of a tick reach
    self.state.epoch++;
    tell_state(&self);
    size_t acks = script_count(&self.client, APEX_CLIENT_SNAPSHOT_ACK);
    script_step(&self.client, STEP_US);
    ck_assert_uint_eq(script_count(&self.client, APEX_CLIENT_SNAPSHOT_ACK), acks);
    uint16_t first = first_sequences[_i]; // 8 bits of which travel
    tell_delta(&self, first, 250001, 0);
    ck_assert_uint_eq(self.client.session->snapshots.tick, 250001);
    apex_snapshot_ack ack = last_ack(&self);
    ck_assert_uint_eq((uint8_t)(ack.newest - 1), (uint8_t)first);
    ck_assert_uint_eq(ack.before, 0);
    tell_delta(&self, (uint16_t)(first + 1), 250004, 3);
    ck_assert_uint_eq((uint8_t)last_ack(&self).newest, (uint8_t)(first + 2));
    ck_assert_uint_eq(last_ack(&self).before, 1);
    ck_assert_uint_eq(self.client.session->snapshots.count, 1);
    end(&self);
}

TEST(nothing_leans_on_what_was_before_a_jump) {
    tape self = begin(5000.0);
    self.is_silent = true;
    tell_delta(&self, 0, 5000, 0);
    self.state.epoch++;
    tell_state(&self);
    tell_delta(&self, 0, 5003, 3);
    ck_assert_uint_eq(self.client.session->undecodable, 1);
    ck_assert_uint_eq(last_ack(&self).repair, 1);
    self.client.session->undecodable = 0;
    end(&self);
}

TEST(wishes_of_one_update_are_one_message) {
    tape self = begin(5000.0);
    client_session *session = self.client.session;
    script_step(&self.client, STEP_US);
    ck_assert_uint_eq(script_count(&self.client, APEX_CLIENT_PLAYBACK), 0);
    for (uint32_t tick = 0; tick < 1000; tick++) { // somebody drags a slider
        client_session_play(session, &(apex_playback_wish){.seek = 1 + tick});
    }
    client_session_play(session, &(apex_playback_wish){.play = APEX_PLAY_ON});
    client_session_play(session, &(apex_playback_wish){.play = APEX_PLAY_PAUSE});
    client_session_play(session, &(apex_playback_wish){.speed_permille = 1});
    ck_assert_uint_eq(client_session_due_us(session, self.client.now_us), self.client.now_us);
    script_run(&self.client, 100000);
    ck_assert_uint_eq(script_count(&self.client, APEX_CLIENT_PLAYBACK), 1);
    const apex_playback_wish *said = &script_said(&self.client, APEX_CLIENT_PLAYBACK, 0)->playback;
    ck_assert_uint_eq(said->seek, 1000);
    ck_assert_int_eq(said->play, APEX_PLAY_PAUSE);
    ck_assert_uint_eq(said->speed_permille, APEX_PLAYBACK_SPEED_PERMILLE_MIN);
    end(&self);
}

TEST(who_drives_watches_no_recording) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_driving(&self);
    client_session_play(self.session, &(apex_playback_wish){.seek = 7});
    script_step(&self, STEP_US);
    ck_assert_uint_eq(script_count(&self, APEX_CLIENT_PLAYBACK), 0);
    apex_server_message state = {.kind = APEX_SERVER_PLAYBACK_STATE};
    state.playback_state.speed_permille = 1000;
    script_tell(&self, &state);
    ck_assert_uint_eq(self.session->undecodable, 1);
    ck_assert(!self.session->knowledge.has_playback);
    script_end(&self);
}

TEST(marks_stand_until_there_are_others) {
    tape self = begin(5000.0);
    const apex_playback_state *known = &self.client.session->knowledge.playback;
    apex_playback_mark marks[3] = {{10, 1, 0}, {20, 7, 5}, {30, 10, 6}};
    ck_assert_uint_eq(known->mark_count, 0);
    self.state.marks = marks;
    self.state.mark_count = 3;
    tell_state(&self);
    memset(marks, 0, sizeof marks);
    self.state.mark_count = 0;
    self.tick = 5100.0;
    tell_state(&self);
    ck_assert_uint_eq(known->tick, 5100);
    ck_assert_uint_eq(known->mark_count, 3);
    ck_assert_uint_eq(known->marks[1].tick, 20);
    ck_assert_uint_eq(known->marks[2].player, 6);
    self.state.mark_count = 1;
    tell_state(&self);
    ck_assert_uint_eq(known->mark_count, 1);
    ck_assert_uint_eq(known->marks[0].tick, 0);
    end(&self);
}
