// An event has the names that it needs, and a viewer who comes late hears what happened.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "api/api.h"
#include "base/log.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { SECOND = 60, CROWD = 140, HEARD_MAX = 512 };

/// The events that a client was told, tick by tick.
typedef struct heard {
    uint32_t count, past;
    apex_race_event_message events[HEARD_MAX]; ///< the past ones, then the others
} heard;

static heard told;

static void listen(race_rig *rig, size_t client, uint32_t ticks) {
    for (uint32_t i = 0; i < ticks; i++) {
        race_rig_tick(rig, 1);
        size_t past = 0, now = 0;
        const apex_race_event_message *before =
            apex_client_past_events(race_rig_client(rig, client), &past);
        const apex_race_event_message *events =
            apex_client_events(race_rig_client(rig, client), &now);
        ck_assert_uint_le(told.count + past + now, HEARD_MAX);
        for (size_t k = 0; k < past; k++) {
            told.events[told.count++] = before[k];
        }
        told.past += (uint32_t)past;
        for (size_t k = 0; k < now; k++) {
            told.events[told.count++] = events[k];
        }
    }
}

static void forget(void) {
    told.count = told.past = 0;
}

static uint32_t count_of(apex_race_event_kind kind, const char *name) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < told.count; i++) {
        bool is_it = told.events[i].kind == (uint32_t)kind;
        count += is_it && strcmp(told.events[i].name, name) == 0;
    }
    return count;
}

static race_rig *lobby(const char *results_dir, uint32_t bots) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    snprintf(file.results_dir, sizeof file.results_dir, "%s", results_dir);
    file.race.player_capacity = CROWD + 10;
    file.race.start_players = 0; // by command
    file.race.countdown_s = 1.0;
    file.race.race_s_max = 2.0;
    file.clients_max = CROWD + 20;
    file.clients_per_address_max = CROWD + 20;
    file.bots = bots;
    race_rig *rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    return rig;
}

static size_t add_client(race_rig *rig, const char *name, bool spectates) {
    apex_client_def def = apex_default_client_def();
    def.name = name;
    def.spectate = spectates;
    def.reconnect = true;
    return race_rig_connect(rig, &def);
}

static void console(race_rig *rig, const char *line) {
    FILE *out = fopen("/dev/null", "w");
    ck_assert_ptr_nonnull(out);
    apex_server_console(race_rig_server(rig), line, out);
    fclose(out);
}

// By the time that it is told the player may be gone, and his slot another's.
TEST(an_event_names_who_has_left_by_then) {
    race_rig *rig = lobby("", 1);
    size_t viewer = add_client(rig, "viewer", true);
    listen(rig, viewer, 5);
    forget();
    size_t ada = add_client(rig, "Ada", false);
    listen(rig, viewer, 10);
    ck_assert_uint_eq(count_of(APEX_EVENT_JOINED, "Ada"), 1);
    apex_client_leave(race_rig_client(rig, ada));
    add_client(rig, "Bob", false); // comes into Ada's slot, in the same tick
    listen(rig, viewer, 10);
    ck_assert_uint_eq(count_of(APEX_EVENT_LEFT, "Ada"), 1);
    ck_assert_uint_eq(count_of(APEX_EVENT_JOINED, "Bob"), 1);
    console(rig, "kick Bot 1");
    listen(rig, viewer, 10);
    ck_assert_uint_eq(count_of(APEX_EVENT_LEFT, "Bot 1"), 1);
    console(rig, "start");
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 5 * SECOND));
    console(rig, "kick Bob"); // in the race he is out, too
    listen(rig, viewer, 10);
    ck_assert_uint_eq(count_of(APEX_EVENT_DNF, "Bob"), 1);
    ck_assert_uint_eq(count_of(APEX_EVENT_LEFT, "Bob"), 1);
    race_rig_destroy(rig);
}

TEST(who_comes_late_hears_the_last_fifty_in_order) {
    enum { GUESTS = 30 };
    race_rig *rig = lobby("", 0);
    for (uint32_t i = 0; i < GUESTS; i++) {
        char name[APEX_WIRE_NAME_BYTES];
        snprintf(name, sizeof name, "guest %u", i);
        size_t guest = add_client(rig, name, false);
        race_rig_tick(rig, 3);
        apex_client_leave(race_rig_client(rig, guest));
        race_rig_tick(rig, 3);
    }
    forget();
    size_t late = add_client(rig, "late", false);
    listen(rig, late, SECOND);
    // Each guest joined and left; and then he himself joins, which is not past.
    ck_assert_uint_eq(told.past, APEX_PAST_EVENTS_MAX);
    ck_assert_uint_eq(told.count, APEX_PAST_EVENTS_MAX + 1);
    for (uint32_t i = 0; i < APEX_PAST_EVENTS_MAX; i++) {
        char name[APEX_WIRE_NAME_BYTES];
        uint32_t nth = 2 * GUESTS - APEX_PAST_EVENTS_MAX + i;
        snprintf(name, sizeof name, "guest %u", nth / 2);
        ck_assert_str_eq(told.events[i].name, name);
        ck_assert_uint_eq(told.events[i].kind,
                          (uint32_t)(nth % 2 == 0 ? APEX_EVENT_JOINED : APEX_EVENT_LEFT));
        ck_assert(i == 0 || told.events[i].tick >= told.events[i - 1].tick);
    }
    ck_assert_str_eq(told.events[APEX_PAST_EVENTS_MAX].name, "late");
    race_rig_destroy(rig);
}

