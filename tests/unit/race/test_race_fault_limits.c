// The steward by himself: scenes go in, shares come out, on both sides of each limit. Two cars of
// 4.4 m by 1.8 m with axles 1.3 m before and behind the middle, on a road of 6 m to each side.
#include "race/fault/fault.h"
#include "support/base/check_main.h"

#include "base/trig.h"

#include <math.h>

static race_scene scene;
static apex_fault fault;

enum { ADA, BOB };

// The car came straight and evenly, at the speed that its line has there.
static void lay(uint32_t whom, double along_m, double offset_m, double speed_mps) {
    race_scene_car *car = &scene.cars[whom];
    *car = (race_scene_car){.count = RACE_SCENE_MOMENTS,
                            .front_axle_m = 1.3,
                            .rear_axle_m = 1.3,
                            .length_m = 4.4,
                            .width_m = 1.8,
                            .back_s = (double)INFINITY,
                            .free_ahead_m = (double)INFINITY};
    for (uint32_t i = 0; i < car->count; i++) {
        double age_s = 0.1 * i;
        car->moments[i] = (race_scene_moment){.age_s = age_s,
                                              .along_m = along_m - speed_mps * age_s,
                                              .offset_m = offset_m,
                                              .speed_mps = speed_mps,
                                              .plan_mps = speed_mps,
                                              .left_m = 6.0,
                                              .right_m = 6.0};
    }
}

// It came to where it is from so far to the right, evenly, in the last 0.7 s.
static void drift(uint32_t whom, double left_m) {
    race_scene_car *car = &scene.cars[whom];
    for (uint32_t i = 1; i < car->count; i++) {
        double share = car->moments[i].age_s < 0.7 ? car->moments[i].age_s / 0.7 : 1.0;
        car->moments[i].offset_m -= share * left_m;
    }
}

static void turn(uint32_t whom, double heading_rad, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++) {
        scene.cars[whom].moments[i].heading_rad = heading_rad;
    }
}

static const apex_fault *judge(void) {
    fault = (apex_fault){.number = 1};
    race_fault_judge(&scene, &fault);
    return &fault;
}

static void expect(uint32_t share, apex_fault_reason_kind main, uint32_t whom) {
    judge();
    ck_assert_uint_eq(fault.shares[ADA], share);
    ck_assert_int_eq(fault.reasons[0].kind, main);
    ck_assert_uint_eq(fault.reasons[0].whom, whom);
}

static bool has(apex_fault_reason_kind kind) {
    judge();
    for (uint32_t i = 0; i < fault.reason_count; i++) {
        if (fault.reasons[i].kind == kind) {
            return true;
        }
    }
    return false;
}

// Ada to the left of bob, level, on a straight.
static void beside(double ada_m, double bob_m) {
    scene = (race_scene){.closing_mps = 1.0};
    lay(ADA, 0.0, ada_m, 40.0);
    lay(BOB, 0.0, bob_m, 40.0);
}

// Ada's nose at bob's tail, faster by so much.
static void behind(double closing_mps) {
    scene = (race_scene){.closing_mps = closing_mps, .normal_along = 1.0};
    lay(ADA, -4.4, 0.0, 40.0 + closing_mps);
    lay(BOB, 0.0, 0.0, 40.0);
}

TEST(who_moves_half_a_metre_more_moves_over) {
    beside(1.0, -0.8);
    drift(ADA, -0.49);
    expect(50, APEX_FAULT_SIDE_BY_SIDE, ADA);
    beside(1.0, -0.8);
    drift(ADA, -0.51);
    expect(90, APEX_FAULT_MOVED_OVER, ADA);
    drift(BOB, 0.02); // more than the other
    expect(50, APEX_FAULT_SIDE_BY_SIDE, ADA);
    beside(1.0, -0.8);
    drift(BOB, 0.51);
    expect(10, APEX_FAULT_MOVED_OVER, BOB);
}

