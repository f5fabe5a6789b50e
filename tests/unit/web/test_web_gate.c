// links: web
// The limits of an address by themselves: how fast it may connect and ask, and what a punishment
// costs it.
#include "support/base/check_main.h"
#include "web/door/connection_gate.h"

#include <arpa/inet.h>

enum { SECOND_US = 1000000, BEGIN_US = 50 * SECOND_US };

static web_gate gate;
static web_address guest, other;

static void start(void) {
    ck_assert_int_eq(web_gate_create(&gate, 10), APEX_OK);
    gate.open_max = 100;
    gate.per_s_max = 10;
    inet_pton(AF_INET6, "::ffff:10.0.0.1", guest.bytes);
    inet_pton(AF_INET6, "::ffff:10.0.0.2", other.bytes);
}

static void stop(void) {
    web_gate_destroy(&gate);
}

FIXTURE(start, stop)

// Five seconds' worth at once, and then one each tenth of a second.
TEST(an_address_may_save_five_seconds) {
    for (int i = 0; i < 50; i++) {
        ck_assert_int_eq(web_gate_enter(&gate, &guest, BEGIN_US), WEB_GATE_OPEN);
    }
    ck_assert_int_eq(web_gate_enter(&gate, &guest, BEGIN_US), WEB_GATE_RATE);
    ck_assert_int_eq(web_gate_enter(&gate, &guest, BEGIN_US + 99999), WEB_GATE_RATE);
    ck_assert_int_eq(web_gate_enter(&gate, &guest, BEGIN_US + 100000), WEB_GATE_OPEN);
    ck_assert_int_eq(web_gate_enter(&gate, &guest, BEGIN_US + 100000), WEB_GATE_RATE);
    ck_assert_int_eq(web_gate_enter(&gate, &other, BEGIN_US), WEB_GATE_OPEN);
}

// 200 requests a second, saved for five. Connections are counted by themselves.
TEST(an_address_may_ask_a_thousand_times_at_once) {
    for (int i = 0; i < 1000; i++) {
        ck_assert(web_gate_ask(&gate, &guest, BEGIN_US));
    }
    ck_assert(!web_gate_ask(&gate, &guest, BEGIN_US + 4999));
    ck_assert(web_gate_ask(&gate, &guest, BEGIN_US + 5000));
    ck_assert(!web_gate_ask(&gate, &guest, BEGIN_US + 5000));
    ck_assert(web_gate_ask(&gate, &other, BEGIN_US));
    ck_assert_int_eq(web_gate_enter(&gate, &guest, BEGIN_US), WEB_GATE_OPEN);
}

// Twice of what can be saved is used up: nothing for five seconds, then it goes on as one that has
// nothing left.
TEST(a_punishment_is_five_seconds_without_a_connection) {
    ck_assert_int_eq(web_gate_enter(&gate, &guest, BEGIN_US), WEB_GATE_OPEN);
    web_gate_punish(&gate, &guest, BEGIN_US);
    uint64_t end_us = BEGIN_US + 5 * SECOND_US;
    ck_assert_int_eq(web_gate_enter(&gate, &guest, BEGIN_US), WEB_GATE_RATE);
    ck_assert_int_eq(web_gate_enter(&gate, &guest, end_us + 99999), WEB_GATE_RATE);
    ck_assert_int_eq(web_gate_enter(&gate, &guest, end_us + 100000), WEB_GATE_OPEN);
    ck_assert_int_eq(web_gate_enter(&gate, &guest, end_us + 100000), WEB_GATE_RATE);
    ck_assert_int_eq(web_gate_enter(&gate, &other, BEGIN_US), WEB_GATE_OPEN);
    ck_assert(web_gate_ask(&gate, &guest, BEGIN_US)); // what it has goes on
}

// A proxy brings as many as it needs: neither number nor rate holds it. Each that leaves makes room
// for one.
TEST(a_proxy_has_no_share) {
    gate.open_max = 2;
    for (int i = 0; i < 100; i++) {
        ck_assert(web_gate_enter_proxy(&gate, &guest));
    }
    ck_assert_int_eq(web_gate_enter(&gate, &guest, BEGIN_US), WEB_GATE_ADDRESS);
    for (int i = 0; i < 99; i++) {
        web_gate_leave(&gate, &guest);
    }
    ck_assert_int_eq(web_gate_enter(&gate, &guest, BEGIN_US), WEB_GATE_OPEN);
    ck_assert_int_eq(web_gate_enter(&gate, &guest, BEGIN_US), WEB_GATE_ADDRESS);
}

// Where there is no place for a stranger, whoever has used up least gives way: a flood of others
// frees nobody who has used up all.
TEST(who_has_used_least_gives_way) {
    web_address stranger;
    inet_pton(AF_INET6, "::ffff:10.0.0.3", stranger.bytes);
    gate.capacity = 2;
    for (int i = 0; i < 50; i++) {
        ck_assert_int_eq(web_gate_enter(&gate, &other, BEGIN_US), WEB_GATE_OPEN);
    }
    for (int i = 0; i < 50; i++) {
        web_gate_leave(&gate, &other);
    }
    ck_assert_int_eq(web_gate_enter(&gate, &guest, BEGIN_US), WEB_GATE_OPEN);
    web_gate_leave(&gate, &guest);
    ck_assert_int_eq(web_gate_enter(&gate, &stranger, BEGIN_US), WEB_GATE_OPEN);
    ck_assert_int_eq(web_gate_enter(&gate, &other, BEGIN_US), WEB_GATE_RATE);
    web_gate_leave(&gate, &stranger);
}
