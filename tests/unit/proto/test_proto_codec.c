// Tests that what is encoded comes back, for every kind of message and at the ends of every range.

#include "test_proto_samples.h"
#include "support/base/check_main.h"

#include <stdlib.h>

static _Alignas(16) uint8_t memory[1 << 20];
static uint8_t bytes[SAMPLE_BYTES_MAX];
static apex_client_message clients[CLIENT_SAMPLES];
static apex_server_message servers[SERVER_SAMPLES];
static sample_lists lists;

static void set_up(void) {
    sample_fill_lists(&lists);
    sample_clients(clients);
    sample_servers(servers, &lists);
}

static apex_scratch scratch(void) {
    return (apex_scratch){memory, sizeof memory};
}

FIXTURE(set_up, NULL)

TEST(samples_cover_every_kind) {
    uint32_t seen_client = 0, seen_server = 0;
    for (int i = 0; i < CLIENT_SAMPLES; i++) {
        seen_client |= 1u << clients[i].kind;
    }
    for (int i = 0; i < SERVER_SAMPLES; i++) {
        seen_server |= 1u << servers[i].kind;
    }
    for (int kind = 0; kind < 32; kind++) {
        ck_assert_int_eq(seen_client >> kind & 1, apex_is_client_message_kind(kind));
    }
    ck_assert_uint_eq(seen_server, (1u << APEX_SERVER_MESSAGE_KINDS) - 2);
}

TEST_OVER(client_messages_come_back, 0, CLIENT_SAMPLES) {
    const apex_client_message *sent = &clients[_i];
    size_t length = apex_encode_client(sent, bytes, sizeof bytes);
    ck_assert_uint_gt(length, 0);
    ck_assert_uint_le(length, APEX_DATAGRAM_BYTES_MAX);
    apex_client_message got;
    const char *why = "";
    ck_assert_msg(apex_decode_client(bytes, length, scratch(), &got, &why), "%s", why);
    ck_assert_mem_eq(&got, sent, sizeof got);
}

// They are most of what a server reads, and are read without protobuf-c, which would want scratch.
TEST(controls_are_read_without_scratch) {
    int count = 0;
    for (int i = 0; i < CLIENT_SAMPLES; i++) {
        if (clients[i].kind != APEX_CLIENT_CONTROLS) {
            continue;
        }
        size_t length = apex_encode_client(&clients[i], bytes, sizeof bytes);
        apex_client_message got;
        ck_assert(apex_decode_client(bytes, length, (apex_scratch){bytes, 0}, &got, NULL));
        ck_assert_mem_eq(&got, &clients[i], sizeof got);
        count += got.controls.ack.before != 0;
    }
    ck_assert_int_gt(count, 0);
}

// Compares a list that lies elsewhere and then puts the sent pointer into what was received, so
// that the rest can be compared as one.
#define SAME_LIST(list, count)                                                         \
    ck_assert_uint_eq(got->count, sent->count);                                        \
    ck_assert(got->list != sent->list);                                                \
    ck_assert(memcmp(got->list, sent->list, sent->count * sizeof sent->list[0]) == 0); \
    got->list = sent->list

static void compare_server(const apex_server_message *a, apex_server_message *b) {
    ck_assert_int_eq(a->kind, b->kind);
    if (a->kind == APEX_SERVER_DEF) {
        const apex_def_content *sent = &a->def;
        apex_def_content *got = &b->def;
        SAME_LIST(bytes, length);
    } else if (a->kind == APEX_SERVER_SNAPSHOT) {
        const apex_snapshot_message *sent = &a->snapshot;
        apex_snapshot_message *got = &b->snapshot;
        if (sent->delta != NULL) {
            SAME_LIST(delta, delta_length);
        } else {
            SAME_LIST(cars, car_count);
        }
        ck_assert((got->own != NULL) == (sent->own != NULL));
        ck_assert(got->own == NULL || memcmp(got->own, sent->own, sizeof *got->own) == 0);
        got->own = sent->own;
    } else if (a->kind == APEX_SERVER_STATS) {
        const apex_server_stats *sent = &a->stats;
        apex_server_stats *got = &b->stats;
        SAME_LIST(refused, refused_count);
    } else if (a->kind == APEX_SERVER_ROSTER) {
        const apex_roster *sent = &a->roster;
        apex_roster *got = &b->roster;
        SAME_LIST(entries, entry_count);
    } else if (a->kind == APEX_SERVER_PENALTIES) {
        const apex_penalties *sent = &a->penalties;
        apex_penalties *got = &b->penalties;
        SAME_LIST(penalties, count);
    } else if (a->kind == APEX_SERVER_STANDINGS) {
        const apex_standings *sent = &a->standings;
        apex_standings *got = &b->standings;
        SAME_LIST(lines, line_count);
    } else if (a->kind == APEX_SERVER_RESULTS) {
        const apex_results *sent = &a->results;
        apex_results *got = &b->results;
        SAME_LIST(lines, line_count);
        ck_assert_uint_eq(got->apart_count, sent->apart_count);
        ck_assert(memcmp(got->apart, sent->apart, sent->apart_count * sizeof sent->apart[0]) == 0);
        got->apart = sent->apart;
    } else if (a->kind == APEX_SERVER_PAST_EVENTS) {
        const apex_past_events *sent = &a->past_events;
        apex_past_events *got = &b->past_events;
        SAME_LIST(events, event_count);
    } else if (a->kind == APEX_SERVER_PLAYBACK_STATE) {
        const apex_playback_state *sent = &a->playback_state;
        apex_playback_state *got = &b->playback_state;
        SAME_LIST(marks, mark_count);
    }
    ck_assert_mem_eq(a, b, sizeof *a);
}

