// links: web
// What strangers may take: connections, rates, patience, memory.
#include "support/check_main.h"
#include "support/web_rig.h"
#include "web/gate.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BINARY = 0x82, OPCODE_BINARY = 2, SNAPSHOT = 1000 };

static web_rig *rig;
static uint8_t frame[1 << 16];
static size_t frame_length;

// What did not go of the last of a row of messages.
static uint8_t rest[APEX_DATAGRAM_BYTES_MAX + 16];
static size_t rest_length;

static void start(void) {
    rest_length = 0;
    rig = web_rig_new();
}

static void stop(void) {
    web_rig_free(rig);
}

static void turns(int count) {
    for (int i = 0; i < count; i++) {
        web_rig_turn(rig);
    }
}

static apex_link open_link(web_client *client) {
    web_client_open(client, rig, "127.0.0.1");
    ck_assert_int_eq(web_client_upgrade(client, rig, "/race/1", NULL), 101);
    return web_rig_last(rig, APEX_LINK_OPENED)->link;
}

// --- Connections --------------------------------------------------------------------------------

START_TEST(an_address_has_its_share) {
    rig->def.connections_per_address_max = 3;
    web_rig_open(rig);
    web_client all[5];
    open_link(&all[0]); // a link counts like any other
    for (int i = 1; i < 4; i++) {
        web_client_open(&all[i], rig, "127.0.0.1");
    }
    ck_assert(web_client_await_end(&all[3], rig));
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_ADDRESS), 1);
    web_client_open(&all[4], rig, "127.0.0.2");
    ck_assert_int_eq(web_client_get(&all[4], rig, "/nowhere"), 404);
    web_client_close(&all[0]);
    turns(20);
    web_client again;
    web_client_open(&again, rig, "127.0.0.1");
    ck_assert_int_eq(web_client_get(&again, rig, "/nowhere"), 404);
    web_client_close(&again);
    for (int i = 1; i < 5; i++) {
        web_client_close(&all[i]);
    }
    turns(20);
    ck_assert_uint_eq(apex_web_connections(rig->web), 0);
}

START_TEST(all_have_their_number) {
    rig->def.connections_max = 2;
    web_rig_open(rig);
    web_client all[3];
    for (int i = 0; i < 3; i++) {
        web_client_open(&all[i], rig, i == 1 ? "127.0.0.2" : "127.0.0.3");
    }
    ck_assert(web_client_await_end(&all[2], rig));
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_FULL), 1);
    ck_assert_uint_eq(apex_web_connections(rig->web), 2);
    for (int i = 0; i < 3; i++) {
        web_client_close(&all[i]);
    }
}

START_TEST(a_flood_is_turned_away) {
    rig->def.connections_per_s_max = 10;
    web_rig_open(rig);
    for (int i = 0; i < 1000; i++) {
        web_client client;
        web_client_open(&client, rig, "127.0.0.1");
        if (i % 8 == 0) {
            web_rig_turn(rig);
        }
        web_client_close(&client);
    }
    turns(50);
    // A burst of five seconds, and time has stood still.
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_CONNECTIONS), 50);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_RATE), 950);
    ck_assert_uint_eq(apex_web_connections(rig->web), 0);
    web_client other;
    web_client_open(&other, rig, "127.0.0.9");
    ck_assert_int_eq(web_client_get(&other, rig, "/nowhere"), 404);
    web_client_close(&other);
    rig->now_us += 100000; // one of ten in a second
    turns(2);
    web_client_open(&other, rig, "127.0.0.1");
    ck_assert_int_eq(web_client_get(&other, rig, "/nowhere"), 404);
    web_client_close(&other);
}

