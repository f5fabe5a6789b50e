// Ghosts stay ghosts for as long as somebody is inside them, and no longer.
#include "test_race_ring.h"
#include "race/field/along.h"
#include "race/field/ghost.h"
#include "race/field/grid.h"
#include "race/field/way_clear.h"
#include "race/timing/lap.h"
#include "support/base/check_main.h"

#include <math.h>

enum { GHOST_TICKS = 120 }; // two seconds of 60 ticks

static apex_player_id ada, bob;

// Two on the grid of a ring, and the lights are out.
static void begin_two(void) {
    apex_race_def def = scene_race_def(4);
    def.laps = 1;
    def.races = 0;
    def.results_s = 0.0;
    def.finish_wait_s = 5.0;
    def.stuck_s = def.idle_s = 0.0;
    begin(&def);
    ada = scene_join(race, "ada");
    bob = scene_join(race, "bob");
    go();
}

static race_player *line_of(apex_player_id player) {
    return &race->field.players[player.index1 - 1];
}

static bool is_ghost(apex_player_id player) {
    const race_player *line = line_of(player);
    apex_car_pose pose;
    ck_assert(apex_world_pose(race->field.world, line->car_id, &pose));
    ck_assert_int_eq(pose.ghost, line->ghost);
    ck_assert_int_eq(race_field_pose_of(&race->field, line)->ghost, line->ghost);
    return line->ghost;
}

static void put(apex_player_id player, double s_m, double offset_m, double speed_mps) {
    apex_placement at = apex_track_placement(track, s_m, offset_m);
    at.speed_mps = speed_mps;
    race_grid_put(&race->field, player.index1 - 1u, &at);
    line_of(player)->s_m = s_m;
}

static void run(uint32_t ticks) {
    for (uint32_t i = 0; i < ticks; i++) {
        scene_tick(race, NULL);
    }
}

// Half the diagonal of the hull round its own middle, and how far that is from the car's.
static double reach_m(void) {
    const apex_hull_def *hull = &race->field.cars[0].hull;
    double half_m = 0.5 * sqrt(hull->length_m * hull->length_m + hull->width_m * hull->width_m);
    return half_m + sqrt(hull->centre_x_m * hull->centre_x_m + hull->centre_y_m * hull->centre_y_m);
}

TEST(a_ghost_stays_one_inside_another_car) {
    begin_two();
    put(ada, 100.0, 0.0, 0.0);
    put(bob, 101.0, 0.0, 0.0);
    race_ghost_set(&race->field, bob.index1 - 1u, true);
    ck_assert(!line_of(bob)->aside);
    run(2 * GHOST_TICKS);
    ck_assert(is_ghost(bob));
    ck_assert_uint_eq(scene_standing(race, bob).contacts, 0);
    put(ada, 160.0, 0.0, 0.0);
    run(1);
    ck_assert(!is_ghost(bob));
    end();
}

// Neither turns solid at less than the sum of both reaches, ahead as behind; a car is not in its
// own way.
TEST(two_cars_need_the_reach_of_both) {
    begin_two();
    const double apart_m[] = {2.0 * reach_m() - 0.1, 2.0 * reach_m() + 0.1};
    for (int way = -1; way <= 1; way += 2) {
        for (int i = 0; i < 2; i++) {
            put(ada, 100.0, 0.0, 0.0);
            apex_placement at = apex_track_placement(track, 100.0, 0.0);
            at.x_m += way * apart_m[i] * apex_cos(at.yaw_rad);
            at.y_m += way * apart_m[i] * apex_sin(at.yaw_rad);
            race_grid_put(&race->field, bob.index1 - 1u, &at);
            line_of(bob)->s_m = apex_track_find(track, at.x_m, at.y_m, at.z_m).s_m;
            race_along_sort(&race->field);
            ck_assert_int_eq(race_along_is_free(&race->field, 0), i == 1);
            ck_assert_int_eq(race_along_is_free(&race->field, 1), i == 1);
        }
    }
    end();
}

// On the grid the second box is 8 m behind the first and 5 m beside it, 9.4 m away.
TEST(a_longer_car_is_a_ghost_where_it_does_not_fit) {
    apex_race_def def = scene_race_def(4);
    apex_car_def cars[2] = {apex_default_car_def(), apex_default_car_def()};
    cars[1].hull.length_m = 16.0;
    track = scene_ring(120.0);
    ck_assert_int_eq(apex_race_create(&def, track, cars, 2, &race), APEX_OK);
    ada = scene_join(race, "ada");
    bob = scene_join(race, "bob");
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, ada), APEX_OK);
    ck_assert(!is_ghost(ada) && !is_ghost(bob));
    apex_race_command change = {.kind = APEX_RACE_CAR, .player = bob, .car = 1};
    ck_assert_int_eq(apex_race_apply(race, &change), APEX_OK);
    ck_assert(is_ghost(bob));
    change.car = 0;
    ck_assert_int_eq(apex_race_apply(race, &change), APEX_OK);
    ck_assert(!is_ghost(bob));
    end();
}

