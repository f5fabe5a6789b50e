// links: content
// The corners of a lap, and the history of a car.
#include "test_race_contact_stage.h"
#include "support/base/check_main.h"
#include "support/track/track_scenes.h"

// Two straights of 300 m and half circles of 60 m: 976.99 m round, measured from the first
// straight.
TEST(an_oval_has_two_corners) {
    apex_track_def def = track_scene_oval(300.0, 60.0);
    apex_track *track = scene_lay(&def);
    static race_corners corners;
    race_corners_find(&corners, track);
    ck_assert_uint_eq(corners.count, 2);
    double half_m = APEX_PI * 60.0;
    for (uint32_t i = 0; i < 2; i++) {
        const race_corner *corner = &corners.all[i];
        double from_m = apex_track_frame_at(track, corner->turn_in_m).curvature_per_m;
        ck_assert_double_lt(from_m, 0.017);
        // Cars turn in a little before the road bends, and the whole half circle lies in between.
        double length_m = apex_track_gap_m(track, corner->turn_in_m, corner->exit_m);
        ck_assert_double_ge(length_m, half_m);
        ck_assert_double_le(length_m, half_m + 30.0);
        ck_assert_double_eq_tol(apex_track_gap_m(track, corner->turn_in_m, corner->apex_m),
                                0.5 * length_m, 4.0);
        ck_assert_double_eq_tol(corner->turned_rad, APEX_PI, 0.05);
        ck_assert_ptr_eq(race_corners_at(&corners, track, corner->apex_m), corner);
        ck_assert_ptr_eq(race_corners_at(&corners, track, corner->turn_in_m + 0.1), corner);
        ck_assert_ptr_null(race_corners_at(&corners, track, corner->turn_in_m - 0.1));
        ck_assert_ptr_eq(race_corners_at(&corners, track, corner->exit_m - 0.1), corner);
        ck_assert_ptr_null(race_corners_at(&corners, track, corner->exit_m + 0.1));
    }
    apex_track_destroy(track);
}

TEST(ridgeway_has_sixteen_corners_both_ways) {
    apex_track_def def;
    apex_content_problem problem;
    ck_assert_int_eq(apex_content_load_track("ridgeway", NULL, &def, &problem), APEX_OK);
    apex_track *track = scene_lay(&def);
    static race_corners corners;
    race_corners_find(&corners, track);
    // Degrees, as its file has them.
    static const double turns[] = {-95, 60, -75, 60,  -165, 100,  -45, -40,
                                   -48, 95, -47, -95, 55,   -118, 24,  -23};
    ck_assert_uint_eq(corners.count, sizeof turns / sizeof turns[0]);
    for (uint32_t i = 0; i < corners.count; i++) {
        ck_assert_double_eq_tol(corners.all[i].turned_rad * 180.0 / APEX_PI, turns[i], 3.0);
        ck_assert_double_gt(corners.all[i].apex_m, corners.all[i].turn_in_m);
        ck_assert_double_gt(corners.all[i].exit_m, corners.all[i].apex_m);
    }
    apex_track_destroy(track);
}

TEST(nobody_turns_in_on_a_circle_or_a_strip) {
    static race_corners corners;
    apex_track *circle = scene_ring(120.0);
    race_corners_find(&corners, circle);
    ck_assert_uint_eq(corners.count, 0);
    ck_assert_ptr_null(race_corners_at(&corners, circle, 100.0));
    apex_track_destroy(circle);
    apex_track *strip = scene_strip();
    race_corners_find(&corners, strip);
    ck_assert_uint_eq(corners.count, 0);
    apex_track_destroy(strip);
}

TEST(ten_moments_a_second_as_near_as_ticks_go) {
    ck_assert_uint_eq(race_history_every(60), 6);
    ck_assert_uint_eq(race_history_every(240), 24);
    ck_assert_uint_eq(race_history_every(25), 3);
    ck_assert_uint_eq(race_history_every(24), 2);
    ck_assert_uint_eq(race_history_every(20), 2);
    ck_assert_uint_eq(race_history_every(4), 1);
}

