// Gates, laps and times, with cars carried along the track by hand: physics has no say here.
#include "test_race_one.h"
#include "support/base/check_main.h"

#include "race/field/event_log.h"
#include "race/judging.h"
#include "race/race_private.h"
#include "race/timing/lap.h"
#include "race/timing/order.h"

// One car on the grid, lights out, then driven by carry().
static apex_player_id begin(apex_track *on, uint32_t laps) {
    apex_race_def def = scene_race_def(4);
    def.laps = laps;
    def.stuck_s = 0.0;
    begin_on(on, &def);
    apex_player_id player = scene_join(race, "ada");
    go();
    return player;
}

// As the tick does it, without the judges of the way.
static void follow(uint32_t slot) {
    race_player *player = &race->field.players[slot];
    if (player->state != APEX_STANDING_RUNNING) {
        return;
    }
    if (race_lap_advance(&race->timing, &race->field, player, &race->log).is_home) {
        // Timing does not say who has finished.
        ck_assert_int_eq(player->state, APEX_STANDING_RUNNING);
        player->state = APEX_STANDING_FINISHED;
    }
}

// Where the car is after a tick; physics does not move it, the rules see it there.
static void carry(uint32_t slot, double s_m, double offset_m) {
    apex_controls idle[4] = {{0}};
    race->log.read = true;
    race_log_begin(&race->log);
    apex_world_step(race->field.world, idle, NULL);
    apex_placement at = apex_track_placement(track, s_m, offset_m);
    race->field.poses[slot].position_m[0] = at.x_m;
    race->field.poses[slot].position_m[1] = at.y_m;
    race->field.poses[slot].position_m[2] = at.z_m;
    race->field.poses[slot].wheels_on_road = race->field.poses[slot].wheel_count;
    follow(slot);
}

static void carry_over(uint32_t slot, double from_m, double to_m, double step_m) {
    uint32_t steps = (uint32_t)((to_m > from_m ? to_m - from_m : from_m - to_m) / step_m + 0.999);
    for (uint32_t i = 1; i <= steps; i++) {
        carry(slot, from_m + (to_m - from_m) * i / steps, 0.0);
    }
}

// From standing in its box to just behind the line.
static void set_off(uint32_t slot, double s_m) {
    carry(slot, s_m, 0.0);
    ck_assert_double_eq_tol(race->field.players[slot].s_m,
                            s_m < 0.0 && race->timing.closed ? s_m + race->timing.length_m : s_m,
                            0.02);
}

TEST(a_crossing_is_timed_between_ticks) {
    // At 100 m/s and 60 Hz a car moves 1 2/3 m a tick: it never stands on a line.
    begin(scene_strip(), 1);
    double step_m = 100.0 / 60.0;
    uint64_t first = apex_world_tick(race->field.world) - race->timing.records.go_tick;
    ck_assert_uint_eq(first, 0);
    set_off(0, -10.0);
    apex_race_event sector = {0};
    apex_race_event lap = {0};
    uint32_t sectors = 0;
    uint32_t laps = 0;
    for (uint32_t i = 1; i <= 250; i++) {
        carry(0, -10.0 + step_m * i, 0.0);
        sectors += scene_events(race, APEX_EVENT_SECTOR, laps == 0 ? &sector : NULL);
        if (scene_events(race, APEX_EVENT_LAP, NULL) > 0) {
            laps += scene_events(race, APEX_EVENT_LAP, &lap);
        }
    }
    ck_assert_uint_eq(sectors, 2);
    ck_assert_uint_eq(laps, 1);
    // 400 m at 100 m/s; the first sector is 200 m of them.
    ck_assert_uint_eq(race->field.players[0].lap.best_lap_us, 4000000);
    ck_assert_uint_eq(lap.time_us, 4000000);
    // Lights out, one tick to the place 10 m before the line, then 410 m.
    ck_assert_uint_eq(race->field.players[0].lap.total_us, 16667 + 4100000);
    ck_assert_int_eq(race->field.players[0].state, APEX_STANDING_FINISHED);
    ck_assert_uint_eq(race->field.players[0].lap.lap_from_us -
                          race->field.players[0].lap.last_lap_us,
                      16667 + 100000);
    end();
}

