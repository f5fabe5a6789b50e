// Tests of a driver who touches nothing: he is warned, leaves the race and watches, on the link
// that he has.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "playback/playback.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"
#include "support/host/shared_content.h"

enum { SECOND = 60 };

static apex_race_file idle_race(void) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.race.laps = 9;
    file.race.races = 1;
    file.race.start_players = 2;
    file.race.player_capacity = 4;
    file.race.countdown_s = 1.0;
    file.race.idle_s = 20.0;
    return file;
}

static size_t add_driver(race_rig *rig, const char *name) {
    apex_client_def def = apex_default_client_def();
    def.name = name;
    def.want_defs = true;
    def.predict = true;
    def.show = true;
    def.reconnect = true;
    def.tracks = client_plans_tracks(shared_content_plans()); // laid once for both
    return race_rig_connect(rig, &def);
}

// Ada drives, Bob has gone for a coffee.
static race_rig *race_of_two(const apex_race_file *file, const char *record_path) {
    race_rig *rig = race_rig_create(file, 0, record_path);
    ck_assert_ptr_nonnull(rig);
    race_rig_pilot(rig, add_driver(rig, "Ada"));
    add_driver(rig, "Bob");
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 10 * SECOND));
    return rig;
}

// The newest line for the person at a client's screen in that time; empty if there was none.
static const char *notice_within(race_rig *rig, size_t client, uint32_t ticks) {
    static char text[APEX_WIRE_TEXT_BYTES];
    text[0] = '\0';
    for (uint32_t i = 0; i < ticks; i++) {
        race_rig_tick(rig, 1);
        size_t count = 0;
        const char *const *notices = apex_client_notices(race_rig_client(rig, client), &count);
        if (count > 0) {
            snprintf(text, sizeof text, "%s", notices[count - 1]);
        }
    }
    return text;
}

TEST(who_does_not_drive_watches) {
    apex_race_file file = idle_race();
    race_rig *rig = race_of_two(&file, NULL);
    const apex_client *bob = race_rig_client(rig, 1);
    ck_assert_str_eq(notice_within(rig, 1, 9 * SECOND), "");
    ck_assert_uint_eq(race_rig_events(rig, 1, APEX_EVENT_IDLE), 0);
    ck_assert_ptr_nonnull(strstr(notice_within(rig, 1, 2 * SECOND), "within 10 s"));
    ck_assert_uint_eq(race_rig_events(rig, 1, APEX_EVENT_IDLE), 1);
    ck_assert_int_eq(apex_client_state_of(bob), APEX_CLIENT_DRIVING);
    ck_assert_ptr_nonnull(strstr(notice_within(rig, 1, 10 * SECOND), "you watch now"));
    ck_assert_int_eq(apex_client_state_of(bob), APEX_CLIENT_SPECTATING);
    ck_assert_uint_eq(apex_client_player(bob), 0);
    ck_assert_uint_eq(apex_client_car(bob), 0);
    ck_assert(apex_client_demoted(bob) && !apex_client_demoted(race_rig_client(rig, 0)));
    apex_standing line = race_rig_standing(rig, "Bob");
    ck_assert(!line.present);
    ck_assert_int_eq(line.state, APEX_STANDING_DNF);
    ck_assert_int_eq(line.left_why, APEX_LEAVE_IDLE);
    ck_assert_int_eq(apex_race_status_of(apex_server_race(race_rig_server(rig))).players, 1);
    // He sees Ada drive, and his link is in nobody's way.
    race_rig_tick(rig, 10 * SECOND);
    apex_client_view view = apex_client_newest(bob);
    ck_assert_uint_eq(view.car_count, 1);
    ck_assert_ptr_null(view.own);
    apex_client_pose shown[4];
    apex_client *watcher = race_rig_client(rig, 1);
    ck_assert_uint_eq(apex_client_shown(watcher, race_rig_now_us(rig), shown, 4), 1);
    ck_assert(!shown[0].stale);
    apex_client_pose own;
    ck_assert(!apex_client_predicted(watcher, race_rig_now_us(rig), &own));
    const uint64_t *sessions = apex_server_session_counters(race_rig_server(rig));
    ck_assert_uint_eq(sessions[APEX_SESSION_CLOSED], 0);
    ck_assert_uint_eq(apex_client_stats_of(bob).undecodable, 0);
    ck_assert_int_eq(apex_client_last_reject(bob, NULL), APEX_REASON_NONE);
    race_rig_destroy(rig);
}

