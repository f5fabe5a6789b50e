// Tests of what people type and read: HOST:PORT, times, tables.
#include "support/base/check_main.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "client-lite/cli/endpoint.h"
#include "client-lite/client_internal.h"
#include "client-lite/text/text.h"
#include "client-lite/text/text_tables.h"
#include "client-lite/text/text_waiting.h"

typedef struct endpoint_case {
    const char *text, *host;
    uint16_t port; // 0: refused
} endpoint_case;

static const endpoint_case ENDPOINTS[] = {
    {"", "127.0.0.1", 26000},
    {"race.example", "race.example", 26000},
    {"race.example:7", "race.example", 7},
    {"10.0.0.1:65535", "10.0.0.1", 65535},
    {":27000", "127.0.0.1", 27000},
    {"27000", "127.0.0.1", 27000},
    {"10.0.0.1", "10.0.0.1", 26000},
    {"host:", NULL, 0},
    {"host:0", NULL, 0},
    {"0", NULL, 0},
    {"host:65536", NULL, 0},
    {"host:+80", NULL, 0},
    {"host:80x", NULL, 0},
    {"host:000080", NULL, 0},
    {"::1", "::1", 26000},
    {"[::1]", "::1", 26000},
    {"[::1]:80", "::1", 80},
    {"[2001:db8::7]:1", "2001:db8::7", 1},
    {"[::1]:", NULL, 0},
    {"host:1#", NULL, 0},
};

TEST_OVER(endpoints_as_people_type_them, 0, sizeof ENDPOINTS / sizeof ENDPOINTS[0]) {
    const endpoint_case *expected = &ENDPOINTS[_i];
    client_endpoint endpoint;
    const char *why = NULL;
    bool ok = client_endpoint_parse(expected->text, &endpoint, &why);
    ck_assert_msg(ok == (expected->port != 0), "'%s': %s", expected->text,
                  why != NULL ? why : "taken");
    if (ok) {
        ck_assert_str_eq(endpoint.host, expected->host);
        ck_assert_uint_eq(endpoint.port, expected->port);
    } else {
        ck_assert_ptr_nonnull(why);
    }
}

#define KEY    "00112233445566778899aabbccddeeff00112233445566778899aabbccddeef0"
#define NO_KEY "G0112233445566778899aabbccddeeff00112233445566778899aabbccddeef0"

TEST(a_key_stands_behind_it_all) {
    static const char *const texts[] = {"host:7#" KEY, "#" KEY, "[::1]:7#" KEY, "host#" KEY};
    client_endpoint endpoint;
    const char *why = NULL;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ck_assert_msg(client_endpoint_parse(texts[i], &endpoint, &why), "%s", texts[i]);
        ck_assert(endpoint.has_key);
        ck_assert_uint_eq(endpoint.key[0], 0x00);
        ck_assert_uint_eq(endpoint.key[1], 0x11);
        ck_assert_uint_eq(endpoint.key[31], 0xF0);
    }
    ck_assert(client_endpoint_parse("host:7", &endpoint, &why));
    ck_assert(!endpoint.has_key);
}

TEST(a_key_that_is_none_is_refused) {
    static const char *const texts[] = {"host:7#0", "host:7#" KEY "0", "host:7#" KEY KEY,
                                        ("host:7#" NO_KEY)};
    client_endpoint endpoint;
    const char *why = NULL;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ck_assert_msg(!client_endpoint_parse(texts[i], &endpoint, &why), "%s", texts[i]);
    }
}

TEST(who_listens_may_take_any_port) {
    client_endpoint endpoint;
    const char *why = NULL;
    ck_assert(client_endpoint_parse_own("10.0.0.1:0", &endpoint, &why));
    ck_assert_str_eq(endpoint.host, "10.0.0.1");
    ck_assert_uint_eq(endpoint.port, 0);
    ck_assert(!client_endpoint_parse_own("10.0.0.1:65536", &endpoint, &why));
    ck_assert_str_eq(why, "the port must be a number from 0 to 65535");
}

TEST(a_host_longer_than_names_can_be_is_refused) {
    char text[CLIENT_HOST_BYTES + 8];
    memset(text, 'a', sizeof text);
    strcpy(text + CLIENT_HOST_BYTES - 1, ":99");
    client_endpoint endpoint;
    const char *why;
    ck_assert(client_endpoint_parse(text, &endpoint, &why));
    ck_assert_uint_eq(strlen(endpoint.host), CLIENT_HOST_BYTES - 1);
    memset(text, 'a', sizeof text);
    strcpy(text + CLIENT_HOST_BYTES, ":99");
    ck_assert(!client_endpoint_parse(text, &endpoint, &why));
}