TEST(sectors_of_a_lap_sum_to_its_time) {
    begin(scene_circuit(), 2);
    set_off(0, -5.0);
    uint64_t sum_us = 0;
    double length_m = race->timing.length_m;
    for (double s_m = -5.0; race->field.players[0].lap.laps < 1; s_m += 0.7) {
        ck_assert_double_lt(s_m, length_m + 2.0);
        carry(0, s_m, 0.0);
        apex_race_event sector = {0};
        if (scene_events(race, APEX_EVENT_SECTOR, &sector) > 0) {
            sum_us += sector.time_us;
        }
    }
    ck_assert_uint_eq(sum_us, race->field.players[0].lap.last_lap_us);
    // 0.7 m a tick of 1/60 s; the placing is good to a centimetre or so.
    double expected_us = length_m / 0.7 / 60.0 * 1e6;
    ck_assert_double_eq_tol((double)race->field.players[0].lap.last_lap_us, expected_us, 1000.0);
    end();
}

TEST(the_first_crossing_starts_lap_one) {
    apex_player_id player = begin(scene_circuit(), 2);
    set_off(0, -8.0);
    ck_assert_double_eq_tol(race->field.players[0].way_m, -8.0, 0.02);
    carry(0, 3.0, 0.0);
    ck_assert_uint_eq(race->field.players[0].lap.laps, 0);
    ck_assert_uint_eq(race->field.players[0].lap.gates_passed, 1);
    race_order_update(&race->timing, &race->field);
    ck_assert_double_eq_tol(scene_standing(race, player).lap_m, 3.0, 0.02);
    end();
}

TEST(shuttling_over_the_line_counts_one_lap) {
    apex_player_id player = begin(scene_circuit(), 5);
    set_off(0, -5.0);
    carry_over(0, -5.0, race->timing.length_m - 5.0, 5.0);
    ck_assert_uint_eq(race->field.players[0].lap.laps, 0);
    carry(0, race->timing.length_m + 5.0, 0.0);
    ck_assert_uint_eq(race->field.players[0].lap.laps, 1);
    ck_assert_double_eq_tol(scene_standing(race, player).lap_m, 5.0, 0.05);
    uint64_t lap_us = race->field.players[0].lap.last_lap_us;
    for (int i = 0; i < 3; i++) {
        carry(0, -5.0, 0.0);
        ck_assert_double_eq_tol(race->field.players[0].way_m, race->timing.length_m - 5.0, 0.05);
        carry(0, 5.0, 0.0);
        ck_assert_double_eq_tol(race->field.players[0].way_m, race->timing.length_m + 5.0, 0.05);
    }
    ck_assert_uint_eq(race->field.players[0].lap.laps, 1);
    ck_assert_uint_eq(race->field.players[0].lap.last_lap_us, lap_us);
    end();
}

TEST(a_lap_driven_backwards_has_to_be_undone) {
    begin(scene_circuit(), 5);
    set_off(0, -5.0);
    carry(0, 5.0, 0.0);
    carry_over(0, 5.0, 5.0 - race->timing.length_m, 5.0); // once round the wrong way
    ck_assert_uint_eq(race->field.players[0].lap.laps, 0);
    ck_assert_double_lt(race->field.players[0].way_m, 0.0);
    carry_over(0, 5.0, race->timing.length_m + 5.0, 5.0); // undoes it
    ck_assert_uint_eq(race->field.players[0].lap.laps, 0);
    end();
}

