// links: web
// WebSockets over real sockets on loopback: how they open, what they carry, and how they end.
#include "test_web_scene.h"
#include "support/web/web_rig.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { TEXT = 0x81, BINARY = 0x82, CLOSE = 0x88, PING = 0x89, FIRST = 0x02, NEXT = 0x00 };
enum { LAST = 0x80, OPCODE_BINARY = 2, OPCODE_CLOSE = 8, OPCODE_PONG = 10 };

static web_client client;

static void start(void) {
    rig = web_rig_new();
    rig->def.origins = "https://friend.example";
    web_rig_open(rig);
    web_client_open(&client, rig, "127.0.0.1");
}

static void stop(void) {
    web_client_close(&client);
    web_rig_free(rig);
}

static void reconnect(void) {
    web_client_close(&client);
    web_client_open(&client, rig, "127.0.0.1");
}

FIXTURE(start, stop)

TEST(a_link_opens_carries_and_closes) {
    apex_link link = open_on(&client, "/race/1");
    ck_assert_uint_eq(link.index1, 101);
    ck_assert_str_eq(web_rig_last(rig, APEX_LINK_OPENED)->address, "127.0.0.1");
    web_client_frame(&client, BINARY, "hello", 5);
    turns(50);
    const web_rig_event *event = web_rig_last(rig, APEX_LINK_BYTES);
    ck_assert_uint_eq(event->length, 5);
    ck_assert_mem_eq(event->bytes, "hello", 5);
    ck_assert_uint_eq(event->channel, APEX_CHANNEL_EITHER);
    web_rig_send(rig, link, APEX_CHANNEL_RELIABLE, "world!", 6);
    ck_assert_int_eq(web_client_take_soon(&client, rig, frame, &frame_length), OPCODE_BINARY);
    ck_assert_uint_eq(frame_length, 6);
    ck_assert_mem_eq(frame, "world!", 6);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_LINKS_OPENED), 1);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_MESSAGES_IN), 1);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_MESSAGES_OUT), 1);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_BYTES_OUT), 6);
}

TEST(a_links_quality_is_what_the_kernel_measures) {
    apex_link link = open_on(&client, "/race/1");
    apex_link_quality quality = {.round_trip_ms = UINT32_MAX, .jitter_ms = UINT32_MAX};
    turns(10);
    ck_assert(apex_web_quality(rig->web, rig->room, link, &quality));
    ck_assert_uint_lt(quality.round_trip_ms, 1000); // on loopback far less than one, but tests wait
    ck_assert_uint_lt(quality.jitter_ms, 1000);
    apex_link stale = {link.index1, (uint16_t)(link.generation + 1)};
    ck_assert(!apex_web_quality(rig->web, rig->room, stale, &quality));
    ck_assert(
        !apex_web_quality(rig->web, rig->room, (apex_link){1, 1}, &quality)); // not of this room
}

TEST(lengths_of_all_kinds_go_both_ways) {
    static const size_t lengths[] = {0, 1, 125, 126, 127, APEX_DATAGRAM_BYTES_MAX};
    apex_link link = open_on(&client, "/race/1");
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        memset(frame, (int)('a' + i), sizeof frame);
        web_client_frame(&client, BINARY, frame, lengths[i]);
        turns(50);
        ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_BYTES), i + 1);
        const web_rig_event *event = web_rig_last(rig, APEX_LINK_BYTES);
        ck_assert_uint_eq(event->length, lengths[i]);
        ck_assert(lengths[i] == 0 || event->bytes[0] == 'a' + i);
    }
    static uint8_t big[APEX_MESSAGE_BYTES_MAX];
    static const size_t out[] = {1, 125, 126, 1200, 65535, 65536, 70000, APEX_MESSAGE_BYTES_MAX};
    for (size_t i = 0; i < sizeof out / sizeof out[0]; i++) {
        memset(big, (int)('0' + i), sizeof big);
        web_rig_send(rig, link, APEX_CHANNEL_RELIABLE, big, out[i]);
        ck_assert_int_eq(web_client_take_soon(&client, rig, frame, &frame_length), OPCODE_BINARY);
        ck_assert_uint_eq(frame_length, out[i]);
        ck_assert_uint_eq(frame[0], '0' + i);
        ck_assert_uint_eq(frame[(out[i] < sizeof frame ? out[i] : sizeof frame) - 1], '0' + i);
    }
}