TEST(a_lobby_says_what_it_waits_for) {
    enum { LOBBY, GRID };
    char text[CLIENT_EVENT_BYTES];
    apex_race_state race = {.phase = LOBBY, .players = 2, .start_players = 4};
    race.lobby_left_us = 22000001; // the rest of a second counts as one
    ck_assert(client_text_waiting(&race, text));
    ck_assert_str_eq(text, "waiting for 2 more drivers; starts in 23 s with who is here");
    race.players = 3;
    race.lobby_left_us = 0;
    ck_assert(client_text_waiting(&race, text));
    ck_assert_str_eq(text, "waiting for 1 more driver");
    race.players = 0;
    ck_assert(client_text_waiting(&race, text));
    ck_assert_str_eq(text, "waiting for 4 drivers");
    race.start_players = 0;
    ck_assert(client_text_waiting(&race, text));
    ck_assert_str_eq(text, "waiting for the operator to start");
    race = (apex_race_state){
        .phase = LOBBY, .players = 9, .start_players = UINT32_MAX, .lobby_left_us = UINT64_MAX};
    ck_assert(client_text_waiting(&race, text));
    ck_assert_ptr_nonnull(strstr(text, "4294967286 more drivers"));
    ck_assert_ptr_nonnull(strstr(text, "in 18446744073710 s"));
    race.phase = GRID;
    ck_assert(!client_text_waiting(&race, text));
    race = (apex_race_state){.start_players = 2, .players = 2};
    ck_assert(!client_text_waiting(&race, text)); // not "0 more drivers"
}

TEST(damage_is_told_by_zone) {
    char text[CLIENT_DAMAGE_BYTES];
    apex_wire_car car = {.id = 1, .damage = 200};
    client_text_damage(NULL, text);
    ck_assert_str_eq(text, "");
    client_text_damage(&car, text); // of an older server that knows no zones
    ck_assert_str_eq(text, "");
    car.damage_zones = 0x00006;
    client_text_damage(&car, text);
    ck_assert_str_eq(text, "damaged front 40 %");
    car.damage_zones = 0x01200;
    client_text_damage(&car, text);
    ck_assert_str_eq(text, "damaged left 13 %, right 7 %");
    car.damage_zones = UINT32_MAX; // more than the decoder lets through
    client_text_damage(&car, text);
    ck_assert_str_eq(text, "damaged front 100 %, rear 100 %, left 100 %, right 100 %, roof 100 %");
    ck_assert_uint_lt(strlen(text), CLIENT_DAMAGE_BYTES - 1);
}

TEST(numbers_past_the_known_ones_have_no_name) {
    ck_assert_str_eq(apex_wire_phase_name(3), "race");
    ck_assert_str_eq(apex_wire_phase_name(6), "over");
    ck_assert_str_eq(apex_wire_phase_name(7), "unknown");
    ck_assert_str_eq(apex_wire_event_name(13), "wrong-way");
    ck_assert_str_eq(apex_wire_event_name(14), "idle");
    ck_assert_str_eq(apex_wire_event_name(25), "fault");
    ck_assert_str_eq(apex_wire_event_name(26), "unknown");
    ck_assert_str_eq(apex_wire_penalty_name(6), "disqualified");
    ck_assert_str_eq(apex_wire_penalty_name(7), "unknown");
    ck_assert_str_eq(apex_wire_offence_name(20), "stewards");
    ck_assert_str_eq(apex_wire_offence_name(21), "unknown");
    ck_assert_str_eq(apex_wire_standing_name(3), "dnf");
    ck_assert_str_eq(client_text_zone(APEX_WIRE_ZONE_ROOF), "roof");
    ck_assert_str_eq(client_text_zone(APEX_WIRE_ZONES), "unknown");
    ck_assert_str_eq(apex_wire_standing_name(UINT32_MAX), "unknown");
}

static const apex_wire_standing LINES[] = {
    {.position = 1,
     .player = 1,
     .name = "Zo\xc3\xab",
     .car_def = "boxster-s",
     .state = 2,
     .laps = 3,
     .total_us = 312345678,
     .best_lap_us = 103207000,
     .last_lap_us = 104000000,
     .grid = 2},
    {.position = 2,
     .player = 2,
     .name = "bob",
     .car_def = "corvette-c5",
     .state = 2,
     .laps = 3,
     .total_us = 312757000,
     .gap_us = 412000,
     .best_lap_us = 103500000,
     .grid = 1},
    {.position = 3,
     .player = 3,
     .name = "carol",
     .car_def = "boxster-s",
     .state = 2,
     .laps = 2,
     .total_us = 330000000,
     .gap_us = 9000000,
     .grid = 4},
    {.position = 4,
     .player = 4,
     .name = "dan",
     .car_def = "boxster-s",
     .state = 3,
     .laps = 1,
     .grid = 3},
};