TEST(what_his_line_asks_is_no_move) {
    beside(1.0, -0.8);
    drift(ADA, -1.0);
    for (uint32_t i = 0; i < RACE_SCENE_MOMENTS; i++) { // over the same 0.7 s
        double age_s = scene.cars[ADA].moments[i].age_s;
        scene.cars[ADA].moments[i].plan_offset_m = 0.51 / 0.7 * (age_s < 0.7 ? age_s : 0.7);
    }
    expect(50, APEX_FAULT_SIDE_BY_SIDE, ADA);
    for (uint32_t i = 0; i < RACE_SCENE_MOMENTS; i++) {
        scene.cars[ADA].moments[i].plan_offset_m *= 0.49 / 0.51;
    }
    expect(90, APEX_FAULT_MOVED_OVER, ADA);
}

// Bob's right side is 0.9 m from his middle: at 4.6 m he has half a metre left.
TEST(half_a_metre_at_the_edge_is_no_room) {
    beside(-2.81, -4.61);
    drift(ADA, -0.31);
    expect(100, APEX_FAULT_SQUEEZED, ADA);
    beside(-2.79, -4.59);
    drift(ADA, -0.31);
    expect(50, APEX_FAULT_SIDE_BY_SIDE, ADA);
    beside(-2.81, -4.61);
    drift(ADA, -0.29);
    expect(50, APEX_FAULT_SIDE_BY_SIDE, ADA);
}

TEST(one_behind_the_other_is_a_matter_of_lengths_and_the_normal) {
    behind(5.0);
    expect(100, APEX_FAULT_RAN_INTO_BACK, ADA);
    scene.normal_along = -1.0; // bob is the world's first of the two
    expect(100, APEX_FAULT_RAN_INTO_BACK, ADA);
    scene.normal_along = 0.69; // side to side
    ck_assert(!has(APEX_FAULT_RAN_INTO_BACK));
    scene.normal_along = 0.71;
    ck_assert(has(APEX_FAULT_RAN_INTO_BACK));
    lay(ADA, -2.65, 0.0, 45.0); // 0.6 of a length is 2.64 m
    ck_assert(has(APEX_FAULT_RAN_INTO_BACK));
    lay(ADA, -2.63, 0.0, 45.0);
    ck_assert(!has(APEX_FAULT_RAN_INTO_BACK));
}

// Bob comes 2 m across in 0.7 s. 1.62 m apart, 0.9 of a width, they were 0.6 s ago, with 0.6 c
// between them at a closing speed c; who must brake needs 0.5 c and c^2/16: more, from 1.6 m/s on.
TEST(who_moves_across_where_the_follower_cannot_stop) {
    behind(1.5);
    drift(BOB, 2.0);
    expect(100, APEX_FAULT_RAN_INTO_BACK, ADA);
    behind(1.7);
    drift(BOB, 2.0);
    expect(20, APEX_FAULT_MOVED_ACROSS, BOB);
    ck_assert_double_eq_tol(fault.reasons[0].values[0], 2.0 * 0.6 / 0.7, 0.01);
    ck_assert_double_eq_tol(fault.reasons[0].values[1], 1.02, 0.01);
    behind(1.7);
    drift(ADA, 2.0); // it was ada who changed lanes
    expect(100, APEX_FAULT_RAN_INTO_BACK, ADA);
}

// Bob lost `lost_mps` in a second, on the brake.
static void brakes(double lost_mps, double brake) {
    behind(5.0);
    race_scene_car *bob = &scene.cars[BOB];
    for (uint32_t i = 1; i <= 11; i++) {
        bob->moments[i].speed_mps = 40.0 - lost_mps * (11 - i) / 10.0;
        bob->moments[i].brake = brake;
        bob->moments[i].plan_mps = 45.0;
    }
}