TEST(backing_far_over_the_line_takes_the_way_back) {
    begin(scene_circuit(), 5);
    set_off(0, -5.0);
    carry_over(0, -5.0, race->timing.length_m + 90.0, 5.0);
    ck_assert_uint_eq(race->field.players[0].lap.laps, 1);
    carry_over(0, 90.0, -100.0, 5.0);
    ck_assert_uint_eq(race->field.players[0].lap.laps, 1);
    ck_assert_double_eq_tol(race->field.players[0].way_m, race->timing.length_m - 100.0, 0.1);
    carry_over(0, -100.0, race->timing.length_m + 5.0, 5.0);
    ck_assert_uint_eq(race->field.players[0].lap.laps, 2);
    end();
}

// A jump over the infield: the car stands on another piece of road all of a sudden.
static void jump(uint32_t slot, double s_m) {
    carry(slot, s_m, 0.0);
    ck_assert_double_eq_tol(race->field.players[slot].s_m, s_m, 0.05);
}

TEST(a_lap_without_its_sectors_does_not_count) {
    begin(scene_circuit(), 5);
    set_off(0, -5.0);
    carry_over(0, -5.0, 30.0, 5.0);
    jump(0, 700.0);                                           // past both sector lines
    ck_assert_double_lt(race->field.players[0].way_m, 200.0); // and gains nothing by it
    carry_over(0, 700.0, race->timing.length_m + 5.0, 5.0);
    ck_assert_uint_eq(race->field.players[0].lap.laps, 0);
    ck_assert_uint_eq(race->field.players[0].lap.sectors, 0);
    carry_over(0, 5.0, race->timing.length_m + 5.0, 5.0); // once more, all the way
    ck_assert_uint_eq(race->field.players[0].lap.laps, 1);
    ck_assert_uint_eq(race->field.players[0].lap.sectors, 3);
    end();
}

TEST(a_lap_of_one_sector_cannot_be_cut_either) {
    begin(scene_ring(150.0), 5);
    set_off(0, -5.0);
    carry_over(0, -5.0, 20.0, 5.0);
    jump(0, race->timing.length_m - 40.0);
    carry_over(0, race->timing.length_m - 40.0, race->timing.length_m + 5.0, 5.0);
    ck_assert_uint_eq(race->field.players[0].lap.laps, 0);
    end();
}

TEST(going_back_for_a_skipped_gate_is_enough) {
    begin(scene_circuit(), 5);
    set_off(0, -5.0);
    carry_over(0, -5.0, 30.0, 5.0);
    jump(0, 400.0);
    // No better than right at the gate that is to come, a sixteenth of the lap after the line.
    ck_assert_double_eq_tol(race->field.players[0].way_m, race->timing.length_m / 16.0, 0.1);
    carry_over(0, 400.0, 25.0, 5.0);
    carry_over(0, 25.0, race->timing.length_m + 5.0, 5.0);
    ck_assert_uint_eq(race->field.players[0].lap.laps, 1);
    end();
}

TEST(an_open_track_is_one_lap_from_line_to_line) {
    begin(scene_strip(), 3);
    ck_assert_uint_eq(apex_race_status_of(race).laps, 1);
    ck_assert_double_lt(race->field.players[0].way_m, 0.0);
    set_off(0, -2.0);
    carry_over(0, -2.0, 399.0, 3.0);
    ck_assert_int_eq(race->field.players[0].state, APEX_STANDING_RUNNING);
    ck_assert_double_eq_tol(race->field.players[0].way_m, 399.0, 0.01);
    carry(0, 403.0, 0.0);
    ck_assert_int_eq(race->field.players[0].state, APEX_STANDING_FINISHED);
    end();
}

static void carry_bob(double s_m) {
    race->field.tick_hz = 60;
    apex_placement at = apex_track_placement(track, s_m, -2.0);
    race->field.poses[1].position_m[0] = at.x_m;
    race->field.poses[1].position_m[1] = at.y_m;
    follow(1);
}

