// links: web
// Readers that are slow and writers that are fast: the bytes that wait for them are bounded, they
// are told apart from clients that merely have nothing to say, and nobody else notices.
#include "test_web_scene.h"
#include "support/web/web_rig.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

enum { BINARY = 0x82, OPCODE_BINARY = 2, SNAPSHOT = 1000 };

// The rest of the last of a row of messages, which did not go.
static uint8_t rest[APEX_DATAGRAM_BYTES_MAX + 16];
static size_t rest_length;

static void start(void) {
    rest_length = 0;
    rig = web_rig_new();
}

static void stop(void) {
    web_rig_free(rig);
}

// A snapshot that says its number.
static void send_snapshot(apex_link link, uint32_t number) {
    uint8_t bytes[SNAPSHOT] = {0};
    memcpy(bytes, &number, sizeof number);
    web_rig_send(rig, link, APEX_CHANNEL_STATE, bytes, sizeof bytes);
}

// Until its reader's kernel takes no more, which may take it some time to know.
static void fill(apex_link link) {
    uint64_t out = UINT64_MAX;
    uint32_t number = 0;
    while (out != web_rig_count(rig, APEX_WEB_MESSAGES_OUT)) {
        out = web_rig_count(rig, APEX_WEB_MESSAGES_OUT);
        for (int i = 0; i < 500; i++) {
            send_snapshot(link, number++);
            web_rig_turn(rig);
        }
    }
    ck_assert_uint_gt(web_rig_count(rig, APEX_WEB_SNAPSHOTS_SKIPPED), 0);
}

FIXTURE(start, stop)

TEST(a_slow_reader_is_spared_old_snapshots) {
    enum { SENT = 5000 };
    web_rig_open(rig);
    web_client slow;
    web_client quick;
    apex_link slow_link = open_link(&slow);
    apex_link quick_link = open_link(&quick);
    uint32_t quick_count = 0;
    for (uint32_t i = 0; i < SENT; i++) {
        send_snapshot(slow_link, i);
        send_snapshot(quick_link, i);
        web_rig_turn(rig);
        while (web_client_take(&quick, frame, sizeof frame, &frame_length) == OPCODE_BINARY) {
            quick_count++;
        }
    }
    ck_assert_uint_eq(quick_count, SENT);
    uint64_t skipped = web_rig_count(rig, APEX_WEB_SNAPSHOTS_SKIPPED);
    ck_assert_uint_gt(skipped, SENT * 8 / 10);
    web_rig_send(rig, slow_link, APEX_CHANNEL_RELIABLE, "told", 4);
    // In the end it reads the first snapshots, the newest one, and all that is reliable.
    uint32_t count = 0;
    uint32_t last = 0;
    bool is_told = false;
    while (!is_told) {
        int opcode = web_client_take_soon(&slow, rig, frame, &frame_length);
        ck_assert_int_eq(opcode, OPCODE_BINARY);
        is_told = frame_length == 4;
        if (!is_told) {
            ck_assert_uint_eq(frame_length, SNAPSHOT);
            uint32_t number;
            memcpy(&number, frame, sizeof number);
            ck_assert(count == 0 || number > last);
            last = number;
            count++;
        }
    }
    ck_assert_uint_eq(count + skipped, SENT);
    // Caught up, it gets the next at once.
    turns(5);
    send_snapshot(slow_link, SENT + 1);
    ck_assert_int_eq(web_client_take_soon(&slow, rig, frame, &frame_length), OPCODE_BINARY);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_SNAPSHOTS_SKIPPED), skipped);
    web_client_close(&slow);
    web_client_close(&quick);
}

TEST(snapshots_of_one_call_stay_together) {
    web_rig_open(rig);
    web_client client;
    apex_link link = open_link(&client);
    apex_link_packet packets[12];
    for (int i = 0; i < 12; i++) {
        packets[i] = (apex_link_packet){
            .link = link, .channel = APEX_CHANNEL_STATE, .bytes = frame, .length = 1100};
    }
    for (int i = 0; i < 200; i++) {
        apex_web_send(rig->web, rig->room, packets, 12); // nobody reads, nobody turns
    }
    uint64_t skipped = web_rig_count(rig, APEX_WEB_SNAPSHOTS_SKIPPED);
    ck_assert_uint_gt(skipped, 0);
    ck_assert_uint_eq(skipped % 12, 0);
    uint32_t count = 0;
    while (count + skipped < 200 * 12) {
        ck_assert_int_eq(web_client_take_soon(&client, rig, frame, &frame_length), OPCODE_BINARY);
        count++;
    }
    web_client_close(&client);
}

