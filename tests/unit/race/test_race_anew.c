// A race begins anew: nothing that was counted in the one before goes on in the next.
#include "test_race_ring.h"
#include "race/field/ghost.h"
#include "race/rules/watch.h"
#include "support/base/check_main.h"

static apex_player_id ada, bob;

static race_player *line_of(apex_player_id player) {
    return &race->field.players[player.index1 - 1];
}

// Ada has had an adventurous race: all that there is to count.
static void spoil(race_player *line) {
    line->watch = (race_watch){.stuck_ticks = 1,
                               .wrong_ticks = 2,
                               .idle_ticks = 3,
                               .off_ticks = 4,
                               .off_ticks_max = 5,
                               .off_count = 6,
                               .off = true,
                               .wrong_told = true,
                               .crippled = true};
    line->tally = (race_tally){.resets = 7, .contacts = 8};
}

static void expect_unspoilt(const race_player *line) {
    const race_watch *watch = &line->watch;
    ck_assert_uint_eq(watch->stuck_ticks, 0);
    ck_assert_uint_eq(watch->wrong_ticks, 0);
    ck_assert_uint_eq(watch->idle_ticks, 0);
    ck_assert_uint_eq(watch->off_ticks, 0);
    ck_assert_uint_eq(watch->off_ticks_max, 0);
    ck_assert_uint_eq(watch->off_count, 0);
    ck_assert(!watch->off);
    ck_assert(!watch->wrong_told);
    ck_assert(!watch->crippled);
    ck_assert_uint_eq(line->tally.resets, 0);
    ck_assert_uint_eq(line->tally.contacts, 0);
}

static void begin_two(void) {
    apex_race_def def = scene_race_def(4);
    def.laps = 1;
    def.races = 0;
    def.stuck_s = def.idle_s = 0.0;
    begin(&def);
    ada = scene_join(race, "ada");
    bob = scene_join(race, "bob");
    go();
}

TEST(a_watch_forgets_all_of_a_race) {
    race_player line = {.id = {1, 1}};
    spoil(&line);
    line.tally = (race_tally){0};
    race_watch_forget(&line.watch);
    expect_unspoilt(&line);
}

TEST(contacts_and_excursions_do_not_go_on_into_the_next_race) {
    begin_two();
    spoil(line_of(ada));
    apex_standing before = scene_standing(race, ada);
    ck_assert_uint_eq(before.contacts, 8);
    ck_assert_uint_eq(before.resets, 7);
    ck_assert_uint_eq(before.off_track_count, 6);
    warp_home(ada);
    warp_home(bob);
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_RESULTS);
    ck_assert_uint_eq(scene_standing(race, ada).contacts, 8); // the results have them
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, ada), APEX_OK);
    expect_unspoilt(line_of(ada));
    end();
}

TEST(a_restart_forgets_contacts_and_excursions_too) {
    begin_two();
    spoil(line_of(ada));
    ck_assert_int_eq(scene_command(race, APEX_RACE_RESTART, ada), APEX_OK);
    expect_unspoilt(line_of(ada));
    end();
}

TEST(times_do_not_go_on_into_the_next_race) {
    begin_two();
    warp_home(ada);
    warp_home(bob);
    apex_standing home = scene_standing(race, bob);
    uint64_t best_us[APEX_TRACK_SECTORS_MAX];
    apex_race_best_sectors(race, best_us);
    ck_assert_uint_gt(best_us[0], 0);
    ck_assert_uint_gt(home.best_lap_us, 0);
    ck_assert_uint_gt(home.gap_us, 0);
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, ada), APEX_OK);
    for (int i = 0; i < 2; i++) {
        apex_standing line = scene_standing(race, i == 0 ? ada : bob);
        ck_assert_uint_eq(line.laps, 0);
        ck_assert_uint_eq(line.last_lap_us, 0);
        ck_assert_uint_eq(line.best_lap_us, 0);
        ck_assert_uint_eq(line.total_us, 0);
        ck_assert_uint_eq(line.gap_us, 0);
        ck_assert(line.not_started);
        ck_assert_int_eq(line.state, APEX_STANDING_WAITING);
        ck_assert_double_eq(race->field.players[i].way_m, 0.0);
        ck_assert_uint_eq(race->field.players[i].lap.finish_rank, 0);
    }
    apex_race_best_sectors(race, best_us);
    ck_assert_uint_eq(best_us[0], 0);
    ck_assert_uint_eq(race->timing.records.best_lap_us, 0);
    ck_assert_uint_eq(race->timing.records.winner_us, 0);
    ck_assert_uint_eq(race->timing.records.finished, 0);
    for (uint32_t i = 0; i < race->timing.first_count; i++) {
        ck_assert_uint_eq(race->timing.first_us[i], 0);
    }
    end();
}

