// links: web
// What strangers may take: connections, rates, patience, memory.
#include "test_web_scene.h"
#include "support/web/web_rig.h"
#include "web/door/connection_gate.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static void start(void) {
    rig = web_rig_new();
}

static void stop(void) {
    web_rig_free(rig);
}

FIXTURE(start, stop)

TEST(an_address_has_its_share) {
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

TEST(all_have_their_number) {
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

TEST(who_only_holds_connections_keeps_nobody_out) {
    rig->def.connections_max = 3;
    web_rig_open(rig);
    web_client link;
    web_client idle[2];
    web_client guest;
    open_link(&link);
    web_client_open(&idle[0], rig, "127.0.0.2");
    turns(10);
    rig->now_us += 500000;
    turns(2);
    web_client_open(&idle[1], rig, "127.0.0.2");
    turns(10);
    rig->now_us += 600000; // the first has been there for more than a second, the second not
    turns(2);
    web_client_open(&guest, rig, "127.0.0.3");
    ck_assert_int_eq(web_client_get(&guest, rig, "/nowhere"), 404);
    ck_assert(web_client_await_end(&idle[0], rig));
    ck_assert_int_eq(web_client_get(&idle[1], rig, "/nowhere"), 404);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 0);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_FULL), 0);
    web_client_close(&link);
    web_client_close(&idle[0]);
    web_client_close(&idle[1]);
    web_client_close(&guest);
}

// Of two that have been there for more than a second the older one goes.
TEST(who_has_been_idle_for_longest_goes_first) {
    rig->def.connections_max = 2;
    web_rig_open(rig);
    web_client idle[2];
    web_client guest;
    for (int i = 0; i < 2; i++) {
        web_client_open(&idle[i], rig, "127.0.0.2");
        turns(10);
        rig->now_us += i == 0 ? 500000 : 1500000;
        turns(2);
    }
    web_client_open(&guest, rig, "127.0.0.3");
    ck_assert_int_eq(web_client_get(&guest, rig, "/nowhere"), 404);
    ck_assert(web_client_await_end(&idle[0], rig));
    ck_assert_int_eq(web_client_get(&idle[1], rig, "/nowhere"), 404);
    web_client_close(&idle[0]);
    web_client_close(&idle[1]);
    web_client_close(&guest);
}

TEST(a_flood_is_turned_away) {
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

FIXTURE(NULL, NULL)

TEST(a_house_of_ipv6_is_one_address) {
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

TEST(many_addresses_displace_none_that_is_there) {
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

enum { PING_BYTES = 131 }; // a head of two, a mask of four, and as much as a ping may carry

static void fill_with_pings(uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bytes[i * PING_BYTES] = 0x89;
        bytes[i * PING_BYTES + 1] = 0x80 | 125;
    }
}

FIXTURE(start, stop)

TEST(a_flood_of_pings_ends_the_link) {
    enum { PINGS = 1000 };
    static uint8_t pings[PINGS * PING_BYTES];
    web_rig_open(rig);
    web_client flood;
    web_client other;
    open_link(&flood);
    open_link(&other);
    fill_with_pings(pings, PINGS);
    size_t at = 0;
    for (int i = 0; i < 300 && web_rig_events_of(rig, APEX_LINK_CLOSED) == 0; i++) {
        ssize_t put = send(flood.file, pings + at, sizeof pings - at, MSG_NOSIGNAL);
        at = put > 0 ? (at + (size_t)put) % sizeof pings : at;
        turns(40);
        rig->now_us += 10000; // 13 MB in a second
    }
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 1);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_BYTES), 0);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_MESSAGE), 1);
    web_client_close(&flood);
    web_client_open(&flood, rig, "127.0.0.1"); // not so soon
    ck_assert(web_client_await_end(&flood, rig));
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_RATE), 1);
    rig->now_us += 10000000;
    web_rig_turn(rig);
    web_client_close(&flood);
    web_client_open(&flood, rig, "127.0.0.1");
    ck_assert_int_eq(web_client_get(&flood, rig, "/nowhere"), 404);
    web_client_close(&flood);
    web_client_close(&other);
}

// A megabyte in a second costs a hundredth of a processor to read, and an address has 256 links.
TEST(pings_that_add_up_end_the_link) {
    enum { PINGS = 800, MESSAGE = 600 };
    static uint8_t pings[PINGS * PING_BYTES];
    uint8_t message[MESSAGE] = {0};
    web_rig_open(rig);
    web_client flood;
    web_client honest;
    open_link(&flood);
    open_link(&honest);
    fill_with_pings(pings, PINGS);
    int closed_at = 0;
    for (int i = 1; i <= 100; i++) {
        for (int k = 0; k < 10; k++) { // as much as a session may say
            web_client_frame(&honest, 0x82, message, sizeof message);
        }
        if (closed_at == 0) {
            web_client_send(&flood, pings, sizeof pings);
        }
        turns(60);
        rig->now_us += 100000;
        bool is_closed = web_rig_events_of(rig, APEX_LINK_CLOSED) > 0;
        closed_at = is_closed && closed_at == 0 ? i : closed_at;
    }
    ck_assert(closed_at >= 2 && closed_at <= 10);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 1);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_BYTES), 1000);
    web_client_close(&flood);
    web_client_close(&honest);
}

