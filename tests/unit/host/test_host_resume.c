// Players whose link breaks: the server drives on, they come back, and a replay shows the same.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/api.h"
#include "base/log.h"
#include "playback/playback.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { SECOND = 60 };

static apex_race_file short_race(uint32_t players) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.race.laps = 1;
    file.race.races = 1;
    file.race.start_players = players;
    file.race.player_capacity = players + 2;
    file.race.countdown_s = 1.0;
    file.race.results_s = 1.0;
    return file;
}

static size_t add_driver(race_rig *rig, const char *name) {
    apex_client_def def = apex_default_client_def();
    def.name = name;
    def.want_defs = true;
    def.standings = true;
    size_t client = race_rig_connect(rig, &def);
    race_rig_pilot(rig, client);
    return client;
}

// Ada and Bob, five seconds into the race.
static race_rig *race_of_two(const apex_race_file *file, const char *record_path) {
    race_rig *rig = race_rig_create(file, 0, record_path);
    ck_assert_ptr_nonnull(rig);
    add_driver(rig, "Ada");
    add_driver(rig, "Bob");
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 10 * SECOND));
    race_rig_tick(rig, 5 * SECOND);
    return rig;
}

static const apex_roster_entry *in_roster(race_rig *rig, size_t reader, const char *name) {
    size_t count = 0;
    const apex_roster_entry *roster = apex_client_roster(race_rig_client(rig, reader), &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(roster[i].name, name) == 0) {
            return &roster[i];
        }
    }
    return NULL;
}

static void assert_driving(race_rig *rig, size_t client, uint32_t player, uint32_t car) {
    const apex_client *it = race_rig_client(rig, client);
    ck_assert_str_eq(apex_client_state_name(apex_client_state_of(it)), "driving");
    ck_assert_uint_eq(apex_client_player(it), player);
    ck_assert_uint_eq(apex_client_car(it), car);
}

// All that the client knows is new, and is the server's: nothing is left of what came by the old
// link.
static void assert_sees_all(race_rig *rig, size_t client) {
    const apex_race *race = apex_server_race(race_rig_server(rig));
    apex_client_view view = apex_client_newest(race_rig_client(rig, client));
    ck_assert_uint_eq(view.car_count, 2);
    ck_assert_ptr_nonnull(view.own);
    ck_assert_uint_ge(view.tick + 4, apex_race_status_of(race).tick);
    for (size_t i = 0; i < 2; i++) {
        const char *name = i == 0 ? "Ada" : "Bob";
        apex_standing standing = race_rig_standing(rig, name);
        uint32_t id = apex_client_car(race_rig_client(rig, i));
        const apex_wire_car *car = view.cars[0].id == id ? &view.cars[0] : &view.cars[1];
        apex_car_pose pose;
        ck_assert(apex_world_pose(apex_race_world(race), standing.car_id, &pose));
        ck_assert_uint_eq(car->id, id);
        ck_assert_double_le(fabs(car->x_mm / 1e3 - pose.position_m[0]), 10.0);
        ck_assert_double_le(fabs(car->y_mm / 1e3 - pose.position_m[1]), 10.0);
    }
}

