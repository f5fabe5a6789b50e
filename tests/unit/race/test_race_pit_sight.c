// What is seen of cars in the pits: cars are set down by hand beside a straight.
#include "race/field/along.h"
#include "race/pits/pit_sight.h"
#include "race/race_private.h"

#include <math.h>

#include "test_race_scene.h"
#include "support/base/check_main.h"
#include "support/track/track_scenes.h"

enum { CARS = 3 };

static apex_track *track;
static apex_track_pits lane;
static apex_race *race;
static race_field *field;
static race_card cards[CARS];

// Straights of 400 m; the lane begins 150 m before the line and ends 150 m behind it, 12 boxes of
// 10 m by 3 m from 90 m to 210 m of it.
static void begin(apex_track_side side, double depth_m) {
    apex_track_def def = track_scene_oval(400, 100);
    def.verge_m = 20;
    def.start_m = 200;
    def.pit_lane = apex_default_track_pit_lane();
    def.pit_lane.side = side;
    def.pit_lane.entry_m = 50;
    def.pit_lane.exit_m = 350;
    def.pit_lane.box_depth_m = depth_m;
    track = scene_lay(&def);
    lane = apex_track_pits_of(track);
    apex_race_def race_def = scene_race_def(CARS);
    race = scene_race(&race_def, track);
    field = &race->field;
    memset(cards, 0, sizeof cards);
    for (int i = 0; i < CARS; i++) {
        scene_join(race, "one");
    }
}

static void end(void) {
    apex_race_destroy(race);
    apex_track_destroy(track);
}

static void put(uint32_t slot, apex_placement at) {
    apex_world_place_car(field->world, field->players[slot].car_id, &at);
    apex_world_poses_by_slot(field->world, field->poses);
    const double *p = race_field_pose(field, slot)->position_m;
    field->players[slot].s_m = apex_track_find(track, p[0], p[1], p[2]).s_m;
    race_along_sort(field);
}

// Beside the middle of the lane so far behind its entry, outwards positive.
static apex_placement lane_place(double since_m, double out_m, double mps) {
    apex_placement at = apex_track_pit_lane_placement(track, since_m);
    double left_m = lane.side == APEX_SIDE_LEFT ? out_m : -out_m;
    at.x_m -= left_m * apex_sin(at.yaw_rad);
    at.y_m += left_m * apex_cos(at.yaw_rad);
    at.speed_mps = mps;
    return at;
}

static apex_placement box_place(uint32_t box, double along_m, double aside_m, double turn_rad) {
    apex_placement at = apex_track_pit_box_placement(track, box);
    double c = apex_cos(at.yaw_rad);
    double s = apex_sin(at.yaw_rad);
    at.x_m += along_m * c - aside_m * s;
    at.y_m += along_m * s + aside_m * c;
    at.yaw_rad += turn_rad;
    const apex_hull_def *hull = &field->cars[0].hull;
    at.x_m -= hull->centre_x_m * apex_cos(at.yaw_rad);
    at.y_m -= hull->centre_x_m * apex_sin(at.yaw_rad);
    return at;
}

static race_pit_sight see(uint32_t slot) {
    return race_pit_see(field, &lane, cards, slot, 1000000);
}

static bool is_in(double along_m, double aside_m, double turn_rad) {
    put(0, box_place(4, along_m, aside_m, turn_rad));
    return see(0).in_box;
}

TEST(a_car_is_in_its_box_when_all_of_it_is) {
    for (int side = APEX_SIDE_LEFT; side <= APEX_SIDE_RIGHT; side++) {
        begin((apex_track_side)side, 3.0);
        cards[0].pit.phase = APEX_PIT_LANE;
        cards[0].pit.box1 = 5;
        const apex_hull_def *hull = &field->cars[0].hull;
        double spare_m = 5.0 - 0.5 * hull->length_m;
        double aside_m = 1.5 - 0.5 * hull->width_m;
        ck_assert(is_in(0.0, 0.0, 0.0));
        for (int sign = -1; sign <= 1; sign += 2) {
            ck_assert(is_in(sign * (spare_m - 0.02), 0.0, 0.0));
            ck_assert(!is_in(sign * (spare_m + 0.02), 0.0, 0.0));
            ck_assert(is_in(0.0, sign * (aside_m - 0.02), 0.0));
            ck_assert(!is_in(0.0, sign * (aside_m + 0.02), 0.0));
        }
        ck_assert(!is_in(5.0, 0.0, 0.0)); // half in the next one
        // Turned by 0.3 rad its corners reach 0.3 m further aside than the half metre's grace.
        ck_assert(is_in(0.0, 0.45, 0.3) && !is_in(0.0, 0.55, 0.3));
        // And they take up 2.37 m of the 5 m ahead of its middle in place of 2.2 m.
        ck_assert(is_in(2.6, 0.0, 0.3) && !is_in(2.7, 0.0, 0.3));
        ck_assert(is_in(0.0, 0.0, APEX_PI)); // the wrong way round is for judges
        cards[0].pit.box1 = 6;               // another's
        ck_assert(!is_in(0.0, 0.0, 0.0));
        cards[0].pit.box1 = 13; // none
        ck_assert(!is_in(0.0, 0.0, 0.0));
        end();
    }
}

