// links: client_commands
// The simulated network, and sessions over it: what tests above rely on.
#include "support/base/check_main.h"
#include "support/net/link_sim.h"
#include "support/net/session_scene.h"

#include <string.h>

#include "base/hash.h"

enum { FRAME_BYTES = 1024 * 1024, CLIENTS = 20 };

static apex_arena frame;
static apex_link_event *events;
static size_t event_count;
static uint64_t now_us;

static void start(void) {
    ck_assert_int_eq(apex_arena_create(&frame, FRAME_BYTES), APEX_OK);
    now_us = 0;
}

static void stop(void) {
    apex_arena_destroy(&frame);
}

static void step(link_sim *sim, uint64_t later_us) {
    now_us += later_us;
    apex_arena_reset(&frame);
    link_sim_advance(sim, now_us);
    event_count = link_sim_receive(sim, &frame, &events);
}

static void send_up(link_sim *sim, uint32_t client, uint8_t channel, uint32_t number) {
    link_sim_packet packet = {channel, (const uint8_t *)&number, sizeof number};
    link_sim_client_send(sim, client, &packet);
}

static link_sim_def rough(uint64_t seed) {
    link_sim_def def = link_sim_default_def(CLIENTS);
    def.seed = seed;
    def.up.delay_us = 50000;
    def.up.jitter_us = 10000;
    def.up.loss_ppm = 250000;
    def.up.duplicate_ppm = 100000;
    def.up.reorder_ppm = 50000;
    def.up.reorder_us = 30000;
    def.down = def.up;
    return def;
}

// Opens a link in as many steps as it takes.
static apex_link open_link(link_sim *sim, uint32_t client) {
    link_sim_connect(sim, client);
    for (int i = 0; i < 1000; i++) {
        step(sim, 10000);
        if (event_count > 0 && events[0].kind == APEX_LINK_OPENED) {
            ck_assert_uint_eq(events[0].link.index1, client + 1);
            return events[0].link;
        }
    }
    ck_abort_msg("the link did not open");
    return (apex_link){0};
}

FIXTURE(start, stop)

TEST_OVER(what_is_reliable_arrives_once_and_in_order, 0, 5) {
    link_sim *sim = link_sim_create(rough((uint64_t)_i + 1));
    apex_link link = open_link(sim, 3);
    enum { SENT = 300 };
    uint32_t up = 0;
    uint32_t down = 0;
    for (uint32_t i = 0; i < 3000 && (up < SENT || down < SENT); i++) {
        if (i < SENT) {
            send_up(sim, 3, APEX_CHANNEL_RELIABLE, i);
            apex_link_packet packet = {link, APEX_CHANNEL_RELIABLE, (const uint8_t *)&i, sizeof i};
            link_sim_send(sim, &packet, 1);
        }
        step(sim, 5000);
        for (size_t e = 0; e < event_count; e++, up++) {
            ck_assert_mem_eq(events[e].bytes, &up, sizeof up);
        }
        for (link_sim_packet packet; link_sim_client_receive(sim, 3, &packet); down++) {
            ck_assert_mem_eq(packet.bytes, &down, sizeof down);
        }
    }
    ck_assert_uint_eq(up, SENT);
    ck_assert_uint_eq(down, SENT);
    link_sim_destroy(sim);
}

TEST(what_is_not_is_lost_doubled_and_disordered) {
    link_sim_def def = rough(5);
    link_sim *sim = link_sim_create(def);
    open_link(sim, 0);
    enum { SENT = 4000 };
    uint32_t arrived = 0;
    uint32_t disordered = 0;
    uint32_t newest = 0;
    for (uint32_t i = 1; i <= SENT + 30; i++) {
        if (i <= SENT) {
            send_up(sim, 0, APEX_CHANNEL_STATE, i);
        }
        step(sim, 5000);
        for (size_t e = 0; e < event_count; e++, arrived++) {
            uint32_t number = 0;
            memcpy(&number, events[e].bytes, sizeof number);
            // Neither before its delay nor after the worst.
            ck_assert_uint_ge(i, number + 7);
            ck_assert_uint_le(i, number + 18);
            disordered += number < newest;
            newest = number > newest ? number : newest;
        }
    }
    // 75 % arrive, a tenth of them twice: 3,300; four standard deviations are about 140.
    ck_assert_uint_ge(arrived, 3160);
    ck_assert_uint_le(arrived, 3440);
    ck_assert_uint_ge(disordered, 500);
    link_sim_destroy(sim);
}