TEST(a_trail_keeps_the_newest_forty) {
    race_trail trail = {.count = 0};
    for (int32_t i = 1; i <= RACE_HISTORY_MOMENTS + 3; i++) {
        race_trail_add(&trail, &(race_moment){.s_cm = i}, (uint64_t)i * 6);
        ck_assert_int_eq(trail.count, i < RACE_HISTORY_MOMENTS ? i : RACE_HISTORY_MOMENTS);
        ck_assert_int_eq(race_trail_moment(&trail, 0)->s_cm, i);
    }
    ck_assert_uint_eq(trail.newest_tick, (RACE_HISTORY_MOMENTS + 3) * 6);
    ck_assert_int_eq(race_trail_moment(&trail, RACE_HISTORY_MOMENTS - 1)->s_cm, 4);
}

TEST(a_trail_notes_when_control_was_lost) {
    race_trail trail = {.count = 0};
    race_trail_add(&trail, &(race_moment){.flags = RACE_MOMENT_LOCKED}, 10);
    ck_assert_uint_eq(trail.lost_tick, 0);
    race_trail_add(&trail, &(race_moment){.flags = RACE_MOMENT_LOST}, 11);
    race_trail_add(&trail, &(race_moment){.flags = RACE_MOMENT_OFF}, 12);
    race_trail_add(&trail, &(race_moment){.flags = RACE_MOMENT_SLIDING}, 13);
    ck_assert_uint_eq(trail.lost_tick, 11);
    ck_assert_uint_eq(trail.off_tick, 12);
    race_trail_put_back(&trail, 20);
    ck_assert_uint_eq(trail.count, 0);
    ck_assert_uint_eq(trail.lost_tick, 0);
    ck_assert_uint_eq(trail.put_back_tick, 20);
}

// Each car is seen every sixth tick, in a turn of its own, where it is.
TEST(cars_are_seen_in_turn) {
    stage_set_up("ridgeway");
    for (int i = 0; i < 60; i++) {
        scene_tick(stage_race, NULL);
        race_history_follow(&stage_faults.history, stage_field(), stage_tick());
    }
    for (uint32_t slot = 0; slot < STAGE_CARS; slot++) {
        const race_trail *trail = &stage_trails[slot];
        ck_assert_uint_eq(trail->count, 10);
        ck_assert_uint_eq(trail->newest_tick % 6, slot);
        ck_assert_uint_le(stage_tick() - trail->newest_tick, 5);
        const race_moment *moment = race_trail_moment(trail, 0);
        apex_placement box = apex_track_grid_placement(stage_track, slot);
        apex_track_place place = apex_track_find(stage_track, box.x_m, box.y_m, box.z_m);
        ck_assert_double_eq_tol(moment->s_cm * 0.01, place.s_m, 0.1);
        ck_assert_double_eq_tol(moment->offset_cm * 0.01, place.offset_m, 0.1);
        ck_assert_double_le(fabs(race_history_heading_rad(stage_field(), moment)), 0.002);
        ck_assert_uint_le(moment->speed_cmps, 2);
        ck_assert_uint_eq(moment->flags, 0);
    }
    stage_tear_down();
}

// A moment of a car that is set on the road as it is said.
static race_moment seen_at(double offset_m, double heading_rad, double speed_mps) {
    race_field *field = stage_field();
    apex_placement at = apex_track_placement(stage_track, 2100.0, offset_m);
    at.yaw_rad += heading_rad;
    at.speed_mps = speed_mps;
    apex_world_place_car(field->world, field->players[0].car_id, &at);
    field->players[0].s_m = 2090.0;
    apex_world_poses_by_slot(field->world, field->poses);
    return race_history_see(field, 0);
}

TEST(a_moment_is_what_the_car_does) {
    stage_set_up("ridgeway");
    race_moment moment = seen_at(-3.21, 0.3, 31.5);
    ck_assert_double_eq_tol(moment.s_cm * 0.01, 2100.0, 0.02);
    ck_assert_int_ge(moment.offset_cm, -322);
    ck_assert_int_le(moment.offset_cm, -320);
    ck_assert_double_eq_tol(race_history_heading_rad(stage_field(), &moment), 0.3, 0.002);
    ck_assert_uint_eq(moment.flags, 0);
    ck_assert_uint_ge(moment.speed_cmps, 3149);
    ck_assert_uint_le(moment.speed_cmps, 3150);
    moment = seen_at(0.0, -APEX_PI + 0.01, 5.0);
    ck_assert_double_eq_tol(race_history_heading_rad(stage_field(), &moment), 0.01 - APEX_PI,
                            0.002);
    ck_assert_uint_eq(moment.flags, 0); // the wrong way, but where it points
    moment = seen_at(0.0, 1.06, 0.0);
    ck_assert_uint_eq(moment.flags, RACE_MOMENT_LOST);
    moment = seen_at(0.0, -1.03, 0.0);
    ck_assert_uint_eq(moment.flags, 0);
    stage_field()->used[0] = (apex_controls){.throttle = 200, .brake = 30};
    moment = seen_at(0.0, 0.0, 5.0);
    ck_assert_uint_eq(moment.throttle, 200);
    ck_assert_uint_eq(moment.brake, 30);
    stage_tear_down();
}