TEST(in_a_box_hardly_wider_than_the_car_half_a_metre_is_near_enough) {
    begin(APEX_SIDE_RIGHT, 2.0);
    cards[0].pit.phase = APEX_PIT_LANE;
    cards[0].pit.box1 = 5;
    ck_assert_double_lt(1.0 - 0.5 * field->cars[0].hull.width_m, 0.5);
    ck_assert(is_in(0.0, 0.48, 0.0) && !is_in(0.0, 0.52, 0.0));
    end();
}

// The middle of box 5 is 300 / 2 + (4 - 5.5) * 10 = 135 m behind the entry.
TEST(the_way_is_told_from_the_entry) {
    begin(APEX_SIDE_RIGHT, 3.0);
    cards[0].pit.box1 = 5;
    double lap_m = apex_track_length_m(track);
    ck_assert_double_eq_tol(race_pit_since_m(track, &lane, lap_m - 151.0), -1.0, 1e-6);
    ck_assert_double_eq_tol(race_pit_since_m(track, &lane, lap_m - 1.0), 149.0, 1e-6);
    ck_assert_double_eq_tol(race_pit_since_m(track, &lane, 1.0), 151.0, 1e-6); // over the line
    ck_assert_double_eq_tol(race_pit_since_m(track, &lane, 151.0), 301.0, 1e-6);
    put(0, lane_place(100.0, 0.0, 15.0));
    race_pit_sight sight = see(0);
    ck_assert_double_eq_tol(sight.since_m, 100.0, 0.05);
    ck_assert_double_eq_tol(sight.speed_mps, 15.0, 1e-3);
    ck_assert(sight.in_pits && !sight.on_road);
    ck_assert(!sight.near_box); // not in the lane yet: nobody has seen him cross the line
    cards[0].pit.phase = APEX_PIT_LANE;
    sight = see(0);
    ck_assert_double_eq_tol(sight.past_box_m, -35.0, 0.05);
    ck_assert(sight.near_box && !sight.at_box && !sight.in_box);
    put(0, lane_place(150.0, -8.0, 15.0)); // on the grass between lane and road
    ck_assert(!see(0).in_pits && !see(0).on_road);
    put(0, apex_track_placement(track, 0.0, 0.0));
    ck_assert(!see(0).in_pits && see(0).on_road);
    apex_track_place at = {.s_m = 0.0, .offset_m = 0.0, .left_m = 5.0, .right_m = 5.0};
    ck_assert(!race_pit_holds(track, &lane, &at));
    at.offset_m = -5.0 - 6.0 - 2.5;
    ck_assert(race_pit_holds(track, &lane, &at));
    end();
}