TEST(who_may_not_open_one_is_told_before) {
    static const struct {
        const char *path, *headers;
        int status;
        apex_web_counter counter;
    } cases[] = {
        {"/race/1", "", 400, APEX_WEB_REFUSED_REQUEST},
        {"/race/1", "Sec-WebSocket-Protocol: apex-2, apex-11\r\n", 400, APEX_WEB_REFUSED_REQUEST},
        {"/race/1", "Sec-WebSocket-Protocol: apex-1\r\nOrigin: http://evil.example\r\n", 403,
         APEX_WEB_REFUSED_ORIGIN},
        {"/race/1", "Sec-WebSocket-Protocol: apex-1\r\nOrigin: http://localhost:1\r\n", 403,
         APEX_WEB_REFUSED_ORIGIN},
        {"/race/2", "Sec-WebSocket-Protocol: apex-1\r\n", 404, APEX_WEB_REFUSED_ROOM},
        {"/", "Sec-WebSocket-Protocol: apex-1\r\n", 404, APEX_WEB_REFUSED_ROOM},
        {"/race/1", "Sec-WebSocket-Protocol: apex-1\r\nSec-WebSocket-Version: 8\r\n", 426,
         APEX_WEB_REFUSED_REQUEST},
        {"/race/1", "Sec-WebSocket-Protocol: apex-1\r\nSec-WebSocket-Key: c2hvcnQ=\r\n", 400,
         APEX_WEB_REFUSED_REQUEST},
        {"/race/1", "Sec-WebSocket-Protocol: apex-1\r\nHost: evil\r\n", 400,
         APEX_WEB_REFUSED_REQUEST},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t before = web_rig_count(rig, cases[i].counter);
        int status = web_client_upgrade(&client, rig, cases[i].path, cases[i].headers);
        ck_assert_msg(status == cases[i].status, "case %zu: %d", i, status);
        ck_assert_uint_eq(web_rig_count(rig, cases[i].counter), before + 1);
        ck_assert_str_eq(web_client_header(&client, "X-Content-Type-Options"), "nosniff");
        reconnect();
    }
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_OPENED), 0);
    static const char *const good[] = {
        "Sec-WebSocket-Protocol: other, apex-1\r\nOrigin: http://localhost\r\n",
        "Sec-WebSocket-Protocol: apex-1\r\nOrigin: https://friend.example\r\n",
        "Sec-WebSocket-Protocol: apex-1\r\nSec-WebSocket-Extensions: permessage-deflate\r\n",
    };
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(web_client_upgrade(&client, rig, "/race/1", good[i]), 101);
        reconnect();
    }
}

TEST(nothing_goes_before_the_handshakes_end) {
    web_client_say(&client, "GET /race/1 HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                            "Sec-WebSocket-Protocol: apex-1\r\n\r\nGET / HTTP/1.1\r\n\r\n");
    ck_assert_int_eq(web_client_answer(&client, rig), 400);
}

TEST(a_room_is_full_at_its_number_of_links) {
    web_client all[WEB_RIG_LINKS_MAX];
    for (uint32_t i = 0; i < WEB_RIG_LINKS_MAX; i++) {
        web_client_open(&all[i], rig, "127.0.0.1");
        ck_assert_uint_eq(open_on(&all[i], "/race/1").index1, 101 + i);
    }
    ck_assert_int_eq(web_client_upgrade(&client, rig, "/race/1", NULL), 503);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_FULL), 1);
    apex_link old = {104, web_rig_last(rig, APEX_LINK_OPENED)->link.generation};
    web_client_close(&all[3]);
    turns(50);
    reconnect();
    apex_link link = open_on(&client, "/race/1"); // the place of the fourth
    ck_assert_uint_eq(link.index1, 104);
    ck_assert_uint_ne(link.generation, old.generation);
    web_rig_send(rig, old, APEX_CHANNEL_RELIABLE, "stale", 5);
    web_rig_send(rig, (apex_link){104, 0}, APEX_CHANNEL_RELIABLE, "stale", 5);
    web_rig_send(rig, (apex_link){109, 1}, APEX_CHANNEL_RELIABLE, "stale", 5);
    web_rig_send(rig, (apex_link){0, 0}, APEX_CHANNEL_RELIABLE, "stale", 5);
    web_rig_send(rig, link, APEX_CHANNEL_RELIABLE, "new", 3);
    ck_assert_int_eq(web_client_take_soon(&client, rig, frame, &frame_length), OPCODE_BINARY);
    ck_assert_uint_eq(frame_length, 3);
    for (int i = 0; i < WEB_RIG_LINKS_MAX; i++) {
        if (i != 3) {
            web_client_close(&all[i]);
        }
    }
}

