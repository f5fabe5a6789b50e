// TLS of the gateway itself, with certificates that the test signs: what is served, what is
// refused, and what a renewal changes.
#include "support/base/check_main.h"
#include "support/web/certificates.h"
#include "support/web/web_rig.h"
#include "web/page_files/page_assets.h"

#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NOW_UNIX_S = 1800000000, DAY_S = 86400 };

const web_asset web_assets[1];
const size_t web_asset_count = 0;

static web_rig *rig;
static char folder[CHECK_PATH_BYTES];
static char certificate[CHECK_PATH_BYTES + 16], key[CHECK_PATH_BYTES + 16];
static uint8_t frame[1 << 16];

static void write_pair(const char *name, int64_t begins_in_s, int64_t ends_in_s) {
    certificate_def def = {.certificate = certificate,
                           .key = key,
                           .begins_unix_s = NOW_UNIX_S + begins_in_s,
                           .ends_unix_s = NOW_UNIX_S + ends_in_s,
                           .name = name};
    certificate_write(&def);
}

static void start(void) {
    check_make_folder(folder, "tls");
    snprintf(certificate, sizeof certificate, "%s/fullchain.pem", folder);
    snprintf(key, sizeof key, "%s/privkey.pem", folder);
    write_pair("first", -DAY_S, 60 * DAY_S);
    rig = web_rig_new();
    rig->def.certificate = certificate;
    rig->def.key = key;
    rig->def.now_unix_s = NOW_UNIX_S;
    web_rig_open(rig);
}

static void stop(void) {
    web_rig_free(rig);
}

static void open_secure(web_client *client) {
    web_client_open(client, rig, "127.0.0.1");
    ck_assert(web_client_secure(client, rig, 0));
}

static void write_text(const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    fclose(out);
}

static void turns(int count) {
    for (int i = 0; i < count; i++) {
        web_rig_turn(rig);
    }
}

// A start with the files as they are. @return the reason why it was refused
static const char *refusal(void) {
    static char why[APEX_WEB_WHY_BYTES];
    uv_loop_t loop;
    apex_web *web = NULL;
    uv_loop_init(&loop);
    apex_web_def def = rig->def;
    def.loop = &loop;
    ck_assert_int_eq(apex_web_create(&def, &web, why), APEX_ERR_INVALID);
    uv_run(&loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&loop), 0);
    return why;
}

static void expect_refusal(const char *part) {
    const char *why = refusal();
    ck_assert_msg(strstr(why, part) != NULL, "\"%s\" does not say \"%s\"", why, part);
}

FIXTURE(start, stop)

TEST(requests_and_answers_go_by_tls) {
    web_client client;
    open_secure(&client);
    ck_assert_str_eq(SSL_get_version(client.tls), "TLSv1.3");
    ck_assert_int_eq(web_client_get(&client, rig, "/nowhere"), 404);
    ck_assert_int_eq(web_client_get(&client, rig, "/nowhere"), 404);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REQUESTS), 2);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_HANDSHAKES), 1);
    ck_assert_uint_eq(apex_web_connections(rig->web), 1);
    web_client_close(&client);
    turns(10);
    ck_assert_uint_eq(apex_web_connections(rig->web), 0);
}

TEST(a_websocket_goes_by_tls_and_ends_in_order) {
    static uint8_t said[8000];
    web_client client;
    size_t length = 0;
    open_secure(&client);
    ck_assert_int_eq(web_client_upgrade(&client, rig, "/race/1", NULL), 101);
    apex_link link = web_rig_last(rig, APEX_LINK_OPENED)->link;
    ck_assert_str_eq(web_rig_last(rig, APEX_LINK_OPENED)->address, "127.0.0.1");
    ck_assert_int_eq(web_rig_last(rig, APEX_LINK_OPENED)->trust, APEX_LINK_TLS);
    web_client_frame(&client, 0x82, "hello", 5);
    turns(5);
    ck_assert_mem_eq(web_rig_last(rig, APEX_LINK_BYTES)->bytes, "hello", 5);
    for (size_t i = 0; i < sizeof said; i++) {
        said[i] = (uint8_t)(i * 7);
    }
    for (int i = 0; i < 40; i++) { // more than a pair's buffers and TLS' record hold
        web_rig_send(rig, link, APEX_CHANNEL_RELIABLE, said, sizeof said);
    }
    for (int i = 0; i < 40; i++) {
        ck_assert_int_eq(web_client_take_soon(&client, rig, frame, &length), 2);
        ck_assert_uint_eq(length, sizeof said);
        ck_assert_mem_eq(frame, said, sizeof said);
    }
    apex_link_quality quality; // of the way to the client, not of the pair
    ck_assert(apex_web_quality(rig->web, rig->room, link, &quality));
    apex_web_close_link(rig->web, rig->room, link);
    ck_assert_int_eq(web_client_take_soon(&client, rig, frame, &length), 8);
    ck_assert_uint_eq((unsigned)frame[0] << 8 | frame[1], 1000);
    rig->now_us += 3000000;
    turns(10);
    ck_assert(web_client_await_end(&client, rig));
    ck_assert(!client.is_reset);
    ck_assert_uint_eq(web_rig_events_of(rig, APEX_LINK_CLOSED), 1);
    web_client_close(&client);
}

