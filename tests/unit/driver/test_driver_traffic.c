// The road that others leave, on a straight strip where along and across are x and y.
#include "support/base/check_main.h"

#include "driver/drive/traffic.h"
#include "driver/plan/driver_plan.h"
#include "support/track/track_scenes.h"

#include <math.h>

static const double OWN_MPS = 30.0;
static const double OWN_X_M = 150.0;
static const double EDGE_M = 6.0;

static apex_track *track;
static apex_driver_plan *plan;
static apex_car_def def;
static double length_m, width_m; // of a car, and of the road that one leaves for another

// The plan is 50 m/s everywhere on 800 m of road, so that nobody brakes.
static void set_up(void) {
    apex_track_def strip = track_scene_drag();
    ck_assert_int_eq(apex_track_create(&strip, &track, NULL), APEX_OK);
    apex_track_def_free(&strip);
    def = apex_default_car_def();
    ck_assert_int_eq(apex_driver_plan_create(track, &def, 9.81, &plan), APEX_OK);
    for (uint32_t i = 0; i < plan->count; i++) {
        plan->stations[i].speed_mps = 50.0;
    }
    length_m = def.hull.length_m;
    width_m = def.hull.width_m + 0.7;
    // What the scenes below take for granted.
    ck_assert(length_m > 3.5 && length_m < 6.0 && width_m > 2.2 && width_m < 2.9);
}

static void tear_down(void) {
    apex_driver_plan_destroy(plan);
    apex_track_destroy(track);
}

FIXTURE(set_up, tear_down)

typedef struct other {
    double gap_m, offset_m, mps;
} other;

static driver_room wish_at(double offset_m) {
    return (driver_room){.offset_m = offset_m,
                         .offset_m_min = -EDGE_M,
                         .offset_m_max = EDGE_M,
                         .speed_mps = OWN_MPS};
}

static driver_room room_among(double own_m, driver_room wish, const other others[],
                              uint32_t count) {
    apex_driver_view view = {
        .x_m = OWN_X_M, .y_m = own_m, .speed_mps = OWN_MPS, .neighbour_count = count};
    for (uint32_t i = 0; i < count; i++) {
        double faster_mps = others[i].mps - OWN_MPS;
        view.neighbours[i] = (apex_driver_neighbour){
            .ahead_m = others[i].gap_m,
            .left_m = others[i].offset_m - own_m,
            .closing_mps = others[i].gap_m >= 0.0 ? -faster_mps : faster_mps};
    }
    apex_track_place own = apex_track_find(track, view.x_m, view.y_m, 0.0);
    ck_assert_double_eq_tol(own.offset_m, own_m, 1e-6);
    const double heading[2] = {1.0, 0.0};
    return driver_traffic(plan, &view, &own, heading, wish);
}

static driver_room room_with(double own_m, driver_room wish, other one) {
    return room_among(own_m, wish, &one, 1);
}

// Only the middle is open: nobody can be passed.
static double behind_mps(double gap_m, double mps) {
    driver_room wish = wish_at(0.0);
    wish.offset_m_min = wish.offset_m_max = 0.0;
    return room_with(0.0, wish, (other){gap_m, 0.0, mps}).speed_mps;
}

// 3 m behind him, and 0.6 s: whoever is nearer drops back by half of what is missing each second,
// by 1.5 m/s at most, or by 3 within the 3 m.
TEST(who_is_too_close_drops_back_gently) {
    ck_assert_double_eq_tol(behind_mps(length_m + 60.0, 30.0), 30.0, 1e-6);
    ck_assert_double_eq_tol(behind_mps(length_m + 3.0 + 17.0, 30.0), 29.5, 1e-3);
    ck_assert_double_eq_tol(behind_mps(length_m + 3.0 + 10.0, 30.0), 28.5, 1e-3);
    ck_assert_double_eq_tol(behind_mps(length_m + 1.0, 30.0), 27.0, 1e-3);
    ck_assert_double_eq_tol(behind_mps(length_m + 1.0, 2.0), 0.0, 1e-3);
}

// 50 m free: v^2 = 10^2 + 2 * 6 * 50 for one who may brake; 3 m/s^2 for one who stands.
TEST(a_slower_car_is_closed_in_on_as_brakes_allow) {
    ck_assert_double_eq_tol(behind_mps(length_m + 53.0, 10.0), sqrt(700.0), 1e-3);
    ck_assert_double_eq_tol(behind_mps(length_m + 53.0, 0.0), sqrt(300.0), 1e-3);
    ck_assert_double_eq_tol(behind_mps(length_m + 53.0, -5.0), sqrt(300.0), 1e-3);
}

TEST(a_car_in_another_lane_is_not_followed) {
    driver_room wish = wish_at(0.0);
    double aside_m = def.hull.width_m + 0.4;
    ck_assert_double_eq_tol(room_with(0.0, wish, (other){9.0, aside_m, 30.0}).speed_mps, 30.0,
                            1e-6);
    ck_assert_double_lt(room_with(0.0, wish, (other){9.0, aside_m - 0.2, 30.0}).speed_mps, 29.0);
    // From aside, one on the line that we will take is.
    ck_assert_double_lt(room_with(4.0, wish_at(4.0), (other){9.0, 0.0, 30.0}).speed_mps, 29.0);
}

