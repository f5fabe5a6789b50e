// Handshakes that strangers cause: so many of an address, of all, and in a turn of the loop.
#include "support/base/check_main.h"
#include "support/web/certificates.h"
#include "support/web/web_rig.h"
#include "web/page_files/page_assets.h"

#include <stdio.h>

enum { NOW_UNIX_S = 1800000000, CLIENTS_MAX = 180, ROUNDS = 240 };

const web_asset web_assets[1];
const size_t web_asset_count = 0;

static web_rig *rig;
static char certificate[CHECK_PATH_BYTES + 16], key[CHECK_PATH_BYTES + 16];
static web_client clients[CLIENTS_MAX];
static bool are_secure[CLIENTS_MAX];
static int client_count;

static void start_with(uint32_t connections_max) {
    char folder[CHECK_PATH_BYTES];
    check_make_folder(folder, "tls");
    snprintf(certificate, sizeof certificate, "%s/fullchain.pem", folder);
    snprintf(key, sizeof key, "%s/privkey.pem", folder);
    certificate_def def = {.certificate = certificate,
                           .key = key,
                           .begins_unix_s = NOW_UNIX_S - 1,
                           .ends_unix_s = NOW_UNIX_S + 90 * 86400,
                           .name = "first"};
    certificate_write(&def);
    rig = web_rig_new();
    rig->def.certificate = certificate;
    rig->def.key = key;
    rig->def.now_unix_s = NOW_UNIX_S;
    rig->def.connections_max = connections_max;
    web_rig_open(rig);
}

static void start(void) {
    start_with(1024);
}

static void stop(void) {
    for (int i = 0; i < client_count; i++) {
        web_client_close(&clients[i]);
        are_secure[i] = false;
    }
    client_count = 0;
    web_rig_free(rig);
}

static void greet_from(const char *address, int count) {
    for (int i = 0; i < count; i++) {
        ck_assert_int_lt(client_count, CLIENTS_MAX);
        web_client_open(&clients[client_count], rig, address);
        web_client_greet(&clients[client_count]);
        client_count++;
    }
}

// Lets all go on for as long as anything happens at this time. @return those who are through
static int shake_all(void) {
    int secure = 0;
    for (int round = 0; round < ROUNDS; round++) {
        web_rig_turn(rig);
        secure = 0;
        for (int i = 0; i < client_count; i++) {
            are_secure[i] =
                are_secure[i] || (clients[i].tls != NULL && web_client_is_secure(&clients[i]));
            secure += are_secure[i];
        }
    }
    return secure;
}

FIXTURE(start, stop)

TEST(an_address_has_a_hundred_at_once_and_twenty_a_second) {
    greet_from("127.0.0.1", 130);
    ck_assert_int_eq(shake_all(), 100);
    rig->now_us += 1000000;
    greet_from("127.0.0.2", 1); // another's are not in its way
    ck_assert_int_eq(shake_all(), 121);
    ck_assert(are_secure[130]);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_HANDSHAKE), 0);
}

TEST(all_together_have_a_hundred_a_second) {
    greet_from("127.0.0.1", 60);
    greet_from("127.0.0.2", 60);
    greet_from("127.0.0.3", 60);
    ck_assert_int_eq(shake_all(), 100);
    ck_assert(are_secure[0] && are_secure[59] && !are_secure[179]); // the oldest came first
    rig->now_us += 500000;
    ck_assert_int_eq(shake_all(), 150);
    rig->now_us += 500000;
    ck_assert_int_eq(shake_all(), 180);
}

TEST(in_a_turn_there_are_two_steps) {
    greet_from("127.0.0.1", 20);
    rig->is_deaf = true;
    ck_assert_int_eq(shake_all(), 2);
    rig->is_deaf = false;
    ck_assert_int_eq(shake_all(), 20);
}

TEST(a_client_that_says_nothing_is_closed_in_time) {
    web_client_open(&clients[client_count++], rig, "127.0.0.1");
    web_rig_turn(rig);
    ck_assert_uint_eq(apex_web_connections(rig->web), 1);
    rig->now_us += rig->def.request_us_max;
    web_rig_turn(rig);
    ck_assert_uint_eq(apex_web_connections(rig->web), 1);
    rig->now_us += 200000;
    web_rig_turn(rig);
    ck_assert_uint_eq(apex_web_connections(rig->web), 0);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_HANDSHAKE), 1);
}

TEST(the_oldest_silent_one_gives_way_to_a_client) {
    web_rig_free(rig);
    start_with(2);
    web_client_open(&clients[client_count++], rig, "127.0.0.1");
    web_client_open(&clients[client_count++], rig, "127.0.0.1");
    web_rig_turn(rig);
    rig->now_us += 1000000;
    web_rig_turn(rig);
    greet_from("127.0.0.1", 1);
    ck_assert_int_eq(shake_all(), 1);
    ck_assert(web_client_await_end(&clients[0], rig));
    ck_assert(!clients[1].is_closed);
}