TEST(who_reads_nothing_for_too_long_is_closed) {
    web_rig_open(rig);
    web_client client;
    apex_link link = open_link(&client);
    fill(link);
    rig->now_us += rig->def.choked_us_max;
    turns(3);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 0);
    // A kernel packs what nobody reads and then takes a little more, which is progress.
    for (uint32_t i = 0; i < 20 && web_rig_events_of(rig, APEX_LINK_CLOSED) == 0; i++) {
        send_snapshot(link, i);
        rig->now_us += rig->def.choked_us_max + 200000;
        turns(20);
    }
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 1);
    ck_assert(!web_rig_last(rig, APEX_LINK_CLOSED)->by_client);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_CLOSED_SLOW), 1);
    ck_assert_uint_eq(apex_web_connections(rig->web), 0);
    web_client_close(&client);
}

TEST(who_has_nothing_to_read_is_not_slow) {
    web_rig_open(rig);
    web_client client;
    apex_link link = open_link(&client);
    rig->now_us += 10 * rig->def.choked_us_max;
    turns(3);
    web_rig_send(rig, link, APEX_CHANNEL_RELIABLE, "hello", 5);
    rig->now_us += 200000;
    turns(3);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 0);
    web_client_close(&client);
}

TEST(too_much_that_must_arrive_closes) {
    rig->def.unsent_bytes_max = 300000;
    web_rig_open(rig);
    web_client client;
    web_client other;
    apex_link link = open_link(&client);
    apex_link other_link = open_link(&other);
    uint32_t sent = 0;
    while (web_rig_count(rig, APEX_WEB_CLOSED_SLOW) == 0) {
        web_rig_send(rig, link, APEX_CHANNEL_RELIABLE, frame, 20000);
        sent++;
        ck_assert_uint_lt(sent, 200);
    }
    ck_assert_uint_ge(sent * 20000, 300000);
    turns(20);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 1);
    ck_assert_uint_eq(web_rig_last(rig, APEX_LINK_CLOSED)->link.index1, link.index1);
    ck_assert_uint_eq(apex_web_connections(rig->web), 1);
    web_rig_send(rig, other_link, APEX_CHANNEL_RELIABLE, "hello", 5);
    ck_assert_int_eq(web_client_take_soon(&other, rig, frame, &frame_length), OPCODE_BINARY);
    web_client_close(&client);
    web_client_close(&other);
}

// Each of them might take four megabytes.
TEST(what_must_arrive_is_bounded_in_all) {
    enum { HOGS = 7, PIECE = 20000, PIECES = 40, ALL = 1000000 };
    rig->def.all_unsent_bytes_max = ALL;
    web_rig_open(rig);
    web_client hogs[HOGS];
    web_client guest;
    apex_link links[HOGS];
    for (int i = 0; i < HOGS; i++) {
        links[i] = open_link(&hogs[i]);
    }
    apex_link guest_link = open_link(&guest);
    for (int i = 0; i < HOGS * PIECES; i++) {
        web_rig_send(rig, links[i % HOGS], APEX_CHANNEL_RELIABLE, frame, PIECE);
    }
    // Past the bound nobody may have more than an equal share, and a guest has that.
    for (size_t sent = 0; sent + PIECE < ALL / (HOGS + 1); sent += PIECE) {
        web_rig_send(rig, guest_link, APEX_CHANNEL_RELIABLE, frame, PIECE);
        ck_assert_int_eq(web_client_take_soon(&guest, rig, frame, &frame_length), OPCODE_BINARY);
    }
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_CLOSED_SLOW), HOGS);
    turns(50);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), HOGS);
    // Their memory is free again, for one alone.
    for (size_t sent = 0; sent + 2 * PIECE < ALL; sent += PIECE) {
        web_rig_send(rig, guest_link, APEX_CHANNEL_RELIABLE, frame, PIECE);
    }
    turns(50);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_CLOSED_SLOW), HOGS);
    for (int i = 0; i < HOGS; i++) {
        web_client_close(&hogs[i]);
    }
    web_client_close(&guest);
}

TEST(who_ignores_the_close_is_cut_off) {
    web_rig_open(rig);
    web_client client;
    apex_link link = open_link(&client);
    for (int i = 0; i < 10; i++) {
        web_rig_send(rig, link, APEX_CHANNEL_RELIABLE, frame, 60000);
    }
    apex_web_close_link(rig->web, rig->room, link);
    turns(20);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 0); // it may still read
    rig->now_us += rig->def.choked_us_max + 200000;
    turns(20);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 1);
    web_client_close(&client);
}

static bool send_piece(web_client *client, const uint8_t *bytes, size_t length) {
    ssize_t put = send(client->file, bytes, length, MSG_NOSIGNAL);
    ck_assert(put >= 0 || errno == EAGAIN);
    size_t gone = put > 0 ? (size_t)put : 0;
    rest_length = length - gone;
    memmove(rest, bytes + gone, rest_length);
    return rest_length == 0;
}