TEST(a_slower_car_is_passed_where_it_leaves_room) {
    other left = {20.0, 0.5, 15.0}, right = {20.0, -0.5, 15.0};
    ck_assert_double_eq_tol(room_with(0.0, wish_at(0.0), left).offset_m, 0.5 - width_m, 1e-6);
    ck_assert_double_eq_tol(room_with(0.0, wish_at(0.0), right).offset_m, width_m - 0.5, 1e-6);
    other half = {20.0, 2.0, 15.0}; // not in the way, but there is no room beside it
    ck_assert_double_eq_tol(room_with(0.0, wish_at(0.0), half).offset_m, 2.0 - width_m, 1e-6);
    driver_room wish = wish_at(0.0);
    wish.offset_m_min = -1.0; // the nearer side is too narrow
    ck_assert_double_eq_tol(room_with(0.0, wish, left).offset_m, 0.5 + width_m, 1e-6);
    wish.offset_m_max = 1.0;
    ck_assert_double_eq_tol(room_with(0.0, wish, left).offset_m, 0.0, 1e-6);
}

static bool passes(double free_m, double mps) {
    return room_with(0.0, wish_at(0.0), (other){length_m + free_m, 0.5, mps}).offset_m != 0.0;
}

TEST(only_a_car_that_is_slower_and_near_is_passed) {
    ck_assert(passes(20.0, 29.0));
    ck_assert(!passes(20.0, 29.2)); // 0.97 of 30 is 29.1
    ck_assert(passes(23.5, 29.0));  // 0.8 s
    ck_assert(!passes(24.5, 29.0));
    ck_assert(passes(59.0, 15.0)); // 4 s until we are there
    ck_assert(!passes(61.0, 15.0));
}

TEST(in_a_bend_only_who_crawls_and_is_near_is_passed) {
    for (uint32_t i = 0; i < plan->count; i++) {
        plan->stations[i].middle_curvature_per_m = 0.0051;
    }
    ck_assert(!passes(20.0, 12.5));
    ck_assert(passes(20.0, 11.5)); // 0.4 of 30 is 12
}

// 4 s at 30 m/s are 120 m of straight behind him, which is asked for every 24 m.
TEST(a_straight_that_ends_soon_is_no_place_to_pass) {
    ck_assert(passes(20.0, 29.0));
    double his_m = OWN_X_M + length_m + 20.0;
    for (uint32_t i = 0; i < plan->count; i++) {
        double x_m = plan->stations[i].x_m;
        bool bends = x_m > his_m + 90.0 && x_m < his_m + 130.0;
        plan->stations[i].middle_curvature_per_m = bends ? 0.01 : 0.0;
    }
    ck_assert(!passes(20.0, 29.0));
}

// Nobody is slow who drives what one would drive there oneself.
TEST(a_car_is_slow_by_the_plan_where_it_is) {
    for (uint32_t i = 0; i < plan->count; i++) {
        plan->stations[i].speed_mps = 20.0;
    }
    ck_assert(!passes(20.0, 19.6));
    ck_assert(passes(20.0, 19.2)); // 0.97 of 20 is 19.4
}

TEST(a_place_to_pass_is_straight_and_nobody_brakes_there) {
    uint32_t at = 40;
    double s_m = plan->first_s_m + at * plan->step_m;
    ck_assert(driver_traffic_passable(plan, s_m - 50.0, 50.0));
    for (int side = -1; side <= 1; side += 2) {
        plan->stations[at].middle_curvature_per_m = 0.006 * side;
        ck_assert(!driver_traffic_passable(plan, s_m - 50.0, 50.0));
        ck_assert(!driver_traffic_passable(plan, s_m, 50.0));
        ck_assert(driver_traffic_passable(plan, s_m - 60.0, 50.0));
    }
    plan->stations[at].middle_curvature_per_m = 0.0;
    for (uint32_t i = at; i < plan->count; i++) { // 2 m/s^2 for one step
        plan->stations[i].speed_mps = sqrt(2500.0 - 4.0 * plan->step_m);
    }
    ck_assert(!driver_traffic_passable(plan, s_m - 0.5 * plan->step_m, 0.0));
    ck_assert(driver_traffic_passable(plan, s_m + plan->step_m, 50.0));
}