TEST(a_brake_test_is_where_the_line_goes_on_and_nobody_is_ahead) {
    brakes(4.1, 0.31);
    expect(10, APEX_FAULT_BRAKE_TESTED, BOB);
    brakes(3.9, 0.31);
    expect(100, APEX_FAULT_RAN_INTO_BACK, ADA);
    brakes(4.1, 0.29);
    expect(100, APEX_FAULT_RAN_INTO_BACK, ADA);
    brakes(4.1, 0.31);
    scene.cars[BOB].free_ahead_m = 39.9;
    expect(100, APEX_FAULT_RAN_INTO_BACK, ADA);
    scene.cars[BOB].free_ahead_m = 40.1;
    expect(10, APEX_FAULT_BRAKE_TESTED, BOB);
    scene.cars[BOB].moments[1].plan_mps = 37.9; // of 40 m/s, 0.95 are 38
    expect(100, APEX_FAULT_RAN_INTO_BACK, ADA);
    scene.cars[BOB].moments[1].plan_mps = 38.1;
    expect(10, APEX_FAULT_BRAKE_TESTED, BOB);
}

TEST(a_move_under_braking_is_a_defence) {
    behind(1.0);
    scene.cars[BOB].moments[3].brake = scene.cars[BOB].moments[4].brake = 0.21;
    drift(BOB, 0.81);
    ck_assert(has(APEX_FAULT_MOVED_UNDER_BRAKING));
    scene.cars[BOB].moments[3].brake = scene.cars[BOB].moments[4].brake = 0.19;
    ck_assert(!has(APEX_FAULT_MOVED_UNDER_BRAKING));
    scene.cars[BOB].moments[3].brake = scene.cars[BOB].moments[4].brake = 0.21;
    drift(BOB, -0.02);
    ck_assert(!has(APEX_FAULT_MOVED_UNDER_BRAKING));
    behind(1.0); // nor does who is followed all the way
    scene.cars[BOB].moments[3].brake = scene.cars[BOB].moments[4].brake = 0.21;
    drift(BOB, 2.0);
    drift(ADA, 2.0);
    ck_assert(!has(APEX_FAULT_MOVED_UNDER_BRAKING));
}

// A left corner, bob outside on the right. Both do 25 m/s; it turns in 60 m before.
static void corner(double apex_m, double ada_along_m, double ada_mps) {
    scene = (race_scene){.closing_mps = 1.0,
                         .has_corner = true,
                         .is_left = true,
                         .turn_in_m = -60.0,
                         .apex_m = apex_m};
    lay(ADA, ada_along_m, 4.7, ada_mps);
    lay(BOB, 0.0, 2.9, 25.0);
}

// A mirror hangs 0.4 of 2.6 m behind the front axle: beside it is at most 1.04 m behind.
TEST(inside_it_takes_the_mirror) {
    corner(0.0, -1.03, 25.0);
    expect(0, APEX_FAULT_TURNED_IN, BOB); // 0.4 m were left to the edge
    corner(0.0, -1.05, 25.0);
    expect(70, APEX_FAULT_NOT_FAR_ENOUGH, ADA);
    ck_assert_double_eq_tol(fault.reasons[0].values[0], 0.01, 0.001);
}

// Ada comes from behind at 6 m/s more, and is beside the mirror for (1.04 - d) / 6 s at the apex;
// she was not beside at all when they turned in.
TEST(inside_it_takes_half_a_second_of_the_mirror) {
    corner(10.0, 2.2, 31.0); // 0.54 s
    expect(0, APEX_FAULT_TURNED_IN, BOB);
    corner(10.0, 1.6, 31.0); // 0.44 s
    scene.cars[ADA].moments[1].plan_mps = 30.0;
    expect(100, APEX_FAULT_DIVED_IN, ADA);
    ck_assert_double_eq_tol(fault.reasons[0].values[0], 0.42, 0.025);
}

// Beside bob's rear axle until she brakes: it is 2.6 m behind her own front axle's place.
TEST(who_backs_out_has_no_claim) {
    corner(10.0, -2.59, 24.5); // 1.2 m further ahead when they turned in
    expect(70, APEX_FAULT_NOT_FAR_ENOUGH, ADA);
    corner(10.0, -2.61, 24.5);
    expect(90, APEX_FAULT_BACKED_OUT, ADA);
    corner(10.0, -2.61, 25.0); // she was never beside him
    expect(100, APEX_FAULT_DIVED_IN, ADA);
}

