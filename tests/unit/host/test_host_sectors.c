// Times of sectors in the standings: to clients that have asked, as the race has them; others pay
// nothing.
#include "support/base/check_main.h"

#include <stdio.h>
#include <string.h>

#include "replicate/replicate.h"
#include "support/host/race_rig.h"

enum { SECOND = 60, BOTS = 4, SECTORS = 3, KEPT = 8 };

static race_rig *rig;
static size_t curious, modest;

// The race's times after each of the last ticks.
typedef struct moment {
    uint32_t tick;
    apex_sector_times players[BOTS];
    uint64_t best_us[APEX_TRACK_SECTORS_MAX];
} moment;

static moment moments[KEPT];
static apex_player_id players[BOTS];

static void begin(void) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "ridgeway");
    file.bots = BOTS;
    file.race.laps = (uint32_t)check_cases(2);
    file.race.countdown_s = 1.0;
    file.race.start_players = file.race.player_capacity = BOTS;
    rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    apex_client_def def = apex_default_client_def();
    def.spectate = def.standings = def.sectors = true;
    curious = race_rig_connect(rig, &def);
    def.sectors = false;
    modest = race_rig_connect(rig, &def);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 20 * SECOND));
    apex_standing lines[2 * BOTS];
    const apex_race *race = apex_server_race(race_rig_server(rig));
    ck_assert_uint_eq(apex_race_standings(race, lines, 2 * BOTS), BOTS);
    for (uint32_t i = 0; i < BOTS; i++) {
        players[i] = lines[i].player;
    }
}

static void finish(void) {
    race_rig_destroy(rig);
}

static void keep_moment(void) {
    const apex_race *race = apex_server_race(race_rig_server(rig));
    uint32_t tick = (uint32_t)apex_world_tick(apex_race_world(race));
    moment *now = &moments[tick % KEPT];
    now->tick = tick;
    ck_assert_uint_eq(apex_race_best_sectors(race, now->best_us), SECTORS);
    for (uint32_t i = 0; i < BOTS; i++) {
        ck_assert(apex_race_player_sectors(race, players[i], &now->players[i]));
    }
}

static const apex_sector_times *times_of(const moment *at, uint32_t player) {
    for (uint32_t i = 0; i < BOTS; i++) {
        if (apex_player_wire_id(players[i]) == player) {
            return &at->players[i];
        }
    }
    ck_abort_msg("there is no player %u", player);
    return NULL;
}

static void check_line(const apex_wire_standing *line, const moment *at) {
    const apex_sector_times *times = times_of(at, line->player);
    ck_assert_uint_eq(line->sector_count, SECTORS);
    ck_assert_uint_eq(line->sector, times->current);
    ck_assert_mem_eq(line->sector_us, times->newest_us, sizeof line->sector_us);
    ck_assert_mem_eq(line->best_sector_us, times->best_us, sizeof line->best_sector_us);
}

static void check(const apex_standings *standings) {
    const moment *at = &moments[standings->tick % KEPT];
    ck_assert_uint_eq(at->tick, standings->tick);
    ck_assert_uint_eq(standings->line_count, BOTS);
    ck_assert_uint_eq(standings->sector_count, SECTORS);
    ck_assert_mem_eq(standings->best_sector_us, at->best_us, sizeof at->best_us);
    for (uint32_t i = 0; i < BOTS; i++) {
        check_line(&standings->lines[i], at);
    }
}

FIXTURE(begin, finish)

TEST(who_asks_is_told_of_sectors_and_nobody_else) {
    const apex_standings *before = apex_client_standings(race_rig_client(rig, curious));
    uint32_t checked = 0, newest = before != NULL ? before->tick : 0;
    for (uint32_t tick = 0; tick < 400 * SECOND; tick++) {
        race_rig_tick(rig, 1);
        keep_moment();
        const apex_standings *told = apex_client_standings(race_rig_client(rig, curious));
        if (told != NULL && told->tick != newest) {
            newest = told->tick;
            check(told);
            checked++;
        }
        const apex_standings *less = apex_client_standings(race_rig_client(rig, modest));
        for (uint32_t i = 0; less != NULL && i < less->line_count; i++) {
            ck_assert_uint_eq(less->lines[i].sector_count + less->lines[i].sector, 0);
            ck_assert_uint_eq(less->sector_count, 0);
        }
        const apex_results *results = apex_client_results(race_rig_client(rig, curious));
        if (results != NULL) {
            ck_assert_uint_eq(results->lines[0].sector_count, 0);
            break;
        }
    }
    ck_assert_uint_gt(checked, 100);
    const moment *last = &moments[newest % KEPT];
    for (uint32_t i = 0; i < SECTORS; i++) {
        ck_assert_uint_gt(last->best_us[i], 0);
    }
}