// Breaks Ada's link for four seconds, and mends it.
TEST_OVER(the_server_drives_until_its_driver_is_back, 0, 2) {
    bool server_knows = _i == 0;
    char folder[CHECK_PATH_BYTES];
    char path[CHECK_PATH_BYTES + 16];
    check_make_folder(folder, "resume");
    snprintf(path, sizeof path, "%s/race.apexr", folder);
    apex_race_file file = short_race(2);
    race_rig *rig = race_of_two(&file, path);
    uint32_t player = apex_client_player(race_rig_client(rig, 0));
    uint32_t car = apex_client_car(race_rig_client(rig, 0));

    race_rig_break(rig, 0, server_knows);
    race_rig_tick(rig, 4 * SECOND);
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, 0)), APEX_CLIENT_RECONNECTING);
    ck_assert_uint_eq(in_roster(rig, 1, "Ada")->driven_by_server, server_knows);
    ck_assert_uint_eq(race_rig_standing(rig, "Ada").driven_by_server, server_knows);
    ck_assert_int_eq(race_rig_standing(rig, "Ada").state, APEX_STANDING_RUNNING);

    race_rig_mend(rig, 0);
    race_rig_tick(rig, 3 * SECOND);
    assert_driving(rig, 0, player, car);
    ck_assert(apex_client_resumed(race_rig_client(rig, 0)));
    ck_assert(!race_rig_standing(rig, "Ada").driven_by_server);
    ck_assert(!in_roster(rig, 0, "Ada")->driven_by_server);
    ck_assert(!in_roster(rig, 1, "Ada")->driven_by_server);
    assert_driving(rig, 1, apex_client_player(race_rig_client(rig, 1)),
                   apex_client_car(race_rig_client(rig, 1)));

    ck_assert(race_rig_until(rig, APEX_PHASE_RESULTS, 200 * SECOND));
    race_rig_tick(rig, 3);
    const apex_results *results = apex_client_results(race_rig_client(rig, 0));
    ck_assert_ptr_nonnull(results);
    ck_assert_uint_eq(results->line_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(results->lines[i].state, APEX_STANDING_FINISHED);
        ck_assert_uint_eq(results->lines[i].laps, 1);
    }
    ck_assert_uint_eq(race_rig_standing(rig, "Ada").resets, 0);
    if (server_knows) { // else four seconds of the last controls may end anywhere
        ck_assert_uint_le(race_rig_standing(rig, "Ada").off_track_us_max, 1000000);
    }
    race_rig_destroy(rig);
    ck_assert_int_eq(apex_replay_verify(path, 0, stderr), APEX_OK);
}

TEST(two_that_are_lost_come_back_as_themselves) {
    apex_race_file file = short_race(2);
    race_rig *rig = race_of_two(&file, NULL);
    uint32_t players[2], cars[2];
    for (size_t i = 0; i < 2; i++) {
        players[i] = apex_client_player(race_rig_client(rig, i));
        cars[i] = apex_client_car(race_rig_client(rig, i));
    }
    for (uint32_t round = 0; round < 6; round++) {
        race_rig_break(rig, 0, round % 2 == 0);
        race_rig_break(rig, 1, round % 3 == 0);
        race_rig_tick(rig, SECOND);
        race_rig_mend(rig, round % 2);
        race_rig_tick(rig, SECOND / 2);
        race_rig_mend(rig, 1 - round % 2);
        race_rig_tick(rig, 3 * SECOND);
        for (size_t i = 0; i < 2; i++) {
            assert_driving(rig, i, players[i], cars[i]);
            ck_assert(!race_rig_standing(rig, i == 0 ? "Ada" : "Bob").driven_by_server);
            assert_sees_all(rig, i);
        }
    }
    const uint64_t *counters = apex_server_session_counters(race_rig_server(rig));
    ck_assert_uint_eq(counters[APEX_SESSION_RESUMED], 12);
    ck_assert_uint_eq(counters[APEX_SESSION_LOST], 3 + 2);
    ck_assert_uint_eq(counters[APEX_SESSION_REFUSED_TOKEN], 0);
    ck_assert_uint_eq(apex_race_status_of(apex_server_race(race_rig_server(rig))).players, 2);
    race_rig_destroy(rig);
}

TEST(the_car_is_not_let_go_before_controls_are_here) {
    apex_race_file file = short_race(2);
    race_rig *rig = race_of_two(&file, NULL);
    race_rig_break(rig, 0, true);
    race_rig_tick(rig, SECOND);
    race_rig_mend(rig, 0);
    race_rig_tick(rig, SECOND / 2);
    uint32_t waited = 0;
    while (!apex_client_resumed(race_rig_client(rig, 0))) {
        race_rig_tick(rig, 1);
        ck_assert_uint_lt(++waited, 3 * SECOND);
    }
    // It has heard so now, and cannot have said anything since.
    ck_assert(race_rig_standing(rig, "Ada").driven_by_server);
    race_rig_tick(rig, SECOND / 4);
    ck_assert(!race_rig_standing(rig, "Ada").driven_by_server);
    race_rig_destroy(rig);
}

