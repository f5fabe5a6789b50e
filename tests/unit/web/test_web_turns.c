// links: web
// What requests may take of the loop between two looks of the races, however many ask.
#include "support/base/check_main.h"
#include "support/web/web_rig.h"
#include "web/http/connections.h"
#include "web/http/serve.h"
#include "web/web_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLIENTS = 150, LONG_BYTES = 300 * 1024 };

static web_rig *rig;
static web_client clients[CLIENTS];
static char *text;

static void start(void) {
    rig = web_rig_new();
    rig->def.connections_per_address_max = CLIENTS;
    web_rig_open(rig);
    text = malloc(LONG_BYTES);
    memset(text, 'x', LONG_BYTES);
    for (int i = 0; i < CLIENTS; i++) {
        web_client_open(&clients[i], rig, i % 2 == 0 ? "127.0.0.1" : "127.0.0.2");
        web_rig_turn(rig);
    }
    for (int i = 0; i < 20; i++) {
        web_rig_turn(rig);
    }
    ck_assert_uint_eq(apex_web_connections(rig->web), CLIENTS);
}

static void stop(void) {
    for (int i = 0; i < CLIENTS; i++) {
        web_client_close(&clients[i]);
    }
    web_rig_free(rig);
    free(text);
}

// The loop goes on, and nobody looks.
static void run_loop(void) {
    for (int i = 0; i < 10; i++) {
        uv_run(&rig->loop, UV_RUN_NOWAIT);
    }
}

static void look(void) {
    const apex_link_event *events = NULL;
    ck_assert_uint_eq(apex_web_receive(rig->web, rig->room, rig->now_us, &events), 0);
}

static void ask_all(const char *path, int count) {
    for (int i = 0; i < count; i++) {
        web_client_say(&clients[i], "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
    }
}

static int answer_all(uint64_t edition) {
    static apex_web_request request;
    int answered = 0;
    while (apex_web_take_request(rig->web, &request)) {
        apex_web_answer answer = {
            .status = 200,
            .type = "text/plain",
            .bytes = text,
            .length = LONG_BYTES,
            .edition = edition,
        };
        apex_web_answer_request(rig->web, request.id, &answer);
        answered++;
    }
    return answered;
}

FIXTURE(start, stop)

TEST(a_crowd_is_answered_look_by_look) {
    look();
    ask_all("/nowhere", CLIENTS);
    run_loop();
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REQUESTS), 64);
    run_loop();
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REQUESTS), 64);
    look();
    run_loop();
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REQUESTS), 128);
    look();
    run_loop();
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REQUESTS), CLIENTS);
    for (int i = 0; i < CLIENTS; i++) {
        ck_assert_int_eq(web_client_answer(&clients[i], rig), 404);
    }
}

// Those who have got an answer ask again at once; those who wait are not forgotten for them.
TEST(who_has_waited_longest_is_next) {
    look();
    ask_all("/nowhere", CLIENTS);
    run_loop();
    const web_connection *waiting = rig->web->turn.last;
    ck_assert_ptr_nonnull(waiting);
    uint32_t address_limit = 4 * 64;
    for (uint32_t asked = 0; asked < address_limit; asked += 64) {
        ask_all("/nowhere", 64); // of those whose connections are the oldest
        run_loop();
        if (!waiting->is_held) {
            break;
        }
        look();
    }
    ck_assert(!waiting->is_held);
}

TEST(long_answers_leave_the_loop_to_ticks) {
    look();
    ask_all("/api/races", 40);
    run_loop();
    ck_assert_int_eq(answer_all(7), 40);
    run_loop();
    uint64_t written = rig->web->turn.written_bytes;
    ck_assert_uint_ge(written, 1024 * 1024);
    ck_assert_uint_le(written, 1024 * 1024 + WEB_WRITE_BYTES_MAX + WEB_ANSWER_HEAD_BYTES);
    run_loop();
    ck_assert_uint_eq(rig->web->turn.written_bytes, written);
    look();
    ck_assert_uint_le(rig->web->turn.written_bytes, WEB_WRITE_BYTES_MAX);
    for (int i = 0; i < 40; i++) {
        ck_assert_int_eq(web_client_answer(&clients[i], rig), 200);
        size_t length = 0;
        const char *body = web_client_body(&clients[i], &length);
        ck_assert_uint_eq(length, LONG_BYTES);
        ck_assert_mem_eq(body, text, LONG_BYTES);
    }
}

TEST(what_many_are_sent_is_kept_once) {
    look();
    ask_all("/api/races", 40);
    run_loop();
    ck_assert_int_eq(answer_all(7), 40);
    ck_assert_uint_eq(rig->web->bodies.bytes, LONG_BYTES);
    web_client_say(&clients[40], "GET /api/x HTTP/1.1\r\nHost: localhost\r\n\r\n");
    for (int i = 0; i < 100 && rig->web->connections.request_count == 0; i++) {
        run_loop();
        look();
    }
    ck_assert_int_eq(answer_all(8), 1);
    ck_assert_uint_eq(rig->web->bodies.bytes, 2 * LONG_BYTES);
    for (int i = 0; i <= 40; i++) {
        ck_assert_int_eq(web_client_answer(&clients[i], rig), 200);
    }
    ck_assert_uint_eq(rig->web->bodies.bytes, 0);
}

// A client that hangs up while it waits in line, in the middle or at its ends, is taken out of it.
TEST(who_leaves_is_taken_out_of_the_line) {
    look();
    ask_all("/nowhere", CLIENTS);
    run_loop();
    ck_assert_ptr_nonnull(rig->web->turn.first);
    web_connection_close(rig->web->turn.first->held_after);
    web_connection_close(rig->web->turn.first);
    web_connection_close(rig->web->turn.last);
    int answered = 0;
    for (int i = 0; i < CLIENTS; i++) {
        answered += web_client_answer(&clients[i], rig) == 404;
    }
    ck_assert_int_eq(answered, CLIENTS - 3);
    ck_assert_ptr_null(rig->web->turn.first);
    ck_assert_ptr_null(rig->web->turn.last);
}