// A hash of what client 0 and the server hear of each other, with `links` clients talking, in steps
// of some length.
static uint64_t trace_of(uint64_t seed, uint32_t links, uint64_t step_us) {
    link_sim *sim = link_sim_create(rough(seed));
    apex_hash_stream hash;
    apex_hash_begin(&hash, 0);
    now_us = 0;
    for (uint32_t client = 0; client < links; client++) {
        link_sim_connect(sim, client);
    }
    for (uint32_t i = 0; i < 200; i++) {
        for (uint32_t client = 0; client < links; client++) {
            send_up(sim, client, i % 2, i);
        }
        for (uint64_t us = 0; us < 3000; us += step_us) {
            step(sim, step_us);
            for (size_t e = 0; e < event_count; e++) {
                if (events[e].link.index1 == 1) {
                    apex_hash_add(&hash, &events[e].link, sizeof events[e].link);
                    apex_hash_add(&hash, events[e].bytes, events[e].length);
                    apex_hash_add(&hash, &i, sizeof i);
                }
            }
        }
    }
    link_sim_destroy(sim);
    return apex_hash_end(&hash);
}

TEST(everything_follows_from_the_seed) {
    uint64_t alone = trace_of(1, 1, 3000);
    ck_assert_uint_eq(trace_of(1, 1, 3000), alone);
    ck_assert_uint_eq(trace_of(1, CLIENTS, 3000), alone);
    ck_assert_uint_eq(trace_of(1, CLIENTS, 250), alone);
    ck_assert_uint_ne(trace_of(2, 1, 3000), alone);
}

TEST(each_direction_of_each_link_is_shaped_apart) {
    link_sim *sim = link_sim_create(link_sim_default_def(2));
    apex_link links[2] = {open_link(sim, 0), open_link(sim, 1)};
    netsim_def deaf = netsim_default_def();
    deaf.loss_ppm = NETSIM_PPM;
    link_sim_shape(sim, 1, false, deaf);
    for (uint32_t i = 0; i < 10; i++) {
        for (uint32_t client = 0; client < 2; client++) {
            send_up(sim, client, APEX_CHANNEL_STATE, i);
            apex_link_packet packet = {links[client], APEX_CHANNEL_STATE, (const uint8_t *)&i,
                                       sizeof i};
            link_sim_send(sim, &packet, 1);
        }
    }
    step(sim, 1);
    ck_assert_uint_eq(event_count, 20);
    ck_assert_uint_eq(link_sim_down(sim, 0).arrived, 10);
    ck_assert_uint_eq(link_sim_down(sim, 1).arrived, 0);
    ck_assert_uint_eq(link_sim_down(sim, 1).datagrams.lost, 10);
    ck_assert_uint_eq(link_sim_up(sim, 1).arrived, 10);
    link_sim_destroy(sim);
}

TEST(what_is_reliable_comes_a_round_trip_later_when_lost) {
    link_sim_def def = link_sim_default_def(1);
    def.up.delay_us = 50000;
    def.down.delay_us = 50000;
    link_sim *sim = link_sim_create(def);
    open_link(sim, 0);
    step(sim, 100000); // it is known how long a trip takes
    netsim_def shape = def.up;
    shape.loss_ppm = NETSIM_PPM;
    link_sim_shape(sim, 0, true, shape);
    uint64_t sent_us = now_us;
    send_up(sim, 0, APEX_CHANNEL_RELIABLE, 1);
    step(sim, 1000);
    shape.loss_ppm = 0;
    link_sim_shape(sim, 0, true, shape);
    while (event_count == 0) {
        step(sim, 1000);
    }
    // Lost at once, sent again after 100 ms and 10 ms for the answer, 50 ms on its way.
    ck_assert_uint_eq(now_us - sent_us, 160000);
    ck_assert_uint_eq(link_sim_up(sim, 0).resent, 1);
    link_sim_destroy(sim);
}