// Another program that was given Ada's token, which stays the caller's.
static apex_client_def heir_of_ada(race_rig *rig, uint8_t token[APEX_TOKEN_BYTES]) {
    memcpy(token, apex_client_welcome(race_rig_client(rig, 0))->resume_token, APEX_TOKEN_BYTES);
    apex_client_def def = apex_default_client_def();
    def.name = "Eve";
    def.resume_token = token;
    return def;
}

// Whether the old link has broken or is still open: until somebody drives, the server does.
TEST_OVER(one_that_only_watches_gets_its_car_all_the_same, 0, 2) {
    apex_race_file file = short_race(2);
    race_rig *rig = race_of_two(&file, NULL);
    uint8_t token[APEX_TOKEN_BYTES];
    apex_client_def def = heir_of_ada(rig, token);
    if (_i == 0) {
        race_rig_cut(rig, 0);
    }
    race_rig_tick(rig, SECOND);
    ck_assert_uint_eq(race_rig_standing(rig, "Ada").driven_by_server, _i == 0);
    size_t heir = race_rig_connect(rig, &def);
    race_rig_mute(rig, heir); // it says Hello, and nothing ever after
    apex_client_message hello = {
        .kind = APEX_CLIENT_HELLO,
        .hello = {.protocol_version = APEX_PROTOCOL_VERSION, .client = "eve", .has_token = true}};
    memcpy(hello.hello.resume_token, token, sizeof token);
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    size_t length = apex_encode_client(&hello, bytes, sizeof bytes);
    race_rig_inject(rig, heir, APEX_CHANNEL_RELIABLE, bytes, length);
    race_rig_tick(rig, 2 * SECOND);
    assert_driving(rig, heir, apex_client_player(race_rig_client(rig, 0)),
                   apex_client_car(race_rig_client(rig, 0)));
    ck_assert(apex_client_resumed(race_rig_client(rig, heir)));
    ck_assert_ptr_nonnull(in_roster(rig, 1, "Ada"));
    ck_assert_ptr_null(in_roster(rig, 1, "Eve"));
    ck_assert(race_rig_standing(rig, "Ada").driven_by_server);
    ck_assert(in_roster(rig, 1, "Ada")->driven_by_server);
    race_rig_tick(rig, 2 * SECOND);
    ck_assert(!race_rig_standing(rig, "Ada").driven_by_server);
    race_rig_destroy(rig);
}

TEST(an_heir_puts_the_first_owner_out_and_keeps_the_place) {
    apex_race_file file = short_race(2);
    race_rig *rig = race_of_two(&file, NULL);
    uint8_t token[APEX_TOKEN_BYTES];
    apex_client_def def = heir_of_ada(rig, token);
    uint32_t player = apex_client_player(race_rig_client(rig, 0));
    def.want_defs = true;
    size_t heir = race_rig_connect(rig, &def);
    race_rig_pilot(rig, heir);
    race_rig_tick(rig, SECOND);
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, 0)), APEX_CLIENT_CLOSED);
    const char *text = "";
    ck_assert_int_eq(apex_client_close_reason(race_rig_client(rig, 0), &text), APEX_REASON_RESUMED);
    ck_assert_ptr_nonnull(strstr(text, "taken over"));
    assert_driving(rig, heir, player, apex_client_car(race_rig_client(rig, heir)));
    race_rig_tick(rig, 10 * SECOND); // the first owner does not come back
    ck_assert_uint_eq(apex_server_session_counters(race_rig_server(rig))[APEX_SESSION_RESUMED], 1);
    ck_assert_uint_eq(apex_race_status_of(apex_server_race(race_rig_server(rig))).players, 2);
    race_rig_destroy(rig);
}

TEST(after_the_grace_the_player_leaves_and_the_client_gives_up) {
    apex_race_file file = short_race(2);
    file.resume_grace_s = 2.0;
    race_rig *rig = race_of_two(&file, NULL);
    race_rig_break(rig, 0, true);
    race_rig_tick(rig, 2 * SECOND - 5);
    ck_assert_int_eq(race_rig_standing(rig, "Ada").state, APEX_STANDING_RUNNING);
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, 0)), APEX_CLIENT_RECONNECTING);
    race_rig_tick(rig, 10);
    ck_assert_int_eq(race_rig_standing(rig, "Ada").state, APEX_STANDING_DNF);
    ck_assert_ptr_null(in_roster(rig, 1, "Ada"));
    ck_assert_uint_eq(race_rig_events(rig, 1, APEX_EVENT_LEFT), 1);
    const char *text = "";
    ck_assert_int_eq(apex_client_close_reason(race_rig_client(rig, 0), &text), APEX_REASON_TIMEOUT);
    ck_assert_ptr_nonnull(strstr(text, "no way back within 2 s"));
    race_rig_destroy(rig);
}

