// A client from before race control joins and races: of what a server says today it drops the
// messages and events that it does not know, and nothing else (PROTOCOL.md "Versions").

#include "test_proto_samples.h"
#include "support/base/check_main.h"
#include "support/proto/before_control.h"

static uint8_t bytes[SAMPLE_BYTES_MAX];
static apex_server_message servers[SERVER_SAMPLES];
static sample_lists lists;
static _Alignas(16) uint8_t memory[1 << 20];

static void set_up(void) {
    sample_fill_lists(&lists);
    sample_servers(servers, &lists);
}

static before_verdict read_before(const apex_server_message *message) {
    size_t length = apex_encode_server(message, bytes, sizeof bytes);
    ck_assert_uint_gt(length, 0);
    return before_control_reads(bytes, length);
}

FIXTURE(set_up, NULL)

// The samples have all that can be told, control events in the past and among the marks included.
TEST_OVER(what_was_known_is_read, 0, SERVER_SAMPLES) {
    bool is_new = servers[_i].kind >= APEX_SERVER_SESSION_STATE;
    ck_assert_int_eq(read_before(&servers[_i]), is_new ? BEFORE_DROPS_KIND : BEFORE_TAKES);
}

TEST(an_event_is_dropped_from_session_on) {
    for (uint32_t kind = 0; kind < APEX_WIRE_EVENTS; kind++) {
        apex_server_message message = {.kind = APEX_SERVER_RACE_EVENT, .event = {.kind = kind}};
        ck_assert_int_eq(read_before(&message), kind <= 14 ? BEFORE_TAKES : BEFORE_DROPS_EVENT);
    }
}

// Two lists on the wire are one again, by tick; of one tick those of before come first.
TEST(the_past_is_in_order) {
    apex_race_event_message events[] = {
        {.kind = APEX_WIRE_EVENT_SESSION, .tick = 5},  {.kind = APEX_WIRE_EVENT_JOINED, .tick = 6},
        {.kind = APEX_WIRE_EVENT_LEFT, .tick = 7},     {.kind = APEX_WIRE_EVENT_PENALTY, .tick = 7},
        {.kind = APEX_WIRE_EVENT_PHASE, .tick = 7},    {.kind = APEX_WIRE_EVENT_CONTROL, .tick = 9},
        {.kind = APEX_WIRE_EVENT_CHEQUERED, .tick = 9}};
    static const uint32_t wanted[] = {APEX_WIRE_EVENT_SESSION,  APEX_WIRE_EVENT_JOINED,
                                      APEX_WIRE_EVENT_LEFT,     APEX_WIRE_EVENT_PHASE,
                                      APEX_WIRE_EVENT_PENALTY,  APEX_WIRE_EVENT_CONTROL,
                                      APEX_WIRE_EVENT_CHEQUERED};
    apex_server_message message = {.kind = APEX_SERVER_PAST_EVENTS,
                                   .past_events = {.event_count = 7, .events = events}};
    size_t length = apex_encode_server(&message, bytes, sizeof bytes);
    ck_assert_int_eq(before_control_reads(bytes, length), BEFORE_TAKES);
    apex_scratch scratch = {memory, sizeof memory};
    apex_server_message got;
    ck_assert(apex_decode_server(bytes, length, scratch, &got, NULL));
    ck_assert_uint_eq(got.past_events.event_count, 7);
    for (uint32_t i = 0; i < 7; i++) {
        ck_assert_uint_eq(got.past_events.events[i].kind, wanted[i]);
    }
}

// Fifty of both together, not of each.
TEST(the_past_has_fifty_of_both) {
    apex_server_message message = {.kind = APEX_SERVER_PAST_EVENTS,
                                   .past_events = {.event_count = 25, .events = lists.events}};
    uint8_t more[SAMPLE_BYTES_MAX];
    size_t length = apex_encode_server(&message, bytes, sizeof bytes);
    message.past_events = (apex_past_events){.event_count = 26, .events = lists.events};
    size_t more_length = apex_encode_server(&message, more, sizeof more);
    // Both bodies in one envelope: protobuf joins their lists. Tags and lengths are 1 + 2 bytes
    // (kind 17: 2 + 2).
    size_t head = 4, body = length - head + more_length - head;
    memmove(bytes + head, bytes + head, length - head);
    memcpy(bytes + length, more + head, more_length - head);
    bytes[2] = (uint8_t)(body | 0x80);
    bytes[3] = (uint8_t)(body >> 7);
    ck_assert_uint_lt(body, 1 << 14);
    apex_scratch scratch = {memory, sizeof memory};
    apex_server_message got;
    const char *why = "";
    ck_assert(!apex_decode_server(bytes, head + body, scratch, &got, &why));
    ck_assert_str_eq(why, "past_events: there are more than 50 events");
}
