// Controls from hand to wire: every tick sampled once, stamped ahead of its arrival, repeated.
#include "support/base/check_main.h"

#include "test_client_script.h"

enum { LEAD = 2 };

// Advances by steps of `step_ticks` and keeps what was sent.
typedef struct packet_log {
    apex_controls_message packets[512];
    size_t count;
} packet_log;

static void advance(client_controls *controls, double stamp, packet_log *sent) {
    apex_controls_message message;
    if (client_controls_sample_to(controls, stamp, 0, &message)) {
        ck_assert_uint_lt(sent->count, 512);
        sent->packets[sent->count++] = message;
    }
}

// Controls of a 60 Hz race that have been sampled for ticks `from` to before `to`; the log of what
// was sent is empty again.
static client_controls sampled(uint32_t from, uint32_t to, packet_log *sent) {
    client_controls controls = {0};
    client_controls_begin(&controls, 60, 60, LEAD, 0);
    sent->count = 0;
    for (uint32_t tick = from; tick < to; tick++) {
        advance(&controls, tick, sent);
    }
    sent->count = 0;
    return controls;
}

TEST(every_tick_is_sampled_exactly_once) {
    client_controls controls = {0};
    client_controls_begin(&controls, 60, 60, LEAD, 0);
    static packet_log sent;
    sent.count = 0;
    apex_control_sample truth[600];
    uint32_t known_until = 0;
    // 8 ms of a 60 Hz server are 0.48 ticks: some updates sample none, none samples two.
    for (double stamp = 100.0; stamp < 400.0; stamp += 0.48) {
        controls.now.throttle = (uint8_t)(37 * (uint32_t)stamp);
        controls.now.reset = (uint8_t)((uint32_t)stamp / 50);
        uint32_t before = controls.next_tick;
        advance(&controls, stamp, &sent);
        ck_assert_uint_le(controls.next_tick - before, before == 0 ? 101 : 1);
        for (uint32_t tick = before == 0 ? 100 : before; tick < controls.next_tick; tick++) {
            truth[tick] = controls.now;
            known_until = tick;
        }
    }
    ck_assert_uint_eq(known_until, 399);
    uint32_t expected_next = 100;
    for (size_t i = 0; i < sent.count; i++) {
        const apex_controls_message *packet = &sent.packets[i];
        for (uint32_t at = 0; at < packet->sample_count; at++) {
            uint32_t tick = packet->first_tick + at;
            ck_assert_mem_eq(&packet->samples[at], &truth[tick], sizeof truth[tick]);
        }
        // Two new samples a packet, none left out.
        ck_assert_uint_eq(packet->first_tick + packet->sample_count, expected_next + 2);
        expected_next += 2;
    }
    ck_assert_uint_eq(sent.count, 150);
}

TEST(a_packet_repeats_the_last_eight) {
    client_controls controls = {0};
    client_controls_begin(&controls, 60, 60, LEAD, 0);
    static packet_log sent;
    sent.count = 0;
    for (double stamp = 10.0; stamp < 30.0; stamp += 1.0) {
        advance(&controls, stamp, &sent);
    }
    ck_assert_uint_eq(sent.packets[0].sample_count, 2);
    ck_assert_uint_eq(sent.packets[1].sample_count, 4);
    ck_assert_uint_eq(sent.packets[3].sample_count, 8);
    ck_assert_uint_eq(sent.packets[9].sample_count, 8);
    ck_assert_uint_eq(sent.packets[9].first_tick, 22);
}

TEST(thirty_packets_a_second_at_any_tick_rate) {
    static const uint32_t RATES[] = {20, 30, 60, 120, 240, 1000};
    static const size_t PACKETS[] = {20, 30, 30, 30, 30, 125}; // more where a packet holds no more
    static const uint32_t SAMPLES[] = {8, 8, 8, 8, 16, 16};
    for (size_t rate = 0; rate < 6; rate++) {
        client_controls controls = {0};
        client_controls_begin(&controls, RATES[rate], RATES[rate], LEAD, 0);
        static packet_log sent;
        sent.count = 0;
        for (uint32_t tick = 1; tick <= RATES[rate]; tick++) {
            advance(&controls, tick, &sent);
        }
        ck_assert_uint_eq(sent.count, PACKETS[rate]);
        ck_assert_uint_eq(sent.packets[sent.count - 1].sample_count, SAMPLES[rate]);
    }
}

