// Saved bytes are not believed: a restore either takes all of them or changes nothing, and whatever
// it takes can be raced on.
#include "test_race_scene.h"

#include "race/race_private.h"
#include "support/base/check_main.h"

#include <math.h>

static apex_track *track;
static apex_race *race;
static uint8_t *bytes;
static size_t length;

static void begin(void) {
    track = scene_ring(80.0);
    apex_race_def def = scene_race_def(4);
    def.laps = 2;
    race = scene_race(&def, track);
    scene_join_driver(race, "ada", 1.0);
    scene_join_driver(race, "bob", 0.9);
    apex_player_id jim = scene_join(race, "jim");
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, jim), APEX_OK);
    scene_until(race, APEX_PHASE_RACE, 600);
    for (int i = 0; i < 200; i++) {
        scene_tick(race, NULL);
    }
    apex_race_command leave = {.kind = APEX_RACE_LEAVE, .player = jim, .why = APEX_LEAVE_KICKED};
    ck_assert_int_eq(apex_race_apply(race, &leave), APEX_OK); // a kept line
    length = apex_race_save_bytes(race);
    bytes = malloc(length);
    ck_assert_ptr_nonnull(bytes);
    apex_race_save(race, bytes);
}

static void end(void) {
    free(bytes);
    apex_race_destroy(race);
    apex_track_destroy(track);
}

TEST(the_same_state_has_the_same_bytes) {
    begin();
    uint8_t *again = malloc(length);
    ck_assert_ptr_nonnull(again);
    memset(again, 0xA5, length); // every byte is written
    ck_assert_int_eq(apex_race_restore(race, bytes, length), APEX_OK);
    apex_race_save(race, again);
    ck_assert_mem_eq(again, bytes, length);
    apex_standing lines[8];
    ck_assert_uint_eq(apex_race_standings(race, lines, 8), 3);
    ck_assert(!lines[2].present);
    ck_assert_str_eq(lines[2].name, "jim");
    ck_assert_int_eq(lines[2].left_why, APEX_LEAVE_KICKED);
    free(again);
    end();
}

// Between two races players still have the figures of the last one.
TEST(the_lobby_after_a_race_comes_back) {
    track = scene_strip();
    apex_race_def def = scene_race_def(2);
    def.races = 0;
    def.results_s = 0.0;
    race = scene_race(&def, track);
    apex_player_id ada = scene_join_driver(race, "ada", 1.0);
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, ada), APEX_OK);
    scene_until(race, APEX_PHASE_RACE, 600);
    scene_until(race, APEX_PHASE_LOBBY, 3000);
    ck_assert_uint_eq(scene_standing(race, ada).laps, 1);
    length = apex_race_save_bytes(race);
    bytes = malloc(length);
    ck_assert_ptr_nonnull(bytes);
    apex_race_save(race, bytes);
    uint64_t hash = apex_race_hash(race);
    ck_assert_int_eq(apex_race_restore(race, bytes, length), APEX_OK);
    ck_assert_uint_eq(apex_race_hash(race), hash);
    end();
}

// Counters that few races ever set come back too.
TEST(every_counter_comes_back) {
    begin();
    race_player *ada = &race->field.players[0];
    ada->watch.off_ticks = 11;
    ada->watch.off_ticks_max = 12;
    ada->watch.off_count = 13;
    ada->watch.wrong_ticks = 14;
    ada->watch.stuck_ticks = 15;
    ada->tally.resets = 16;
    ada->tally.contacts = 17;
    ada->ghost_ticks = 18;
    ada->last_position = 19;
    ada->watch.off = ada->watch.wrong_told = ada->ghost = ada->watch.crippled = true;
    ada->watch.stuck_way_m = 1.25;
    ada->driver.stuck_s = 2.25;
    ada->driver.reverse_left_s = 3.25;
    ada->driver.steer = -0.25;
    ada->driver.resets = 20;
    race->event.lobby_tick = 21;
    race->timing.records.best_lap_us = 22;
    race->timing.records.winner_us = 23;
    race->timing.first_us[1] = 24;
    race->timing.records.best_sector_us[0] = 25;
    ada->lap.newest_sector_us[0] = 26;
    ada->lap.best_sector_us[0] = 27;
    uint64_t hash = apex_race_hash(race);
    race_player kept = *ada;
    apex_race_save(race, bytes);
    *ada = (race_player){.id = kept.id, .car_id = kept.car_id};
    race->event = (race_event){.phase = APEX_PHASE_RACE};
    race->timing.records = (race_records){0};
    race->field.counts = (race_counts){0};
    race->timing.first_us[1] = 0;
    ck_assert_uint_ne(apex_race_hash(race), hash);
    ck_assert_int_eq(apex_race_restore(race, bytes, length), APEX_OK);
    ck_assert_uint_eq(apex_race_hash(race), hash);
    const uint32_t counters[] = {ada->watch.off_ticks,
                                 ada->watch.off_ticks_max,
                                 ada->watch.off_count,
                                 ada->watch.wrong_ticks,
                                 ada->watch.stuck_ticks,
                                 ada->tally.resets,
                                 ada->tally.contacts,
                                 ada->ghost_ticks,
                                 ada->last_position,
                                 ada->driver.resets,
                                 (uint32_t)race->event.lobby_tick,
                                 (uint32_t)race->timing.records.best_lap_us,
                                 (uint32_t)race->timing.records.winner_us,
                                 (uint32_t)race->timing.first_us[1],
                                 (uint32_t)race->timing.records.best_sector_us[0],
                                 (uint32_t)ada->lap.newest_sector_us[0],
                                 (uint32_t)ada->lap.best_sector_us[0]};
    for (uint32_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        ck_assert_uint_eq(counters[i], 11 + i);
    }
    ck_assert(ada->watch.off && ada->watch.wrong_told && ada->ghost && ada->watch.crippled);
    ck_assert_double_eq_tol(ada->watch.stuck_way_m, 1.25, 1e-12);
    ck_assert_double_eq_tol(ada->driver.stuck_s, 2.25, 1e-12);
    ck_assert_double_eq_tol(ada->driver.reverse_left_s, 3.25, 1e-12);
    ck_assert_double_eq_tol(ada->driver.steer, -0.25, 1e-12);
    end();
}