TEST(who_has_been_refused_is_not_read) {
    enum { PIECES = 2000 };
    web_rig_open(rig);
    web_client client;
    rig->is_deaf = true; // so that its opening is handed out after its refusal
    web_client_open(&client, rig, "127.0.0.1");
    ck_assert_int_eq(web_client_upgrade(&client, rig, "/race/1", NULL), 101);
    web_client_frame(&client, 0x81, "text", 4);
    turns(20);
    rig->is_deaf = false;
    size_t taken = 0;
    for (int i = 0; i < PIECES; i++) {
        ssize_t put = send(client.file, frame, sizeof frame, MSG_NOSIGNAL);
        taken += put > 0 ? (size_t)put : 0;
        web_rig_turn(rig);
    }
    ck_assert_uint_lt(taken, (size_t)PIECES * sizeof frame / 10); // no more than the kernel holds
    rig->now_us += 400000;
    turns(200);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 1);
    web_client_close(&client);
}

TEST(a_ping_now_and_then_does_no_harm) {
    web_rig_open(rig);
    web_client client;
    open_link(&client);
    for (int i = 0; i < 1000; i++) {
        web_client_frame(&client, 0x89, "beat", 4);
        turns(2);
        rig->now_us += 10000;
        ck_assert_int_eq(web_client_take_soon(&client, rig, frame, &frame_length), 10);
    }
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 0);
    web_client_close(&client);
}

TEST(an_address_asks_200_things_in_a_second) {
    enum { REQUESTS = 1300, BURST = 1000 };
    static const char request[] = "HEAD /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n";
    web_rig_open(rig);
    web_client clients[2];
    web_client_open(&clients[0], rig, "127.0.0.1");
    web_client_open(&clients[1], rig, "127.0.0.2");
    for (int i = 0; i < REQUESTS; i++) {
        web_client_send(&clients[0], request, sizeof request - 1);
        turns(4);
    }
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REQUESTS), BURST);
    ck_assert_int_eq(web_client_get(&clients[1], rig, "/nowhere"), 404);
    for (uint32_t i = 1; i <= 10; i++) {
        rig->now_us += 100000;
        turns(100);
        ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REQUESTS), BURST + 1 + 20 * i);
    }
    ck_assert_uint_eq(apex_web_connections(rig->web), 2); // it waits, and is not sent away
    web_client_close(&clients[0]);
    web_client_close(&clients[1]);
}

TEST(a_port_that_is_taken_is_named) {
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
    turns(10); // all that they had begun ends with the loop
}

TEST(without_file_descriptors_listening_rests) {
    web_rig_open(rig);
    struct rlimit before;
    getrlimit(RLIMIT_NOFILE, &before);
    int next = dup(0);
    close(next);
    web_client client;
    web_client_open(&client, rig, "127.0.0.1"); // has the last one
    ck_assert_int_eq(client.file, next);
    struct rlimit full = {.rlim_cur = (rlim_t)next + 1, .rlim_max = before.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &full), 0);
    turns(50);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_FULL), 1); // tried once
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
    rig->now_us += 200000;
    ck_assert_int_eq(web_client_get(&client, rig, "/nowhere"), 404);
    web_client_close(&client);
}

TEST(what_comes_before_the_first_look_is_not_old) {
    web_client client;
    web_client link_client;
    rig->now_us = 1000000000000; // a machine that has run for days
    rig->is_deaf = true;
    web_rig_open(rig);
    web_client_open(&client, rig, "127.0.0.1");
    web_client_open(&link_client, rig, "127.0.0.1");
    ck_assert_int_eq(web_client_upgrade(&link_client, rig, "/race/1", NULL), 101);
    turns(10);
    rig->is_deaf = false;
    turns(10);
    ck_assert_int_eq(web_client_get(&client, rig, "/nowhere"), 404);
    apex_link link = web_rig_last(rig, APEX_LINK_OPENED)->link;
    web_rig_send(rig, link, APEX_CHANNEL_RELIABLE, "hello", 5);
    ck_assert_int_eq(web_client_take_soon(&link_client, rig, frame, &frame_length), 2);
    web_client_close(&client);
    web_client_close(&link_client);
}

TEST(one_that_never_ran_ends) {
    char why[APEX_WEB_WHY_BYTES];
    uv_loop_t loop;
    apex_web *web = NULL;
    web_rig_open(rig); // the fixture's; beside it is another
    ck_assert_int_eq(uv_loop_init(&loop), 0);
    rig->def.loop = &loop;
    ck_assert_int_eq(apex_web_create(&rig->def, &web, why), APEX_OK);
    ck_assert_uint_ne(apex_web_port(web), apex_web_port(rig->web));
    apex_web_destroy(web);
    uv_run(&loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&loop), 0);
    apex_web_destroy(NULL);
    turns(3);
}

FIXTURE(NULL, NULL)

TEST(counters_have_names_of_their_own) {
    for (int i = 0; i < APEX_WEB_COUNTERS; i++) {
        const char *name = apex_web_counter_row((apex_web_counter)i).name;
        ck_assert_uint_eq(strspn(name, "abcdefghijklmnopqrstuvwxyz-"), strlen(name));
        for (int k = 0; k < i; k++) {
            ck_assert_str_ne(name, apex_web_counter_row((apex_web_counter)k).name);
        }
    }
}

FIXTURE(start, stop)

TEST(localhost_has_two_addresses) {
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

TEST(every_address_takes_ipv4_as_such) {
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