TEST(a_path_goes_on_from_its_rooms) {
    apex_link link = open_on(&client, "/replay/some%20race.apex?from=1");
    ck_assert_uint_eq(link.index1, 201);
    ck_assert_str_eq(apex_web_link_path(rig->web, rig->replays, link), "some race.apex");
    reconnect();
    link = open_on(&client, "/race/1");
    ck_assert_str_eq(apex_web_link_path(rig->web, rig->room, link), "");
}

TEST(fragments_become_one_message) {
    open_on(&client, "/race/1");
    web_client_frame(&client, FIRST, "he", 2);
    web_client_frame(&client, PING, "are you there", 13); // may come between fragments
    web_client_frame(&client, NEXT, "", 0);
    web_client_frame(&client, NEXT, "ll", 2);
    ck_assert_int_eq(web_client_take_soon(&client, rig, frame, &frame_length), OPCODE_PONG);
    ck_assert_uint_eq(frame_length, 13);
    ck_assert_mem_eq(frame, "are you there", 13);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_BYTES), 0);
    web_client_frame(&client, LAST | NEXT, "o", 1);
    web_client_frame(&client, BINARY, "next", 4);
    turns(50);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_BYTES), 2);
    const web_rig_event *first = web_rig_last(rig, APEX_LINK_BYTES) - 1;
    ck_assert_uint_eq(first->length, 5);
    ck_assert_mem_eq(first->bytes, "hello", 5);
    ck_assert_mem_eq(web_rig_last(rig, APEX_LINK_BYTES)->bytes, "next", 4);
}

TEST(bytes_may_come_one_by_one) {
    open_on(&client, "/race/1");
    static const uint8_t bytes[] = {BINARY, 0x83, 1, 2, 3, 4, 'a' ^ 1, 'b' ^ 2, 'c' ^ 3};
    for (size_t i = 0; i < sizeof bytes; i++) {
        ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_BYTES), 0);
        web_client_send(&client, &bytes[i], 1);
        turns(10);
    }
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_BYTES), 1);
    ck_assert_mem_eq(web_rig_last(rig, APEX_LINK_BYTES)->bytes, "abc", 3);
}

static void expect_end(int code, uint64_t refused) {
    ck_assert_int_eq(web_client_take_soon(&client, rig, frame, &frame_length), OPCODE_CLOSE);
    ck_assert_uint_eq(frame_length, 2);
    ck_assert_int_eq(frame[0] << 8 | frame[1], code);
    web_client_frame(&client, CLOSE, frame, 2); // as a browser does
    turns(20);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 0);
    rig->now_us += 400000;
    ck_assert(web_client_await_end(&client, rig));
    ck_assert(!client.is_reset);
    turns(5);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 1);
    ck_assert(!web_rig_last(rig, APEX_LINK_CLOSED)->by_client);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_MESSAGE), refused);
    ck_assert_uint_eq(apex_web_connections(rig->web), 0);
}

TEST(text_is_refused) {
    open_on(&client, "/race/1");
    web_client_frame(&client, TEXT, "{}", 2);
    web_client_frame(&client, BINARY, "after", 5);
    expect_end(1003, 1);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_BYTES), 0);
}

TEST(a_long_message_is_refused) {
    open_on(&client, "/race/1");
    memset(frame, 'x', sizeof frame);
    web_client_frame(&client, BINARY, frame, APEX_DATAGRAM_BYTES_MAX + 1);
    expect_end(1009, 1);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_BYTES), 0);
}

TEST(a_message_is_as_long_as_its_fragments) {
    open_on(&client, "/race/1");
    memset(frame, 'x', sizeof frame);
    web_client_frame(&client, FIRST, frame, APEX_DATAGRAM_BYTES_MAX);
    turns(20);
    web_client_frame(&client, NEXT, frame, 1);
    expect_end(1009, 1);
}

TEST(a_huge_frame_is_refused_once_it_is_too_long) {
    open_on(&client, "/race/1");
    uint8_t head[14] = {BINARY, 0xff, 0, 0, 0, 1}; // 4 GiB
    web_client_send(&client, head, sizeof head);
    turns(20);
    memset(frame, 0, sizeof frame);
    web_client_send(&client, frame, 4000);
    ck_assert_int_eq(web_client_take_soon(&client, rig, frame, &frame_length), OPCODE_CLOSE);
    ck_assert_int_eq(frame[0] << 8 | frame[1], 1009);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_MESSAGE), 1);
}

