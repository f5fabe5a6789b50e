// Tests of what everybody may ask over HTTP: races, one race, health; and of the answer to requests
// for what is not there.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/answer/answer_json.h"
#include "api/answer/answer_text.h"
#include "host/figures/figures.h"
#include "host/news/waiting.h"
#include "replicate/replicate.h"
#include "support/api/api_rig.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { SECOND = 60 };

static api_rig rig;

static apex_race_file small_race(void) {
    apex_race_file file = api_rig_race_file();
    snprintf(file.race.name, sizeof file.race.name, "Sunday \"\\ ünder öath");
    snprintf(file.password, sizeof file.password, "secret");
    file.race.laps = 2;
    file.race.races = 0;
    file.race.race_s_max = 3.0;
    file.race.results_s = 10.0;
    file.snapshot_hz = 20;
    return file;
}

static void begin(void) {
    apex_race_file file = small_race();
    api_rig_begin(&rig, &file);
}

static void end(void) {
    api_rig_end(&rig);
}

static size_t join(const char *name) {
    apex_client_def def = apex_default_client_def();
    def.name = name;
    def.want_defs = true;
    def.password = "secret";
    return race_rig_connect(rig.race, &def);
}

FIXTURE(begin, end)

TEST(races_are_listed_as_they_stand) {
    join("Ada");
    apex_client_def watcher = apex_default_client_def();
    watcher.spectate = true;
    watcher.password = "secret";
    race_rig_connect(rig.race, &watcher);
    race_rig_tick(rig.race, SECOND / 2);
    ck_assert_uint_eq(api_rig_get_as(&rig, "/api/races", ""), 200);
    ck_assert_uint_eq(json_array_size(rig.json), 1);
    ck_assert(api_rig_number(&rig, "0.id") == 1);
    ck_assert_str_eq(api_rig_text(&rig, "0.name"), "Sunday \"\\ ünder öath");
    ck_assert_str_eq(api_rig_text(&rig, "0.track"), "oval");
    ck_assert_str_eq(api_rig_text(&rig, "0.phase"), "lobby");
    ck_assert(api_rig_number(&rig, "0.race_number") == 1);
    ck_assert(api_rig_number(&rig, "0.laps") == 2);
    ck_assert(api_rig_number(&rig, "0.players") == 1);
    ck_assert(api_rig_number(&rig, "0.player_capacity") == 6);
    ck_assert(api_rig_number(&rig, "0.clients") == 2);
    ck_assert(api_rig_number(&rig, "0.tick_hz") == 60);
    ck_assert(api_rig_number(&rig, "0.snapshot_hz") == 20);
    ck_assert(json_is_null(api_rig_at(&rig, "0.udp_port"))); // the rig has no socket
    ck_assert(api_rig_is(&rig, "0.password_needed"));
    ck_assert(json_is_false(api_rig_at(&rig, "0.watching_open")));
    ck_assert_str_eq(api_rig_text(&rig, "0.cars.0"), "boxster-s");
    ck_assert_str_eq(api_rig_text(&rig, "0.live"), "/race/1");
    ck_assert_ptr_null(strstr(rig.body, "secret"));
}

// The page, programs and the console are told alike.
TEST(a_lobby_says_what_it_waits_for) {
    apex_race_file file = small_race();
    file.race.start_players = 3;
    file.race.lobby_s = 20.0;
    api_rig_end(&rig);
    api_rig_begin(&rig, &file);
    ck_assert_uint_eq(api_rig_get_as(&rig, "/api/races/1", ""), 200);
    ck_assert(api_rig_number(&rig, "start_players") == 3);
    ck_assert(json_is_null(api_rig_at(&rig, "lobby_left_s"))); // its time begins with the first
    size_t ada = join("Ada");
    race_rig_tick(rig.race, 5 * SECOND);
    const apex_race_state *told = apex_client_race_state(race_rig_client(rig.race, ada));
    ck_assert_ptr_nonnull(told);
    ck_assert_uint_eq(told->start_players, 3);
    ck_assert_uint_ge(told->lobby_left_us, 15000000); // it is told once a second
    ck_assert_uint_le(told->lobby_left_us, 16100000);
    apex_race_status status = apex_race_status_of(apex_server_race(rig.servers[0]));
    ck_assert_uint_eq(api_rig_get_as(&rig, "/api/races", ""), 200);
    ck_assert_double_eq_tol(api_rig_number(&rig, "0.lobby_left_s"),
                            (double)status.lobby_left_us / 1e6, 1e-6);
    char said[HOST_WAITING_BYTES];
    status.lobby_left_us = 14000001;
    ck_assert_str_eq(host_waiting(&status, said),
                     "waiting for 2 more drivers; starts in 15 s with who is here");
    join("Bob");
    join("Eve");
    race_rig_tick(rig.race, SECOND);
    ck_assert_uint_eq(told->start_players, 0);
    ck_assert_uint_eq(told->lobby_left_us, 0);
    ck_assert_uint_eq(api_rig_get_as(&rig, "/api/races/1", ""), 200);
    ck_assert(api_rig_number(&rig, "start_players") == 0);
    ck_assert(json_is_null(api_rig_at(&rig, "lobby_left_s")));
}