// Of an answer that has to wait for its reader the end comes, too.
TEST(a_long_answer_reaches_a_slow_reader_whole) {
    enum { LENGTH = 2 * 1024 * 1024 };
    web_client client;
    apex_web_request request;
    open_secure(&client);
    uint8_t *bytes = malloc(LENGTH);
    ck_assert_ptr_nonnull(bytes);
    for (size_t i = 0; i < LENGTH; i++) {
        bytes[i] = (uint8_t)(i * 31 >> 3);
    }
    web_client_say(&client,
                   "GET /api/long HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    turns(5);
    ck_assert(apex_web_take_request(rig->web, &request));
    apex_web_answer answer = {
        .status = 200, .type = "text/plain", .bytes = bytes, .length = LENGTH};
    apex_web_answer_request(rig->web, request.id, &answer);
    turns(100); // nobody reads
    rig->now_us += 9000000;
    ck_assert_int_eq(web_client_answer(&client, rig), 200);
    size_t length = 0;
    const char *body = web_client_body(&client, &length);
    ck_assert_uint_eq(length, LENGTH);
    ck_assert_mem_eq(body, bytes, LENGTH);
    ck_assert(web_client_await_end(&client, rig));
    ck_assert(!client.is_reset);
    free(bytes);
    web_client_close(&client);
}

TEST(a_reader_of_a_byte_now_and_then_is_cut_off) {
    static uint8_t bytes[1 << 20];
    web_client client;
    apex_web_request request;
    open_secure(&client);
    web_client_say(&client, "GET /api/long HTTP/1.1\r\nHost: localhost\r\n\r\n");
    turns(5);
    ck_assert(apex_web_take_request(rig->web, &request));
    apex_web_answer answer = {
        .status = 200, .type = "text/plain", .bytes = bytes, .length = sizeof bytes};
    apex_web_answer_request(rig->web, request.id, &answer);
    turns(100);
    for (int i = 0; i < 700; i++) {
        rig->now_us += 1000000;
        web_rig_turn(rig);
    }
    ck_assert_uint_eq(apex_web_connections(rig->web), 0);
    ck_assert(web_client_await_end(&client, rig)); // once it has what was on its way
    ck_assert(client.is_reset && client.length < sizeof bytes);
    web_client_close(&client);
}

TEST(a_flood_of_pings_by_tls_ends_the_link) {
    static uint8_t empty[125];
    web_client client;
    open_secure(&client);
    ck_assert_int_eq(web_client_upgrade(&client, rig, "/race/1", NULL), 101);
    for (int i = 0; i < 6000 && web_rig_events_of(rig, APEX_LINK_CLOSED) == 0; i++) {
        web_client_frame(&client, 0x89, empty, sizeof empty);
        web_rig_turn(rig);
        rig->now_us += i % 500 == 499 ? 100000 : 0;
    }
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_MESSAGE), 1);
    web_client_close(&client);
}

TEST(older_protocols_are_not_spoken) {
    web_client client;
    web_client_open(&client, rig, "127.0.0.1");
    ck_assert(!web_client_secure(&client, rig, TLS1_1_VERSION));
    web_client_close(&client);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_HANDSHAKE), 1);
    web_client_open(&client, rig, "127.0.0.1");
    ck_assert(web_client_secure(&client, rig, TLS1_2_VERSION));
    ck_assert_int_eq(web_client_get(&client, rig, "/nowhere"), 404);
    web_client_close(&client);
}

TEST(a_request_without_tls_is_led_to_it) {
    web_client client;
    web_client_open(&client, rig, "127.0.0.1");
    web_client_say(&client, "GET /race/1%%0d%%0aX HTTP/1.1\r\nHost: localhost:8443\r\n\r\n");
    int status = web_client_answer(&client, rig);
    ck_assert(status == 308 || status == 400);
    web_client_close(&client);
    web_client_open(&client, rig, "127.0.0.1");
    web_client_say(&client, "GET /replay/a%%20b HTTP/1.1\r\nHost: localhost:8443\r\n\r\n");
    ck_assert_int_eq(web_client_answer(&client, rig), 308);
    ck_assert_str_eq(web_client_header(&client, "Location"), "https://localhost:8443/replay/a%20b");
    web_client_close(&client);
}

static void assert_led(const char *from, const char *to) {
    web_client client;
    web_client_open(&client, rig, "127.0.0.1");
    web_client_say(&client, "GET %s HTTP/1.1\r\nHost: localhost:8443\r\n\r\n", from);
    ck_assert_int_eq(web_client_answer(&client, rig), 308);
    ck_assert_str_eq(web_client_header(&client, "Location"), to);
    web_client_close(&client);
}

