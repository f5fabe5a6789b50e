// The car park, hosted: clients get its ground from the server and drive about on it.

#include <math.h>
#include <stdio.h>

#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { SECOND = 60, CARS = 6 };

static race_rig *rig_of(uint32_t bots) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "car-park");
    file.race.races = 1;
    file.race.start_players = CARS;
    file.race.player_capacity = CARS;
    file.race.countdown_s = 1.0;
    file.race.results_s = 1.0;
    file.race.race_s_max = 60.0;
    file.bots = bots;
    race_rig *rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    race_rig_connect_pilots(rig, bots, CARS);
    return rig;
}

static double way_of(const apex_world *world, apex_car_id car) {
    apex_car_pose pose;
    ck_assert(apex_world_pose(world, car, &pose));
    ck_assert_double_lt(fabs(pose.position_m[0]), 97);
    ck_assert_double_lt(fabs(pose.position_m[1]), 72);
    ck_assert_double_lt(fabs(pose.position_m[2] - 1.2), 1.6);
    return hypot(pose.velocity_mps[0], pose.velocity_mps[1]) / SECOND;
}

// For a minute everybody, clients' cars and the server's, keeps going and stays within the walls.
TEST(everybody_drives_about) {
    race_rig *rig = rig_of(3);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 20 * SECOND));
    const apex_race *race = apex_server_race(race_rig_server(rig));
    apex_standing lines[2 * CARS];
    double way_m[CARS] = {0};
    ck_assert_uint_eq(apex_race_standings(race, lines, 2 * CARS), CARS);
    for (int i = 0; i < 58 * SECOND; i++) {
        race_rig_tick(rig, 1);
        for (uint32_t k = 0; k < CARS; k++) {
            way_m[k] += way_of(apex_race_world(race), lines[k].car_id);
        }
    }
    ck_assert(race_rig_until(rig, APEX_PHASE_RESULTS, 3 * SECOND));
    for (uint32_t k = 0; k < CARS; k++) {
        apex_standing line;
        ck_assert(apex_race_player_standing(race, lines[k].player, &line));
        ck_assert_msg(way_m[k] > 150, "%s has driven %.0f m", line.name, way_m[k]);
        ck_assert_int_eq(line.state, APEX_STANDING_FINISHED);
        ck_assert_uint_eq(line.laps, 0);
        ck_assert_uint_le(line.resets, 1);
    }
    ck_assert_uint_eq(race_rig_events(rig, 0, APEX_EVENT_LAP), 0);
    ck_assert_uint_eq(race_rig_events(rig, 0, APEX_EVENT_FINISHED), CARS);
    race_rig_destroy(rig);
}