// The time left is told in the time of those who wait.
TEST(a_lobby_counts_real_time_at_any_speed) {
    apex_race_file file = small_race();
    file.race.start_players = 3;
    file.race.lobby_s = 200.0;
    race_rig *fast = race_rig_create_at(&file, 10000);
    ck_assert_ptr_nonnull(fast);
    apex_client_def def = apex_default_client_def();
    def.name = "Ada";
    def.password = "secret";
    size_t ada = race_rig_connect(fast, &def);
    race_rig_tick(fast, 2 * SECOND);
    const apex_race_state *told = apex_client_race_state(race_rig_client(fast, ada));
    ck_assert_ptr_nonnull(told);
    uint64_t left_us = told->lobby_left_us;
    ck_assert_uint_le(left_us, 20000000);
    ck_assert_uint_ge(left_us, 19000000);
    apex_race_status status =
        host_race_status(apex_server_race(race_rig_server(fast)),
                         host_setup_of(race_rig_server(fast))->speed_permille);
    ck_assert_int_le(status.lobby_left_us, 20000000);
    ck_assert_int_ge(status.lobby_left_us, 19000000);
    race_rig_destroy(fast);
}

TEST(every_race_has_its_number) {
    apex_race_file file = small_race();
    snprintf(file.race.name, sizeof file.race.name, "Monday");
    race_rig *other = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(other);
    rig.servers[1] = race_rig_server(other);
    rig.api.server_count = 2;
    ck_assert_uint_eq(api_rig_get(&rig, "/api/races"), 200);
    ck_assert_uint_eq(json_array_size(rig.json), 2);
    ck_assert_str_eq(api_rig_text(&rig, "1.name"), "Monday");
    ck_assert_str_eq(api_rig_text(&rig, "1.live"), "/race/2");
    ck_assert_uint_eq(api_rig_get(&rig, "/api/races/2"), 200);
    ck_assert_str_eq(api_rig_text(&rig, "name"), "Monday");
    ck_assert_uint_eq(api_rig_post(&rig, "/api/races/2/quit", ""), 200);
    race_rig_tick(rig.race, 1);
    race_rig_tick(other, 1);
    ck_assert_uint_eq(api_rig_get(&rig, "/api/races"), 200);
    ck_assert_str_eq(api_rig_text(&rig, "0.phase"), "lobby");
    ck_assert_str_eq(api_rig_text(&rig, "1.phase"), "over");
    race_rig_destroy(other);
}

static void assert_line(const apex_standing *line, size_t place) {
    char where[32];
#define AT(key) (snprintf(where, sizeof where, "order.%zu.%s", place, key), where)
    ck_assert(api_rig_number(&rig, AT("position")) == line->position);
    ck_assert(api_rig_number(&rig, AT("player")) == apex_player_wire_id(line->player));
    ck_assert_str_eq(api_rig_text(&rig, AT("name")), line->name);
    ck_assert(api_rig_number(&rig, AT("laps")) == line->laps);
    ck_assert_double_eq_tol(api_rig_number(&rig, AT("lap_m")), line->lap_m, 0.51e-3);
    ck_assert(api_rig_number(&rig, AT("grid")) == line->grid);
    ck_assert(api_rig_is(&rig, AT("driven_by_server")) == line->driven_by_server);
    ck_assert_int_eq(json_is_null(api_rig_at(&rig, AT("last_lap_s"))), line->last_lap_us == 0);
    ck_assert_int_eq(json_is_null(api_rig_at(&rig, AT("total_s"))), line->total_us == 0);
#undef AT
}

static size_t order_of_race(apex_standing lines[], size_t capacity) {
    return apex_race_standings(apex_server_race(rig.servers[0]), lines, capacity);
}

