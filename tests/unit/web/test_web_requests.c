// links: web
// Requests over real sockets: the page, what others answer, and what is refused.
#include "support/base/check_main.h"
#include "support/web/web_rig.h"
#include "web/page_files/page_assets.h"

#include <stdlib.h>
#include <string.h>

// A page of our own in place of the built one.
static const char INDEX[] = "<p>index</p>\n";
static const uint8_t index_bytes[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02,
                                      0x03, 0xb3, 0x29, 0xb0, 0xcb, 0xcc, 0x4b, 0x49, 0xad,
                                      0xb0, 0xd1, 0x2f, 0xb0, 0xe3, 0x02, 0x00, 0x47, 0xb4,
                                      0x8d, 0x76, 0x0d, 0x00, 0x00, 0x00};
static const uint8_t script_bytes[] = {0x1f, 0x8b, 's', 0};
const web_asset web_assets[] = {
    {"/", "text/html; charset=utf-8", "\"e-index\"", index_bytes, sizeof index_bytes},
    {"/main.js", "text/javascript", "\"e-main\"", script_bytes, sizeof script_bytes},
};
const size_t web_asset_count = 2;

static web_rig *rig;
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

// Says it, with a Host and the empty line, and gives the answer's status.
static int ask(const char *first_lines) {
    web_client_next(&client);
    web_client_say(&client, "%sHost: localhost\r\n\r\n", first_lines);
    return web_client_answer(&client, rig);
}

static void expect_safety(void) {
    const char *policy = web_client_header(&client, "Content-Security-Policy");
    ck_assert_ptr_nonnull(strstr(policy, "default-src 'self'; script-src 'self' "
                                         "'wasm-unsafe-eval'; style-src 'self'"));
    ck_assert_ptr_nonnull(strstr(policy, "connect-src 'self' ws: wss:"));
    ck_assert_ptr_nonnull(strstr(policy, "frame-ancestors 'self'"));
    ck_assert_str_eq(web_client_header(&client, "X-Content-Type-Options"), "nosniff");
    ck_assert_str_eq(web_client_header(&client, "Referrer-Policy"), "no-referrer");
    ck_assert_str_eq(web_client_header(&client, "Cross-Origin-Resource-Policy"), "same-origin");
}

static void reconnect(void) {
    web_client_close(&client);
    web_client_open(&client, rig, "127.0.0.1");
}

FIXTURE(start, stop)

TEST(the_page_is_sent_as_it_is_kept) {
    ck_assert_int_eq(ask("GET / HTTP/1.1\r\nAccept-Encoding: gzip\r\n"), 200);
    expect_safety();
    ck_assert_str_eq(web_client_header(&client, "Content-Type"), "text/html; charset=utf-8");
    ck_assert_str_eq(web_client_header(&client, "Content-Encoding"), "gzip");
    ck_assert_str_eq(web_client_header(&client, "Cache-Control"), "no-cache");
    ck_assert_str_eq(web_client_header(&client, "ETag"), "\"e-index\"");
    size_t length = 0;
    const char *body = web_client_body(&client, &length);
    ck_assert_uint_eq(length, sizeof index_bytes);
    ck_assert_mem_eq(body, index_bytes, sizeof index_bytes);
    ck_assert_int_eq(ask("GET /main.js HTTP/1.1\r\nAccept-Encoding: gzip\r\n"), 200);
    body = web_client_body(&client, &length);
    ck_assert_uint_eq(length, sizeof script_bytes);
    ck_assert_mem_eq(body, script_bytes, sizeof script_bytes);
}

TEST(a_page_that_is_known_is_not_sent_again) {
    ck_assert_int_eq(ask("GET / HTTP/1.1\r\nIf-None-Match: \"x\", W/\"e-index\"\r\n"
                         "Accept-Encoding: gzip\r\n"),
                     304);
    expect_safety();
    size_t length = 0;
    web_client_body(&client, &length);
    ck_assert_uint_eq(length, 0);
    ck_assert_str_eq(web_client_header(&client, "Content-Length"), "");
    ck_assert_str_eq(web_client_header(&client, "ETag"), "\"e-index\"");
    ck_assert_int_eq(ask("GET /main.js HTTP/1.1\r\nIf-None-Match: \"e-index\"\r\n"
                         "Accept-Encoding: gzip\r\n"),
                     200);
}