// Full of fuel, on new tyres, whole, and with an engine that goes.
TEST(cars_are_made_ready_for_each_race) {
    begin_two();
    apex_car_state state;
    ck_assert(apex_world_get_car(race->field.world, line_of(ada)->car_id, &state));
    state.fuel_kg = 1.0;
    state.ballast_kg = 30.0;
    state.wheels[0].wear = 0.5;
    state.damage[0] = 0.25;
    state.engine_blown = true;
    ck_assert(apex_world_set_car(race->field.world, line_of(ada)->car_id, &state));
    ck_assert_int_eq(scene_command(race, APEX_RACE_RESTART, ada), APEX_OK);
    ck_assert(apex_world_get_car(race->field.world, line_of(ada)->car_id, &state));
    ck_assert_double_eq_tol(state.fuel_kg, race->field.cars[0].fuel_kg_max, 1e-3);
    ck_assert_double_eq_tol(state.ballast_kg, 30.0, 1e-3); // that is no wear
    ck_assert_double_eq(state.wheels[0].wear, 0.0);
    ck_assert_double_eq(state.damage[0], 0.0);
    ck_assert(!state.engine_blown);
    end();
}

// A player who came when the winner was home has no place in that race: among those without one
// the first who came stands first, whatever box he was given to wait in.
TEST(who_only_waited_has_no_place_to_start_from) {
    begin_two();
    warp_home(ada);
    apex_player_id gone = scene_join(race, "gone");
    apex_player_id first = scene_join(race, "first");
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, gone), APEX_OK);
    apex_player_id second = scene_join(race, "second");
    ck_assert_uint_lt(scene_standing(race, second).grid, scene_standing(race, first).grid);
    apex_car_pose pose;
    ck_assert(apex_world_pose(race->field.world, line_of(first)->car_id, &pose));
    ck_assert(pose.held && pose.ghost);
    warp_home(bob);
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_RESULTS);
    ck_assert_uint_eq(line_of(ada)->last_position, 1);
    ck_assert_uint_eq(line_of(bob)->last_position, 2);
    ck_assert_uint_eq(line_of(first)->last_position, 0);
    ck_assert_uint_eq(line_of(second)->last_position, 0);
    apex_standing lines[8];
    size_t classified = 0;
    ck_assert_uint_eq(apex_race_results(race, lines, 8, &classified), 5); // gone's is kept
    ck_assert_uint_eq(classified, 2);
    for (size_t i = classified; i < 5; i++) {
        ck_assert_uint_eq(lines[i].position, 0);
        ck_assert_uint_eq(lines[i].gap_us, 0);
        ck_assert_int_eq(lines[i].state, APEX_STANDING_WAITING);
    }
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, ada), APEX_OK);
    ck_assert_uint_eq(scene_standing(race, ada).grid, 1);
    ck_assert_uint_eq(scene_standing(race, bob).grid, 2);
    ck_assert_uint_eq(scene_standing(race, first).grid, 3);
    ck_assert_uint_eq(scene_standing(race, second).grid, 4);
    end();
}

// In the very tick in which the results go.
TEST(a_lobby_stands_by_the_boxes) {
    begin_two();
    warp_home(bob);
    warp_home(ada);
    ck_assert_uint_eq(scene_standing(race, bob).position, 1);
    scene_until(race, APEX_PHASE_LOBBY, 120);
    ck_assert_uint_eq(scene_standing(race, ada).position, 1);
    ck_assert_uint_eq(scene_standing(race, bob).position, 2);
    end();
}

TEST(a_lobby_knows_nobody_who_has_left) {
    begin_two();
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, bob), APEX_OK);
    warp_home(ada);
    apex_standing lines[8];
    ck_assert_uint_eq(apex_race_standings(race, lines, 8), 2);
    scene_until(race, APEX_PHASE_LOBBY, 120);
    ck_assert_uint_eq(apex_race_standings(race, lines, 8), 1);
    end();
}

TEST(a_lobby_has_every_box_free_again) {
    begin_two();
    warp_home(ada);
    warp_home(bob);
    scene_until(race, APEX_PHASE_LOBBY, 120);
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, ada), APEX_OK);
    apex_player_id eve = scene_join(race, "eve");
    ck_assert_uint_eq(scene_standing(race, eve).grid, 1); // ada's, which nobody has now
    end();
}

TEST(lights_count_whole_seconds_of_a_broken_countdown) {
    apex_race_def def = scene_race_def(2);
    def.countdown_s = 1.5;
    begin(&def);
    ada = scene_join(race, "ada");
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, ada), APEX_OK);
    scene_until(race, APEX_PHASE_COUNTDOWN, 100);
    apex_race_event light = {0};
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_LIGHTS, &light), 1);
    ck_assert_int_eq(light.value, 2); // begun is whole
    for (int i = 1; i <= 90; i++) {
        scene_tick(race, NULL);
        ck_assert_uint_eq(scene_events(race, APEX_EVENT_LIGHTS, &light), i == 30 || i == 90);
        ck_assert_int_eq(light.value, i < 30 ? 2 : i < 90 ? 1 : 0);
    }
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_RACE);
    end();
}

TEST(a_hard_end_counts_from_the_lights) {
    apex_race_def def = scene_race_def(4);
    def.laps = 1;
    def.race_s_max = 4.0;
    begin(&def);
    ada = scene_join(race, "ada");
    bob = scene_join(race, "bob");
    go();
    warp_home(ada); // from here on it waits for the others, and does not begin to count again
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_FINISH);
    scene_until(race, APEX_PHASE_RESULTS, 300);
    ck_assert_int_eq(apex_race_status_of(race).race_time_us, 4000000);
    ck_assert_int_eq(scene_standing(race, bob).state, APEX_STANDING_DNF);
    end();
}