TEST(a_race_shows_its_order_and_then_its_results) {
    size_t ada = join("Ada"), bob = join("Bob");
    race_rig_pilot(rig.race, ada);
    race_rig_tick(rig.race, SECOND);
    ck_assert_uint_eq(api_rig_post(&rig, "/api/races/1/start", "{}"), 200);
    ck_assert(race_rig_until(rig.race, APEX_PHASE_RACE, 5 * SECOND));
    race_rig_tick(rig.race, 2 * SECOND);
    race_rig_cut(rig.race, bob);
    race_rig_tick(rig.race, 2);
    apex_standing lines[8];
    ck_assert_uint_eq(order_of_race(lines, 8), 2);
    ck_assert_uint_eq(api_rig_get(&rig, "/api/races/1"), 200);
    ck_assert_str_eq(api_rig_text(&rig, "phase"), "race");
    ck_assert_uint_eq(json_array_size(api_rig_at(&rig, "order")), 2);
    assert_line(&lines[0], 0);
    assert_line(&lines[1], 1);
    ck_assert_str_eq(api_rig_text(&rig, "order.0.name"), "Ada");
    ck_assert_str_eq(api_rig_text(&rig, "order.0.state"), "running");
    ck_assert_str_eq(api_rig_text(&rig, "order.0.car"), "boxster-s");
    ck_assert(api_rig_number(&rig, "order.0.gap_s") == 0);
    ck_assert(json_is_null(api_rig_at(&rig, "order.1.gap_s"))); // nobody has passed a sector yet
    ck_assert(api_rig_is(&rig, "order.0.connected"));
    ck_assert(!api_rig_is(&rig, "order.1.connected"));
    ck_assert(api_rig_is(&rig, "order.1.driven_by_server")); // the server holds the car
    ck_assert(json_is_null(api_rig_at(&rig, "results")));
    ck_assert(race_rig_until(rig.race, APEX_PHASE_RESULTS, 5 * SECOND));
    race_rig_tick(rig.race, 2);
    ck_assert_uint_eq(api_rig_get(&rig, "/api/races/1"), 200);
    ck_assert(api_rig_number(&rig, "results.race_number") == 1);
    ck_assert_uint_eq(json_array_size(api_rig_at(&rig, "results.order")), 2);
    ck_assert_str_eq(api_rig_text(&rig, "results.order.0.name"), "Ada");
    ck_assert_str_eq(api_rig_text(&rig, "results.order.0.state"), "dnf");
    ck_assert_uint_eq(strlen(api_rig_text(&rig, "results.state_hash")), 16);
}

TEST(wrong_addresses_say_where_to_go) {
    static const char *const paths[] = {
        "/api",
        "/api/",
        "/api/races/",
        "/api/races/0",
        "/api/races/01",
        "/api/races/1/",
        "/api/races/one",
        "/api/races/-1",
        "/api/races/1/x",
        "/api/races//say",
        "/api/races/12345678901",
        "/api/race",
        "/metrics/",
        "/healthzz",
        "/api/races/1/status/",
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        ck_assert_msg(api_rig_get(&rig, paths[i]) == 404, "%s", paths[i]);
        ck_assert_ptr_nonnull(strstr(api_rig_text(&rig, "error"), "/api/races"));
    }
    ck_assert_uint_eq(api_rig_get(&rig, "/api/races/2"), 404);
    ck_assert_ptr_nonnull(strstr(api_rig_text(&rig, "error"), "no race 2"));
    ck_assert_uint_eq(api_rig_post(&rig, "/api/races/2/quit", ""), 404);
}

TEST(other_methods_are_told_which_one) {
    static const char *const read[] = {"/api/races",   "/api/races/1", "/api/races/1/status",
                                       "/api/replays", "/metrics",     "/healthz"};
    static const char *const written[] = {"/api/races/1/say", "/api/races/1/kick",
                                          "/api/races/1/start", "/api/races/1/quit"};
    for (size_t i = 0; i < sizeof read / sizeof read[0]; i++) {
        ck_assert_uint_eq(api_rig_post(&rig, read[i], "{}"), 405);
        ck_assert_str_eq(rig.answer.allow, "GET");
    }
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        ck_assert_uint_eq(api_rig_get(&rig, written[i]), 405);
        ck_assert_str_eq(rig.answer.allow, "POST");
    }
    ck_assert_uint_eq(api_rig_get(&rig, "/api/races"), 200);
    ck_assert_ptr_null(rig.answer.allow);
}

TEST(an_answer_without_room_says_so) {
    rig.arena.capacity = 128;
    ck_assert_uint_eq(api_rig_get(&rig, "/api/races"), 503);
    ck_assert_ptr_nonnull(strstr(api_rig_text(&rig, "error"), "longer"));
    ck_assert_uint_eq(api_rig_get(&rig, "/api/races/1"), 503);
    ck_assert_uint_eq(api_rig_get(&rig, "/metrics"), 503);
    ck_assert_uint_eq(api_rig_get(&rig, "/api/replays"), 503);
}