static void expect_text(apex_fault_reason reason, const char *expected) {
    char text[APEX_FAULT_REASON_BYTES];
    ck_assert_str_eq(apex_fault_reason_text(&reason, text), expected);
}

TEST(reasons_are_sentences) {
    expect_text((apex_fault_reason){APEX_FAULT_RAN_INTO_BACK, 100, 0, {9.26, 0.0}},
                "ran into the back, closing by 9.3 m/s");
    expect_text((apex_fault_reason){APEX_FAULT_MOVED_ACROSS, 160, 0, {1.6, 3.0}},
                "moved 1.6 m across, only 3.0 m ahead of a follower who could not stop");
    expect_text((apex_fault_reason){APEX_FAULT_SIDE_BY_SIDE, 0, 0, {0.0, 0.0}},
                "both held their lines, side by side");
    for (uint32_t i = 0; i < APEX_FAULT_REASON_KINDS; i++) {
        char text[APEX_FAULT_REASON_BYTES];
        apex_fault_reason widest = {(apex_fault_reason_kind)i, 0, 0, {-9999999.0, -9999999.0}};
        ck_assert_uint_gt(strlen(apex_fault_reason_text(&widest, text)), 20);
        ck_assert_str_ne(apex_fault_reason_name((apex_fault_reason_kind)i), "unknown");
    }
    ck_assert_str_eq(apex_fault_reason_name((apex_fault_reason_kind)APEX_FAULT_REASON_KINDS),
                     "unknown");
}

// Weights of the two, and the share of the first.
static void expect_share(int32_t first, int32_t second, uint32_t share) {
    apex_fault fault = {.reason_count = 2,
                        .reasons = {{.weight = first, .whom = 0}, {.weight = second, .whom = 1}}};
    race_reasons_share(&fault);
    ck_assert_uint_eq(fault.shares[0], share);
    ck_assert_uint_eq(fault.shares[1], 100 - share);
}

TEST(a_share_is_half_of_the_difference) {
    expect_share(0, 0, 50);
    expect_share(100, 0, 100);
    expect_share(0, 100, 0);
    expect_share(500, 0, 100);
    expect_share(100, 180, 10);
    expect_share(80, 0, 90);
    expect_share(30, 0, 60); // 65: halves go towards an even share
    expect_share(0, 30, 40); // and 35, too
    expect_share(32, 0, 70);
    expect_share(-100, 0, 0);
}

TEST(the_heaviest_reason_comes_first) {
    apex_fault fault = {.reason_count = 0};
    const double none[2] = {0.0, 0.0};
    race_reason_add(&fault, APEX_FAULT_BEYOND_TYRES, 0, none);
    race_reason_add(&fault, APEX_FAULT_TOO_FAST, 1, none);
    race_reason_add(&fault, APEX_FAULT_BRAKE_TESTED, 1, none);
    race_reason_add(&fault, APEX_FAULT_PUSHED, 0, none);
    race_reasons_sort(&fault);
    const apex_fault_reason_kind order[] = {APEX_FAULT_BRAKE_TESTED, APEX_FAULT_PUSHED,
                                            APEX_FAULT_BEYOND_TYRES, APEX_FAULT_TOO_FAST};
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_int_eq(fault.reasons[i].kind, order[i]);
    }
    for (uint32_t i = 0; i < APEX_FAULT_REASONS_MAX; i++) {
        race_reason_add(&fault, APEX_FAULT_TOO_FAST, 1, none);
    }
    ck_assert_uint_eq(fault.reason_count, APEX_FAULT_REASONS_MAX);
}
