// An event of the server's bots: each race is dealt anew, and a seed gives all of it again.
#include <stdio.h>
#include <string.h>

#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { BOTS = 5, RACES = 2, SECOND = 60 };

typedef struct event_of_bots {
    uint64_t seeds[RACES], hashes[RACES];
    apex_standing lines[RACES][2 * BOTS];
} event_of_bots;

static event_of_bots held(uint64_t seed) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.car_count = 2;
    snprintf(file.cars[1], sizeof file.cars[1], "corvette-c5");
    file.bots = file.race.player_capacity = file.race.start_players = BOTS;
    file.race.laps = 1;
    file.race.races = RACES;
    file.race.results_s = 1.0;
    file.race.world.seed = seed;
    race_rig *rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    const apex_race *race = apex_server_race(race_rig_server(rig));
    event_of_bots event = {.seeds = {0}};
    for (uint32_t i = 0; i < RACES; i++) {
        ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 60 * SECOND));
        ck_assert(race_rig_until(rig, APEX_PHASE_RESULTS, 200 * SECOND));
        ck_assert_uint_eq(apex_race_status_of(race).race_number, i + 1);
        event.seeds[i] = apex_race_status_of(race).seed;
        event.hashes[i] = apex_race_hash(race);
        ck_assert_uint_eq(apex_race_standings(race, event.lines[i], 2 * BOTS), BOTS);
    }
    race_rig_destroy(rig);
    return event;
}

static uint32_t car_of(const apex_standing lines[], uint16_t index1) {
    for (uint32_t i = 0; i < BOTS; i++) {
        if (lines[i].player.index1 == index1) {
            return lines[i].car;
        }
    }
    ck_abort_msg("no such bot");
    return 0;
}

TEST(races_differ_and_a_seed_gives_them_again) {
    event_of_bots first = held(3), again = held(3), other = held(4);
    for (uint32_t i = 0; i < RACES; i++) {
        ck_assert_uint_eq(first.hashes[i], again.hashes[i]);
        ck_assert_uint_eq(first.seeds[i], apex_race_seed_of(3, i + 1));
        for (uint32_t j = 0; j < BOTS; j++) {
            ck_assert_uint_eq(first.lines[i][j].total_us, again.lines[i][j].total_us);
        }
        ck_assert_uint_ne(first.lines[i][0].total_us, other.lines[i][0].total_us);
    }
    ck_assert_uint_ne(first.lines[0][0].total_us, first.lines[1][0].total_us);
    uint32_t changed = 0;
    for (uint16_t bot = 1; bot <= BOTS; bot++) {
        changed += car_of(first.lines[0], bot) != car_of(first.lines[1], bot);
    }
    ck_assert_uint_gt(changed, 0); // somebody drives another car than in the race before
}