TEST(a_race_in_a_hurry_does_not_flood_the_server) {
    // 60 Hz at 4, 16, 50 and 1000 times real time: 30 packets a second of the race, 1000 a real
    // one, and more only where a packet holds no more ticks.
    static const uint32_t SPEEDS[] = {4, 16, 50, 1000};
    static const uint32_t GROUPS[] = {2, 2, 3, 8};
    for (size_t i = 0; i < 4; i++) {
        client_controls controls = {0};
        client_controls_begin(&controls, 60, 60 * SPEEDS[i], LEAD, 0);
        ck_assert_uint_eq(controls.group, GROUPS[i]);
        ck_assert_uint_ge(controls.repeat, 2 * controls.group);
    }
    client_controls slow = {0};
    client_controls_begin(&slow, 60, 6, LEAD, 0); // a tenth of real time
    ck_assert_uint_eq(slow.group, 2);
}

// A server that waits: each word of it is answered with what takes it to its next, once.
TEST(a_server_that_waits_is_led_on_from_word_to_word) {
    client_controls controls = {.now.throttle = 100};
    client_controls_begin(&controls, 60, 1000, LEAD, 4);
    apex_controls_message packet;
    ck_assert(!client_controls_follow(&controls, 0, 0, 0, &packet)); // nothing is known yet
    ck_assert(client_controls_follow(&controls, 500, 1000, 1000, &packet));
    ck_assert_uint_eq(packet.first_tick, 501);
    ck_assert_uint_eq(packet.sample_count, 4);
    ck_assert(!client_controls_follow(&controls, 500, 1000, 1500, &packet));
    controls.now.throttle = 200;
    ck_assert(client_controls_follow(&controls, 503, 2000, 2000, &packet));
    ck_assert_uint_eq(packet.first_tick, 501); // with repeats
    ck_assert_uint_eq(packet.sample_count, 7);
    ck_assert_uint_eq(packet.samples[3].throttle, 100);
    ck_assert_uint_eq(packet.samples[4].throttle, 200);
    // It has gone on without this client.
    ck_assert(client_controls_follow(&controls, 900, 3000, 3000, &packet));
    ck_assert_uint_eq(packet.first_tick, 901);
    ck_assert_uint_eq(packet.sample_count, 4);
}

// A server that waits for more than a packet holds gets its first ticks, and none is left out.
TEST(a_packet_for_a_server_that_waits_begins_with_its_next_tick) {
    client_controls controls = {0};
    client_controls_begin(&controls, 60, 1000, LEAD, 40);
    apex_controls_message packet;
    ck_assert(client_controls_follow(&controls, 500, 1000, 1000, &packet));
    ck_assert_uint_eq(packet.first_tick, 501);
    ck_assert_uint_eq(packet.sample_count, APEX_CONTROLS_SAMPLES_MAX);
    ck_assert(client_controls_follow(&controls, 500, 1000, 1000, &packet));
    ck_assert_uint_eq(packet.first_tick, 501 + APEX_CONTROLS_SAMPLES_MAX);
}

// A stamp that falls back by 48 ticks waits for the time to come round; by 49 it begins anew.
TEST(a_stamp_that_falls_back_a_little_waits) {
    static packet_log sent;
    client_controls controls = sampled(1000, 1301, &sent);
    advance(&controls, 1300.0 - 48.0, &sent);
    ck_assert_uint_eq(controls.next_tick, 1301);
    ck_assert_uint_eq(sent.count, 0);
    advance(&controls, 1300.0 - 49.0, &sent);
    ck_assert_uint_eq(controls.next_tick, 1252);
}