// As curl asks without --compressed; twice, as it is unpacked but once.
TEST(who_cannot_unpack_gets_it_unpacked) {
    static const char *const asked[] = {"", "Accept-Encoding: br\r\n",
                                        "Accept-Encoding: gzip;q=0\r\n"};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        char lines[96];
        snprintf(lines, sizeof lines, "GET / HTTP/1.1\r\n%s", asked[i]);
        ck_assert_int_eq(ask(lines), 200);
        expect_safety();
        ck_assert_str_eq(web_client_header(&client, "Content-Type"), "text/html; charset=utf-8");
        ck_assert_str_eq(web_client_header(&client, "Content-Encoding"), "");
        ck_assert_str_eq(web_client_header(&client, "Vary"), "Accept-Encoding");
        size_t length = 0;
        const char *body = web_client_body(&client, &length);
        ck_assert_uint_eq(length, strlen(INDEX));
        ck_assert_mem_eq(body, INDEX, length);
    }
    // Other bytes, another mark; a browser's is not taken for it, nor the other way round.
    ck_assert_str_eq(web_client_header(&client, "ETag"), "\"e-index-plain\"");
    ck_assert_int_eq(ask("GET / HTTP/1.1\r\nIf-None-Match: \"e-index-plain\"\r\n"), 304);
    ck_assert_str_eq(web_client_header(&client, "ETag"), "\"e-index-plain\"");
    ck_assert_int_eq(ask("GET / HTTP/1.1\r\nIf-None-Match: \"e-index-plain\"\r\n"
                         "Accept-Encoding: gzip\r\n"),
                     200);
}

TEST(what_cannot_be_unpacked_is_said) {
    ck_assert_int_eq(ask("GET /main.js HTTP/1.1\r\n"), 406);
    expect_safety();
    size_t length = 0;
    ck_assert_ptr_nonnull(strstr(web_client_body(&client, &length), "Accept-Encoding: gzip"));
}

TEST(head_gives_the_head_alone) {
    ck_assert_int_eq(ask("HEAD /nowhere HTTP/1.1\r\n"), 0); // the helper waits for the body
    ck_assert_int_eq(strncmp((const char *)client.bytes, "HTTP/1.1 404 ", 13), 0);
    reconnect();
    web_client_say(&client, "HEAD / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n"
                            "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n");
    ck_assert_int_eq(web_client_answer(&client, rig), 200);
    ck_assert_str_eq(web_client_header(&client, "Content-Length"), "33");
    size_t length = 0;
    const char *rest = web_client_body(&client, &length);
    ck_assert_int_eq(strncmp(rest, "HTTP/1.1 404 ", 13), 0); // and no body before it
    reconnect();
    web_client_say(&client, "HEAD / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n"
                            "nonsense\r\n\r\n");
    ck_assert(web_client_await_end(&client, rig));
    rest = web_client_body(&client, &length);
    ck_assert_int_eq(strncmp(rest, "HTTP/1.1 400 ", 13), 0);
    ck_assert_int_eq(rest[length - 1], '\n'); // a refusal has a body
    ck_assert_int_eq(rest[length - 2], '.');
}

TEST(a_link_to_a_race_shows_the_page) {
    ck_assert_int_eq(ask("GET /race/1 HTTP/1.1\r\nAccept-Encoding: gzip\r\n"), 200);
    ck_assert_str_eq(web_client_header(&client, "ETag"), "\"e-index\"");
    ck_assert_int_eq(ask("GET /replay/some%20race?t=5 HTTP/1.1\r\nAccept-Encoding: gzip\r\n"), 200);
    ck_assert_int_eq(ask("GET /admin HTTP/1.1\r\nAccept-Encoding: gzip\r\n"), 200);
    ck_assert_str_eq(web_client_header(&client, "ETag"), "\"e-index\"");
    ck_assert_int_eq(ask("GET /admin/x HTTP/1.1\r\nAccept-Encoding: gzip\r\n"), 404);
    ck_assert_int_eq(ask("GET /race/2 HTTP/1.1\r\nAccept-Encoding: gzip\r\n"), 404);
    ck_assert_int_eq(ask("GET /race/1x HTTP/1.1\r\nAccept-Encoding: gzip\r\n"), 404);
    expect_safety();
}

TEST(a_wrong_address_shows_the_page) {
    ck_assert_int_eq(ask("GET /race/2 HTTP/1.1\r\nAccept-Encoding: gzip\r\n"
                         "If-None-Match: \"e-index\"\r\n"),
                     404);
    expect_safety();
    ck_assert_str_eq(web_client_header(&client, "Content-Type"), "text/html; charset=utf-8");
    ck_assert_str_eq(web_client_header(&client, "Cache-Control"), "no-store");
    size_t length = 0;
    const char *body = web_client_body(&client, &length);
    ck_assert_uint_eq(length, sizeof index_bytes);
    ck_assert_mem_eq(body, index_bytes, sizeof index_bytes);
    ck_assert_int_eq(ask("GET /race/2 HTTP/1.1\r\n"), 404);
    ck_assert_ptr_nonnull(strstr(web_client_body(&client, &length), "There is nothing here."));
}