TEST(a_box_is_taken_by_who_stands_in_it) {
    begin(APEX_SIDE_RIGHT, 3.0);
    cards[0].pit = cards[1].pit = (race_pit){.phase = APEX_PIT_LANE, .box1 = 5};
    put(1, box_place(4, 0.0, 0.0, 0.0));
    put(2, box_place(5, 0.0, 0.0, 0.0)); // the neighbour, in a box of his own
    put(0, lane_place(80.0, 0.0, 20.0)); // 55 m before it
    ck_assert(see(0).box_taken);
    put(2, apex_track_placement(track, 600.0, 0.0));
    ck_assert(see(0).box_taken);
    put(0, lane_place(139.0, 0.0, 2.0)); // past its middle, and beside it
    ck_assert(see(0).box_taken);
    put(0, lane_place(70.0, 0.0, 20.0)); // 65 m
    ck_assert(!see(0).box_taken && !see(0).near_box);
    put(0, lane_place(80.0, 0.0, 20.0));
    apex_placement rolls = box_place(4, 0.0, 0.0, 0.0);
    rolls.speed_mps = 0.6;
    put(1, rolls);
    ck_assert(!see(0).box_taken);
    put(1, box_place(4, 5.2, 0.0, 0.0)); // in the next one
    ck_assert(!see(0).box_taken);
    put(1, box_place(4, 0.0, 0.0, 0.0));
    field->players[1].ghost = true;
    ck_assert(!see(0).box_taken);
    cards[1].pit.phase = APEX_PIT_STOPPED; // they work on him
    ck_assert(see(0).box_taken);
    cards[1].pit.box1 = 6;
    ck_assert(!see(0).box_taken);
    end();
}

TEST(who_comes_along_the_lane_behind_is_seen) {
    begin(APEX_SIDE_RIGHT, 3.0);
    cards[0].pit = cards[1].pit = cards[2].pit = (race_pit){.phase = APEX_PIT_LANE, .box1 = 5};
    put(0, box_place(4, 0.0, 0.0, 0.0));
    put(1, lane_place(105.0, 0.0, 18.0));
    put(2, lane_place(60.0, 0.0, 21.0));
    race_pit_follower behind = race_pit_behind(field, cards, 0);
    double hull_m = field->cars[0].hull.centre_x_m;
    ck_assert_double_eq_tol(behind.behind_m, 30.0 - hull_m, 0.05);
    ck_assert_double_eq_tol(behind.speed_mps, 18.0, 1e-3);
    cards[1].pit.phase = APEX_PIT_STOPPED; // the one behind him then
    behind = race_pit_behind(field, cards, 0);
    ck_assert_double_eq_tol(behind.behind_m, 75.0 - hull_m, 0.05);
    cards[2].pit.phase = APEX_PIT_ROAD; // races by on the road
    ck_assert(isinf(race_pit_behind(field, cards, 0).behind_m));
    cards[1].pit.phase = APEX_PIT_LEAVING;
    put(1, lane_place(150.0, 0.0, 18.0)); // ahead
    ck_assert(isinf(race_pit_behind(field, cards, 0).behind_m));
    end();
}

// The lane's inner side is 2.5 m from its middle, and half a car is nearer to it.
TEST(a_wheel_over_the_line_at_the_exit_is_measured) {
    for (int side = APEX_SIDE_LEFT; side <= APEX_SIDE_RIGHT; side++) {
        begin((apex_track_side)side, 3.0);
        double half_m = 0.5 * field->cars[0].hull.width_m;
        put(0, lane_place(290.0, -2.44, 20.0)); // its middle on the line: 2.5 m across the road
        cards[0].pit = (race_pit){.came_out = true, .since_m = 289.0};
        ck_assert_double_eq_tol(see(0).over_m, half_m, 0.03);
        put(0, lane_place(290.0, -2.44 + half_m + 0.1, 20.0));
        ck_assert_double_eq_tol(see(0).over_m, -0.1, 0.03);
        cards[0].pit.came_out = false; // he races by: it is no line for him
        ck_assert_double_le(see(0).over_m, 0.0);
        end();
    }
}

TEST(a_stop_finds_what_the_car_needs) {
    begin(APEX_SIDE_RIGHT, 3.0);
    apex_car_state state;
    apex_car_id id = field->players[1].car_id;
    ck_assert(apex_world_get_car(field->world, id, &state));
    state.fuel_kg = 7.0;
    state.damage[APEX_ZONE_LEFT] = 0.5;
    state.engine_blown = true;
    ck_assert(apex_world_set_car(field->world, id, &state));
    race_pit_need need = race_pit_need_of(field, 1);
    ck_assert_double_eq_tol(need.fuel_kg, 7.0, 1e-6);
    ck_assert_double_eq_tol(need.fuel_kg_max, field->cars[0].fuel_kg_max, 1e-9);
    ck_assert_uint_eq(need.axles, 2);
    ck_assert_double_eq_tol(need.damage[APEX_ZONE_LEFT], 0.5, 1e-6);
    ck_assert_double_eq_tol(need.damage[APEX_ZONE_FRONT], 0.0, 1e-12);
    ck_assert(need.engine_blown);
    end();
}
