// Which laps count, and why others do not, on a ring whose pit lane runs over the line.
#include "test_race_weekend.h"

#include "race/field/grid.h"
#include "race/judging.h"
#include "race/race_validator.h"
#include "race/timing/lap_card.h"
#include "support/base/check_main.h"

static apex_player_id ada;

// The lane: from 600 m over the line at 754 m to 150 m.
static apex_track *ring_with_pits(void) {
    apex_track_def def = apex_default_track_def();
    snprintf(def.name, sizeof def.name, "pits");
    scene_points(&def, SCENE_POINTS);
    for (uint32_t i = 0; i < SCENE_POINTS; i++) {
        double angle_rad = 2.0 * APEX_PI * i / SCENE_POINTS;
        def.points[i] = (apex_track_point){.x_m = 120.0 * apex_cos(angle_rad),
                                           .y_m = 120.0 * apex_sin(angle_rad),
                                           .left_m = 6.0,
                                           .right_m = 6.0};
    }
    def.verge_m = 8.0;
    def.pit_lane = apex_default_track_pit_lane();
    def.pit_lane.side = APEX_SIDE_RIGHT;
    def.pit_lane.entry_m = 600.0;
    def.pit_lane.exit_m = 150.0;
    def.pit_lane.box_count = 4;
    snprintf(def.pit_lane.surface, sizeof def.pit_lane.surface, "asphalt");
    snprintf(def.pit_lane.wall_material, sizeof def.pit_lane.wall_material, "tyre-wall");
    return scene_lay(&def);
}

static void begin_practice(void) {
    apex_race_def def = weekend_def();
    def.idle_s = 12.0;
    def.weekend.sessions[0].duration_s = 200.0;
    begin_on(ring_with_pits(), &def);
    ada = scene_join(race, "ada");
    go();
}

// In the middle of the lane, as far along the lap as metres on the road.
static void warp_in_lane(double metres) {
    apex_track_pits pits = apex_track_pits_of(track);
    race_player *line = line_of(ada);
    double since_m = apex_track_gap_m(track, pits.entry_s_m, line->s_m + metres);
    apex_placement at = apex_track_pit_lane_placement(track, since_m);
    apex_world_place_car(race->field.world, line->car_id, &at);
}

static uint32_t void_events(void) {
    apex_race_event event = {0};
    return scene_events(race, APEX_EVENT_LAP_VOID, &event) > 0 ? (uint32_t)event.value : 0;
}

TEST(practice_begins_in_the_boxes) {
    begin_practice();
    ck_assert_uint_eq(race->field.pit_box_count, 4);
    apex_placement box = race->field.pit_boxes[0].at;
    const double *at = race->field.poses[0].position_m;
    ck_assert_double_eq_tol(at[0], box.x_m, 0.1);
    ck_assert_double_eq_tol(at[1], box.y_m, 0.1);
    tick();
    ck_assert(card_of(ada)->lap.in_lane);
    ck_assert_uint_eq(card_of(ada)->lap.voids, APEX_VOID_OUT);
    ck_assert(!race->field.poses[0].held);
    end();
}

// Along the lane towards its end, which is at 150 m, and past it.
static void leave_by_lane(void) {
    for (int i = 0; line_of(ada)->s_m > 100.0; i++) {
        ck_assert_int_lt(i, 200);
        warp_in_lane(5.0);
        tick();
    }
    for (int i = 0; line_of(ada)->s_m < 100.0; i++) {
        ck_assert_int_lt(i, 200);
        warp_in_lane(5.0);
        tick();
    }
    ck_assert(card_of(ada)->lap.in_lane);
    warp(ada, 60.0);
    tick();
    ck_assert(!card_of(ada)->lap.in_lane);
}

TEST(who_rests_in_the_pits_is_not_idle) {
    begin_practice();
    ticks(20 * 60);
    ck_assert_int_eq(line_of(ada)->state, APEX_STANDING_RUNNING);
    leave_by_lane();
    ticks(13 * 60); // and stands on the road
    ck_assert_int_eq(line_of(ada)->state, APEX_STANDING_DNF);
    end();
}

// The box is before the line: out over the line in the lane, which no lap ends at; a lap from
// there, which does not count; one that does; one that ends in the lane; and the same again.
TEST(laps_out_of_the_lane_and_into_it_do_not_count) {
    begin_practice();
    leave_by_lane();
    ck_assert_uint_eq(line_of(ada)->lap.gates_passed > 0, 1);
    ck_assert_uint_eq(line_of(ada)->lap.laps, 0);
    ck_assert_uint_eq(card_of(ada)->lap.voids, APEX_VOID_OUT);
    drive_lap(ada, 5.0);
    ck_assert_uint_eq(line_of(ada)->lap.laps, 1);
    ck_assert_uint_eq(card_of(ada)->lap.counted, 0);
    ck_assert_uint_eq(card_of(ada)->lap.voids, 0);
    drive_lap(ada, 5.0);
    ck_assert_uint_eq(card_of(ada)->lap.counted, 1);
    while (line_of(ada)->s_m < 640.0) {
        warp(ada, 5.0);
        tick();
    }
    for (int i = 0; line_of(ada)->lap.laps == 2; i++) {
        ck_assert_int_lt(i, 200);
        warp_in_lane(5.0);
        tick();
    }
    // Both are told in that tick: why the lap that has ended does not count, and why the next.
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_LAP_VOID, NULL), 2);
    ck_assert_uint_eq(void_events(), APEX_VOID_OUT);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_LAP, NULL), 1); // made in the lane
    ck_assert_uint_eq(card_of(ada)->lap.counted, 1);
    leave_by_lane();
    drive_lap(ada, 5.0);
    ck_assert_uint_eq(card_of(ada)->lap.counted, 1);
    drive_lap(ada, 5.0);
    ck_assert_uint_eq(card_of(ada)->lap.counted, 2);
    ck_assert_uint_eq(line_of(ada)->lap.laps, 5);
    ck_assert_ptr_null(race_validate(race));
    end();
}