TEST(methods_that_a_path_has_not_are_named) {
    ck_assert_int_eq(ask("DELETE / HTTP/1.1\r\n"), 405);
    ck_assert_str_eq(web_client_header(&client, "Allow"), "GET, HEAD");
    expect_safety();
    ck_assert_int_eq(ask("OPTIONS /api/races HTTP/1.1\r\n"), 405);
    ck_assert_int_eq(ask("get / HTTP/1.1\r\n"), 405);
    ck_assert_int_eq(ask("POST / HTTP/1.1\r\nContent-Length: 0\r\n"), 405);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_REQUEST), 4);
}

static apex_web_request request;

static void take(void) {
    for (int i = 0; i < 1000; i++) {
        web_rig_turn(rig);
        if (apex_web_take_request(rig->web, &request)) {
            return;
        }
    }
    ck_abort_msg("no request came");
}

static void answer(uint32_t status, const char *text) {
    apex_web_answer with = {
        .status = status, .type = "application/json", .bytes = text, .length = strlen(text)};
    apex_web_answer_request(rig->web, request.id, &with);
}

TEST(a_request_reaches_who_answers_it) {
    web_client_say(&client, "POST /api/races/1/say?loud=1 HTTP/1.1\r\nHost: localhost\r\n"
                            "Authorization: Bearer t0ken\r\nContent-Length: 11\r\n\r\nhello ");
    for (int i = 0; i < 20; i++) {
        web_rig_turn(rig);
    }
    ck_assert(!apex_web_take_request(rig->web, &request));
    web_client_say(&client, "world");
    take();
    ck_assert_int_eq(request.method, APEX_WEB_POST);
    ck_assert_str_eq(request.path, "/api/races/1/say");
    ck_assert_str_eq(request.query, "loud=1");
    ck_assert_str_eq(request.token, "t0ken");
    ck_assert_str_eq(request.address, "127.0.0.1");
    ck_assert_uint_eq(request.body_length, 11);
    ck_assert_mem_eq(request.body, "hello world", 11);
    ck_assert(!apex_web_take_request(rig->web, &request));
    answer(202, "{\"done\":true}");
    ck_assert_int_eq(web_client_answer(&client, rig), 202);
    expect_safety();
    ck_assert_str_eq(web_client_header(&client, "Content-Type"), "application/json");
    ck_assert_str_eq(web_client_header(&client, "Cache-Control"), "no-store");
    size_t length = 0;
    ck_assert_int_eq(strncmp(web_client_body(&client, &length), "{\"done\":true}", 13), 0);
    answer(200, "again"); // it has been answered: nothing happens
    ck_assert_int_eq(web_client_get(&client, rig, "/nowhere"), 404);
}