TEST_OVER(a_long_message_goes_in_many_datagrams, 0, 3) {
    enum { LONG_BYTES = 100000 };
    static uint8_t words[LONG_BYTES];
    for (uint32_t i = 0; i < LONG_BYTES; i++) {
        words[i] = (uint8_t)(i * 31 + i / 251);
    }
    link_sim *sim = link_sim_create(rough((uint64_t)_i + 3));
    apex_link link = open_link(sim, 0);
    uint64_t before = link_sim_down(sim, 0).datagrams.sent;
    apex_link_packet packets[2] = {{link, APEX_CHANNEL_RELIABLE, words, sizeof words},
                                   {link, APEX_CHANNEL_RELIABLE, words, 3}};
    link_sim_send(sim, packets, 2);
    link_sim_packet packet = {0};
    for (int i = 0; i < 2000 && !link_sim_client_receive(sim, 0, &packet); i++) {
        step(sim, 5000);
    }
    ck_assert_uint_eq(packet.length, LONG_BYTES);
    ck_assert_mem_eq(packet.bytes, words, LONG_BYTES);
    // 83 of 1,200 bytes and the rest, a quarter lost, and a quarter of what acknowledges them.
    ck_assert_uint_ge(link_sim_down(sim, 0).datagrams.sent - before, 84 + 20);
    while (!link_sim_client_receive(sim, 0, &packet)) {
        step(sim, 5000);
    }
    ck_assert_uint_eq(packet.length, 3);
    link_sim_destroy(sim);
}

TEST(a_steady_flow_costs_no_heap) {
    link_sim *sim = link_sim_create(rough(1));
    apex_link link = open_link(sim, 0);
    uint64_t calls = 0;
    for (uint32_t i = 0; i < 4000; i++) {
        calls = i == 2000 ? link_sim_heap_calls(sim) : calls;
        apex_link_packet packet = {link, APEX_CHANNEL_STATE, (const uint8_t *)&i, sizeof i};
        link_sim_send(sim, &packet, 1);
        send_up(sim, 0, i % 16 == 0 ? APEX_CHANNEL_RELIABLE : APEX_CHANNEL_STATE, i);
        step(sim, 5000);
        for (link_sim_packet heard; link_sim_client_receive(sim, 0, &heard);) {}
    }
    ck_assert_uint_gt(calls, 0);
    // More may be under way than ever before, but 4,000 packets are not 4,000 calls.
    ck_assert_uint_le(link_sim_heap_calls(sim), calls + 40);
    link_sim_count down = link_sim_down(sim, 0);
    // 75 % of 4,000 and of their tenth again; acknowledgements are not counted as arrived.
    ck_assert_uint_ge(down.arrived, 3160);
    ck_assert_uint_le(down.arrived, 3440);
    ck_assert_uint_gt(down.late, 100);
    link_sim_destroy(sim);
}

TEST(a_narrow_line_takes_its_time) {
    link_sim_def def = link_sim_default_def(1);
    def.down.bytes_per_s = 10000;
    link_sim *sim = link_sim_create(def);
    apex_link link = open_link(sim, 0);
    static uint8_t bytes[960];
    for (int i = 0; i < 10; i++) {
        apex_link_packet packet = {link, APEX_CHANNEL_STATE, bytes, sizeof bytes};
        link_sim_send(sim, &packet, 1);
    }
    // 1,000 bytes each with headers, 100 ms each; what would wait over 200 ms is dropped.
    uint32_t arrived[6] = {0};
    for (int tenth = 0; tenth < 6; tenth++) {
        step(sim, 100000);
        for (link_sim_packet packet; link_sim_client_receive(sim, 0, &packet);) {
            arrived[tenth]++;
        }
    }
    static const uint32_t wanted[6] = {1, 1, 1, 0, 0, 0};
    ck_assert_mem_eq(arrived, wanted, sizeof wanted);
    ck_assert_uint_eq(link_sim_down(sim, 0).datagrams.dropped, 7);
    link_sim_destroy(sim);
}

static uint32_t closings(link_sim *sim, int steps, uint64_t step_us, uint64_t *when_us) {
    uint32_t count = 0;
    for (int i = 0; i < steps; i++) {
        step(sim, step_us);
        for (size_t e = 0; e < event_count; e++) {
            if (events[e].kind == APEX_LINK_CLOSED) {
                count++;
                *when_us = now_us;
            }
        }
    }
    return count;
}

TEST(links_end_from_either_side_and_by_silence) {
    uint64_t when_us = 0;
    link_sim *sim = link_sim_create(rough(9));
    apex_link link = open_link(sim, 0);
    apex_link_packet words = {link, APEX_CHANNEL_RELIABLE, (const uint8_t *)"last", 4};
    link_sim_send(sim, &words, 1);
    link_sim_close_link(sim, link);
    link_sim_send(sim, &words, 1); // too late
    ck_assert_uint_eq(closings(sim, 300, 10000, &when_us), 1);
    link_sim_packet packet;
    ck_assert(link_sim_client_receive(sim, 0, &packet));
    ck_assert_mem_eq(packet.bytes, "last", 4);
    ck_assert(!link_sim_client_receive(sim, 0, &packet));
    ck_assert(!link_sim_client_is_open(sim, 0));

    apex_link again = open_link(sim, 0);
    ck_assert_uint_ne(again.generation, link.generation);
    link_sim_client_close(sim, 0);
    ck_assert_uint_eq(closings(sim, 300, 10000, &when_us), 1);

    open_link(sim, 1);
    uint64_t vanished_us = now_us;
    link_sim_client_vanish(sim, 1);
    ck_assert_uint_eq(closings(sim, 600, 10000, &when_us), 1);
    ck_assert_uint_eq(when_us, vanished_us + 5000000);
    link_sim_destroy(sim);
}

