// Tests of the telemetry that each viewer is sent: a driver's own car, a spectator's focus, and
// nothing else.
#include "support/base/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client-lite/client_internal.h"
#include "replicate/replicate.h"
#include "support/host/race_rig.h"

enum { SECOND = 60, BOTS = 11, HZ = 20 };

static race_rig *rig;
static size_t watcher, driver;

static void begin(void) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.bots = BOTS;
    file.race.laps = 50;
    file.race.countdown_s = 1.0;
    file.race.start_players = BOTS + 1;
    file.race.player_capacity = BOTS + 1;
    rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    apex_client_def def = apex_default_client_def();
    def.name = "ada";
    def.want_defs = true;
    def.telemetry_hz = HZ;
    driver = race_rig_connect(rig, &def);
    race_rig_pilot(rig, driver);
    def = apex_default_client_def();
    def.spectate = true;
    def.telemetry_hz = HZ;
    watcher = race_rig_connect(rig, &def);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 20 * SECOND));
    race_rig_tick(rig, 5 * SECOND);
}

static void finish(void) {
    race_rig_destroy(rig);
}

static apex_client *watching(void) {
    return race_rig_client(rig, watcher);
}

static uint32_t car_of(const char *name) {
    size_t count;
    const apex_roster_entry *roster = apex_client_roster(watching(), &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(roster[i].name, name) == 0) {
            return roster[i].car;
        }
    }
    ck_abort_msg("there is no %s", name);
    return 0;
}

// Runs, and holds that what comes is of this car only.
// @return the number that came.
static uint32_t count_of(size_t client, uint32_t car, uint32_t ticks) {
    const apex_telemetry *held = apex_client_telemetry(race_rig_client(rig, client));
    uint32_t count = 0, newest = held != NULL ? held->tick : 0;
    for (uint32_t i = 0; i < ticks; i++) {
        race_rig_tick(rig, 1);
        const apex_telemetry *telemetry = apex_client_telemetry(race_rig_client(rig, client));
        if (telemetry != NULL && telemetry->tick != newest) {
            ck_assert_uint_eq(telemetry->car, car);
            newest = telemetry->tick;
            count++;
        }
    }
    return count;
}

// The client passes over what is not of its focus; this looks whether anything comes at all.
static bool hears_of(uint32_t car) {
    client_session *session = client_session_of(watching());
    uint32_t focus = session->focus_car;
    session->focus_car = session->focus_told = car;
    session->knowledge.has_telemetry = false;
    race_rig_tick(rig, SECOND);
    session->focus_car = session->focus_told = focus;
    return session->knowledge.has_telemetry;
}

FIXTURE(begin, finish)

TEST(who_watches_is_told_of_the_car_it_looks_at) {
    uint32_t first = car_of("Bot 1"), second = car_of("Bot 3");
    ck_assert(!hears_of(first) && !hears_of(car_of("ada"))); // it has asked for a rate, but no car
    apex_client_focus(watching(), first);
    race_rig_tick(rig, SECOND / 2);
    ck_assert_uint_eq(count_of(watcher, first, 5 * SECOND), 5 * HZ);
    ck_assert(!hears_of(second));
    const apex_race *race = apex_server_race(race_rig_server(rig));
    apex_client_focus(watching(), second);
    ck_assert_ptr_null(apex_client_telemetry(watching())); // the last one was of another car
    race_rig_tick(rig, SECOND / 2);
    const apex_telemetry *telemetry = apex_client_telemetry(watching());
    ck_assert_ptr_nonnull(telemetry);
    ck_assert_uint_eq(telemetry->wheel_count, 4);
    apex_player_id player;
    apex_standing standing;
    ck_assert(apex_race_player_of_car(race, apex_car_of_wire_id(second), &player));
    ck_assert(apex_race_player_standing(race, player, &standing));
    ck_assert_str_eq(standing.name, "Bot 3");
    ck_assert_double_eq_tol(telemetry->lap_m, standing.lap_m, 15.0);
    ck_assert_double_gt(telemetry->speed_mps, 5.0);
    apex_client_focus(watching(), 0);
    race_rig_tick(rig, SECOND / 2);
    ck_assert(!hears_of(first) && !hears_of(second));
}

