// A server with threads beside its own: the same race to the bit.
// labels: tsan

#include <stdio.h>

#include "base/log.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { SECOND = 60, BOTS = 8, VIEWERS = 20 }; // more than one job has

static uint64_t hash_after_bots(uint32_t workers, uint32_t ticks) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.race.laps = 1;
    file.race.races = 1;
    file.race.start_players = BOTS;
    file.race.player_capacity = BOTS;
    file.race.countdown_s = 2.0;
    file.race.results_s = 1.0;
    file.clients_max = VIEWERS;
    file.bots = BOTS;
    race_rig *rig = race_rig_create(&file, workers, NULL);
    ck_assert_ptr_nonnull(rig);
    for (uint32_t i = 0; i < VIEWERS; i++) {
        apex_client_def def = apex_default_client_def();
        def.spectate = true;
        race_rig_connect(rig, &def);
    }
    race_rig_tick(rig, ticks);
    for (uint32_t i = 0; i < VIEWERS; i++) {
        ck_assert_uint_eq(apex_client_newest(race_rig_client(rig, i)).car_count, BOTS);
        ck_assert_uint_eq(apex_client_stats_of(race_rig_client(rig, i)).undecodable, 0);
    }
    uint64_t hash = apex_race_hash(apex_server_race(race_rig_server(rig)));
    race_rig_destroy(rig);
    return hash;
}

TEST(workers_change_no_bit) {
    uint64_t alone = hash_after_bots(0, 30 * SECOND);
    ck_assert_uint_eq(alone, hash_after_bots(1, 30 * SECOND));
    ck_assert_uint_eq(alone, hash_after_bots(3, 30 * SECOND));
    ck_assert_uint_ne(alone, hash_after_bots(0, 30 * SECOND + 1));
}