TEST(a_post_expects_to_be_let_go_on) {
    web_client_say(&client, "POST /api/x HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                            "Content-Length: 2\r\n\r\n");
    ck_assert(web_client_await(&client, rig, 25));
    ck_assert_mem_eq(client.bytes, "HTTP/1.1 100 Continue\r\n\r\n", 25);
    web_client_next(&client);
    web_client_say(&client, "hi");
    take();
    ck_assert_mem_eq(request.body, "hi", 2);
    answer(200, "ok");
    ck_assert_int_eq(web_client_answer(&client, rig), 200);
}

TEST(an_answer_names_the_methods_of_its_path) {
    web_client_say(&client, "GET /api/kick HTTP/1.1\r\nHost: localhost\r\n\r\n");
    take();
    ck_assert_int_eq(request.method, APEX_WEB_GET);
    apex_web_answer with = {
        .status = 405, .type = "text/plain", .bytes = "no", .length = 2, .allow = "POST"};
    apex_web_answer_request(rig->web, request.id, &with);
    ck_assert_int_eq(web_client_answer(&client, rig), 405);
    ck_assert_str_eq(web_client_header(&client, "Allow"), "POST");
}

TEST(requests_behind_each_other_are_answered_in_turn) {
    web_client_say(&client, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            "POST /api/b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx"
                            "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    static const char *const paths[] = {"/metrics", "/api/b", "/healthz"};
    for (int i = 0; i < 3; i++) {
        take();
        ck_assert_str_eq(request.path, paths[i]);
        ck_assert(!apex_web_take_request(rig->web, &request));
        answer(200, paths[i]);
        ck_assert_int_eq(web_client_answer(&client, rig), 200);
        size_t length = 0;
        ck_assert_str_eq(web_client_body(&client, &length), paths[i]);
        web_client_next(&client);
    }
}

TEST(a_long_answer_comes_in_pieces) {
    enum { LENGTH = 900 * 1024 };
    char *text = malloc(LENGTH + 1);
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < LENGTH; i++) {
        text[i] = (char)('a' + i % 23);
    }
    text[LENGTH] = '\0';
    web_client_say(&client, "GET /api/long HTTP/1.1\r\nHost: localhost\r\n\r\n");
    take();
    answer(200, text);
    for (int i = 0; i < 50; i++) {
        web_rig_turn(rig); // more than the sockets between us hold
    }
    ck_assert_int_eq(web_client_answer(&client, rig), 200);
    size_t length = 0;
    ck_assert_str_eq(web_client_body(&client, &length), text);
    ck_assert_uint_eq(length, LENGTH);
    free(text);
}

TEST(who_leaves_before_the_answer_is_passed_over) {
    web_client_say(&client, "GET /api/a HTTP/1.1\r\nHost: localhost\r\n\r\n");
    take();
    reconnect();
    for (int i = 0; i < 20; i++) {
        web_rig_turn(rig);
    }
    answer(200, "late");
    ck_assert_int_eq(web_client_get(&client, rig, "/nowhere"), 404);
    ck_assert_uint_eq(apex_web_connections(rig->web), 1);
}

TEST(a_request_that_nobody_answers_ends) {
    web_client_say(&client, "GET /api/a HTTP/1.1\r\nHost: localhost\r\n\r\n");
    take();
    rig->now_us += rig->def.request_us_max;
    web_rig_turn(rig);
    ck_assert_uint_eq(client.length, 0);
    rig->now_us += 200000;
    ck_assert_int_eq(web_client_answer(&client, rig), 503);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_CLOSED_UNANSWERED), 1);
    answer(200, "late");
    ck_assert(web_client_await_end(&client, rig));
}

TEST(a_queue_of_64_is_full) {
    web_client many[65];
    for (int i = 0; i < 65; i++) {
        web_client_open(&many[i], rig, "127.0.0.1");
        web_client_say(&many[i], "GET /api/%d HTTP/1.1\r\nHost: localhost\r\n\r\n", i);
    }
    ck_assert_int_eq(web_client_answer(&many[64], rig), 503);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_FULL), 1);
    take();
    ck_assert_str_eq(request.path, "/api/0"); // the oldest
    web_client_close(&many[1]); // its request is still taken; the answer is for naught
    for (int i = 1; i < 64; i++) {
        take();
        answer(200, "ok");
    }
    ck_assert_int_eq(web_client_answer(&many[63], rig), 200);
    for (int i = 0; i < 65; i++) {
        if (i != 1) {
            web_client_close(&many[i]);
        }
    }
}

TEST(a_name_that_is_not_ours_is_refused) {
    web_client_say(&client, "GET /api/races HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    ck_assert_int_eq(web_client_answer(&client, rig), 421);
    expect_safety();
    web_client_next(&client);
    web_client_say(&client, "GET /nowhere HTTP/1.1\r\nHost: friend.example\r\n\r\n");
    ck_assert_int_eq(web_client_answer(&client, rig), 404);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_HOST), 1);
}

TEST(pages_from_elsewhere_do_not_post) {
    ck_assert_int_eq(ask("POST /api/quit HTTP/1.1\r\nContent-Length: 0\r\n"
                         "Origin: http://evil.example\r\n"),
                     403);
    ck_assert_int_eq(ask("POST /api/quit HTTP/1.1\r\nContent-Length: 0\r\nOrigin: null\r\n"), 403);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_ORIGIN), 2);
    ck_assert(!apex_web_take_request(rig->web, &request));
    web_client_say(&client, "POST /api/quit HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
                            "Origin: http://localhost\r\n\r\n");
    take();
}

TEST(too_long_ones_are_told_before_the_end) {
    web_client_say(&client,
                   "POST /api/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4097\r\n"
                   "\r\n%04000d",
                   0);
    ck_assert_int_eq(web_client_answer(&client, rig), 413);
    ck_assert_str_eq(web_client_header(&client, "Connection"), "close");
    expect_safety();
    web_client_say(&client, "%097d", 0);
    ck_assert(web_client_await_end(&client, rig));
    ck_assert(!client.is_reset);
    reconnect();
    web_client_say(&client, "GET / HTTP/1.1\r\nHost: localhost\r\nX: %09000d", 0);
    ck_assert_int_eq(web_client_answer(&client, rig), 431);
    ck_assert(web_client_await_end(&client, rig));
    ck_assert(!client.is_reset); // or the browser would not have shown our words
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_REQUEST), 2);
}