static void say_over(link_sim *sim, uint32_t client, apex_client_message_kind kind) {
    apex_client_message message = scene_message(kind);
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    size_t length = apex_encode_client(&message, bytes, sizeof bytes);
    link_sim_packet packet = {(uint8_t)apex_client_message_channel(kind), bytes, length};
    link_sim_client_send(sim, client, &packet);
}

static void answer_mail(apex_sessions *sessions, const apex_mail *mail, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (mail[i].kind == APEX_MAIL_WELCOMED) {
            apex_sessions_welcome(sessions, mail[i].session,
                                  &(apex_welcome){.tick_hz = 60, .snapshot_hz = 20});
        } else if (mail[i].kind == APEX_MAIL_MESSAGE && mail[i].message->kind == APEX_CLIENT_JOIN) {
            apex_sessions_accept(sessions, mail[i].session,
                                 &(apex_joined){.player = mail[i].session.index1});
        }
    }
}

// The session's half of a server's tick.
static void tick(link_sim *sim, apex_sessions *sessions) {
    step(sim, 16667);
    apex_mail *mail = NULL;
    apex_sessions_begin(sessions, now_us, &frame);
    size_t count = apex_sessions_take(sessions, events, event_count, &mail);
    answer_mail(sessions, mail, count);
    const apex_link_packet *packets = NULL;
    size_t packet_count = apex_sessions_outbox(sessions, &packets);
    link_sim_send(sim, packets, packet_count);
    const apex_link *links = NULL;
    size_t link_count = apex_sessions_closing(sessions, &links);
    for (size_t i = 0; i < link_count; i++) {
        link_sim_close_link(sim, links[i]);
    }
}

// A client that does the next thing as soon as it is allowed to.
static uint32_t play(link_sim *sim, uint32_t client) {
    static _Alignas(16) uint8_t scratch[APEX_DECODE_SCRATCH_BYTES];
    uint32_t joined = 0;
    for (link_sim_packet packet; link_sim_client_receive(sim, client, &packet);) {
        apex_server_message message;
        ck_assert(apex_decode_server(packet.bytes, packet.length,
                                     (apex_scratch){scratch, sizeof scratch}, &message, NULL));
        ck_assert_int_ne(message.kind, APEX_SERVER_REJECT);
        if (message.kind == APEX_SERVER_WELCOME) {
            say_over(sim, client, APEX_CLIENT_JOIN);
        }
        joined += message.kind == APEX_SERVER_JOINED;
    }
    return joined;
}

TEST_OVER(twenty_clients_join_over_a_bad_network, 0, 3) {
    static const uint8_t key[16] = {0};
    apex_sessions_def def = apex_default_sessions_def();
    apex_sessions *sessions = NULL;
    ck_assert_int_eq(apex_sessions_create(&def, key, &sessions), APEX_OK);
    link_sim *sim = link_sim_create(rough((uint64_t)_i + 11));
    for (uint32_t client = 0; client < CLIENTS; client++) {
        link_sim_connect(sim, client);
        say_over(sim, client, APEX_CLIENT_HELLO);
    }
    uint32_t joined = 0;
    for (int i = 0; i < 400 && joined < CLIENTS; i++) {
        tick(sim, sessions);
        for (uint32_t client = 0; client < CLIENTS; client++) {
            joined += play(sim, client);
        }
    }
    ck_assert_uint_eq(joined, CLIENTS);
    ck_assert_uint_eq(apex_sessions_welcomed(sessions), CLIENTS);
    link_sim_client_vanish(sim, 4);
    link_sim_client_close(sim, 5);
    for (int i = 0; i < 330; i++) {
        tick(sim, sessions);
    }
    ck_assert_uint_eq(apex_sessions_welcomed(sessions), CLIENTS - 2);
    link_sim_destroy(sim);
    apex_sessions_destroy(sessions);
}