typedef struct page {
    char *text;
    size_t length;
    FILE *file;
} page;

static void open_page(page *self) {
    self->file = open_memstream(&self->text, &self->length);
    ck_assert_ptr_nonnull(self->file);
}

// The n-th line, without its end; the page is cut up by it.
static const char *line_of(page *self, size_t nth) {
    fflush(self->file);
    char *line = self->text;
    for (; nth > 0; nth--) {
        line = strchr(line, '\n') + 1;
    }
    static char copy[512];
    snprintf(copy, sizeof copy, "%.*s", (int)strcspn(line, "\n"), line);
    return copy;
}

static void close_page(page *self) {
    fclose(self->file);
    free(self->text);
}

TEST(results_line_up_and_say_how_far_behind) {
    apex_results results = {
        .race_number = 1, .track = "ridgeway", .laps = 3, .line_count = 4, .lines = LINES};
    page out = {0};
    open_page(&out);
    client_text_results(out.file, &results, &(client_table_style){0});
    ck_assert_str_eq(line_of(&out, 0), "Results of race 1: ridgeway, 3 laps");
    ck_assert_str_eq(line_of(&out, 1), " pos  name     car         laps         time        gap  "
                                       "best lap grid");
    ck_assert_str_eq(line_of(&out, 2),
                     "   1* Zo\xc3\xab      boxster-s      3     5:12.345          "
                     "   1:43.207    2");
    ck_assert_str_eq(line_of(&out, 3), "   2* bob      corvette-c5    3     5:12.757     +0.412  "
                                       "1:43.500    1");
    ck_assert_ptr_nonnull(strstr(line_of(&out, 4), "+1 lap "));
    ck_assert_ptr_nonnull(strstr(line_of(&out, 5), "DNF"));
    ck_assert_str_eq(line_of(&out, 6), "    * has finished");
    ck_assert_ptr_null(strchr(out.text, '\x1b'));
    close_page(&out);
}

TEST(the_order_is_cut_to_the_terminal) {
    apex_standings standings = {.total = 30, .line_count = 4, .lines = LINES};
    page out = {0};
    open_page(&out);
    client_table_style style = {.columns = 9, .lines_max = 2};
    uint32_t lines = client_text_order(out.file, &standings, &style);
    ck_assert_uint_eq(lines, 5); // titles, two drivers, the rest, what the mark means
    ck_assert_str_eq(line_of(&out, 1), "   1* Zo\xc3\xab"); // nine characters, ten bytes
    ck_assert_str_eq(line_of(&out, 2), "   2* bob");
    ck_assert_str_eq(line_of(&out, 3), "      ...");
    style.columns = 0;
    client_text_order(out.file, &standings, &style);
    ck_assert_str_eq(line_of(&out, 8), "      ... and 28 more");
    ck_assert_str_eq(line_of(&out, 9), "    * has finished");
    close_page(&out);
}

TEST(speeds_are_those_of_what_is_shown) {
    apex_client_def def = apex_default_client_def();
    apex_client *client;
    ck_assert_int_eq(apex_client_create(&def, &client), APEX_OK);
    client_session *session = client_session_of(client);
    client_snapshots_begin(&session->snapshots, 60);
    apex_wire_car cars[2] = {{.id = 5, .vx_cmps = 9999}, {.id = 6}};
    apex_snapshot_message part = {.tick = 9, .parts = 1, .car_count = 2, .cars = cars};
    ck_assert(client_snapshots_take(&session->snapshots, &part, 1));
    for (uint32_t i = 0; i < 2; i++) {
        apex_roster_entry entry = {.player = LINES[i].player, .car = 5 + i};
        client_knowledge_roster_change(&session->knowledge, &entry);
    }
    apex_client_pose poses[2] = {{.car = 5, .velocity_mps = {30.0, -40.0, 7.0}},
                                 {.car = 6, .velocity_mps = {10.0, 0.0, 0.0}, .stale = true}};
    apex_standings standings = {.total = 3, .line_count = 3, .lines = LINES};
    page out = {0};
    open_page(&out);
    client_table_style style = {.client = client, .shown = poses, .shown_count = 2};
    client_text_order(out.file, &standings, &style);
    ck_assert_ptr_nonnull(strstr(line_of(&out, 0), "laps  km/h         gap  last lap"));
    ck_assert_ptr_nonnull(strstr(line_of(&out, 1), "boxster-s      3   180  "));
    ck_assert_ptr_nonnull(strstr(line_of(&out, 2), "corvette-c5    3     -  ")); // not heard of
    ck_assert_ptr_nonnull(strstr(line_of(&out, 3), "     -  "));                 // not there
    close_page(&out);
    apex_client_destroy(client);
}

