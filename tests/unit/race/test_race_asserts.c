// Parts of a race that cannot be: each stage asserts at its door what it goes by.
#include "test_race_scene.h"

#include "race/event/phase.h"
#include "race/field/along.h"
#include "race/field/way_clear.h"
#include "race/judging.h"
#include "race/race_private.h"
#include "race/timing/order.h"
#include "support/base/check_main.h"

#include <signal.h>
#include <stdlib.h>

enum { CAPACITY = 3, ADA = 0, FREE = 2 };

static apex_track *track;
static apex_race *race;

// Two race, and one slot is free.
static void begin(void) {
    track = scene_ring(80.0);
    apex_race_def def = scene_race_def(CAPACITY);
    race = scene_race(&def, track);
    apex_player_id ada = scene_join_driver(race, "ada", 1.0);
    scene_join_driver(race, "bob", 0.9);
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, ada), APEX_OK);
    scene_until(race, APEX_PHASE_RACE, 600);
    scene_tick(race, NULL);
}

static void sort_more_than_there_are(void) {
    race->field.pool.live_count = CAPACITY + 1;
    race_along_sort(&race->field);
}

static void sort_a_list_past_its_end(void) {
    race->field.along_count = CAPACITY + 1;
    race_along_sort(&race->field);
}

static void order_past_its_end(void) {
    race->timing.order_count = 2 * CAPACITY + 1;
    race_order_update(&race->timing, &race->field);
}

static void order_more_than_there_are(void) {
    race->field.pool.live_count = CAPACITY + 1;
    race_order_finish(&race->timing, &race->field, &race->log);
}

static void order_lines_that_nobody_left(void) {
    race->field.kept_started = 1;
    race_order_update(&race->timing, &race->field);
}

static void order_a_state_that_is_none(void) {
    race->field.players[ADA].state = (apex_standing_state)(APEX_STANDING_DNF + 1);
    race_order_update(&race->timing, &race->field);
}

static void advance_a_phase_that_is_none(void) {
    race->event.phase = (apex_race_phase)(APEX_PHASE_OVER + 1);
    race_phase_advance(&race->event, &race->field, &race->timing, &race->log);
}

static void start_with_more_than_there_are(void) {
    race->field.pool.live_count = CAPACITY + 1;
    race_phase_start(&race->event, &race->field, &race->timing, &race->log);
}

static void restart_a_phase_that_is_none(void) {
    race->event.phase = (apex_race_phase)(APEX_PHASE_OVER + 1);
    race_phase_restart(&race->event, &race->field, &race->timing, &race->log);
}

static void classify_who_still_runs(void) {
    race_phase_classify(&race->event, &race->field, &race->timing, &race->log);
}

static void close_a_race_under_way(void) {
    race_phase_close(&race->event, &race->field, &race->log);
}

static void judge_nobody(void) {
    race_judge_player(race, FREE, (race_advance){0});
}

static void judge_past_the_slots(void) {
    race_judge_end_of(race, CAPACITY);
}

static void judge_a_pose_of_another_car(void) {
    race->field.poses[race->field.players[ADA].car_id.index1 - 1].id.generation++;
    race_judge_player(race, ADA, (race_advance){0});
}

static void judge_in_a_phase_that_is_none(void) {
    race->event.phase = (apex_race_phase)(APEX_PHASE_OVER + 1);
    race_judge_player(race, ADA, (race_advance){0});
}

static void look_for_the_way_of_nobody(void) {
    race_way_is_clear(&race->field, FREE);
}

static void time_who_is_home(void) {
    race->field.players[ADA].state = APEX_STANDING_FINISHED;
    race_lap_advance(&race->timing, &race->field, &race->field.players[ADA], &race->log);
}

static void (*const BROKEN[])(void) = {sort_more_than_there_are,
                                       sort_a_list_past_its_end,
                                       order_past_its_end,
                                       order_more_than_there_are,
                                       order_lines_that_nobody_left,
                                       order_a_state_that_is_none,
                                       advance_a_phase_that_is_none,
                                       start_with_more_than_there_are,
                                       restart_a_phase_that_is_none,
                                       classify_who_still_runs,
                                       close_a_race_under_way,
                                       judge_nobody,
                                       judge_past_the_slots,
                                       judge_a_pose_of_another_car,
                                       judge_in_a_phase_that_is_none,
                                       look_for_the_way_of_nobody,
                                       time_who_is_home};
enum { BROKEN_COUNT = sizeof BROKEN / sizeof BROKEN[0] };

TEST_OVER(what_cannot_be_aborts, 0, BROKEN_COUNT) {
    begin();
    check_aborts(BROKEN[_i], "assertion failed");
    apex_race_destroy(race);
    apex_track_destroy(track);
}
