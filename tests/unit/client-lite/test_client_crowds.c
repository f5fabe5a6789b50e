// Tests of what makes a thousand clients cheap: each is looked at only when something is due, and
// keeps only what is about the own car; and of its counts for programs that measure the server.
#include "support/base/check_main.h"

#include "test_client_script.h"

#include "client-lite/session/session.h"
#include "proto/delta.h"

enum { OWN_PLAYER = 7, OWN_CAR = 3, TICK_US = 16667 };

static script drive(double shift_ticks, bool own_car_only) {
    apex_client_def def = script_def();
    def.controls_shift_ticks = shift_ticks;
    def.own_car_only = own_car_only;
    script self = script_begin(&def);
    ck_assert_uint_eq(client_session_due_us(self.session, self.now_us), UINT64_MAX);
    apex_server_message welcome = script_welcome();
    script_welcomed(&self, &welcome);
    apex_server_message joined = script_joined(OWN_PLAYER, OWN_CAR);
    script_tell(&self, &joined);
    self.sent_count = 0;
    return self;
}

// A loop that sleeps until it is due sends what one that never sleeps would.
TEST(nothing_is_missed_between_two_dues) {
    script self = drive(0.0, false);
    uint64_t end_us = self.now_us + 4000000;
    uint32_t wakes = 0;
    while (self.now_us < end_us) {
        uint64_t due_us = client_session_due_us(self.session, self.now_us);
        ck_assert_uint_ge(due_us, self.now_us);
        ck_assert_uint_le(due_us, self.now_us + 2 * TICK_US + 100);
        script_step(&self, due_us - self.now_us);
        wakes++;
    }
    size_t packets = script_count(&self, APEX_CLIENT_CONTROLS);
    ck_assert_uint_ge(packets, 4 * 30 - 1);
    ck_assert_uint_le(packets, 4 * 30 + 1);
    // Besides the controls only the time is asked for: no wake for nothing.
    size_t asked = script_count(&self, APEX_CLIENT_TIME_REQUEST);
    ck_assert_uint_ge(asked, 6);
    ck_assert_uint_le(wakes, packets + asked + 1);
    uint32_t next_tick = 0;
    for (size_t i = 0; i < self.sent_count; i++) {
        const apex_controls_message *packet = &self.sent[i].controls;
        if (self.sent[i].kind != APEX_CLIENT_CONTROLS) {
            continue;
        }
        ck_assert(next_tick == 0 || packet->first_tick + packet->sample_count == next_tick + 2);
        next_tick = packet->first_tick + packet->sample_count;
    }
    script_end(&self);
}

static uint64_t first_controls_us(double shift_ticks) {
    script self = drive(shift_ticks, false);
    uint64_t begun_us = self.now_us;
    // The second one: the first goes out at once.
    while (script_count(&self, APEX_CLIENT_CONTROLS) < 2) {
        script_step(&self, 100);
    }
    uint64_t took_us = self.now_us - begun_us;
    script_end(&self);
    return took_us;
}

TEST(a_shift_sends_earlier_by_a_part_of_a_tick) {
    uint64_t plain_us = first_controls_us(0.0);
    uint64_t shifted_us = first_controls_us(0.6);
    ck_assert_uint_ge(plain_us, shifted_us + 9700);
    ck_assert_uint_le(plain_us, shifted_us + 10300);
}

static void tell_snapshot(script *self, uint32_t tick, uint32_t controls_tick) {
    static const apex_wire_car CARS[3] = {
        {.id = 1, .x_mm = 100}, {.id = OWN_CAR, .x_mm = 300}, {.id = 8, .x_mm = 800}};
    apex_server_message message = {.kind = APEX_SERVER_SNAPSHOT};
    message.snapshot = (apex_snapshot_message){.tick = tick,
                                               .phase = 3,
                                               .part = 0,
                                               .parts = 1,
                                               .controls_tick = controls_tick,
                                               .car_count = 3,
                                               .cars = CARS};
    script_tell(self, &message);
}

