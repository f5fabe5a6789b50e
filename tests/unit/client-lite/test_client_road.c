// Cars along a road whose shape is known: a circle of 100 m, driven counter-clockwise from (100,
// 0).
#include "support/base/check_main.h"
#include "support/track/track_scenes.h"

#include <math.h>

#include "client-lite/view/car_samples.h"
#include "client-lite/view/road.h"

enum { TICK_HZ = 60, BEGIN = 600 };

#define RADIUS_M 100.0

static apex_track *track;
static client_road *road;

static void lay(void) {
    apex_track_def def = track_scene_circle(RADIUS_M, 72, 0);
    ck_assert_int_eq(apex_track_create(&def, &track, NULL), APEX_OK);
    apex_track_def_free(&def);
    road = client_road_create(track);
    ck_assert_ptr_nonnull(road);
}

static void clear(void) {
    client_road_destroy(road);
    apex_track_destroy(track);
}

FIXTURE(lay, clear)

// At an angle of the circle, `out_m` outside of the centre line, along the lap.
static apex_client_pose pose_at(double angle_rad, double out_m, double speed_mps) {
    return (apex_client_pose){
        .position_m = {(RADIUS_M + out_m) * cos(angle_rad), (RADIUS_M + out_m) * sin(angle_rad),
                       0.5},
        .velocity_mps = {-speed_mps * sin(angle_rad), speed_mps * cos(angle_rad), 0.0},
        .yaw_rad = angle_rad + M_PI / 2.0,
        .yaw_rate_radps = speed_mps / (RADIUS_M + out_m)};
}

static void expect_pose(const apex_client_pose *got, const apex_client_pose *want) {
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(got->position_m[i], want->position_m[i], 0.02);
        ck_assert_double_eq_tol(got->velocity_mps[i], want->velocity_mps[i], 0.02);
    }
    ck_assert_double_eq_tol(remainder(got->yaw_rad - want->yaw_rad, 2.0 * M_PI), 0.0, 0.001);
}