// Either its word or the answer may have been lost.
TEST(a_server_that_is_silent_is_told_more) {
    client_controls controls = {0};
    client_controls_begin(&controls, 60, 1000, LEAD, 4);
    apex_controls_message packet;
    ck_assert(client_controls_follow(&controls, 500, 1000, 1000, &packet));
    uint64_t due_us = client_controls_follow_us(&controls, 500, 1000);
    ck_assert_uint_eq(due_us, 21000);
    ck_assert(!client_controls_follow(&controls, 500, 1000, due_us - 1, &packet));
    ck_assert(client_controls_follow(&controls, 500, 1000, due_us, &packet));
    ck_assert_uint_eq(packet.first_tick, 501);
    ck_assert_uint_eq(packet.sample_count, 8);
    // But never more than the server keeps.
    uint32_t newest = 0;
    while (client_controls_follow(&controls, 500, 1000, 60000000, &packet)) {
        ck_assert_uint_gt(packet.first_tick + packet.sample_count - 1, newest);
        newest = packet.first_tick + packet.sample_count - 1;
    }
    ck_assert_uint_eq(newest, 562);
    ck_assert_uint_eq(client_controls_follow_us(&controls, 500, 1000), UINT64_MAX);
}

TEST(a_stall_leaves_dead_ticks_out) {
    static packet_log sent;
    client_controls controls = sampled(10, 20, &sent);
    advance(&controls, 200.5, &sent);
    advance(&controls, 201.5, &sent);
    ck_assert_uint_eq(sent.count, 1);
    ck_assert_uint_eq(sent.packets[0].first_tick, 200);
    ck_assert_uint_eq(sent.packets[0].sample_count, 1);
    advance(&controls, 202.5, &sent);
    ck_assert_uint_eq(sent.count, 2);
    ck_assert_uint_eq(sent.packets[1].first_tick, 200);
    ck_assert_uint_eq(sent.packets[1].sample_count, 3);
}

// Three updates a second: a busy process, or a hundred bots too many in it.
TEST(a_client_updated_seldom_sends_each_time) {
    client_controls controls = {0};
    client_controls_begin(&controls, 60, 60, LEAD, 0);
    static packet_log sent;
    sent.count = 0;
    for (uint32_t i = 0; i < 30; i++) {
        controls.now.throttle = (uint8_t)i;
        advance(&controls, 100.0 + 20.0 * i, &sent);
    }
    ck_assert_uint_eq(sent.count, 29); // the first update only begins
    for (uint32_t i = 0; i < sent.count; i++) {
        const apex_controls_message *packet = &sent.packets[i];
        ck_assert_uint_eq(packet->first_tick + packet->sample_count - 1, 120 + 20 * i);
        ck_assert_uint_eq(packet->samples[packet->sample_count - 1].throttle, i + 1);
    }
}

TEST(a_clock_set_back_a_little_repeats_no_tick) {
    static packet_log sent;
    client_controls controls = sampled(100, 120, &sent);
    for (double stamp = 110.0; stamp < 122.0; stamp += 0.5) {
        advance(&controls, stamp, &sent);
    }
    ck_assert_uint_eq(sent.count, 1);
    ck_assert_uint_eq(sent.packets[0].first_tick + sent.packets[0].sample_count, 122);
    // A server that restarted its count is followed.
    advance(&controls, 5.0, &sent);
    ck_assert_uint_eq(controls.next_tick, 6);
}

TEST(stamps_that_make_no_sense_send_nothing) {
    client_controls controls = {0};
    client_controls_begin(&controls, 60, 60, LEAD, 0);
    apex_controls_message message;
    ck_assert(!client_controls_sample_to(&controls, 0.0, 0, &message));
    ck_assert(!client_controls_sample_to(&controls, -1e9, 0, &message));
    ck_assert(!client_controls_sample_to(&controls, 1e12, 0, &message));
    ck_assert(!controls.started);
}