static void tell_roster(script *self, bool complete, uint32_t own_car) {
    apex_roster_entry entries[3] = {{.player = 2, .car = 1, .name = "bo"},
                                    {.player = OWN_PLAYER, .car = own_car, .name = "ada"},
                                    {.player = 9, .car = 8, .name = "cy"}};
    apex_server_message message = {.kind = APEX_SERVER_ROSTER};
    message.roster = (apex_roster){.complete = complete, .entry_count = 3, .entries = entries};
    script_tell(self, &message);
}

static void tell_event(script *self, uint32_t kind, uint32_t player) {
    apex_server_message message = {.kind = APEX_SERVER_RACE_EVENT};
    message.event =
        (apex_race_event_message){.kind = kind, .tick = 605, .race_number = 1, .player = player};
    script_tell(self, &message);
}

TEST(only_the_own_car_is_kept) {
    script self = drive(0.0, true);
    client_session *session = self.session;
    tell_snapshot(&self, 603, 603);
    ck_assert_uint_eq(session->snapshots.count, 1);
    ck_assert_uint_eq(session->snapshots.cars[0].id, OWN_CAR);
    ck_assert_int_eq(session->snapshots.cars[0].x_mm, 300);
    ck_assert_uint_eq(session->snapshots.tick, 603);
    tell_roster(&self, true, OWN_CAR);
    ck_assert_uint_eq(session->knowledge.roster_count, 1);
    ck_assert_uint_eq(session->knowledge.roster[0].player, OWN_PLAYER);
    tell_event(&self, 9, 2);          // somebody else's reset
    tell_event(&self, 9, OWN_PLAYER); // the own one
    tell_event(&self, 0, 0);          // a phase, everybody's
    ck_assert_uint_eq(session->knowledge.event_count, 2);
    ck_assert_uint_eq(session->knowledge.events[0].player, OWN_PLAYER);
    ck_assert_uint_eq(session->knowledge.events[1].player, 0);
    // A roster that gives it another car is followed.
    tell_roster(&self, false, 8);
    ck_assert_uint_eq(session->car, 8);
    tell_snapshot(&self, 606, 606);
    ck_assert_uint_eq(session->snapshots.count, 1);
    ck_assert_int_eq(session->snapshots.cars[0].x_mm, 800);
    ck_assert_uint_eq(session->undecodable, 0);
    script_end(&self);
}

TEST(snapshots_are_counted_by_tick) {
    script self = drive(0.0, false);
    tell_snapshot(&self, 603, 602); // its controls were late
    tell_snapshot(&self, 606, 606);
    tell_snapshot(&self, 606, 606); // twice
    tell_snapshot(&self, 612, 612); // 609 is missing
    tell_snapshot(&self, 609, 609); // and comes too late to count
    const client_tally *tally = &self.session->tally;
    ck_assert_uint_eq(tally->snapshot_ticks, 3);
    ck_assert_uint_eq(tally->ticks_spanned, 9);
    ck_assert_uint_eq(tally->controls_on_tick, 2);
    ck_assert_uint_eq(tally->own_cars, 5);
    ck_assert_uint_eq(tally->replies, 0);
    script_step(&self, SCRIPT_STEP_US);
    apex_server_message reply = {.kind = APEX_SERVER_TIME_REPLY};
    const apex_client_message *asked = script_said(&self, APEX_CLIENT_TIME_REQUEST, 0);
    ck_assert_ptr_nonnull(asked);
    reply.time_reply.client_us = asked->client_us;
    reply.time_reply.tick = 613;
    self.now_us = asked->client_us + 12345;
    script_tell(&self, &reply);
    ck_assert_uint_eq(tally->replies, 1);
    ck_assert_uint_eq(tally->rtt_newest_us, 12345);
    script_end(&self);
}

// The own car alone and whole.
static size_t make_delta(uint8_t *bytes, size_t room, uint16_t sequence, uint32_t tick,
                         bool has_race) {
    apex_delta_car car = {.id = 1u << 16 | OWN_CAR};
    apex_delta_code code;
    apex_delta_code_full(&car, APEX_DELTA_NEAR, &code);
    apex_delta_head head = {.tick = tick,
                            .sequence = sequence,
                            .age_ticks = 1,
                            .has_race = has_race,
                            .phase = 3,
                            .has_controls = true,
                            .car_count = 1};
    apex_delta_writer writer;
    apex_delta_begin(&writer, &head, bytes, room);
    apex_delta_add(&writer, OWN_CAR, 0, APEX_DELTA_NEAR, &code);
    return apex_delta_end(&writer);
}