TEST(what_is_malformed_ends_the_connection) {
    web_client_say(&client, "GET / HTTP/1.1\r\nbroken\r\n\r\nGET / HTTP/1.1\r\n\r\n");
    ck_assert_int_eq(web_client_answer(&client, rig), 400);
    expect_safety();
    size_t length = 0;
    web_client_body(&client, &length);
    size_t stated = strtoul(web_client_header(&client, "Content-Length"), NULL, 10);
    ck_assert_uint_eq(length, stated);
    for (int i = 0; i < 20; i++) {
        web_rig_turn(rig);
    }
    ck_assert(web_client_await_end(&client, rig));
    ck_assert_uint_eq(apex_web_connections(rig->web), 1); // the client may still be reading
    rig->now_us += 3000000;
    web_rig_turn(rig);
    ck_assert_uint_eq(apex_web_connections(rig->web), 0);
}

TEST(a_request_that_trickles_is_cut_off) {
    web_client_say(&client, "GET / HT");
    for (int i = 0; i < 20; i++) {
        web_rig_turn(rig);
    }
    rig->now_us += rig->def.request_us_max / 2;
    web_rig_turn(rig);
    web_client_say(&client, "TP/1.1\r\n");
    for (int i = 0; i < 20; i++) {
        web_rig_turn(rig);
    }
    rig->now_us += rig->def.request_us_max / 2 + 200000; // counted from its beginning
    ck_assert_int_eq(web_client_answer(&client, rig), 408);
    reconnect();
    for (int i = 0; i < 20; i++) {
        web_rig_turn(rig);
    }
    rig->now_us += rig->def.request_us_max + 200000;
    ck_assert(web_client_await_end(&client, rig)); // a client that says nothing is not answered
    ck_assert_uint_eq(client.length, 0);
}

static void send_long_answer(size_t length) {
    char *text = calloc(1, length);
    ck_assert_ptr_nonnull(text);
    web_client_say(&client, "GET /api/long HTTP/1.1\r\nHost: localhost\r\n\r\n");
    take();
    apex_web_answer with = {.status = 200, .type = "text/plain", .bytes = text, .length = length};
    apex_web_answer_request(rig->web, request.id, &with);
    free(text);
}

TEST(who_takes_its_answer_slowly_gets_it) {
    enum { LENGTH = 32 * 1024 * 1024, PIECES = 32 };
    static char piece[LENGTH / PIECES];
    send_long_answer(LENGTH);
    for (int i = 0; i < PIECES; i++) {
        web_rig_turn(rig);
        ssize_t got = recv(client.file, piece, sizeof piece, MSG_DONTWAIT);
        ck_assert_int_ne(got, 0);
        rig->now_us += rig->def.request_us_max / 4;
    }
    ck_assert_uint_eq(apex_web_connections(rig->web), 1);
}

TEST(who_does_not_take_its_answer_is_cut_off) {
    enum { LENGTH = 8 * 1024 * 1024 };
    send_long_answer(LENGTH);
    for (int i = 0; i < 100; i++) {
        web_client_say(&client, "and more");
        web_rig_turn(rig);
    }
    ck_assert_uint_eq(apex_web_connections(rig->web), 1);
    rig->now_us += rig->def.request_us_max + 200000;
    for (int i = 0; i < 5; i++) {
        web_rig_turn(rig);
    }
    ck_assert_uint_eq(apex_web_connections(rig->web), 0);
}

// A piece within each deadline is not enough to hold a place for hours.
TEST(who_dawdles_over_its_answer_is_cut_off) {
    enum { LENGTH = 8 * 1024 * 1024, PIECE = 4096, STEPS_MAX = 2000 };
    static char piece[PIECE];
    int window = PIECE;
    setsockopt(client.file, SOL_SOCKET, SO_RCVBUF, &window, sizeof window);
    send_long_answer(LENGTH);
    int steps = 0;
    while (apex_web_connections(rig->web) > 0) {
        ck_assert_int_lt(++steps, STEPS_MAX);
        web_rig_turn(rig);
        (void)!recv(client.file, piece, sizeof piece, MSG_DONTWAIT);
        rig->now_us += rig->def.request_us_max / 4; // 1.6 KiB a second
    }
    ck_assert_int_gt(steps, 6);
}