// Through a session: the stamp is the server's tick, half a round trip and the lead.
TEST(a_session_stamps_for_the_moment_of_arrival) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_driving(&self);
    self.session->controls.now.throttle = 200;
    enum { RTT_US = 100000 };
    // The server was at tick 600 when it welcomed us; both ways take 50 ms and it answers at once.
    uint64_t zero_us = self.now_us - RTT_US / 2;
    size_t answered = 0;
    for (int step = 0; step < 800; step++) {
        script_step(&self, SCRIPT_STEP_US);
        for (; answered < script_count(&self, APEX_CLIENT_TIME_REQUEST); answered++) {
            const apex_client_message *asked =
                script_said(&self, APEX_CLIENT_TIME_REQUEST,
                            script_count(&self, APEX_CLIENT_TIME_REQUEST) - 1 - answered);
            uint64_t due_us = asked->client_us + RTT_US;
            if (due_us > self.now_us) {
                break;
            }
            uint64_t at_server_us = asked->client_us + RTT_US / 2 - zero_us;
            apex_server_message reply = {.kind = APEX_SERVER_TIME_REPLY};
            reply.time_reply.client_us = asked->client_us;
            reply.time_reply.tick = 600 + (uint32_t)(at_server_us * 60 / 1000000);
            reply.time_reply.into_tick_us = (uint32_t)(at_server_us % 16667);
            script_tell(&self, &reply);
        }
    }
    const apex_client_message *newest = script_said(&self, APEX_CLIENT_CONTROLS, 0);
    ck_assert_ptr_nonnull(newest);
    uint32_t stamped = newest->controls.first_tick + newest->controls.sample_count - 1;
    double arrival = 600.0 + (double)(self.now_us + RTT_US / 2 - zero_us) * 60.0 / 1e6;
    // The packet may be an update and a group old, and replies are read up to an update late.
    ck_assert_double_ge((double)stamped, arrival + LEAD - 3.0);
    ck_assert_double_le((double)stamped, arrival + LEAD + 0.5);
    ck_assert_uint_eq(newest->controls.sample_count, 8);
    ck_assert_uint_eq(newest->controls.samples[7].throttle, 200);
    script_end(&self);
}

// Field by field: the byte of padding is nobody's.
static void assert_sample(const apex_control_sample *is, const apex_control_sample *wanted) {
    ck_assert_int_eq(is->steer, wanted->steer);
    ck_assert_uint_eq(is->throttle, wanted->throttle);
    ck_assert_uint_eq(is->brake, wanted->brake);
    ck_assert_uint_eq(is->clutch, wanted->clutch);
    ck_assert_uint_eq(is->handbrake, wanted->handbrake);
    ck_assert_int_eq(is->gear, wanted->gear);
    ck_assert_uint_eq(is->shift_up, wanted->shift_up);
    ck_assert_uint_eq(is->shift_down, wanted->shift_down);
    ck_assert_uint_eq(is->reset, wanted->reset);
    ck_assert_uint_eq(is->aids_off, wanted->aids_off);
}

TEST(counters_survive_from_set_to_wire) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_driving(&self);
    apex_control_sample sample = {.steer = -32767,
                                  .throttle = 1,
                                  .brake = 2,
                                  .clutch = 3,
                                  .handbrake = 4,
                                  .gear = 127,
                                  .shift_up = 255,
                                  .shift_down = 6,
                                  .reset = 7,
                                  .aids_off = 63};
    self.session->controls.now = sample;
    script_run(&self, 400000);
    apex_control_sample next = sample;
    next.shift_up = 0; // wrapped
    self.session->controls.now = next;
    script_run(&self, 64000);
    const apex_client_message *message = script_said(&self, APEX_CLIENT_CONTROLS, 0);
    const apex_controls_message *controls = &message->controls;
    ck_assert_uint_eq(controls->sample_count, 8);
    assert_sample(&controls->samples[0], &sample);
    assert_sample(&controls->samples[7], &next);
    script_end(&self);
}

// The first sample of a group of eight waits for six more than that of a pair. Where ticks of the
// client's time are more than twice as short as the race's, a tick is spared.
TEST(long_groups_begin_farther_ahead) {
    client_controls controls = {0};
    client_controls_begin(&controls, 60, 120, 3, 0);
    ck_assert_double_eq(controls.trim.lead_ticks, 3.0);
    ck_assert_double_eq(controls.trim.spare_ticks, 0.0);
    client_controls_begin(&controls, 240, 240, 3, 0);
    ck_assert_double_eq(controls.trim.lead_ticks, 9.0);
    client_controls_begin(&controls, 60, 121, 3, 0);
    ck_assert_double_eq(controls.trim.spare_ticks, 1.0);
}