TEST(whoever_is_a_ghost_for_another_reason_is_not_aside) {
    begin_two();
    race_ghost_aside(&race->field, 0);
    ck_assert(line_of(ada)->aside);
    race_ghost_set(&race->field, 0, true);
    ck_assert(!line_of(ada)->aside);
    race_ghost_aside(&race->field, 0);
    race_ghost_set(&race->field, 0, false);
    ck_assert(!line_of(ada)->aside);
    end();
}

// Only a car that was set down aside, and only until its driver presses the throttle.
TEST(the_rules_brake_for_who_stands_aside) {
    begin_two();
    race_ghost_aside(&race->field, 1);
    apex_controls controls[4] = {{.throttle = 0}, {.throttle = 12}};
    apex_race_tick(race, controls, NULL);
    ck_assert_uint_eq(apex_race_controls_used(race)[0].brake, 0);
    ck_assert_uint_eq(apex_race_controls_used(race)[1].brake, 255);
    controls[1].throttle = 13;
    apex_race_tick(race, controls, NULL);
    ck_assert_uint_eq(apex_race_controls_used(race)[1].brake, 0);
    end();
}

// Of sixteen gates, one at the line: those ahead of him belong to the lap before his first.
TEST(a_latecomer_has_the_way_to_the_line_ahead) {
    begin_two();
    double length_m = apex_track_length_m(track);
    ck_assert_uint_eq(race->timing.gate_count, 16);
    const struct {
        double s_m;
        uint32_t gates;
    } places[] = {{10.0, 15}, {0.5 * length_m + 1.0, 7}, {length_m - 20.0, 0}};
    for (int i = 0; i < 3; i++) {
        put(bob, places[i].s_m, 0.0, 0.0);
        race_lap_begin_late(&race->timing, &race->field, line_of(bob));
        ck_assert_uint_eq(line_of(bob)->lap.gates_back, places[i].gates);
        ck_assert_uint_eq(line_of(bob)->lap.gates_passed, 0);
        ck_assert_double_eq_tol(line_of(bob)->way_m, places[i].s_m - length_m, 0.05);
    }
    end();
}

TEST(a_ghost_turns_solid_two_seconds_later) {
    begin_two();
    put(ada, 100.0, 0.0, 0.0);
    put(bob, 160.0, 0.0, 0.0);
    race_ghost_set(&race->field, bob.index1 - 1u, true);
    run(GHOST_TICKS);
    ck_assert(is_ghost(bob));
    run(1);
    ck_assert(!is_ghost(bob));
    end();
}

// One is home, one out, and a guest was set down aside and has not got under way: in the lobby that
// counts no more.
TEST(no_ghost_s_time_goes_on_into_the_next_race) {
    begin_two();
    put(bob, 300.0, 0.0, 0.0);
    apex_player_id guest = scene_join(race, "guest");
    ck_assert_double_lt(line_of(guest)->way_m, -1.0);
    ck_assert_double_eq(line_of(guest)->watch.stuck_way_m, line_of(guest)->way_m);
    run(2 * GHOST_TICKS);
    ck_assert(line_of(guest)->aside && is_ghost(guest)); // at rest
    warp_home(ada);
    scene_until(race, APEX_PHASE_RESULTS, 60 * 6);
    ck_assert_uint_gt(line_of(bob)->ghost_ticks, 1);
    ck_assert(is_ghost(ada) && is_ghost(bob) && is_ghost(guest));
    scene_until(race, APEX_PHASE_LOBBY, 60);
    run(1);
    ck_assert(!is_ghost(ada));
    ck_assert(!is_ghost(bob));
    ck_assert(!is_ghost(guest) && !line_of(guest)->aside);
    end();
}

// Whoever is home stays a ghost until the race is over.
TEST(the_time_of_a_ghost_that_is_out_does_not_run) {
    begin_two();
    warp_home(ada);
    uint32_t ticks = line_of(ada)->ghost_ticks;
    run(30);
    ck_assert_uint_eq(line_of(ada)->ghost_ticks, ticks);
    end();
}

// With 8 m/s between them 25 m are made up in less than 4 s, and 60 m in more.
TEST(the_way_is_clear_of_those_who_are_four_seconds_away) {
    begin_two();
    const struct {
        double ahead_m, own_mps, other_mps;
        bool clear;
    } cases[] = {
        {-25.0, 6.0, 14.0, false}, // comes up from behind
        {-60.0, 6.0, 14.0, true},  // in 6 s
        {-25.0, 14.0, 6.0, true},  // falls back
        {25.0, 14.0, 6.0, false},  // is caught
        {60.0, 14.0, 6.0, true},   //
        {25.0, 6.0, 14.0, true},   // gets away
        {5.0, 10.0, 10.0, false},  // too near at any speed
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put(ada, 300.0 + cases[i].ahead_m, 0.0, cases[i].other_mps);
        put(bob, 300.0, 0.0, cases[i].own_mps);
        race_along_sort(&race->field);
        ck_assert_msg(race_way_is_clear(&race->field, 1) == cases[i].clear, "case %zu", i);
    }
    race_ghost_set(&race->field, 0, true); // it touches nobody
    ck_assert(race_way_is_clear(&race->field, 1));
    end();
}
