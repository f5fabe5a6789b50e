// How far off a rival was shown: at the moment of the own car, along and across his heading.
#include "support/base/check_main.h"

#include "client-lite/prediction/rival_errors.h"

static apex_client_pose at(double x_m, double y_m) {
    return (apex_client_pose){.position_m = {x_m, y_m, 0.0}};
}

// Shown at 10 m a tick to the east, frame by frame, two thirds of a tick each.
static client_shown_track shown(void) {
    client_shown_track track = {0};
    for (int frame = 0; frame < 300; frame++) {
        double tick = 100.0 + frame / 1.5;
        apex_client_pose pose = at(10.0 * (tick - 100.0), 0.0);
        client_shown_track_add(&track, tick, &pose);
    }
    return track; // up to tick 299
}

TEST(errors_are_along_and_across_the_heading) {
    client_shown_track track = shown();
    client_rival_errors errors = {0};
    // It was shown at 1,800 m; told 30 cm behind, 10 cm to the left.
    apex_wire_car told = {.x_mm = 1799700, .y_mm = 100};
    double own_m[3] = {1790.0, 0.0, 0.0};
    ck_assert(client_rival_errors_compare(&errors, &track, &told, 280, own_m));
    apex_client_rival_errors of = client_rival_errors_of(&errors);
    ck_assert_uint_eq(of.compared, 1);
    ck_assert_double_eq_tol(of.along_m_p50, 0.3, 0.01);
    ck_assert_double_eq_tol(of.across_m_p50, 0.1, 0.004);
    told.yaw_q = 16384; // it looks north
    ck_assert(client_rival_errors_compare(&errors, &track, &told, 280, own_m));
    of = client_rival_errors_of(&errors);
    ck_assert_double_eq_tol(of.along_m_p50, 0.1, 0.004);
    ck_assert_double_eq_tol(of.across_m_p99, 0.3, 0.01);
}

TEST(who_is_far_or_was_not_shown_does_not_count) {
    client_shown_track track = shown(), none = {0};
    client_rival_errors errors = {0};
    apex_wire_car told = {.x_mm = 1800000};
    double near_m[3] = {1785.1, 0.0, 0.0}, far_m[3] = {1784.9, 0.0, 0.0};
    ck_assert(client_rival_errors_compare(&errors, &track, &told, 280, near_m));
    ck_assert(!client_rival_errors_compare(&errors, &track, &told, 280, far_m));
    ck_assert(!client_rival_errors_compare(&errors, &none, &told, 280, near_m));
    ck_assert(!client_rival_errors_compare(&errors, &track, &told, 310, near_m)); // not yet shown
    ck_assert(!client_rival_errors_compare(&errors, &track, &told, 150, near_m)); // long ago
    ck_assert_uint_eq(client_rival_errors_of(&errors).compared, 1);
}

TEST(frames_tell_of_horizon_speed_and_lateness) {
    client_rival_errors errors = {0};
    client_rival_errors_note(&errors, 0.1, 0.5, false);
    client_rival_errors_note(&errors, 0.25, 2.0, true);
    apex_client_rival_errors of = client_rival_errors_of(&errors);
    ck_assert_double_eq_tol(of.horizon_s_p50, 0.1, 0.004);
    ck_assert_double_eq_tol(of.horizon_s_p99, 0.25, 0.008);
    ck_assert_double_eq_tol(of.correction_mps_max, 2.0, 1e-9);
    ck_assert_uint_eq(of.late, 1);
}