TEST(the_gap_is_taken_where_both_have_passed) {
    begin(scene_strip(), 1);
    apex_player_id late = scene_join(race, "bob");
    set_off(0, -1.0);
    set_off(1, -1.0);
    // Ada passes the start, Bob 4 ticks of 1 m later; both at 1 m a tick.
    for (uint32_t i = 0; i < 20; i++) {
        carry(0, (double)i, 2.0);
        if (i >= 4) {
            carry_bob((double)i - 4.0);
        }
    }
    race_order_update(&race->timing, &race->field);
    apex_standing second = scene_standing(race, late);
    ck_assert_uint_eq(second.position, 2);
    ck_assert_double_eq_tol((double)second.gap_us, 4e6 / 60.0, 2.0);
    apex_standing lines[4];
    ck_assert_uint_eq(apex_race_standings(race, lines, 4), 2);
    ck_assert_uint_eq(lines[0].gap_us, 0);

    // There is a gate every 25 m, the sector ends long after it. Ada is there in tick 25, Bob at
    // half her speed in tick 38, from 15 m in tick 18 on.
    for (uint32_t i = 19; i < 41; i++) {
        carry(0, (double)i, 2.0);
        carry_bob(15.0 + 0.5 * ((double)i - 18.0));
    }
    ck_assert_uint_eq(race->field.players[1].lap.sectors, 0);
    ck_assert_double_eq_tol((double)scene_standing(race, late).gap_us, 13e6 / 60.0, 2.0);
    end();
}

TEST(a_reset_behind_a_gate_has_to_pass_it_again) {
    begin(scene_circuit(), 5);
    set_off(0, -5.0);
    carry_over(0, -5.0, 305.0, 5.0);
    uint32_t passed = race->field.players[0].lap.gates_passed;
    ck_assert_uint_eq(race->field.players[0].lap.sectors, 1);
    race->field.players[0].safe_s_m = 295.0;
    race_reset(race, 0);
    ck_assert_uint_eq(race->field.players[0].lap.gates_passed, passed);
    ck_assert_double_eq_tol(race->field.players[0].way_m, 295.0, 0.1);
    carry_over(0, 295.0, 310.0, 5.0);
    ck_assert_uint_eq(race->field.players[0].lap.gates_passed, passed);
    ck_assert_double_eq_tol(race->field.players[0].way_m, 310.0, 0.1);
    carry_over(0, 310.0, race->timing.length_m + 5.0, 5.0);
    ck_assert_uint_eq(race->field.players[0].lap.laps, 1);
    end();
}

static apex_sector_times sectors_of(apex_player_id player) {
    apex_sector_times times;
    memset(&times, 0xff, sizeof times);
    ck_assert(apex_race_player_sectors(race, player, &times));
    ck_assert_uint_eq(times.count, 3);
    return times;
}

// As events tell of them.
typedef struct told_sectors {
    double s_m;
    uint64_t newest_us[3], best_us[3];
} told_sectors;

// Through a sector of the lap under way, by so many metres a tick.
static void drive_sector(uint32_t slot, told_sectors *told, uint32_t sector, double step_m) {
    apex_race_event event = {0};
    do {
        told->s_m += step_m;
        carry(slot, told->s_m, 0.0);
    } while (scene_events(race, APEX_EVENT_SECTOR, &event) == 0);
    ck_assert_int_eq(event.value, (int64_t)sector);
    told->newest_us[sector] = event.time_us;
    if (told->best_us[sector] == 0 || event.time_us < told->best_us[sector]) {
        told->best_us[sector] = event.time_us;
    }
}

static void check_sectors(apex_player_id player, const told_sectors *told, uint32_t current) {
    apex_sector_times times = sectors_of(player);
    ck_assert_uint_eq(times.current, current);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(times.newest_us[i], told->newest_us[i]);
        ck_assert_uint_eq(times.best_us[i], told->best_us[i]);
    }
}