TEST(lights_and_laps_are_not_worth_it) {
    race_rig *rig = lobby("", 2);
    size_t early = add_client(rig, "early", true);
    race_rig_tick(rig, 5);
    console(rig, "start");
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 5 * SECOND));
    race_rig_tick(rig, 5);
    ck_assert_uint_ge(race_rig_events(rig, early, APEX_EVENT_LIGHTS), 2);
    forget();
    size_t late = add_client(rig, "late", true);
    listen(rig, late, 5);
    const apex_race_event_kind kinds[] = {APEX_EVENT_JOINED, APEX_EVENT_JOINED, APEX_EVENT_PHASE,
                                          APEX_EVENT_PHASE, APEX_EVENT_PHASE};
    const int64_t values[] = {0, 0, APEX_PHASE_GRID, APEX_PHASE_COUNTDOWN, APEX_PHASE_RACE};
    ck_assert_uint_eq(told.past, 5);
    for (uint32_t i = 0; i < 5; i++) {
        ck_assert_uint_eq(told.events[i].kind, (uint32_t)kinds[i]);
        ck_assert_int_eq(told.events[i].value, values[i]);
    }
    ck_assert_str_eq(told.events[0].name, "Bot 1"); // he came before the first tick
    race_rig_destroy(rig);
}

// Stored, then told: that holds for late viewers as well. Events behind results that the disk
// does not take have not been told to anybody.
TEST(what_is_not_told_yet_is_not_past) {
    char folder[CHECK_PATH_BYTES];
    check_make_folder(folder, "past");
    race_rig *rig = lobby(folder, 0);
    add_client(rig, "Ada", false);
    race_rig_tick(rig, 5);
    console(rig, "start");
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 5 * SECOND));
    check_remove_folder(folder);
    apex_log_set_level((apex_log_level)(APEX_LOG_ERROR + 1)); // it will complain
    ck_assert(race_rig_until(rig, APEX_PHASE_RESULTS, 5 * SECOND));
    add_client(rig, "Bob", false);
    race_rig_tick(rig, 10);
    forget();
    size_t early = add_client(rig, "early", true);
    listen(rig, early, 10);
    uint32_t before = told.past;
    ck_assert_uint_eq(count_of(APEX_EVENT_DNF, "Ada"), 1);
    ck_assert_uint_eq(count_of(APEX_EVENT_JOINED, "Bob"), 0);
    ck_assert_int_eq(mkdir(folder, 0755), 0);
    listen(rig, early, 10);
    ck_assert_uint_eq(told.past, before);
    ck_assert_uint_eq(count_of(APEX_EVENT_JOINED, "Bob"), 1); // now, and as something new
    forget();
    size_t late = add_client(rig, "late", true);
    listen(rig, late, 10);
    ck_assert_uint_eq(told.past, before + 1);
    ck_assert_uint_eq(count_of(APEX_EVENT_JOINED, "Bob"), 1);
    race_rig_destroy(rig);
}

TEST(who_comes_back_hears_what_he_missed_and_nothing_twice) {
    race_rig *rig = lobby("", 2);
    add_client(rig, "before", false);
    race_rig_tick(rig, 5);
    forget();
    size_t ada = add_client(rig, "Ada", false);
    listen(rig, ada, 10);
    ck_assert_uint_eq(told.past, 3);
    race_rig_break(rig, ada, true);
    listen(rig, ada, 10);
    add_client(rig, "missed", false);
    listen(rig, ada, 10);
    ck_assert_uint_eq(count_of(APEX_EVENT_JOINED, "missed"), 0);
    race_rig_mend(rig, ada);
    listen(rig, ada, 5 * SECOND);
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, ada)), APEX_CLIENT_DRIVING);
    add_client(rig, "after", false);
    listen(rig, ada, 10);
    const char *const names[] = {"Bot 1", "Bot 2", "before", "Ada", "missed", "after"};
    ck_assert_uint_eq(told.count, 6);
    ck_assert_uint_eq(told.past, 4);
    for (uint32_t i = 0; i < 6; i++) {
        ck_assert_str_eq(told.events[i].name, names[i]);
    }
    race_rig_destroy(rig);
}

// Events that a crowd was not told of somebody else are not told to newcomers either.
TEST(a_crowds_small_talk_is_not_past) {
    race_rig *rig = lobby("", 0);
    for (uint32_t i = 0; i < CROWD; i++) {
        char name[APEX_WIRE_NAME_BYTES];
        snprintf(name, sizeof name, "driver %u", i);
        add_client(rig, name, false);
        race_rig_tick(rig, 1);
    }
    race_rig_tick(rig, 10);
    add_client(rig, "small talk", false);
    race_rig_tick(rig, 10);
    console(rig, "start");
    ck_assert(race_rig_until(rig, APEX_PHASE_COUNTDOWN, 5 * SECOND));
    forget();
    size_t late = add_client(rig, "late", true);
    listen(rig, late, 10);
    ck_assert_uint_eq(told.past, APEX_PAST_EVENTS_MAX);
    ck_assert_uint_eq(count_of(APEX_EVENT_JOINED, "small talk"), 0);
    ck_assert_uint_eq(count_of(APEX_EVENT_JOINED, "driver 100"), 1);
    ck_assert_uint_eq(told.events[told.past - 1].kind, APEX_EVENT_PHASE);
    race_rig_destroy(rig);
}