TEST(a_server_that_stands_still_is_ill) {
    race_rig_tick(rig.race, 10);
    rig.api.now_us = race_rig_now_us(rig.race) + 1900000;
    ck_assert_uint_eq(api_rig_get_as(&rig, "/healthz", ""), 200);
    ck_assert_str_eq(api_rig_text(&rig, "status"), "ok");
    rig.api.now_us += 200000;
    ck_assert_uint_eq(api_rig_get_as(&rig, "/healthz", ""), 503);
    ck_assert(!api_rig_is(&rig, "races.0.ok"));
    ck_assert_ptr_nonnull(strstr(api_rig_text(&rig, "races.0.why"), "no tick"));
    ck_assert_uint_eq(api_rig_get_as(&rig, "/readyz", ""), 503);
    race_rig_tick(rig.race, 3 * SECOND);
    ck_assert_uint_eq(api_rig_get_as(&rig, "/healthz", ""), 200);
}

TEST(a_server_that_is_closing_is_not_ready_but_well) {
    race_rig_tick(rig.race, 10);
    ck_assert_uint_eq(api_rig_get_as(&rig, "/readyz", ""), 200);
    ck_assert_str_eq(api_rig_text(&rig, "status"), "ready");
    ck_assert_uint_eq(api_rig_post(&rig, "/api/races/1/quit", ""), 200);
    ck_assert_uint_eq(api_rig_get_as(&rig, "/readyz", ""), 503);
    ck_assert_ptr_nonnull(strstr(api_rig_text(&rig, "races.0.why"), "closed"));
    ck_assert_uint_eq(api_rig_get_as(&rig, "/healthz", ""), 200);
    race_rig_tick(rig.race, 5 * SECOND);
    ck_assert(apex_server_finished(rig.servers[0]));
    rig.api.now_us = race_rig_now_us(rig.race) + 60000000; // nobody ticks it any more
    ck_assert_uint_eq(api_rig_get_as(&rig, "/healthz", ""), 200);
}

TEST(a_server_that_lets_nobody_in_is_not_ready) {
    for (int tick = 0; tick < 3 * SECOND; tick++) {
        ck_assert_uint_eq(api_rig_get_as(&rig, "/readyz", ""), 200);
        apex_server_account(rig.servers[0], 20000, 0); // of 16,667 us that a tick may take
    }
    ck_assert_uint_eq(api_rig_get_as(&rig, "/readyz", ""), 503);
    ck_assert_ptr_nonnull(strstr(api_rig_text(&rig, "races.0.why"), "nobody new"));
}

TEST(json_holds_what_was_put_in) {
    apex_arena_reset(&rig.arena);
    apex_json_writer json = answer_json_begin(&rig.arena);
    apex_json_open(&json, NULL, '[');
    answer_json_text(&json, NULL, "a\"b\\c/ü");
    answer_json_text(&json, NULL, "line\nend\x01\xff");
    apex_json_count(&json, NULL, UINT64_MAX);
    apex_json_seconds(&json, NULL, -1500000);
    apex_json_seconds(&json, NULL, -1);
    apex_json_seconds(&json, NULL, 83000010);
    apex_json_time(&json, NULL, 0);
    apex_json_time(&json, NULL, 60000000);
    answer_json_metres(&json, NULL, -12.2504);
    answer_json_metres(&json, NULL, (double)INFINITY);
    apex_json_open(&json, NULL, '{');
    apex_json_close(&json);
    apex_json_open(&json, NULL, '{');
    apex_json_bool(&json, "yes", true);
    apex_json_bool(&json, "no", false);
    apex_json_close(&json);
    apex_json_close(&json);
    size_t length = 0;
    const char *text = answer_json_end(&rig.arena, &json, &length);
    static const char expected[] =
        "[\"a\\\"b\\\\c/ü\",\"line?end??\",18446744073709551615,-1.5,-0.000001,83.00001,null,60,"
        "-12.25,0,{},{\"yes\":true,\"no\":false}]\n";
    ck_assert_uint_eq(length, sizeof expected - 1);
    ck_assert_mem_eq(text, expected, length);
}

// The unused part of the arena is there for the next.
TEST(a_text_gives_back_what_it_did_not_need) {
    apex_arena_reset(&rig.arena);
    apex_text_writer text = answer_text_begin(&rig.arena);
    ck_assert_ptr_null(apex_arena_alloc(&rig.arena, 1));
    apex_text_add(&text, "seven b");
    size_t length = 0;
    ck_assert_ptr_nonnull(answer_text_end(&rig.arena, &text, &length));
    ck_assert_uint_eq(length, 7);
    ck_assert_uint_eq(rig.arena.used, APEX_ARENA_ALIGN);
}