// Of rivals alone, between two snapshots.
static void tell_between(script *self, uint16_t sequence, uint32_t tick) {
    uint8_t bytes[256];
    apex_delta_car car = {.id = 1u << 16 | (OWN_CAR + 1)};
    apex_delta_code code;
    apex_delta_code_full(&car, APEX_DELTA_NEAR, &code);
    apex_delta_head head = {.tick = tick, .sequence = sequence, .age_ticks = 1, .car_count = 1};
    apex_delta_writer writer;
    apex_delta_begin(&writer, &head, bytes, sizeof bytes);
    apex_delta_add(&writer, OWN_CAR + 1, 0, APEX_DELTA_NEAR, &code);
    apex_server_message message = {.kind = APEX_SERVER_SNAPSHOT};
    message.snapshot.delta_length = apex_delta_end(&writer);
    message.snapshot.delta = bytes;
    script_tell(self, &message);
}

static void tell_delta(script *self, uint16_t sequence, uint32_t tick, bool has_race) {
    uint8_t bytes[256];
    apex_server_message message = {.kind = APEX_SERVER_SNAPSHOT};
    message.snapshot.delta_length = make_delta(bytes, sizeof bytes, sequence, tick, has_race);
    message.snapshot.delta = bytes;
    script_tell(self, &message);
}

// A snapshot that was only glanced at says when and in which phase; it must not pass for known.
TEST(what_is_glanced_at_is_not_acknowledged) {
    apex_client_def def = script_def();
    def.decode_every = 2;
    def.own_car_only = true;
    script self = script_begin(&def);
    apex_server_message welcome = script_welcome();
    script_welcomed(&self, &welcome);
    apex_server_message joined = script_joined(OWN_PLAYER, 1u << 16 | OWN_CAR);
    script_tell(&self, &joined);
    client_session *session = self.session;
    for (uint16_t i = 0; i < 4; i++) {
        tell_delta(&self, (uint16_t)(10 + i), 603 + 3u * i, i == 1);
        ck_assert_uint_eq(session->snapshots.tick, 603 + 3u * i);
        ck_assert_uint_eq(session->snapshots.count, 1);
        ck_assert_uint_eq(session->snapshots.ticks[0], i < 2 ? 603 : 609);
        ck_assert_uint_eq(session->snapshots.phase, i < 1 ? 0 : 3);
    }
    ck_assert_uint_eq(session->tally.snapshot_ticks, 4);
    ck_assert_uint_eq(session->tally.controls_on_tick, 4);
    ck_assert_uint_eq(session->tally.glanced, 2);
    ck_assert_uint_eq(session->tally.own_cars, 2);
    ck_assert_uint_eq(session->undecodable, 0);
    apex_snapshot_ack ack = client_deltas_ack(&session->deltas);
    ck_assert_uint_eq(ack.newest, 12 + 1);
    ck_assert_uint_eq(ack.before, 1u << 1); // 10, and not 11
    script_end(&self);
}