TEST(without_a_grace_a_broken_link_is_the_end) {
    apex_race_file file = short_race(2);
    file.resume_grace_s = 0.0;
    race_rig *rig = race_of_two(&file, NULL);
    race_rig_break(rig, 0, true);
    race_rig_tick(rig, 2);
    ck_assert_int_eq(race_rig_standing(rig, "Ada").state, APEX_STANDING_DNF);
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, 0)), APEX_CLIENT_CLOSED);
    race_rig_destroy(rig);
}

TEST(a_spectator_comes_back_as_a_spectator) {
    apex_race_file file = short_race(2);
    race_rig *rig = race_of_two(&file, NULL);
    apex_client_def def = apex_default_client_def();
    def.name = "Zoe";
    def.spectate = true;
    size_t watcher = race_rig_connect(rig, &def);
    race_rig_tick(rig, SECOND);
    race_rig_break(rig, watcher, true);
    race_rig_tick(rig, SECOND);
    ck_assert_uint_eq(apex_server_session_counters(race_rig_server(rig))[APEX_SESSION_LOST], 0);
    race_rig_mend(rig, watcher);
    race_rig_tick(rig, 3 * SECOND);
    apex_client *client = race_rig_client(rig, watcher);
    ck_assert_int_eq(apex_client_state_of(client), APEX_CLIENT_SPECTATING);
    ck_assert(!apex_client_resumed(client));
    ck_assert_uint_gt(apex_client_newest(client).car_count, 1);
    race_rig_destroy(rig);
}

TEST(the_event_ends_without_those_who_are_lost) {
    apex_race_file file = short_race(2);
    file.resume_grace_s = 600.0;
    race_rig *rig = race_of_two(&file, NULL);
    race_rig_break(rig, 0, true);
    ck_assert(race_rig_until(rig, APEX_PHASE_RESULTS, 200 * SECOND));
    ck_assert_int_eq(race_rig_standing(rig, "Ada").state,
                     APEX_STANDING_FINISHED); // as she was driven
    race_rig_tick(rig, 4 * SECOND);
    ck_assert(apex_server_finished(race_rig_server(rig)));
    race_rig_destroy(rig);
}

TEST(an_operator_may_put_out_who_is_lost) {
    apex_race_file file = short_race(2);
    race_rig *rig = race_of_two(&file, NULL);
    race_rig_break(rig, 0, true);
    race_rig_tick(rig, SECOND);
    char said[4096];
    FILE *out = fmemopen(said, sizeof said, "w");
    ck_assert_ptr_nonnull(out);
    apex_server_console(race_rig_server(rig), "status", out);
    apex_server_console(race_rig_server(rig), "kick Ada", out);
    fclose(out);
    ck_assert_ptr_nonnull(strstr(said, "sessions-lost: 1\n"));
    ck_assert_ptr_nonnull(strstr(said, "lost; the server drives\n"));
    ck_assert_ptr_nonnull(strstr(said, "Ada is out\n"));
    race_rig_tick(rig, 3);
    ck_assert_int_eq(race_rig_standing(rig, "Ada").state, APEX_STANDING_DNF);
    ck_assert_int_eq(race_rig_standing(rig, "Ada").left_why, APEX_LEAVE_KICKED);
    race_rig_mend(rig, 0);
    race_rig_tick(rig, 3 * SECOND); // her token is no longer good, and this race takes her as new
    ck_assert(!apex_client_resumed(race_rig_client(rig, 0)));
    ck_assert_uint_eq(
        apex_server_session_counters(race_rig_server(rig))[APEX_SESSION_REFUSED_TOKEN], 1);
    race_rig_destroy(rig);
}