// Bob passes outside, 2 m/s faster.
static void outside(double ahead_m) {
    corner(-10.0, 0.0, 25.0);
    lay(BOB, ahead_m + 10.0 / 27.0 * 2.0, 2.9, 27.0);
}

TEST(outside_it_takes_the_front_axle_at_the_apex) {
    outside(-0.2);
    expect(10, APEX_FAULT_OUTSIDE_NOT_AHEAD, BOB);
    outside(0.2);
    judge();
    ck_assert(!has(APEX_FAULT_OUTSIDE_NOT_AHEAD));
    scene.cars[BOB].moments[0].right_m = -2.9 + 0.9 + 0.49; // the edge is there
    expect(100, APEX_FAULT_NO_ROOM_OUTSIDE, ADA);
    scene.cars[BOB].moments[0].right_m = -2.9 + 0.9 + 0.51;
    ck_assert(!has(APEX_FAULT_NO_ROOM_OUTSIDE));
}

TEST(level_in_a_corner_each_leaves_room) {
    corner(0.0, 0.0, 25.0);
    lay(ADA, 0.0, 4.61, 25.0);
    expect(0, APEX_FAULT_TURNED_IN, BOB);
    lay(ADA, 0.0, 4.59, 25.0);
    expect(50, APEX_FAULT_SIDE_BY_SIDE, ADA);
    lay(BOB, 0.0, -4.61, 25.0);
    lay(ADA, 0.0, -2.8, 25.0);
    expect(100, APEX_FAULT_NO_ROOM_OUTSIDE, ADA);
}

// Ada gains 0.6 m/s, and was 1.77 m further back half a second before they turned in; she drifts
// out by less than a level car may.
TEST(who_passes_is_seen_half_a_second_before_turn_in) {
    for (int i = 0; i < 2; i++) {
        corner(10.0, 0.0, 25.0);
        lay(ADA, i == 0 ? 0.76 : 0.78, 2.0, 25.6);
        lay(BOB, 0.0, 0.2, 25.0);
        drift(ADA, -0.3);
        if (i == 0) {
            expect(90, APEX_FAULT_RAN_WIDE, ADA);
        } else {
            expect(50, APEX_FAULT_SIDE_BY_SIDE, ADA);
        }
    }
}

TEST(forty_five_degrees_are_out_of_control) {
    behind(5.0);
    turn(BOB, 0.78, 1, 8);
    expect(100, APEX_FAULT_RAN_INTO_BACK, ADA);
    turn(BOB, -0.79, 1, 8);
    expect(0, APEX_FAULT_LOST_CONTROL, BOB);
    ck_assert_double_eq_tol(fault.reasons[0].values[0], 0.7, 0.001);
    turn(BOB, 0.34, 5, 8); // 19 degrees: not astray yet
    judge();
    ck_assert_double_eq_tol(fault.reasons[0].values[0], 0.4, 0.001);
}

// Bob has stood across for as long as anybody can tell. In 4 s ada came 4 v; she stops in 0.8 v and
// v^2/16, which is as far at 51.2 m/s.
TEST(who_sees_it_from_far_enough_can_stop) {
    behind(0.0);
    lay(BOB, 0.0, 0.0, 0.0);
    turn(BOB, 1.5, 0, RACE_SCENE_MOMENTS);
    lay(ADA, -4.4, 0.0, 51.1);
    expect(80, APEX_FAULT_COULD_AVOID, ADA);
    ck_assert_double_eq_tol(fault.reasons[0].values[0], 204.4, 0.1);
    ck_assert_double_eq_tol(fault.reasons[0].values[1], 40.88 + 163.2, 0.1);
    lay(ADA, -4.4, 0.0, 51.3);
    expect(0, APEX_FAULT_LOST_CONTROL, BOB);
}

TEST(who_came_back_within_five_seconds_gives_way) {
    behind(20.0);
    scene.cars[BOB].moments[1].plan_mps = 50.1; // 40 m/s are less than 0.8 of it
    scene.cars[BOB].back_s = 4.99;
    expect(0, APEX_FAULT_REJOINED, BOB); // ada was 80 m away and needed 173
    scene.cars[BOB].back_s = 5.01;
    expect(100, APEX_FAULT_RAN_INTO_BACK, ADA);
    scene.cars[BOB].back_s = 4.99;
    scene.cars[BOB].moments[1].plan_mps = 49.9; // up to speed
    expect(100, APEX_FAULT_RAN_INTO_BACK, ADA);
}

