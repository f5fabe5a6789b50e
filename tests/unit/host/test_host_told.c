// Tests that the order is told with the laps and sectors that are on disk, and no others, to
// whoever it is told.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "host/figures/figures.h"
#include "host/news/told_order.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { SECOND = 60, BOTS = 3, LAP_S_MAX = 60 };

static char folder[CHECK_PATH_BYTES];
static race_rig *rig;
static size_t watcher;

static void start(void) {
    check_make_folder(folder, "told");
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    snprintf(file.results_dir, sizeof file.results_dir, "%s", folder);
    file.race.laps = 5;
    file.race.countdown_s = 1.0;
    file.bots = file.race.start_players = BOTS;
    rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    apex_client_def def = apex_default_client_def();
    def.spectate = def.standings = def.sectors = true;
    watcher = race_rig_connect(rig, &def);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 40 * SECOND));
    race_rig_tick(rig, 2 * SECOND);
}

static void stop(void) {
    race_rig_destroy(rig);
}

FIXTURE(start, stop)

static uint32_t laps_made(void) {
    apex_standing lines[2 * BOTS];
    uint32_t laps = 0;
    size_t count = apex_race_standings(apex_server_race(race_rig_server(rig)), lines, 2 * BOTS);
    for (size_t i = 0; i < count; i++) {
        laps += lines[i].laps;
    }
    return laps;
}

static uint32_t laps_of_the_figures(void) {
    size_t count = 0;
    const apex_standing *lines = host_told_lines(race_rig_server(rig), &count);
    uint32_t laps = 0;
    for (size_t i = 0; i < count; i++) {
        laps += lines[i].laps;
        ck_assert(lines[i].laps > 0 || lines[i].best_lap_us == 0);
    }
    ck_assert_uint_eq(count, BOTS);
    return laps;
}

static uint32_t laps_of_the_wire(void) {
    const apex_standings *standings = apex_client_standings(race_rig_client(rig, watcher));
    ck_assert_ptr_nonnull(standings);
    uint32_t laps = 0;
    for (uint32_t i = 0; i < standings->line_count; i++) {
        laps += standings->lines[i].laps;
    }
    return laps;
}

static bool console_tells_a_lap(void) {
    static char text[8192];
    FILE *out = fmemopen(text, sizeof text, "w");
    ck_assert_ptr_nonnull(out);
    apex_server_console(race_rig_server(rig), "status", out);
    fclose(out);
    ck_assert_ptr_nonnull(strstr(text, "laps "));
    return strstr(text, "laps 1") != NULL;
}

static void until_laps(uint32_t laps) {
    for (uint32_t tick = 0; laps_made() < laps; tick++) {
        ck_assert_uint_lt(tick, LAP_S_MAX * SECOND);
        race_rig_tick(rig, 1);
    }
}

TEST(a_lap_is_told_to_nobody_before_the_disk_has_it) {
    race_rig_hold_disk(rig, true);
    until_laps(BOTS);
    race_rig_tick(rig, 2 * SECOND);
    ck_assert_uint_eq(race_rig_events(rig, watcher, APEX_EVENT_LAP), 0);
    ck_assert_uint_eq(laps_of_the_wire(), 0);
    ck_assert_uint_eq(laps_of_the_figures(), 0);
    ck_assert(!console_tells_a_lap());
    const apex_standings *standings = apex_client_standings(race_rig_client(rig, watcher));
    for (uint32_t i = 0; i < standings->sector_count; i++) {
        ck_assert_uint_eq(standings->best_sector_us[i], 0);
    }
    race_rig_hold_disk(rig, false);
    race_rig_tick(rig, 2 * SECOND);
    ck_assert_uint_ge(laps_of_the_wire(), BOTS);
    ck_assert_uint_ge(laps_of_the_figures(), BOTS);
    ck_assert(console_tells_a_lap());
}

TEST(with_a_disk_that_works_it_is_told_at_once) {
    until_laps(1);
    race_rig_tick(rig, 2);
    ck_assert_uint_eq(laps_of_the_figures(), laps_made());
}

// One copy waits at a time, and of what came meanwhile nothing is told.
TEST(an_order_is_told_once_its_record_is_there) {
    const apex_race *race = apex_server_race(race_rig_server(rig));
    host_told_order order;
    ck_assert(host_told_order_create(&order, race, false));
    host_told_order_follow(&order, race, 7, 7, true);
    ck_assert_uint_eq(order.told.count, BOTS);
    uint32_t tick = order.told.tick;
    race_rig_tick(rig, 1);
    host_told_order_follow(&order, race, 8, 7, true);
    race_rig_tick(rig, 1);
    host_told_order_follow(&order, race, 9, 7, true);
    ck_assert_uint_eq(order.told.tick, tick);
    host_told_order_follow(&order, race, 9, 8, false);
    ck_assert_uint_eq(order.told.tick, tick + 1);
    ck_assert_uint_eq(order.told.record, 8);
    host_told_order_follow(&order, race, 9, 9, true);
    ck_assert_uint_eq(order.told.tick, tick + 2);
    host_told_order_destroy(&order);
}