TEST(frames_that_are_none_end_the_link) {
    static const uint8_t bad[][2] = {
        {0x83, 0x80}, // an opcode that there is not
        {0xc2, 0x80}, // an extension that was not agreed on
        {0x09, 0x80}, // a ping in fragments
        {0x89, 0xfe}, // a ping of more than 125 bytes
        {0x80, 0x80}, // going on with nothing
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        open_on(&client, "/race/1");
        web_client_send(&client, bad[i], 2);
        web_client_send(&client, "\0\0\0\0\0\0", 6);
        int opcode = web_client_take_soon(&client, rig, frame, &frame_length);
        ck_assert_msg(opcode == OPCODE_CLOSE || client.is_closed, "case %zu: %d", i, opcode);
        reconnect();
        turns(20);
        ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), i + 1);
        ck_assert(!web_rig_last(rig, APEX_LINK_CLOSED)->by_client);
    }
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_BYTES), 0);
}

TEST(how_a_client_ends_is_told) {
    static const struct {
        const char *payload;
        size_t length;
        bool by_client;
    } cases[] = {
        {"\x03\xe8", 2, true},      // 1000
        {"\x03\xe9gone", 6, false}, // 1001: a page that goes, and may come back
        {"", 0, true},              // close() of a page
        {"\x0f\xa0", 2, false},     // 4000
        {"\x03\xe8 well done", 12, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        open_on(&client, "/race/1");
        rig->now_us += 5000000; // in which nothing was sent
        turns(2);
        web_client_frame(&client, CLOSE, cases[i].payload, cases[i].length);
        web_client_frame(&client, BINARY, "after", 5);
        for (int k = 0; k < 5; k++) {
            rig->now_us += 110000;
            web_rig_turn(rig);
        }
        ck_assert_int_eq(web_client_take_soon(&client, rig, frame, &frame_length), OPCODE_CLOSE);
        ck_assert(web_client_await_end(&client, rig));
        turns(5);
        ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), i + 1);
        ck_assert_msg(web_rig_last(rig, APEX_LINK_CLOSED)->by_client == cases[i].by_client,
                      "case %zu", i);
        reconnect();
    }
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_BYTES), 0);
}

TEST(a_broken_connection_is_no_goodbye) {
    open_on(&client, "/race/1");
    web_client_frame(&client, BINARY, "last", 4);
    shutdown(client.file, SHUT_WR);
    turns(50);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_BYTES), 1);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 1);
    ck_assert(!web_rig_last(rig, APEX_LINK_CLOSED)->by_client);
    ck_assert(rig->events[rig->event_count - 1].kind == APEX_LINK_CLOSED);
    reconnect();
    open_on(&client, "/race/1");
    struct linger none = {.l_onoff = 1};
    setsockopt(client.file, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    reconnect(); // with a reset
    turns(50);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 2);
    ck_assert(!web_rig_last(rig, APEX_LINK_CLOSED)->by_client);
}

TEST(last_words_arrive) {
    apex_link link = open_on(&client, "/race/1");
    memset(frame, 'w', sizeof frame);
    for (int i = 0; i < 10; i++) {
        web_rig_send(rig, link, APEX_CHANNEL_RELIABLE, frame, 60000);
    }
    apex_web_close_link(rig->web, rig->room, link);
    apex_web_close_link(rig->web, rig->room, link); // once more does not matter
    web_rig_send(rig, link, APEX_CHANNEL_RELIABLE, "after", 5);
    for (int i = 0; i < 10; i++) {
        ck_assert_int_eq(web_client_take_soon(&client, rig, frame, &frame_length), OPCODE_BINARY);
        ck_assert_uint_eq(frame_length, 60000);
    }
    expect_end(1000, 0);
    apex_web_close_link(rig->web, rig->room, link); // nor after the end
}

TEST(the_end_of_the_server_leaves_nothing) {
    apex_link link = open_on(&client, "/race/1");
    web_client slow;
    web_client half;
    web_client_open(&slow, rig, "127.0.0.1");
    apex_link slow_link = open_on(&slow, "/race/1");
    web_client_open(&half, rig, "127.0.0.1");
    web_client_say(&half, "GET / HTTP/1.1\r\n");
    static uint8_t big[60000];
    for (int i = 0; i < 15; i++) {
        web_rig_send(rig, slow_link, APEX_CHANNEL_RELIABLE, big, sizeof big);
    }
    apex_web_close_link(rig->web, rig->room, link);
    web_client_frame(&client, BINARY, "unread", 6);
    uv_run(&rig->loop, UV_RUN_NOWAIT);
    ck_assert_uint_eq(apex_web_connections(rig->web), 3);
    // The fixture's end destroys the gateway and fails if the loop is left with a handle.
    web_client_close(&slow);
    web_client_close(&half);
}