TEST(against_the_lap_is_more_than_a_spin) {
    behind(0.0);
    turn(BOB, 2.1, 0, 20);
    expect(0, APEX_FAULT_LOST_CONTROL, BOB);
    turn(BOB, 2.1, 0, 21); // for 2 s
    expect(0, APEX_FAULT_WRONG_WAY, BOB);
    scene.cars[BOB].moments[1].speed_mps = 2.9;
    expect(0, APEX_FAULT_LOST_CONTROL, BOB);
    turn(BOB, 2.09, 0, 21);
    scene.cars[BOB].moments[1].speed_mps = 9.0;
    expect(0, APEX_FAULT_LOST_CONTROL, BOB);
}

TEST(two_moments_past_the_tyres_and_a_tenth_too_fast) {
    beside(1.0, -0.8);
    scene.cars[ADA].moments[2].locked = true;
    expect(50, APEX_FAULT_SIDE_BY_SIDE, ADA);
    scene.cars[ADA].moments[9].sliding = true;
    expect(60, APEX_FAULT_BEYOND_TYRES, ADA);
    ck_assert_double_eq_tol(fault.reasons[0].values[0], 0.9, 0.001);
    scene.cars[ADA].moments[9].sliding = false;
    scene.cars[ADA].moments[11].sliding = true; // more than a second ago
    expect(50, APEX_FAULT_SIDE_BY_SIDE, ADA);
    corner(0.0, 0.0, 25.0);
    lay(ADA, 0.0, 4.5, 25.0);
    scene.cars[BOB].moments[1].plan_mps = 22.8;
    expect(50, APEX_FAULT_SIDE_BY_SIDE, ADA);
    scene.cars[BOB].moments[1].plan_mps = 22.7;
    expect(40, APEX_FAULT_TOO_FAST, BOB);
}

TEST(blue_is_ignored_by_a_move) {
    beside(1.0, -0.8);
    scene.cars[BOB].blue = true;
    drift(BOB, 0.39);
    expect(50, APEX_FAULT_SIDE_BY_SIDE, ADA);
    drift(BOB, 0.02);
    expect(20, APEX_FAULT_BLUE_IGNORED, BOB);
}

// A scene told the other way round gives the same, the other way round.
TEST(nobody_is_judged_by_his_number) {
    for (int i = 0; i < 4; i++) {
        if (i == 0) {
            brakes(6.0, 1.0);
        } else if (i == 1) {
            corner(0.0, 1.6, 31.0);
        } else if (i == 2) {
            beside(1.0, -0.8);
            drift(ADA, -1.0);
        } else {
            behind(5.0);
            turn(BOB, 1.0, 0, 9);
        }
        judge();
        uint32_t share = fault.shares[ADA];
        apex_fault_reason_kind main = fault.reasons[0].kind;
        race_scene_car ada = scene.cars[ADA];
        scene.cars[ADA] = scene.cars[BOB];
        scene.cars[BOB] = ada;
        judge();
        ck_assert_uint_eq(fault.shares[BOB], share);
        ck_assert_int_eq(fault.reasons[0].kind, main);
    }
}

// A newcomer has no past to look at.
TEST(a_scene_of_one_moment_is_judged_too) {
    behind(5.0);
    scene.cars[ADA].count = scene.cars[BOB].count = 1;
    expect(100, APEX_FAULT_RAN_INTO_BACK, ADA);
    beside(1.0, -0.8);
    scene.cars[ADA].count = 1;
    expect(50, APEX_FAULT_SIDE_BY_SIDE, ADA);
    corner(0.0, 0.0, 25.0);
    scene.cars[BOB].count = 1;
    judge();
    ck_assert_uint_eq(fault.shares[ADA] + fault.shares[BOB], 100);
}