TEST_OVER(server_messages_come_back, 0, SERVER_SAMPLES) {
    size_t length = apex_encode_server(&servers[_i], bytes, sizeof bytes);
    ck_assert_uint_gt(length, 0);
    apex_server_message got;
    const char *why = "";
    ck_assert_msg(apex_decode_server(bytes, length, scratch(), &got, &why), "%s", why);
    compare_server(&servers[_i], &got);
}

// The body is written before its length is known: no capacity may cut it, move it wrongly, or
// refuse a message that just fits.
static void check_capacities(size_t (*encode)(const void *, uint8_t *, size_t),
                             const void *message) {
    static uint8_t out[SAMPLE_BYTES_MAX];
    size_t length = encode(message, bytes, sizeof bytes);
    for (size_t capacity = 0; capacity < length + 200; capacity++) {
        memset(out, 0xEE, length + 201);
        size_t written = encode(message, out, capacity);
        ck_assert_uint_eq(written, capacity < length ? 0 : length);
        ck_assert_uint_eq(out[capacity], 0xEE);
        if (written) {
            ck_assert_mem_eq(out, bytes, length);
        }
    }
}

static size_t encode_client(const void *message, uint8_t *out, size_t capacity) {
    return apex_encode_client(message, out, capacity);
}

static size_t encode_server(const void *message, uint8_t *out, size_t capacity) {
    return apex_encode_server(message, out, capacity);
}

TEST(a_message_fits_exactly_or_not_at_all) {
    for (int i = 0; i < CLIENT_SAMPLES; i++) {
        check_capacities(encode_client, &clients[i]);
    }
    for (int i = 0; i < SERVER_SAMPLES; i++) {
        check_capacities(encode_server, &servers[i]);
    }
}

// Around the lengths at which the length itself grows by a byte.
TEST(lengths_of_one_two_and_three_bytes) {
    static uint8_t content[40000];
    for (size_t length = 1; length < sizeof content; length += length < 300 ? 1 : 37) {
        apex_server_message sent = {.kind = APEX_SERVER_DEF};
        sent.def = (apex_def_content){.kind = APEX_DEF_CAR, .bytes = content, .length = length};
        size_t written = apex_encode_server(&sent, bytes, sizeof bytes);
        apex_server_message got;
        ck_assert(apex_decode_server(bytes, written, scratch(), &got, NULL));
        ck_assert_uint_eq(got.def.length, length);
        ck_assert_uint_eq(apex_encode_server(&sent, bytes, written), written);
        ck_assert_uint_eq(apex_encode_server(&sent, bytes, written - 1), 0);
    }
}

TEST(state_travels_unsequenced_and_the_rest_reliably) {
    uint32_t client = 0, server = 0;
    for (int kind = 1; kind < APEX_CLIENT_MESSAGE_KINDS; kind++) {
        if (!apex_is_client_message_kind(kind)) {
            continue;
        }
        client |= (uint32_t)apex_client_message_channel((apex_client_message_kind)kind) << kind;
    }
    for (int kind = 1; kind < APEX_SERVER_MESSAGE_KINDS; kind++) {
        server |= (uint32_t)apex_server_message_channel((apex_server_message_kind)kind) << kind;
    }
    ck_assert_uint_eq(client, 1u << APEX_CLIENT_CONTROLS | 1u << APEX_CLIENT_TIME_REQUEST |
                                  1u << APEX_CLIENT_SNAPSHOT_ACK);
    ck_assert_uint_eq(server, 1u << APEX_SERVER_SNAPSHOT | 1u << APEX_SERVER_TELEMETRY |
                                  1u << APEX_SERVER_TIME_REPLY);
}

TEST(every_reason_has_its_own_words) {
    for (int i = 0; i < APEX_REASON_COUNT; i++) {
        const char *name = apex_reason_name((apex_reason)i);
        ck_assert_uint_gt(strlen(apex_reason_text((apex_reason)i)), 10);
        ck_assert_uint_lt(strlen(apex_reason_text((apex_reason)i)), APEX_WIRE_TEXT_BYTES);
        for (int j = 0; j < i; j++) {
            ck_assert_str_ne(name, apex_reason_name((apex_reason)j));
        }
    }
    ck_assert_str_eq(apex_reason_name(APEX_REASON_SERVER_FULL), "server-full");
    ck_assert_str_eq(apex_reason_name((apex_reason)APEX_REASON_COUNT), "unknown");
    ck_assert_str_eq(apex_reason_name((apex_reason)-1), "unknown");
}

// 250 is no reason of this version. A client must still learn that it was sent away.
TEST(a_reason_of_later_date_becomes_none) {
    static const uint8_t goodbye[] = {0x7a, 0x07, 0x08, 0xfa, 0x01, 0x12, 0x02, 'h', 'i'};
    apex_server_message got;
    ck_assert(apex_decode_server(goodbye, sizeof goodbye, scratch(), &got, NULL));
    ck_assert_int_eq(got.kind, APEX_SERVER_GOODBYE);
    ck_assert_int_eq(got.goodbye.reason, APEX_REASON_NONE);
    ck_assert_str_eq(got.goodbye.text, "hi");
}

// Field 100 of Hello and field 99 of the envelope are from the future.
TEST(unknown_fields_are_passed_over) {
    static const uint8_t hello[] = {0x0a, 0x06, 0x08, 0x07, 0xa2, 0x06,
                                    0x01, 'x',  0x98, 0x06, 0x05};
    apex_client_message got;
    ck_assert(apex_decode_client(hello, sizeof hello, scratch(), &got, NULL));
    ck_assert_int_eq(got.kind, APEX_CLIENT_HELLO);
    ck_assert_uint_eq(got.hello.protocol_version, 7);
    ck_assert_str_eq(got.hello.client, "");
}