// It is taken and acknowledged, but is no snapshot that was to come, and reports nothing of
// controls.
TEST(what_comes_between_snapshots_is_counted_as_none) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    apex_server_message welcome = script_welcome();
    script_welcomed(&self, &welcome);
    apex_server_message joined = script_joined(OWN_PLAYER, 1u << 16 | OWN_CAR);
    script_tell(&self, &joined);
    client_session *session = self.session;
    uint16_t sequence = 10;
    script_run(&self, 200000); // controls are sampled
    for (uint32_t tick = 603; tick < 903; tick += 3) {
        self.now_us += 50000;
        if (tick % 30 != 0) { // one in ten snapshots is lost, and what comes between is not
            tell_delta(&self, sequence, tick, sequence == 10);
        }
        tell_between(&self, (uint16_t)(sequence + 1), tick + 1);
        tell_between(&self, (uint16_t)(sequence + 2), tick + 2);
        sequence = (uint16_t)(sequence + 3);
    }
    const client_tally *tally = &session->tally;
    ck_assert_uint_eq(session->undecodable, 0);
    ck_assert_uint_eq(session->snapshots.count, 2);
    ck_assert_uint_eq(session->snapshots.tick, 902);
    ck_assert_uint_eq(tally->snapshot_ticks, 90);
    ck_assert_uint_eq(tally->controls_on_tick, 90);
    ck_assert_uint_eq(tally->ticks_spanned, 299);
    ck_assert_double_eq_tol(client_link_quality_loss(&session->link_quality), 0.1, 0.011);
    ck_assert_uint_eq(session->controls.reported_tick, 897);
    apex_snapshot_ack ack = client_deltas_ack(&session->deltas);
    ck_assert_uint_eq(ack.newest, sequence);
    ck_assert_uint_eq(ack.before & 3u, 1u); // the last snapshot was lost, the one before it was not
    script_end(&self);
}

static script watching(uint32_t ack_every) {
    apex_client_def def = script_def();
    def.spectate = true;
    def.ack_every = ack_every;
    script self = script_begin(&def);
    apex_server_message welcome = script_welcome(), joined = script_joined(0, 0);
    script_welcomed(&self, &welcome);
    script_tell(&self, &joined);
    return self;
}

// @return acknowledgements of so many snapshots.
static size_t acks_of(script *self, uint16_t first, uint16_t count, uint32_t ticks_apart) {
    size_t before = script_count(self, APEX_CLIENT_SNAPSHOT_ACK);
    for (uint16_t i = first; i < first + count; i++) {
        tell_delta(self, i, 603 + ticks_apart * i, i == 0);
        script_step(self, SCRIPT_STEP_US);
    }
    return script_count(self, APEX_CLIENT_SNAPSHOT_ACK) - before;
}

TEST(one_acknowledgement_may_speak_for_many) {
    static const size_t acks[][2] = {{0, 100}, {1, 100}, {2, 50}, {4, 25}, {5, 20}};
    for (size_t i = 0; i < sizeof acks / sizeof acks[0]; i++) {
        script self = watching((uint32_t)acks[i][0]);
        ck_assert_uint_eq(acks_of(&self, 0, 1, 3), 1); // the first cannot wait
        ck_assert_uint_eq(acks_of(&self, 1, 100, 3), acks[i][1]);
        const apex_client_message *said = script_said(&self, APEX_CLIENT_SNAPSHOT_ACK, 0);
        ck_assert_uint_eq(said->snapshot_ack.newest, 101);
        ck_assert_uint_eq(said->snapshot_ack.before, UINT32_MAX);
        script_end(&self);
    }
    // Nothing may be leant on after a second: where few come, few are waited for.
    script self = watching(100);
    acks_of(&self, 0, 1, 5);
    ck_assert_uint_eq(acks_of(&self, 1, 99, 5), 33);
    script_end(&self);
    self = watching(4);
    acks_of(&self, 0, 1, 48);
    ck_assert_uint_eq(acks_of(&self, 1, 20, 48), 20);
    script_end(&self);
}

TEST(what_is_broken_is_said_at_once) {
    script self = watching(4);
    acks_of(&self, 0, 1, 3);
    apex_server_message message = {.kind = APEX_SERVER_SNAPSHOT};
    uint8_t broken[256];
    message.snapshot.delta = broken;
    message.snapshot.delta_length = make_delta(broken, sizeof broken, 1, 606, false);
    broken[message.snapshot.delta_length / 2] ^= 4;
    size_t before = script_count(&self, APEX_CLIENT_SNAPSHOT_ACK);
    script_tell(&self, &message);
    script_step(&self, SCRIPT_STEP_US);
    ck_assert_uint_eq(script_count(&self, APEX_CLIENT_SNAPSHOT_ACK), before + 1);
    ck_assert_uint_eq(script_said(&self, APEX_CLIENT_SNAPSHOT_ACK, 0)->snapshot_ack.repair, 1 + 1);
    script_end(&self);
}
