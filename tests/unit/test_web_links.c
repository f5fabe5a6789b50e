// links: web
// WebSockets over real sockets on loopback: how they open, what they carry, and how they end.
#include "support/check_main.h"
#include "support/web_rig.h"

#include <string.h>

static web_rig *rig;

static void start(void) {
    rig = web_rig_new();
    web_rig_open(rig);
}

static void stop(void) {
    web_rig_free(rig);
}

static apex_link open_link(web_client *client) {
    web_client_open(client, rig, "127.0.0.1");
    ck_assert_int_eq(web_client_upgrade(client, rig, "/race/1", NULL), 101);
    return web_rig_last(rig, APEX_LINK_OPENED)->link;
}

START_TEST(a_link_opens_carries_and_closes) {
    web_client client;
    uint8_t bytes[1 << 16];
    size_t length = 0;
    apex_link link = open_link(&client);
    ck_assert_uint_eq(link.index1, 101);
    ck_assert_str_eq(web_rig_last(rig, APEX_LINK_OPENED)->address, "127.0.0.1");
    web_client_frame(&client, 0x82, "hello", 5);
    for (int i = 0; i < 100; i++) {
        web_rig_turn(rig);
    }
    const web_rig_event *event = web_rig_last(rig, APEX_LINK_BYTES);
    ck_assert_uint_eq(event->length, 5);
    ck_assert_mem_eq(event->bytes, "hello", 5);
    ck_assert_uint_eq(event->channel, APEX_CHANNEL_EITHER);
    web_rig_send(rig, link, APEX_CHANNEL_RELIABLE, "world!", 6);
    ck_assert_int_eq(web_client_take_soon(&client, rig, bytes, &length), 2);
    ck_assert_uint_eq(length, 6);
    ck_assert_mem_eq(bytes, "world!", 6);
    web_client_frame(&client, 0x88, "\x03\xe9", 2); // 1001, as a browser that goes elsewhere
    ck_assert(web_client_await_end(&client, rig));
    web_rig_turn(rig);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 1);
    ck_assert(web_rig_last(rig, APEX_LINK_CLOSED)->by_client);
    ck_assert_uint_eq(apex_web_connections(rig->web), 0);
    web_client_close(&client);
}

Suite *apex_suite(void) {
    Suite *suite = suite_create("web links");
    TCase *tcase = tcase_create("links");
    tcase_add_checked_fixture(tcase, start, stop);
    tcase_add_test(tcase, a_link_opens_carries_and_closes);
    suite_add_tcase(suite, tcase);
    return suite;
}