TEST(sectors_are_kept_as_they_are_told) {
    static const double steps_m[3][3] = {{1.0, 1.5, 1.25}, {1.25, 1.0, 2.0}, {1.1, 1.4, 1.5}};
    apex_player_id ada = begin(scene_circuit(), 3);
    told_sectors told = {.s_m = -5.0};
    set_off(0, told.s_m);
    check_sectors(ada, &told, 0);
    for (uint32_t lap = 0; lap < 3; lap++) {
        for (uint32_t sector = 0; sector < 3; sector++) {
            drive_sector(0, &told, sector, steps_m[lap][sector]);
            check_sectors(ada, &told, (sector + 1) % 3);
        }
    }
    ck_assert_int_eq(race->field.players[0].state, APEX_STANDING_FINISHED);
    ck_assert_uint_gt(told.newest_us[0], told.best_us[0]); // of the second lap
    ck_assert_uint_gt(told.newest_us[1], told.best_us[1]); // of the first
    ck_assert_uint_gt(told.newest_us[2], told.best_us[2]);
    uint64_t best_us[APEX_TRACK_SECTORS_MAX];
    ck_assert_uint_eq(apex_race_best_sectors(race, best_us), 3);
    ck_assert_mem_eq(best_us, told.best_us, sizeof told.best_us);
    end();
}

TEST(the_best_sectors_are_anybodys) {
    apex_race_def def = scene_race_def(4);
    def.laps = 2;
    def.stuck_s = 0.0;
    begin_on(scene_circuit(), &def);
    apex_player_id ada = scene_join(race, "ada"), bob = scene_join(race, "bob");
    go();
    told_sectors first = {.s_m = -5.0}, second = {.s_m = -13.0};
    set_off(0, first.s_m);
    set_off(1, second.s_m);
    drive_sector(0, &first, 0, 2.0);
    drive_sector(1, &second, 0, 1.0);
    drive_sector(0, &first, 1, 1.0);
    drive_sector(1, &second, 1, 2.0);
    uint64_t best_us[APEX_TRACK_SECTORS_MAX];
    apex_race_best_sectors(race, best_us);
    ck_assert_uint_eq(best_us[0], first.best_us[0]);
    ck_assert_uint_eq(best_us[1], second.best_us[1]);
    ck_assert_uint_eq(best_us[2], 0);
    check_sectors(ada, &first, 2);
    check_sectors(bob, &second, 2);
    // A player who has left keeps his line, and what it has given the race.
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, bob), APEX_OK);
    check_sectors(bob, &second, 2);
    apex_race_best_sectors(race, best_us);
    ck_assert_uint_eq(best_us[1], second.best_us[1]);
    // A state that is come back to has them as well.
    size_t length = apex_race_save_bytes(race);
    uint8_t *saved = malloc(length);
    apex_race_save(race, saved);
    uint64_t hash = apex_race_hash(race);
    ck_assert_int_eq(scene_command(race, APEX_RACE_RESTART, (apex_player_id){0, 0}), APEX_OK);
    check_sectors(ada, &(told_sectors){.s_m = 0.0}, 0);
    apex_race_best_sectors(race, best_us);
    ck_assert_uint_eq(best_us[0] + best_us[1] + best_us[2], 0);
    ck_assert_int_eq(apex_race_restore(race, saved, length), APEX_OK);
    free(saved);
    ck_assert_uint_eq(apex_race_hash(race), hash);
    check_sectors(ada, &first, 2);
    check_sectors(bob, &second, 2);
    apex_race_best_sectors(race, best_us);
    ck_assert_uint_eq(best_us[0], first.best_us[0]);
    ck_assert_uint_eq(best_us[1], second.best_us[1]);
    const apex_player_id nobody = {3, 1};
    apex_sector_times times;
    ck_assert(!apex_race_player_sectors(race, nobody, &times));
    end();
}