// As much as the other side takes. @return the number of the next message.
static uint32_t send_numbers(web_client *client, uint32_t from, uint32_t to, size_t length) {
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX + 16] = {0x82, (uint8_t)(0x80 | length)};
    size_t head = 2;
    if (length >= 126) {
        bytes[1] = 0x80 | 126;
        bytes[2] = (uint8_t)(length >> 8);
        bytes[3] = (uint8_t)length;
        head = 4;
    }
    if (rest_length > 0 && !send_piece(client, rest, rest_length)) {
        return from;
    }
    // The mask is zero.
    for (uint32_t i = from; i < to; i++) {
        memcpy(bytes + head + 4, &i, sizeof i);
        if (!send_piece(client, bytes, head + 4 + length)) {
            return i + 1;
        }
    }
    return to;
}

static void expect_numbers(uint32_t begin, uint32_t end) {
    uint32_t next = begin;
    for (size_t i = 0; i < rig->event_count; i++) {
        if (rig->events[i].kind == APEX_LINK_BYTES) {
            uint32_t number;
            memcpy(&number, rig->events[i].bytes, sizeof number);
            ck_assert_uint_eq(number, next);
            next++;
        }
    }
    ck_assert_uint_eq(next, end);
}

TEST(between_two_looks_64_messages_are_taken) {
    web_rig_open(rig);
    web_client client;
    open_link(&client);
    ck_assert_uint_eq(send_numbers(&client, 0, 1000, 20), 1000);
    rig->is_deaf = true;
    turns(100);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_MESSAGES_IN), 64);
    rig->is_deaf = false;
    for (uint32_t looks = 1; looks <= 16; looks++) {
        web_rig_turn(rig);
        rig->is_deaf = true;
        turns(20);
        rig->is_deaf = false;
        uint64_t in = web_rig_count(rig, APEX_WEB_MESSAGES_IN);
        ck_assert_uint_le(in, 64 * (looks + 1));
        ck_assert_uint_ge(in, 64 * (looks + 1) < 1000 ? 64 * (looks + 1) : 1000);
    }
    turns(5);
    expect_numbers(0, 1000);
    web_client_close(&client);
}

TEST(long_messages_are_taken_by_their_bytes) {
    web_rig_open(rig);
    web_client client;
    open_link(&client);
    uint32_t sent = send_numbers(&client, 0, 200, APEX_DATAGRAM_BYTES_MAX);
    ck_assert_uint_gt(sent, 40);
    rig->is_deaf = true;
    turns(100);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_MESSAGES_IN),
                      32 * 1024 / APEX_DATAGRAM_BYTES_MAX + 1);
    rig->is_deaf = false;
    for (int i = 0; i < 200; i++) {
        web_rig_turn(rig);
        send_numbers(&client, sent, sent, APEX_DATAGRAM_BYTES_MAX);
    }
    expect_numbers(0, sent);
    web_client_close(&client);
}

TEST(a_writer_is_stopped_by_tcp_and_nobody_else_notices) {
    enum { TOTAL = 100000 };
    web_rig_open(rig);
    web_client fast;
    web_client other;
    open_link(&fast);
    apex_link other_link = open_link(&other);
    rig->is_deaf = true;
    uint32_t sent = 0;
    for (uint32_t i = 0; i < 300; i++) {
        sent = send_numbers(&fast, sent, TOTAL, 1000);
        web_rig_turn(rig);
    }
    ck_assert_uint_lt(sent, TOTAL); // it waits
    ck_assert_uint_le(web_rig_count(rig, APEX_WEB_MESSAGES_IN), 64);
    rig->is_deaf = false;
    web_client_frame(&other, BINARY, "ping", 4);
    turns(3);
    bool has_come = false;
    for (size_t i = 0; i < rig->event_count; i++) {
        has_come = has_come || (rig->events[i].kind == APEX_LINK_BYTES &&
                                rig->events[i].link.index1 == other_link.index1);
    }
    ck_assert(has_come);
    web_rig_send(rig, other_link, APEX_CHANNEL_RELIABLE, "pong", 4);
    ck_assert_int_eq(web_client_take_soon(&other, rig, frame, &frame_length), OPCODE_BINARY);
    web_client_close(&fast);
    web_client_close(&other);
}

TEST(a_paused_link_that_breaks_is_told_in_order) {
    web_rig_open(rig);
    web_client client;
    open_link(&client);
    ck_assert_uint_eq(send_numbers(&client, 0, 200, 20), 200);
    web_client_frame(&client, 0x88, "\x03\xe8", 2);
    rig->is_deaf = true;
    turns(50);
    rig->is_deaf = false;
    turns(100);
    expect_numbers(0, 200);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 1);
    ck_assert(rig->events[rig->event_count - 1].kind == APEX_LINK_CLOSED);
    ck_assert(web_rig_last(rig, APEX_LINK_CLOSED)->by_client);
    web_client_close(&client);
}