// 4 m outside 26 m/s are 25 m/s of the lap; inside of it they are more.
TEST(a_place_is_of_the_centre_line) {
    apex_client_pose out = pose_at(1.0, 4.0, 26.0);
    out.yaw_rad += 0.2;
    client_road_place place = client_road_find(road, &out, NULL);
    ck_assert(place.is_on);
    ck_assert_double_eq_tol(place.s_m, 100.0, 0.01);
    ck_assert_double_eq_tol(place.along_mps, 25.0, 0.01);
    ck_assert_double_eq_tol(place.offset_m, -4.0, 0.01);
    ck_assert_double_eq_tol(place.rise_m, 0.5, 1e-6);
    ck_assert_double_eq_tol(place.askew_rad, 0.2, 0.001);
    apex_client_pose back = {0};
    client_road_put(road, &place, &back);
    expect_pose(&back, &out);
    ck_assert_double_eq_tol(back.position_m[2], 0.5, 1e-6);
    ck_assert_double_eq_tol(back.yaw_rate_radps, 0.25, 0.001);
    // 5 m of road and 6 m beside it, and no more than 60 degrees askew.
    static const struct {
        double out_m, askew_rad;
        bool is_on;
    } cases[] = {{10.9, 0.0, true}, {11.1, 0.0, false}, {-10.9, 0.0, true}, {-11.1, 0.0, false},
                 {0.0, 1.03, true}, {0.0, 1.06, false}, {0.0, -1.03, true}, {0.0, -1.06, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        apex_client_pose pose = pose_at(2.0, cases[i].out_m, 20.0);
        pose.yaw_rad += cases[i].askew_rad;
        ck_assert_msg(client_road_find(road, &pose, NULL).is_on == cases[i].is_on, "case %zu", i);
        ck_assert_msg(client_road_find(road, &pose, &place).is_on == cases[i].is_on, "case %zu", i);
    }
}

// A car that stopped, or ran on, is not where it was thought to be: looked for within 60 m of there
// it would lie beside the wrong stretch of road, whose cross-sections are 100 m off here.
TEST(a_car_far_from_where_it_was_thought_is_found) {
    apex_client_pose pose = pose_at(2.0, 1.0, 20.0);
    for (double thought_m = 0.0; thought_m < 628.0; thought_m += 25.0) {
        client_road_place near = {.is_on = true, .s_m = thought_m};
        client_road_place place = client_road_find(road, &pose, &near);
        ck_assert(place.is_on);
        ck_assert_double_eq_tol(place.s_m, 200.0, 0.01);
        ck_assert_double_eq_tol(place.offset_m, -1.0, 0.01);
    }
}

// Rates of no more than three times the way keep the cubic between its ends, in reverse as well: at
// half time 1/8 of the way where it starts, 7/8 where it stops.
TEST(a_way_does_not_turn_back) {
    static const struct {
        double from_mps, to_mps, way_m, middle_m;
    } cases[] = {{60.0, 0.0, 10.0, 8.75},    {0.0, 60.0, 10.0, 1.25},  {-60.0, 0.0, -10.0, -8.75},
                 {0.0, -60.0, -10.0, -1.25}, {20.0, 20.0, 20.0, 10.0}, {10.0, 20.0, 15.0, 6.25},
                 {0.0, -20.0, 10.0, 7.5},    {-20.0, 0.0, 10.0, 2.5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        client_road_place from = {.is_on = true,
                                  .s_m = 50.0,
                                  .along_mps = cases[i].from_mps,
                                  .offset_m = 2.0,
                                  .rise_m = 0.4,
                                  .askew_rad = 3.0};
        client_road_place to = {.along_mps = cases[i].to_mps,
                                .offset_m = -2.0,
                                .rise_m = 0.8,
                                .askew_rad = -3.0}; // the short way is over half a turn
        client_road_place place = client_road_between(&from, &to, cases[i].way_m, 0.5, 1.0);
        ck_assert(place.is_on);
        ck_assert_double_eq_tol(place.s_m - 50.0, cases[i].middle_m, 1e-9);
        ck_assert_double_eq_tol(place.offset_m, 0.0, 1e-9);
        ck_assert_double_eq_tol(place.rise_m, 0.6, 1e-9);
        ck_assert_double_eq_tol(place.askew_rad, M_PI, 1e-9);
        // A quarter of the way in time: 3/16 - 2/64 = 5/32 of what is put off slowly.
        place = client_road_between(&from, &to, cases[i].way_m, 0.25, 1.0);
        ck_assert_double_eq_tol(place.offset_m, 2.0 - 4.0 * 5.0 / 32.0, 1e-9);
    }
    // Ends are met, rates too: over two seconds from 10 m/s to 20.
    client_road_place from = {.s_m = 50.0, .along_mps = 10.0}, to = {.along_mps = 20.0};
    client_road_place first = client_road_between(&from, &to, 30.0, 0.0, 2.0);
    client_road_place last = client_road_between(&from, &to, 30.0, 1.0, 2.0);
    ck_assert_double_eq_tol(first.along_mps, 10.0, 1e-9);
    ck_assert_double_eq_tol(last.along_mps, 20.0, 1e-9);
    ck_assert_double_eq_tol(last.s_m, 80.0, 1e-9);
}

// The lap is 628.3 m: a car that is 10 m short of where it was may have gone round, if its speed
// says so. 1.4 times the faster speed and 15 m are let pass, and 15 m back.
TEST(a_way_is_one_that_can_have_been_driven) {
    double length_m = apex_track_length_m(track);
    client_road_place from = {.s_m = 600.0, .along_mps = 20.0};
    client_road_place to = {.s_m = 20.0, .along_mps = 30.0};
    double way_m;
    ck_assert(client_road_way_m(road, &from, &to, 2.0, &way_m));
    ck_assert_double_eq_tol(way_m, length_m - 580.0, 1e-9);
    to.s_m = 590.0;
    ck_assert(client_road_way_m(road, &from, &to, 25.0, &way_m)); // 625 m are likely
    ck_assert_double_eq_tol(way_m, length_m - 10.0, 1e-9);
    ck_assert(client_road_way_m(road, &from, &to, 0.5, &way_m));
    ck_assert_double_eq_tol(way_m, -10.0, 1e-9);
    static const struct {
        double to_m;
        bool is_way;
    } cases[] = {{498.9, true}, {499.1, false}, {385.1, true}, {384.9, false}};
    from.s_m = 400.0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        to.s_m = cases[i].to_m; // 1.4 * 30 m/s for two seconds
        ck_assert_msg(client_road_way_m(road, &from, &to, 2.0, &way_m) == cases[i].is_way,
                      "case %zu", i);
    }
}

// Pieces of 8 m: 79 of 628.3 m. A mean of all who came through, a tenth for each later one.
TEST(speeds_are_those_of_others_there) {
    client_road_place from = {.is_on = true, .s_m = 100.0, .along_mps = 20.0};
    ck_assert_double_eq_tol(client_road_ahead(road, &from, 1.0).s_m, 120.0, 1e-9);
    // Others go 40 m/s before 200 m, and 20 m/s from there on.
    for (double s_m = 0.5; s_m < 620.0; s_m += 1.0) {
        client_road_place other = {.is_on = true, .s_m = s_m, .along_mps = s_m < 200.0 ? 40 : 20};
        client_road_learn(road, &other);
        other.along_mps = 2.9; // one that nearly stands says nothing
        client_road_learn(road, &other);
        other.is_on = false; // nor one on the grass
        other.along_mps = 90.0;
        client_road_learn(road, &other);
    }
    client_road_place ahead = client_road_ahead(road, &from, 1.0);
    ck_assert_double_eq_tol(ahead.s_m, 120.0, 1e-6);
    ck_assert_double_eq_tol(ahead.along_mps, 20.0, 1e-4);
    from.s_m = 150.0; // half as fast as others, and so it stays
    ahead = client_road_ahead(road, &from, 4.0);
    ck_assert_double_eq_tol(ahead.along_mps, 10.0, 1e-4);
    ck_assert_double_eq_tol(ahead.s_m, 150.0 + 20.0 * 2.5 + 10.0 * 1.5, 2.5);
    from.along_mps = 3.0; // what nearly stands does so by itself
    ck_assert_double_eq_tol(client_road_ahead(road, &from, 30.0).along_mps, 3.0, 1e-9);
}

// Ten of 19 m/s on average, and one of 49: 22. Before that piece they go 20 m/s, behind it 22.
TEST(a_later_speed_counts_a_tenth) {
    double piece_m = apex_track_length_m(track) / 79.0;
    for (int i = 0; i < 11; i++) {
        for (int piece = 4; piece <= 6; piece++) {
            client_road_place other = {.is_on = true, .s_m = (piece + 0.5) * piece_m};
            other.along_mps = piece == 4 ? 20.0 : piece == 6 ? 22.0 : i == 10 ? 49.0 : 10.0 + 2 * i;
            client_road_learn(road, &other);
        }
    }
    // A tenth of a second takes it from 0.1 to 1.1 pieces behind the middle of the first.
    client_road_place from = {.is_on = true, .s_m = 4.6 * piece_m, .along_mps = 10.0 * piece_m};
    double wanted_mps = from.along_mps * 22.0 / (20.0 + 0.1 * 2.0);
    ck_assert_double_eq_tol(client_road_ahead(road, &from, 0.1).along_mps, wanted_mps, 1e-3);
}

static apex_wire_car wire_of(const apex_client_pose *pose) {
    return (apex_wire_car){
        .id = 7,
        .x_mm = (int32_t)lround(pose->position_m[0] * 1000.0),
        .y_mm = (int32_t)lround(pose->position_m[1] * 1000.0),
        .z_mm = (int32_t)lround(pose->position_m[2] * 1000.0),
        .vx_cmps = (int16_t)lround(pose->velocity_mps[0] * 100.0),
        .vy_cmps = (int16_t)lround(pose->velocity_mps[1] * 100.0),
        .yaw_q = (int16_t)lround(pose->yaw_rad * APEX_ANGLE_UNITS_PER_RAD),
        .yaw_rate_q = (int16_t)lround(pose->yaw_rate_radps * APEX_YAW_RATE_UNITS_PER_RADPS)};
}

// For a quarter of a second as told, then round the bend for as long as others are heard of.
TEST(a_car_that_is_not_heard_of_follows_the_road) {
    client_samples_scene scene = {.tick_hz = TICK_HZ, .newest_tick = BEGIN + 120, .road = road};
    client_car_samples heard = {0};
    apex_client_pose begun = pose_at(0.0, 0.0, 20.0);
    apex_wire_car car = wire_of(&begun);
    ck_assert(client_samples_insert(&heard, &car, BEGIN));
    for (uint32_t ticks = 5; ticks <= 130; ticks += 25) {
        apex_client_pose got = client_samples_pose(&scene, &heard, BEGIN + ticks);
        apex_client_pose want = pose_at(0.2 * ticks / TICK_HZ, 0.0, 20.0);
        expect_pose(&got, &want);
        ck_assert(got.extrapolated && !got.stale);
    }
}

// Two words a second apart, 2 m outside at the first and 2 m inside at the second.
TEST(far_samples_are_joined_round_the_bend) {
    client_samples_scene scene = {.tick_hz = TICK_HZ, .newest_tick = BEGIN + 60, .road = road};
    client_car_samples heard = {0};
    apex_client_pose begun = pose_at(0.0, 2.0, 51.0), ended = pose_at(0.5, -2.0, 49.0);
    apex_wire_car first = wire_of(&begun), second = wire_of(&ended);
    ck_assert(client_samples_insert(&heard, &first, BEGIN));
    ck_assert(client_samples_insert(&heard, &second, BEGIN + 60));
    client_samples_note_way(&scene, &heard);
    apex_client_pose got = client_samples_pose(&scene, &heard, BEGIN + 30);
    apex_client_pose want = pose_at(0.25, 0.0, 50.0);
    expect_pose(&got, &want);
}