START_TEST(a_house_of_ipv6_is_one_address) {
    web_gate gate;
    ck_assert_int_eq(web_gate_create(&gate, 10), APEX_OK);
    gate.open_max = 2;
    gate.per_s_max = 1000;
    web_address a;
    web_address b;
    web_address c;
    inet_pton(AF_INET6, "2001:db8:1:2::1", a.bytes);
    inet_pton(AF_INET6, "2001:db8:1:2:ffff::9", b.bytes);
    inet_pton(AF_INET6, "2001:db8:1:3::1", c.bytes);
    ck_assert_int_eq(web_gate_enter(&gate, &a, 0), WEB_GATE_OPEN);
    ck_assert_int_eq(web_gate_enter(&gate, &b, 0), WEB_GATE_OPEN);
    ck_assert_int_eq(web_gate_enter(&gate, &a, 0), WEB_GATE_ADDRESS);
    ck_assert_int_eq(web_gate_enter(&gate, &c, 0), WEB_GATE_OPEN);
    inet_pton(AF_INET6, "::ffff:10.0.0.1", a.bytes);
    inet_pton(AF_INET6, "::ffff:10.0.0.2", b.bytes);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(web_gate_enter(&gate, &a, 0), WEB_GATE_OPEN);
        ck_assert_int_eq(web_gate_enter(&gate, &b, 0), WEB_GATE_OPEN);
    }
    ck_assert_int_eq(web_gate_enter(&gate, &a, 0), WEB_GATE_ADDRESS);
    web_gate_leave(&gate, &a);
    ck_assert_int_eq(web_gate_enter(&gate, &a, 0), WEB_GATE_OPEN);
    web_gate_destroy(&gate);
}

START_TEST(many_addresses_displace_none_that_is_there) {
    web_gate gate;
    ck_assert_int_eq(web_gate_create(&gate, 4), APEX_OK);
    gate.open_max = 1;
    gate.per_s_max = 1;
    web_address guest;
    inet_pton(AF_INET6, "::ffff:10.0.0.1", guest.bytes);
    ck_assert_int_eq(web_gate_enter(&gate, &guest, 0), WEB_GATE_OPEN);
    for (uint32_t i = 0; i < 100000; i++) {
        web_address stranger = guest;
        memcpy(stranger.bytes + 12, &i, 4);
        stranger.bytes[12] ^= 0x55;
        if (web_gate_enter(&gate, &stranger, 0) == WEB_GATE_OPEN) {
            web_gate_leave(&gate, &stranger);
        }
    }
    ck_assert_int_eq(web_gate_enter(&gate, &guest, 0), WEB_GATE_ADDRESS);
    web_gate_leave(&gate, &guest);
    web_gate_destroy(&gate);
}

// --- Readers that are slow ----------------------------------------------------------------------

// A snapshot that says its number.
static void send_snapshot(apex_link link, uint32_t number) {
    uint8_t bytes[SNAPSHOT] = {0};
    memcpy(bytes, &number, sizeof number);
    web_rig_send(rig, link, APEX_CHANNEL_STATE, bytes, sizeof bytes);
}

START_TEST(a_slow_reader_is_spared_old_snapshots) {
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
    // What it reads in the end is a beginning, what it was spared, and what is reliable.
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

START_TEST(snapshots_of_one_call_stay_together) {
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

START_TEST(who_reads_nothing_for_too_long_is_closed) {
    web_rig_open(rig);
    web_client client;
    apex_link link = open_link(&client);
    uint32_t number = 0;
    for (; web_rig_count(rig, APEX_WEB_SNAPSHOTS_SKIPPED) == 0; number++) {
        send_snapshot(link, number);
        web_rig_turn(rig);
    }
    rig->now_us += rig->def.choked_us_max;
    turns(3);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 0);
    rig->now_us += 200000;
    turns(20);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 1);
    ck_assert(!web_rig_last(rig, APEX_LINK_CLOSED)->by_client);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_CLOSED_SLOW), 1);
    ck_assert_uint_eq(apex_web_connections(rig->web), 0);
    web_client_close(&client);
}