// A server may name any tick: of none do controls go out that the wire has no number for.
TEST(stamps_end_where_the_wire_does) {
    static packet_log sent;
    client_controls controls = sampled(UINT32_MAX - 40, UINT32_MAX, &sent);
    ck_assert_uint_eq(controls.next_tick, UINT32_MAX - APEX_CONTROLS_SAMPLES_MAX + 1);
    apex_client_message message = {.kind = APEX_CLIENT_CONTROLS};
    for (uint32_t back = 0; back < 200; back++) {
        client_controls follower = {0};
        client_controls_begin(&follower, 60, 60, LEAD, 4);
        uint32_t heard = UINT32_MAX - back;
        while (client_controls_follow(&follower, heard, 0, 1000000, &message.controls)) {
            uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
            ck_assert_uint_gt(message.controls.first_tick, heard);
            ck_assert_uint_gt(apex_encode_client(&message, bytes, sizeof bytes), 0);
        }
        bool is_silent = !follower.started;
        ck_assert(is_silent == (back < APEX_CONTROLS_SAMPLES_MAX + 64));
    }
}

static uint32_t packets_in_a_second(client_controls *controls, uint32_t tick_hz, uint32_t from) {
    static packet_log sent;
    sent.count = 0;
    for (uint32_t tick = from; tick < from + tick_hz; tick++) {
        advance(controls, tick, &sent);
    }
    return (uint32_t)sent.count;
}

// A packet each tick on a good line, but no more than sixty in a second of the race.
TEST(a_good_line_has_a_packet_each_tick) {
    static const struct {
        uint32_t tick_hz, usual, fast;
    } rates[] = {{20, 20, 20}, {30, 30, 30}, {60, 30, 60}, {120, 30, 60}, {240, 30, 60}};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        uint32_t hz = rates[i].tick_hz;
        client_controls controls = {0};
        client_controls_begin(&controls, hz, hz, LEAD, 0);
        (void)packets_in_a_second(&controls, hz, 1000);
        ck_assert_uint_eq(packets_in_a_second(&controls, hz, 1000 + hz), rates[i].usual);
        client_controls_judge_line(&controls, true);
        ck_assert_uint_eq(packets_in_a_second(&controls, hz, 1000 + 2 * hz), rates[i].fast);
        client_controls_judge_line(&controls, false); // nothing is reported: nothing to wait for
        ck_assert_uint_eq(packets_in_a_second(&controls, hz, 1000 + 3 * hz), rates[i].usual);
    }
}

// The older sample of a group of two waits a tick for its packet: fewer packets are sent only when
// the offset has room for that.
TEST(a_line_that_gets_worse_makes_room_first) {
    client_controls controls = {0};
    client_controls_begin(&controls, 60, 60, LEAD, 0);
    client_controls_judge_line(&controls, true);
    for (uint32_t i = 0; i < CLIENT_TRIM_NEEDS; i++) {
        client_trim_need(&controls.trim, 1004.0, false);
    }
    controls.trim.offset = 1003.75;
    client_controls_judge_line(&controls, false);
    ck_assert_uint_eq(controls.group, 1);
    ck_assert_double_eq(controls.trim.needs[5], 1005.0);
    controls.trim.offset = 1004.2; // half a tick below the need, and a quarter is left alone
    client_controls_judge_line(&controls, false);
    ck_assert_uint_eq(controls.group, 1);
    controls.trim.offset = 1004.3;
    client_controls_judge_line(&controls, false);
    ck_assert_uint_eq(controls.group, 2);
    client_controls_judge_line(&controls, true); // and back at once, what is needed with it
    ck_assert_uint_eq(controls.group, 1);
    ck_assert_double_eq(controls.trim.needs[5], 1004.0);
}

// A server that waits is answered each tick already.
TEST(a_server_that_waits_has_no_line_to_judge) {
    client_controls controls = {0};
    client_controls_begin(&controls, 60, 60, LEAD, 4);
    client_controls_judge_line(&controls, true);
    ck_assert_uint_eq(controls.group, 1);
    client_controls_judge_line(&controls, false);
    ck_assert_uint_eq(controls.group, 1);
    ck_assert(controls.trim.spare_ticks == 0.0);
}
