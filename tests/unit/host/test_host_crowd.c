// Tests of what a crowd is spared: everybody is not told at once of everybody else.
#include <stdio.h>

#include "api/api.h"
#include "base/log.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { CROWD = 140, FEW = 20 };

static race_rig *lobby_of(uint32_t clients) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.race.player_capacity = CROWD + 10;
    file.race.start_players = 0; // by command
    file.race.countdown_s = 1.0;
    file.clients_max = CROWD + 10;
    file.clients_per_address_max = CROWD + 10;
    race_rig *rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    for (uint32_t i = 0; i < clients; i++) {
        char name[APEX_WIRE_NAME_BYTES];
        snprintf(name, sizeof name, "driver %u", i);
        apex_client_def def = apex_default_client_def();
        def.name = name;
        race_rig_connect(rig, &def);
    }
    race_rig_tick(rig, 30);
    return rig;
}

static size_t roster_of(race_rig *rig, size_t client) {
    size_t count = 0;
    apex_client_roster(race_rig_client(rig, client), &count);
    return count;
}

TEST(a_few_hear_everything) {
    race_rig *rig = lobby_of(FEW);
    uint32_t left = race_rig_events(rig, 0, APEX_EVENT_LEFT);
    apex_client_leave(race_rig_client(rig, 5));
    apex_client_leave(race_rig_client(rig, 6));
    race_rig_tick(rig, 8);
    ck_assert_uint_eq(race_rig_events(rig, 0, APEX_EVENT_LEFT), left + 2);
    ck_assert_uint_eq(roster_of(rig, 0), FEW - 2);
    race_rig_destroy(rig);
}

TEST(a_crowd_hears_of_others_by_the_roster) {
    race_rig *rig = lobby_of(CROWD);
    for (size_t client = 0; client < CROWD; client++) {
        ck_assert_uint_eq(roster_of(rig, client), CROWD);
        ck_assert_uint_eq(race_rig_events(rig, client, APEX_EVENT_LEFT), 0);
    }
    apex_client_leave(race_rig_client(rig, 5));
    apex_client_leave(race_rig_client(rig, 6));
    race_rig_tick(rig, 10); // within the half second a crowd may wait
    ck_assert_uint_eq(race_rig_events(rig, 0, APEX_EVENT_LEFT), 0);
    ck_assert_uint_eq(roster_of(rig, 0), CROWD - 2);
    // A player who comes now hears of himself; the others know him all the same.
    apex_client_def def = apex_default_client_def();
    def.name = "late";
    size_t late = race_rig_connect(rig, &def);
    race_rig_tick(rig, 10);
    ck_assert_uint_eq(race_rig_events(rig, late, APEX_EVENT_JOINED), 1);
    ck_assert_uint_eq(race_rig_events(rig, 0, APEX_EVENT_JOINED), 1);
    ck_assert_uint_eq(roster_of(rig, 0), CROWD - 1);
    ck_assert_uint_eq(roster_of(rig, late), CROWD - 1);
    race_rig_destroy(rig);
}

// A race begins for all of them at once.
TEST(a_crowd_hears_what_concerns_all) {
    race_rig *rig = lobby_of(CROWD);
    apex_server_console(race_rig_server(rig), "start", stdout);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 600));
    race_rig_tick(rig, 5);
    for (size_t client = 0; client < CROWD; client++) {
        ck_assert_uint_ge(race_rig_events(rig, client, APEX_EVENT_PHASE), 3);
        ck_assert_uint_ge(race_rig_events(rig, client, APEX_EVENT_LIGHTS), 2);
    }
    race_rig_destroy(rig);
}

// Once a second each, and never all in one tick.
TEST(a_crowd_hears_of_the_race_in_turn) {
    race_rig *rig = lobby_of(CROWD);
    uint64_t time_us[CROWD] = {0};
    uint32_t heard[CROWD] = {0}, most = 0;
    apex_server_console(race_rig_server(rig), "start", stdout);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 600));
    race_rig_tick(rig, 70); // for what the phases told, and the first second
    for (uint32_t tick = 0; tick < 121; tick++) {
        uint32_t together = 0;
        for (size_t client = 0; client < CROWD; client++) {
            uint64_t now_us =
                (uint64_t)apex_client_race_state(race_rig_client(rig, client))->race_time_us;
            bool is_news = tick > 0 && now_us != time_us[client];
            heard[client] += is_news;
            together += is_news;
            time_us[client] = now_us;
        }
        most = together > most ? together : most;
        race_rig_tick(rig, 1);
    }
    for (size_t client = 0; client < CROWD; client++) {
        ck_assert_uint_eq(heard[client], 2);
    }
    ck_assert_uint_le(most, CROWD / 10);
    race_rig_destroy(rig);
}