// A link to a driver, or to a moment of a recording, is in the query.
TEST(a_query_is_led_along) {
    assert_led("/race/1?car=Ada%20L&theme=dark",
               "https://localhost:8443/race/1?car=Ada%20L&theme=dark");
    assert_led("/?at=1:02.5", "https://localhost:8443/?at=1:02.5");
    assert_led("/?", "https://localhost:8443/");
    assert_led("/?a=<b>\"|", "https://localhost:8443/?a=%3Cb%3E%22%7C");
}

TEST(secrets_and_websockets_without_tls_are_refused) {
    web_client client;
    web_client_open(&client, rig, "127.0.0.1");
    web_client_say(&client, "POST /api/races/1/quit HTTP/1.1\r\nHost: localhost\r\n"
                            "Authorization: Bearer secret\r\nContent-Length: 0\r\n\r\n");
    ck_assert_int_eq(web_client_answer(&client, rig), 403);
    web_client_close(&client);
    web_client_open(&client, rig, "127.0.0.1");
    ck_assert_int_eq(web_client_upgrade(&client, rig, "/race/1", NULL), 403);
    web_client_close(&client);
    apex_web_request request;
    ck_assert(!apex_web_take_request(rig->web, &request));
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_PLAIN), 2);
}

TEST(bytes_that_are_neither_end_the_connection) {
    web_client client;
    web_client_open(&client, rig, "127.0.0.1");
    web_client_send(&client, "\x80\x2e\x01", 3);
    ck_assert(web_client_await_end(&client, rig));
    web_client_close(&client);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_HANDSHAKE), 1);
    ck_assert_uint_eq(apex_web_connections(rig->web), 0);
}

TEST(what_is_wrong_with_the_files_is_said) {
    web_client client;
    write_pair("old", -90 * DAY_S, -1);
    expect_refusal("fullchain.pem: has expired on 2027-01-15 07:59 UTC: renew it");
    write_pair("new", 60, DAY_S);
    expect_refusal("fullchain.pem: is not valid before 2027-01-15 08:01 UTC");
    write_pair("good", -1, DAY_S);
    char other[CHECK_PATH_BYTES + 16];
    snprintf(other, sizeof other, "%s/other.pem", folder);
    certificate_def def = {.certificate = other,
                           .key = key,
                           .begins_unix_s = NOW_UNIX_S,
                           .ends_unix_s = NOW_UNIX_S + DAY_S,
                           .name = "other"};
    certificate_write(&def);
    expect_refusal("web.key: ");
    expect_refusal("does not belong to the certificate");
    write_text(key, "-----BEGIN NOTHING-----\n");
    expect_refusal("is no private key in PEM");
    write_text(certificate, "");
    expect_refusal("is no certificate in PEM");
    remove(certificate);
    expect_refusal("fullchain.pem: cannot be read: No such file");
    mkdir(certificate, 0700);
    expect_refusal("is not a file");
    rig->def.key = "";
    expect_refusal("web.key: is missing");
    open_secure(&client); // all of that was another's start
    web_client_close(&client);
}

TEST(a_new_pair_is_served_and_the_old_connections_live) {
    web_client before, after;
    char why[APEX_WEB_WHY_BYTES];
    open_secure(&before);
    ck_assert_str_eq(web_client_certificate_name(&before), "first");
    write_pair("second", 2, 80 * DAY_S); // signed since the time was last told
    ck_assert_msg(apex_web_reload_certificate(rig->web, why), "%s", why);
    open_secure(&after);
    ck_assert_str_eq(web_client_certificate_name(&after), "second");
    ck_assert_int_eq(web_client_get(&before, rig, "/nowhere"), 404);
    web_client_close(&before);
    web_client_close(&after);
}

TEST(a_bad_new_pair_leaves_the_old_one_in_service) {
    web_client client;
    char why[APEX_WEB_WHY_BYTES];
    write_text(certificate, "not yet written");
    ck_assert(!apex_web_reload_certificate(rig->web, why));
    ck_assert_ptr_nonnull(strstr(why, "is no certificate in PEM"));
    open_secure(&client);
    ck_assert_str_eq(web_client_certificate_name(&client), "first");
    web_client_close(&client);
}

TEST(a_renewal_is_seen_within_a_minute) {
    web_client client;
    apex_web_certificate_figures figures;
    ck_assert(apex_web_certificate(rig->web, &figures));
    ck_assert_int_eq(figures.days_left, 60);
    write_pair("renewed", -DAY_S, 90 * DAY_S);
    apex_web_watch_certificate(rig->web, NOW_UNIX_S + 59);
    ck_assert(apex_web_certificate(rig->web, &figures));
    ck_assert_int_eq(figures.ends_unix_s, NOW_UNIX_S + 60 * DAY_S);
    apex_web_watch_certificate(rig->web, NOW_UNIX_S + 60);
    ck_assert(apex_web_certificate(rig->web, &figures));
    ck_assert_int_eq(figures.ends_unix_s, NOW_UNIX_S + 90 * DAY_S);
    ck_assert_int_eq(figures.days_left, 89);
    open_secure(&client);
    ck_assert_str_eq(web_client_certificate_name(&client), "renewed");
    web_client_close(&client);
}