static void begin_ring(void) {
    apex_race_def def = weekend_def();
    def.weekend.sessions[0].duration_s = 200.0;
    begin_weekend(&def);
    ada = scene_join(race, "ada");
    go();
    drive_lap(ada, 5.0);
    ck_assert_uint_eq(card_of(ada)->lap.voids, 0);
}

TEST(a_reset_voids_the_lap_and_no_other) {
    begin_ring();
    warp(ada, 100.0);
    tick();
    race_reset(race, 0);
    ck_assert_uint_eq(card_of(ada)->lap.voids, APEX_VOID_RESET);
    drive_lap(ada, 5.0);
    ck_assert_uint_eq(card_of(ada)->lap.counted, 0);
    ck_assert_uint_gt(line_of(ada)->lap.best_lap_us, 0); // it keeps its time
    ck_assert_uint_eq(race->timing.records.best_lap_us, 0);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_BEST_LAP, NULL), 0);
    drive_lap(ada, 5.0);
    ck_assert_uint_eq(card_of(ada)->lap.counted, 1);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_BEST_LAP, NULL), 1);
    end();
}

// The server's hands void a person's lap; a bot has no other.
TEST(the_server_s_laps_are_not_a_person_s) {
    begin_ring();
    apex_race_command over = {.kind = APEX_RACE_TAKEOVER, .player = ada, .skill = 1.0};
    ck_assert_int_eq(apex_race_apply(race, &over), APEX_OK);
    tick();
    ck_assert_uint_eq(void_events(), APEX_VOID_SERVER);
    ck_assert_int_eq(scene_command(race, APEX_RACE_HANDBACK, ada), APEX_OK);
    drive_lap(ada, 5.0);
    ck_assert_uint_eq(card_of(ada)->lap.counted, 0);
    apex_player_id bot = scene_join_driver(race, "bot", 1.0);
    ticks(5);
    ck_assert(!card_of(bot)->is_person);
    ck_assert_uint_eq(card_of(bot)->lap.voids & APEX_VOID_SERVER, 0);
    end();
}

// As a judge of track limits has it, at the end of a lap.
TEST(a_void_may_carry_over) {
    begin_ring();
    card_of(ada)->lap.voids |= APEX_VOID_CUT;
    card_of(ada)->lap.next_voids |= APEX_VOID_CUT;
    drive_lap(ada, 5.0);
    ck_assert_uint_eq(void_events(), APEX_VOID_CUT);
    ck_assert_uint_eq(card_of(ada)->lap.voids, APEX_VOID_CUT);
    drive_lap(ada, 5.0);
    ck_assert_uint_eq(card_of(ada)->lap.counted, 0);
    ck_assert_uint_eq(card_of(ada)->lap.voids, 0);
    end();
}

TEST(an_equal_lap_later_is_no_better) {
    race_deadline open = {UINT64_MAX, UINT64_MAX};
    race_lap_card card = {0};
    race_lap_card_complete(&card, &(race_lap_done){10, 110, open, 1});
    race_lap_card_complete(&card, &(race_lap_done){110, 210, open, 1});
    ck_assert_uint_eq(card.best_us, 100);
    ck_assert_uint_eq(card.best_set_us, 110);
    race_lap_card_complete(&card, &(race_lap_done){210, 309, open, 1});
    ck_assert_uint_eq(card.best_us, 99);
    ck_assert_uint_eq(card.best_set_us, 309);
    ck_assert_uint_eq(card.counted, 3);
}

TEST(a_late_lap_is_void) {
    race_deadline deadline = {1000, 1500};
    race_lap_card card = {0};
    ck_assert_uint_eq(race_lap_card_ends(&card, &(race_lap_done){999, 1500, deadline, 1}), 0);
    ck_assert_uint_eq(race_lap_card_ends(&card, &(race_lap_done){1000, 1200, deadline, 1}),
                      APEX_VOID_LATE);
    ck_assert_uint_eq(race_lap_card_ends(&card, &(race_lap_done){999, 1501, deadline, 1}),
                      APEX_VOID_LATE);
    race_lap_card_next(&card, 999, deadline);
    ck_assert_uint_eq(card.voids, 0);
    race_lap_card_next(&card, 1000, deadline);
    ck_assert_uint_eq(card.voids, APEX_VOID_LATE);
}