TEST(a_car_beside_keeps_its_width_of_road) {
    other left = {0.0, 3.0, 30.0}, right = {0.0, -3.0, 30.0};
    driver_room room = room_with(0.0, wish_at(2.0), left);
    ck_assert_double_eq_tol(room.offset_m, 3.0 - width_m, 1e-6);
    ck_assert_double_eq_tol(room.offset_m_max, 3.0 - width_m, 1e-6);
    ck_assert_double_eq_tol(room.offset_m_min, -EDGE_M, 1e-6);
    room = room_with(0.0, wish_at(-2.0), right);
    ck_assert_double_eq_tol(room.offset_m, width_m - 3.0, 1e-6);
    ck_assert_double_eq_tol(room.offset_m_min, width_m - 3.0, 1e-6);
    // Over the edge he is left the edge.
    room = room_with(2.0, wish_at(6.0), (other){0.0, 7.5, 30.0});
    ck_assert_double_eq_tol(room.offset_m, EDGE_M - width_m, 1e-6);
    room = room_with(-2.0, wish_at(-6.0), (other){0.0, -7.5, 30.0});
    ck_assert_double_eq_tol(room.offset_m, width_m - EDGE_M, 1e-6);
}

TEST(beside_is_as_far_as_a_length_and_a_metre) {
    ck_assert_double_lt(room_with(0.0, wish_at(2.0), (other){length_m + 0.9, 3.0, 30.0}).offset_m,
                        1.0);
    ck_assert_double_eq_tol(
        room_with(0.0, wish_at(2.0), (other){-length_m - 1.1, 3.0, 30.0}).offset_m, 2.0, 1e-6);
}

TEST(between_two_cars_one_stays_where_he_is) {
    const other BOTH[2] = {{0.0, 2.0, 30.0}, {0.0, -2.0, 30.0}};
    ck_assert_double_eq_tol(room_among(0.2, wish_at(1.0), BOTH, 2).offset_m, 0.2, 1e-6);
}

// Beside another 0.4 m past where one wishes to stay, and no more.
TEST(nobody_leaves_the_road_for_another) {
    driver_room wish = wish_at(0.0);
    wish.offset_m_min = -1.0;
    ck_assert_double_eq_tol(room_with(-2.0, wish, (other){0.0, 1.0, 30.0}).offset_m, -1.4, 1e-6);
    wish = wish_at(0.0);
    wish.offset_m_max = 1.0;
    ck_assert_double_eq_tol(room_with(2.0, wish, (other){0.0, -1.0, 30.0}).offset_m, 1.4, 1e-6);
}

static bool falls_in(double own_m, double wish_m, other one) {
    double mps = room_with(own_m, wish_at(wish_m), one).speed_mps;
    ck_assert(mps == OWN_MPS || fabs(mps - (one.mps - 1.5)) < 1e-6);
    return mps < OWN_MPS;
}

TEST(of_two_abreast_the_one_behind_falls_in) {
    ck_assert(falls_in(-3.0, 1.0, (other){0.6, 2.0, 30.0})); // neither is on the line
    ck_assert(!falls_in(-3.0, 1.0, (other){0.4, 2.0, 30.0}));
    ck_assert(!falls_in(-3.0, -3.0, (other){0.6, 2.0, 30.0})); // not kept from anything
    ck_assert(!falls_in(-3.0, 1.0, (other){0.6, 2.0, 28.0}));  // comes by
    ck_assert(falls_in(3.0, -1.0, (other){0.6, -2.0, 30.0}));
}

// Three quarters of a length, to either side.
TEST(of_two_abreast_the_one_on_the_line_has_it) {
    double far_m = 0.75 * length_m;
    ck_assert(falls_in(-2.0, 0.5, (other){0.1 - far_m, 0.5, 30.0}));
    ck_assert(!falls_in(-2.0, 0.5, (other){-0.1 - far_m, 0.5, 30.0}));
    ck_assert(!falls_in(0.0, 1.0, (other){far_m - 0.1, 2.0, 30.0}));
    ck_assert(falls_in(0.0, 1.0, (other){far_m + 0.1, 2.0, 30.0}));
}

// 8 m and 1.2 s behind; 8 m and 1.8 s ahead.
TEST(company_is_who_is_close_behind_or_ahead) {
    const double AT_M[] = {-43.5, -44.5, 7.5, 8.5, 61.5, 62.5};
    const bool HOLDS_UP[] = {true, false, true, false, false, false};
    const bool FOLLOWS[] = {false, false, false, true, true, false};
    for (int i = 0; i < 6; i++) {
        driver_room room = room_with(0.0, wish_at(0.0), (other){AT_M[i], 0.0, 30.0});
        ck_assert_msg(room.holds_up == HOLDS_UP[i] && room.follows == FOLLOWS[i], "at %g", AT_M[i]);
    }
    ck_assert(room_with(0.0, wish_at(0.0), (other){-10.0, 0.0, 28.6}).holds_up);
    ck_assert(!room_with(0.0, wish_at(0.0), (other){-10.0, 0.0, 28.4}).holds_up); // falls back
}

// 2 m inside the middle of a bend of 50 m, 63 m are 60.5; outside they count as they are.
TEST(the_inside_of_a_bend_is_shorter) {
    for (uint32_t i = 0; i < plan->count; i++) {
        plan->stations[i].middle_curvature_per_m = 0.02;
    }
    ck_assert(room_with(2.0, wish_at(2.0), (other){63.0, 2.0, 30.0}).follows);
    ck_assert(!room_with(-2.0, wish_at(-2.0), (other){63.0, -2.0, 30.0}).follows);
}
