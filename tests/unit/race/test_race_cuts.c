// Cars that leave their road for another part of it: when they are there, and where a reset puts
// them.
#include "test_race_one.h"
#include "race/field/follow.h"
#include "race/judging.h"
#include "race/race_private.h"
#include "race/timing/lap.h"
#include "support/base/check_main.h"

#include <math.h>

// One car on the clover, lights out.
static race_player *begin(void) {
    apex_race_def def = scene_race_def(2);
    def.laps = 5;
    def.stuck_s = def.idle_s = 0.0;
    begin_on(scene_circuit(), &def);
    scene_join(race, "ada");
    go();
    return &race->field.players[0];
}

// Where the rules see the car; physics has no say.
static void see_at(double s_m, double offset_m, uint8_t wheels_on_road) {
    apex_placement at = apex_track_placement(track, s_m, offset_m);
    apex_car_pose *pose = &race->field.poses[0];
    pose->position_m[0] = at.x_m;
    pose->position_m[1] = at.y_m;
    pose->position_m[2] = at.z_m;
    pose->wheels_on_road = wheels_on_road;
}

static void carry(double s_m, double offset_m, uint8_t wheels_on_road) {
    static const apex_controls idle[2];
    apex_world_step(race->field.world, idle, NULL);
    see_at(s_m, offset_m, wheels_on_road);
    race_lap_advance(&race->timing, &race->field, &race->field.players[0], &race->log);
}

static void carry_over(double from_m, double to_m) {
    for (double s_m = from_m; s_m <= to_m; s_m += 5.0) {
        carry(s_m, 0.0, 4);
    }
}

// Half the lap on, or not so far back, 250 m away across the infield.
TEST(a_car_is_on_another_road_with_all_its_wheels) {
    race_player *ada = begin();
    ck_assert_uint_eq(race->field.poses[0].wheel_count, 4);
    carry_over(-5.0, 30.0);
    const double roads_m[] = {500.0, 600.0};
    for (int i = 0; i < 2; i++) {
        for (uint8_t wheels = 0; wheels < 4; wheels++) {
            ada->s_m = 30.0;
            see_at(roads_m[i], 0.0, wheels);
            ck_assert(race_follow(&race->field, ada));
            ck_assert_double_lt(fabs(apex_track_gap_m(track, ada->s_m, 30.0)), 61.0); // the window
        }
        ada->s_m = 30.0;
        see_at(roads_m[i], 0.0, 4);
        ck_assert(!race_follow(&race->field, ada)); // no way was made
        ck_assert_double_eq_tol(ada->s_m, roads_m[i], 0.05);
    }
    end();
}

// Past gates that it has not crossed a car is in no place to go on from: neither a little past
// them nor more than a quarter of a lap before them.
TEST(a_reset_after_a_cut_is_before_the_cut) {
    const double cuts_m[] = {400.0, 700.0};
    for (int i = 0; i < 2; i++) {
        race_player *ada = begin();
        carry_over(-5.0, 30.0);
        ck_assert_double_eq_tol(ada->safe_s_m, 30.0, 0.05);
        carry(cuts_m[i], 0.0, 4);
        ck_assert_double_eq_tol(ada->s_m, cuts_m[i], 0.05);
        ck_assert_double_eq_tol(ada->safe_s_m, 30.0, 0.05);
        race_reset(race, 0);
        ck_assert(ada->ghost && ada->aside); // until it is under way
        double back_m = apex_track_gap_m(track, ada->s_m, 30.0);
        ck_assert(back_m > -0.1 && back_m < 100.0);
        ck_assert_uint_eq(ada->tally.resets, 1);
        ck_assert_double_le(ada->way_m, 30.1);
        end();
    }
}

TEST(a_reset_is_where_the_road_was_left) {
    race_player *ada = begin();
    carry_over(-5.0, 30.0);
    for (double s_m = 31.0; s_m < 50.0; s_m += 1.0) {
        carry(s_m, -8.0, 0);
    }
    ck_assert_double_eq_tol(ada->s_m, 49.0, 0.05);
    ck_assert_double_eq_tol(ada->safe_s_m, 30.0, 0.05);
    carry(50.0, -5.5, 1);
    ck_assert_double_eq_tol(ada->safe_s_m, 50.0, 0.05);
    end();
}

// Before and after a race there are no gates: on the road is enough.
TEST(in_the_lobby_a_reset_is_where_the_road_was_left_too) {
    apex_race_def def = scene_race_def(2);
    begin_on(scene_circuit(), &def);
    scene_join(race, "ada");
    race_player *ada = &race->field.players[0];
    double box_m = ada->s_m;
    see_at(box_m + 20.0, 0.0, 2);
    race_follow_only(&race->field, 0);
    double safe_m = ada->safe_s_m;
    ck_assert_double_eq_tol(apex_track_gap_m(track, box_m, safe_m), 20.0, 0.05);
    see_at(box_m + 40.0, 8.0, 0);
    race_follow_only(&race->field, 0);
    ck_assert_double_eq(ada->safe_s_m, safe_m);
    race_reset(race, 0);
    ck_assert_double_eq(ada->s_m, ada->safe_s_m);
    double back_m = apex_track_gap_m(track, ada->s_m, safe_m);
    ck_assert(back_m > -0.1 && back_m < 100.0);
    ck_assert_uint_eq(ada->tally.resets, 0); // only those of a race are counted
    end();
}