TEST(of_a_car_that_there_is_not_nothing_comes) {
    uint32_t odd[] = {UINT32_MAX,
                      1,
                      0xffff,
                      0x10000,
                      BOTS + 2,
                      car_of("Bot 1") + (2u << 16),
                      car_of("Bot 1") - (1u << 16)};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        apex_client_focus(watching(), odd[i]);
        race_rig_tick(rig, SECOND);
        ck_assert_ptr_null(apex_client_telemetry(watching()));
        ck_assert_int_eq(apex_client_state_of(watching()), APEX_CLIENT_SPECTATING);
    }
    uint32_t car = car_of("ada");
    apex_client_focus(watching(), car);
    race_rig_tick(rig, SECOND);
    ck_assert_ptr_nonnull(apex_client_telemetry(watching()));
    apex_client_leave(race_rig_client(rig, driver));
    race_rig_tick(rig, SECOND);
    ck_assert(!hears_of(car));
}

TEST(who_drives_is_told_of_no_other_car) {
    uint32_t own = apex_client_car(race_rig_client(rig, driver));
    ck_assert_uint_eq(count_of(driver, own, 5 * SECOND), 5 * HZ);
    apex_client_message message = {.kind = APEX_CLIENT_SUBSCRIBE};
    message.subscribe =
        (apex_subscribe){.snapshot_hz = 20, .telemetry_hz = 60, .focus_car = car_of("Bot 2")};
    uint8_t bytes[64];
    size_t length = apex_encode_client(&message, bytes, sizeof bytes);
    race_rig_inject(rig, driver, APEX_CHANNEL_RELIABLE, bytes, length);
    race_rig_tick(rig, 2);
    ck_assert_uint_eq(count_of(driver, own, 2 * SECOND), 2 * SECOND);
}

// More cars than a tick remembers what it told of.
TEST(many_look_at_many_cars) {
    enum { WATCHERS = 40, CARS = BOTS + 1 };
    size_t watchers[WATCHERS];
    uint32_t cars[CARS];
    for (uint32_t i = 0; i < CARS; i++) {
        char name[APEX_WIRE_NAME_BYTES];
        snprintf(name, sizeof name, "Bot %u", i + 1);
        cars[i] = car_of(i < BOTS ? name : "ada");
    }
    for (size_t i = 0; i < WATCHERS; i++) {
        apex_client_def def = apex_default_client_def();
        def.spectate = true;
        def.telemetry_hz = 60;
        watchers[i] = race_rig_connect(rig, &def);
        apex_client_focus(race_rig_client(rig, watchers[i]), cars[i * 7 % CARS]);
    }
    race_rig_tick(rig, 2 * SECOND);
    const apex_telemetry *of_car[CARS] = {NULL};
    for (size_t i = 0; i < WATCHERS; i++) {
        const apex_telemetry *telemetry = apex_client_telemetry(race_rig_client(rig, watchers[i]));
        ck_assert_ptr_nonnull(telemetry);
        ck_assert_uint_eq(telemetry->car, cars[i * 7 % CARS]);
        const apex_telemetry **same = &of_car[i * 7 % CARS];
        if (*same != NULL) {
            ck_assert_uint_eq((*same)->tick, telemetry->tick);
            ck_assert_double_eq((*same)->speed_mps, telemetry->speed_mps);
            ck_assert_double_eq((*same)->wheels[3].load_n, telemetry->wheels[3].load_n);
        }
        *same = telemetry;
    }
}

TEST(a_recording_is_played_by_none_that_is_driven) {
    apex_client_play(watching(), &(apex_playback_wish){.play = APEX_PLAY_PAUSE});
    race_rig_tick(rig, SECOND);
    const char *text;
    ck_assert_int_eq(apex_client_last_reject(watching(), &text), APEX_REASON_OUT_OF_ORDER);
    ck_assert_ptr_nonnull(strstr(text, "recording"));
    ck_assert_int_eq(apex_client_state_of(watching()), APEX_CLIENT_SPECTATING);
    ck_assert_ptr_null(apex_client_playback(watching()));
}