TEST(another_race_s_bytes_are_refused) {
    begin();
    uint64_t hash = apex_race_hash(race);
    ck_assert_int_eq(apex_race_restore(race, bytes, length - 1), APEX_ERR_CORRUPT);
    ck_assert_int_eq(apex_race_restore(race, bytes, 0), APEX_ERR_CORRUPT);
    apex_race_def def = scene_race_def(5);
    apex_race *bigger = scene_race(&def, track);
    uint8_t *other = malloc(apex_race_save_bytes(bigger));
    ck_assert_ptr_nonnull(other);
    apex_race_save(bigger, other);
    ck_assert_int_eq(apex_race_restore(race, other, apex_race_save_bytes(bigger)),
                     APEX_ERR_CORRUPT);
    ck_assert_uint_eq(apex_race_hash(race), hash);
    free(other);
    apex_race_destroy(bigger);
    end();
}

static void expect_refused(void) {
    uint8_t *odd = malloc(length);
    ck_assert_ptr_nonnull(odd);
    apex_race_save(race, odd);
    ck_assert_int_eq(apex_race_restore(race, bytes, length), APEX_OK);
    ck_assert_int_eq(apex_race_restore(race, odd, length), APEX_ERR_CORRUPT);
    free(odd);
}

// A state at which the validator would stop does not come in.
TEST(a_state_that_no_race_comes_to_is_refused) {
    begin();
    race_player *ada = &race->field.players[0];
    ada->lap.lap_from_us = ada->lap.sector_us + 1; // a lap that begins after its sector
    expect_refused();
    ada->lap.sector_us = ada->lap.gate_us + 1; // a sector that begins after its gate
    expect_refused();
    ada->driver.skill = -0.1;
    expect_refused();
    ada->driver.skill = 1.1;
    expect_refused();
    static const double wild[] = {1.1e7, -1.1e7, (double)NAN, (double)INFINITY};
    for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++) {
        ada->driver.lane_m = wild[i];
        expect_refused();
    }
    ada->grid = 2 * 4 + 1; // of four players, and those who have left
    expect_refused();
    ada->car = 1; // of one
    expect_refused();
    race->event.lobby_tick = apex_race_status_of(race).tick + 1;
    expect_refused();
    race->event.phase_tick = apex_race_status_of(race).tick + 1;
    expect_refused();
    race->timing.records.go_tick = apex_race_status_of(race).tick + 1;
    expect_refused();
    race->event.phase = APEX_PHASE_RESULTS; // while two still run
    expect_refused();
    race->event.phase = APEX_PHASE_LOBBY;
    expect_refused();
    race->field.players[0].lap.finish_rank = 1; // and nobody is home
    expect_refused();
    race->timing.records.finished = UINT32_MAX;
    expect_refused();
    end();
}

// A small generator, so that the same bytes are tried everywhere.
static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

TEST(damaged_bytes_change_nothing_or_race_on) {
    begin();
    uint8_t *damaged = malloc(length);
    ck_assert_ptr_nonnull(damaged);
    uint64_t random = 7;
    uint32_t refused = 0;
    const uint32_t tries = 3000;
    for (uint32_t i = 0; i < tries; i++) {
        memcpy(damaged, bytes, length);
        uint64_t hash = apex_race_hash(race);
        // Mostly the rules' own part: the world has its own tests.
        size_t range = i % 4 == 0 ? length : length / 2;
        for (uint64_t flips = 1 + next_random(&random) % 3; flips > 0; flips--) {
            size_t at = next_random(&random) % range;
            damaged[at] ^= (uint8_t)(1 + next_random(&random) % 255);
        }
        if (apex_race_restore(race, damaged, length) == APEX_OK) {
            scene_tick(race, NULL);
            scene_tick(race, NULL);
        } else {
            refused++;
            ck_assert_uint_eq(apex_race_hash(race), hash);
        }
        if (i % 16 == 15) {
            ck_assert_int_eq(apex_race_restore(race, bytes, length), APEX_OK);
        }
    }
    ck_assert_uint_gt(refused, tries / 10);
    free(damaged);
    end();
}

TEST(every_truncated_field_boundary_is_refused_by_length) {
    begin();
    for (size_t cut = 0; cut < length; cut += 97) {
        ck_assert_int_eq(apex_race_restore(race, bytes, cut), APEX_ERR_CORRUPT);
    }
    end();
}