START_TEST(who_has_nothing_to_read_is_not_slow) {
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

START_TEST(too_much_that_must_arrive_closes) {
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

START_TEST(who_ignores_the_close_is_cut_off) {
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

// --- Writers that are fast ----------------------------------------------------------------------

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

START_TEST(between_two_looks_64_messages_are_taken) {
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

START_TEST(long_messages_are_taken_by_their_bytes) {
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

START_TEST(a_writer_is_stopped_by_tcp_and_nobody_else_notices) {
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

START_TEST(a_paused_link_that_breaks_is_told_in_order) {
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

// --- Listening ----------------------------------------------------------------------------------

START_TEST(a_port_that_is_taken_is_named) {
    web_rig_open(rig);
    apex_web_def def = rig->def;
    char why[APEX_WEB_WHY_BYTES];
    apex_web *second = NULL;
    def.port = apex_web_port(rig->web);
    ck_assert_int_eq(apex_web_create(&def, &second, why), APEX_ERR_BUSY_PORT);
    ck_assert_ptr_null(second);
    ck_assert_ptr_nonnull(strstr(why, "in use"));
    def.address = "no.such.host.invalid";
    ck_assert_int_eq(apex_web_create(&def, &second, why), APEX_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(why, "no.such.host.invalid"));
    turns(10); // what they had begun ends with the loop
}

START_TEST(localhost_has_two_addresses) {
    rig->def.address = "localhost";
    web_rig_open(rig);
    web_client client;
    web_client_open(&client, rig, "127.0.0.1");
    ck_assert_int_eq(web_client_get(&client, rig, "/nowhere"), 404);
    web_client_close(&client);
    int file = socket(AF_INET6, SOCK_STREAM, 0);
    struct sockaddr_in6 own = {.sin6_family = AF_INET6,
                               .sin6_addr = in6addr_loopback,
                               .sin6_port = htons(apex_web_port(rig->web))};
    struct sockaddr_in6 probe = {.sin6_family = AF_INET6, .sin6_addr = in6addr_loopback};
    int other = socket(AF_INET6, SOCK_STREAM, 0);
    bool has_ipv6 = other >= 0 && bind(other, (struct sockaddr *)&probe, sizeof probe) == 0;
    ck_assert_int_eq(connect(file, (struct sockaddr *)&own, sizeof own) == 0, has_ipv6);
    close(other);
    close(file);
}

START_TEST(every_address_takes_ipv4_as_such) {
    rig->def.address = "";
    web_rig_open(rig);
    web_client client;
    open_link(&client);
    ck_assert_str_eq(web_rig_last(rig, APEX_LINK_OPENED)->address, "127.0.0.1");
    web_client_close(&client);
    web_client_open(&client, rig, "127.0.0.1"); // any name will do
    web_client_say(&client, "GET /nowhere HTTP/1.1\r\nHost: race.example\r\n\r\n");
    ck_assert_int_eq(web_client_answer(&client, rig), 404);
    web_client_close(&client);
}

Suite *apex_suite(void) {
    Suite *suite = suite_create("web limits");
    TCase *tcase = tcase_create("limits");
    tcase_add_checked_fixture(tcase, start, stop);
    tcase_add_test(tcase, an_address_has_its_share);
    tcase_add_test(tcase, all_have_their_number);
    tcase_add_test(tcase, a_flood_is_turned_away);
    tcase_add_test(tcase, a_slow_reader_is_spared_old_snapshots);
    tcase_add_test(tcase, snapshots_of_one_call_stay_together);
    tcase_add_test(tcase, who_reads_nothing_for_too_long_is_closed);
    tcase_add_test(tcase, who_has_nothing_to_read_is_not_slow);
    tcase_add_test(tcase, too_much_that_must_arrive_closes);
    tcase_add_test(tcase, who_ignores_the_close_is_cut_off);
    tcase_add_test(tcase, between_two_looks_64_messages_are_taken);
    tcase_add_test(tcase, long_messages_are_taken_by_their_bytes);
    tcase_add_test(tcase, a_writer_is_stopped_by_tcp_and_nobody_else_notices);
    tcase_add_test(tcase, a_paused_link_that_breaks_is_told_in_order);
    tcase_add_test(tcase, a_port_that_is_taken_is_named);
    tcase_add_test(tcase, localhost_has_two_addresses);
    tcase_add_test(tcase, every_address_takes_ipv4_as_such);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("gate");
    tcase_add_test(tcase, a_house_of_ipv6_is_one_address);
    tcase_add_test(tcase, many_addresses_displace_none_that_is_there);
    suite_add_tcase(suite, tcase);
    return suite;
}