// Controls that were under way are passed over without a word; nobody is struck off for them.
TEST(controls_that_come_late_are_passed_over) {
    apex_race_file file = idle_race();
    file.clients_max = 8;
    race_rig *rig = race_of_two(&file, NULL);
    const apex_client *bob = race_rig_client(rig, 1);
    for (int i = 0; apex_client_state_of(bob) == APEX_CLIENT_DRIVING; i++) {
        ck_assert_int_lt(i, 25 * SECOND);
        race_rig_tick(rig, 1);
    }
    apex_control_sample sample = {.throttle = 255, .gear = 1};
    for (int i = 0; i < SECOND; i++) {
        apex_client_message late = {.kind = APEX_CLIENT_CONTROLS};
        uint32_t tick = (uint32_t)apex_race_status_of(apex_server_race(race_rig_server(rig))).tick;
        late.controls.first_tick = tick + 2;
        late.controls.sample_count = 1;
        late.controls.samples[0] = sample;
        uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
        size_t length = apex_encode_client(&late, bytes, sizeof bytes);
        ck_assert_uint_gt(length, 0);
        race_rig_inject(rig, 1, (uint8_t)apex_client_message_channel(late.kind), bytes, length);
        race_rig_tick(rig, 1);
    }
    ck_assert_int_eq(apex_client_state_of(bob), APEX_CLIENT_SPECTATING);
    ck_assert_int_eq(apex_client_last_reject(bob, NULL), APEX_REASON_NONE);
    ck_assert_uint_eq(
        apex_server_session_counters(race_rig_server(rig))[APEX_SESSION_CLOSED_STRIKES], 0);
    race_rig_destroy(rig);
}

// In whichever tick his link breaks: also in the one in which he is told, and whether the server
// sees it end or he comes back over another before it does.
TEST(a_link_may_break_while_its_driver_is_demoted) {
    apex_race_file file = idle_race();
    race_rig *rig = race_of_two(&file, NULL);
    int demoted = 0;
    while (apex_client_state_of(race_rig_client(rig, 1)) == APEX_CLIENT_DRIVING) {
        ck_assert_int_lt(demoted, 25 * SECOND);
        race_rig_tick(rig, 1);
        demoted++;
    }
    race_rig_destroy(rig);
    for (int i = 0; i < 4; i++) {
        rig = race_of_two(&file, NULL);
        race_rig_tick(rig, (uint32_t)(demoted - i / 2 - 1));
        race_rig_break(rig, 1, i % 2 == 0);
        race_rig_mend(rig, 1);
        race_rig_tick(rig, 2 * SECOND);
        const apex_client *bob = race_rig_client(rig, 1);
        bool drives = apex_client_state_of(bob) == APEX_CLIENT_DRIVING;
        uint32_t players = apex_race_status_of(apex_server_race(race_rig_server(rig))).players;
        ck_assert(race_rig_standing(rig, "Ada").present);
        ck_assert_uint_eq(players, drives ? 2 : 1);
        race_rig_destroy(rig);
    }
}

// His place is not kept: he comes back as a spectator, and the next one has his car.
TEST(whoever_watches_comes_back_as_such) {
    apex_race_file file = idle_race();
    race_rig *rig = race_of_two(&file, NULL);
    race_rig_tick(rig, 22 * SECOND);
    ck_assert(apex_client_demoted(race_rig_client(rig, 1)));
    race_rig_break(rig, 1, true);
    race_rig_tick(rig, SECOND);
    ck_assert_uint_eq(apex_server_session_counters(race_rig_server(rig))[APEX_SESSION_LOST], 0);
    race_rig_mend(rig, 1);
    race_rig_tick(rig, 5 * SECOND);
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, 1)), APEX_CLIENT_SPECTATING);
    ck_assert_uint_eq(apex_client_player(race_rig_client(rig, 1)), 0);
    size_t again = add_driver(rig, "Bob");
    race_rig_tick(rig, 3 * SECOND);
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, again)), APEX_CLIENT_DRIVING);
    ck_assert_int_eq(apex_race_status_of(apex_server_race(race_rig_server(rig))).players, 2);
    race_rig_destroy(rig);
}

TEST(who_is_lost_is_not_idle) {
    apex_race_file file = idle_race();
    race_rig *rig = race_of_two(&file, NULL);
    race_rig_break(rig, 1, true);
    race_rig_tick(rig, 25 * SECOND); // the server drives
    ck_assert(race_rig_standing(rig, "Bob").present);
    ck_assert_uint_eq(race_rig_events(rig, 0, APEX_EVENT_IDLE), 0);
    race_rig_destroy(rig);
}

TEST(where_nobody_has_to_drive_nobody_is_put_out) {
    apex_race_file file = idle_race();
    file.race.idle_s = 0.0;
    race_rig *rig = race_of_two(&file, NULL);
    race_rig_tick(rig, (check_is_whole() ? 60 : 25) * SECOND); // 20 s are what others may idle
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, 1)), APEX_CLIENT_DRIVING);
    ck_assert_uint_eq(race_rig_standing(rig, "Bob").resets, 0);
    race_rig_destroy(rig);
}

TEST(a_recording_shows_the_same) {
    char folder[CHECK_PATH_BYTES];
    char path[CHECK_PATH_BYTES + 16];
    check_make_folder(folder, "demote");
    snprintf(path, sizeof path, "%s/race.apexr", folder);
    apex_race_file file = idle_race();
    race_rig *rig = race_of_two(&file, path);
    race_rig_tick(rig, (check_is_whole() ? 30 : 23) * SECOND);
    ck_assert(apex_client_demoted(race_rig_client(rig, 1)));
    race_rig_destroy(rig);
    ck_assert_int_eq(apex_replay_verify(path, 0, stderr), APEX_OK);
}