TEST(wide_names_keep_the_columns_straight) {
    ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
    apex_wire_standing lines[2] = {LINES[0], LINES[1]};
    // Two characters of two columns each; an e with its accent apart.
    strcpy(lines[0].name, "\xe6\x97\xa5\xe6\x9c\xac");
    strcpy(lines[1].name, "e\xcc\x81milie");
    apex_standings standings = {.total = 2, .line_count = 2, .lines = lines};
    page out = {0};
    open_page(&out);
    client_text_order(out.file, &standings, &(client_table_style){.columns = 19});
    ck_assert_str_eq(line_of(&out, 1), "   1* \xe6\x97\xa5\xe6\x9c\xac     boxs");
    ck_assert_str_eq(line_of(&out, 2), "   2* e\xcc\x81milie   corv");
    // Half of a character is none.
    client_text_order(out.file, &standings, &(client_table_style){.columns = 9});
    ck_assert_str_eq(line_of(&out, 5), "   1* \xe6\x97\xa5");
    close_page(&out);
    setlocale(LC_CTYPE, "C");
}

TEST(colours_only_where_asked_and_always_ended) {
    apex_standings standings = {.total = 4, .line_count = 4, .lines = LINES};
    page out = {0};
    open_page(&out);
    client_text_order(out.file, &standings, &(client_table_style){.own = 2});
    fflush(out.file);
    ck_assert_ptr_null(strchr(out.text, '\x1b'));
    client_text_order(out.file, &standings, &(client_table_style){.colours = true, .own = 2});
    ck_assert_ptr_nonnull(strstr(line_of(&out, 8), "\x1b[1m   2* bob"));
    ck_assert_ptr_nonnull(strstr(line_of(&out, 8), "\x1b[0m"));
    ck_assert_ptr_null(strchr(line_of(&out, 7), '\x1b'));
    close_page(&out);
}

TEST(events_become_sentences) {
    apex_client_def def = apex_default_client_def();
    apex_client *client;
    ck_assert_int_eq(apex_client_create(&def, &client), APEX_OK);
    char text[CLIENT_EVENT_BYTES];
    apex_race_event_message event = {.kind = 7, .player = 12, .value = 2, .time_us = 312345000};
    ck_assert(client_text_sentence(client, &event, text));
    ck_assert_str_eq(text, "player 12 finishes 2. in 5:12.345");
    // The event knows better than a roster that he has left, or is not in yet.
    strcpy(event.name, "Zo\xc3\xab");
    ck_assert(client_text_sentence(client, &event, text));
    ck_assert_str_eq(text, "Zo\xc3\xab finishes 2. in 5:12.345");
    apex_race_event_message touch = {
        .kind = 10, .player = 12, .other = 13, .name = "ann", .other_name = "bob"};
    ck_assert(client_text_sentence(client, &touch, text));
    ck_assert_str_eq(text, "ann hits bob");
    event = (apex_race_event_message){.kind = 10, .player = 12};
    ck_assert(client_text_sentence(client, &event, text));
    ck_assert_str_eq(text, "player 12 hits a wall");
    event.other = 13;
    ck_assert(client_text_sentence(client, &event, text));
    ck_assert_str_eq(text, "player 12 hits player 13");
    event = (apex_race_event_message){.kind = 0, .race_number = 2, .value = -1};
    ck_assert(client_text_sentence(client, &event, text));
    ck_assert_str_eq(text, "race 2: unknown");
    event = (apex_race_event_message){.kind = 3, .value = 0};
    ck_assert(client_text_sentence(client, &event, text));
    ck_assert_str_eq(text, "lights out: go");
    event = (apex_race_event_message){.kind = 4, .player = 12}; // a sector is not worth a line
    ck_assert(!client_text_sentence(client, &event, text));
    event.kind = 99;
    ck_assert(!client_text_sentence(client, &event, text));
    apex_client_destroy(client);
}
