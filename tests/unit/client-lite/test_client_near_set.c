// Cars are near by the time to meet, with room between coming in and going out.
#include "support/base/check_main.h"

#include "client-lite/prediction/near_set.h"

enum { TICK_HZ = 60 };

static apex_wire_car car_at(uint32_t id, double x_m, double vx_mps) {
    return (apex_wire_car){
        .id = id, .x_mm = (int32_t)(1000.0 * x_m), .vx_cmps = (int16_t)(100.0 * vx_mps)};
}

TEST(reach_is_the_gap_by_the_closing_speed_or_by_a_pace) {
    apex_wire_car own = car_at(1, 0.0, 40.0);
    apex_wire_car beside = car_at(2, 24.0, 40.0), slow = car_at(3, 104.0, 0.0);
    apex_wire_car away = car_at(4, 24.0, 80.0), touching = car_at(5, 3.0, 40.0);
    ck_assert_double_eq_tol(client_near_reach_s(&own, &beside), 20.0 / 14.0, 1e-9);
    ck_assert_double_eq_tol(client_near_reach_s(&own, &slow), 100.0 / 40.0, 1e-9);
    ck_assert_double_eq_tol(client_near_reach_s(&own, &away), 20.0 / 14.0, 1e-9);
    ck_assert_double_eq(client_near_reach_s(&own, &touching), 0.0);
}

static void update(client_near_set *set, const apex_wire_car cars[], size_t count, uint32_t tick) {
    client_near_view view = {
        .own = count > 0 ? &cars[0] : NULL, .cars = cars, .count = count, .tick = tick};
    view.tick_hz = TICK_HZ;
    client_near_update(set, &view);
}

static bool is_near_at(client_near_set *set, double x_m, uint32_t tick) {
    apex_wire_car own = car_at(1, 0.0, 40.0), cars[2] = {own, car_at(2, x_m, 40.0)};
    update(set, cars, 2, tick);
    return client_near_has(set, 2);
}

TEST(a_car_goes_out_later_than_it_comes_in) {
    client_near_set set = {0};
    ck_assert(!is_near_at(&set, 39.5, 100));
    ck_assert(is_near_at(&set, 38.5, 103));
    ck_assert(is_near_at(&set, 65.0, 200)); // 61 m from car to car
    ck_assert(!is_near_at(&set, 66.0, 203));
    ck_assert(!is_near_at(&set, 45.0, 206));
}

TEST(it_stays_for_a_second) {
    client_near_set set = {0};
    ck_assert(is_near_at(&set, 10.0, 100));
    ck_assert(is_near_at(&set, 100.0, 159));
    ck_assert(!is_near_at(&set, 100.0, 160));
}

TEST(the_twelve_nearest_are_kept_and_a_little_nearer_is_not_enough) {
    apex_wire_car cars[16];
    client_near_set set = {0};
    cars[0] = car_at(1, 0.0, 40.0);
    for (uint32_t i = 1; i < 14; i++) {
        cars[i] = car_at(i + 1, 4.0 + i, 40.0);
    }
    update(&set, cars, 14, 100);
    ck_assert_uint_eq(set.count, CLIENT_NEAR_MAX);
    ck_assert_uint_eq(set.cars[0].car, 2);
    ck_assert(!client_near_has(&set, 14)); // the thirteenth, 13 m away
    cars[13].x_mm = 15000;                 // 11 m: before the twelfth, but by little
    update(&set, cars, 14, 103);
    ck_assert(!client_near_has(&set, 14));
    cars[13].x_mm = 12000; // 8 m: below 0.7 of its 12 m
    update(&set, cars, 14, 106);
    ck_assert(client_near_has(&set, 14));
    ck_assert(!client_near_has(&set, 13));
}

TEST(nobody_is_near_one_who_is_not_there) {
    client_near_set set = {0};
    ck_assert(is_near_at(&set, 10.0, 100));
    update(&set, NULL, 0, 103);
    ck_assert_uint_eq(set.count, 0);
}

TEST(who_glides_for_long_comes_in_sooner) {
    apex_wire_car cars[2] = {car_at(1, 0.0, 40.0), car_at(2, 4.0 + 14.0 * 3.4, 40.0)};
    client_near_view view = {
        .own = &cars[0], .cars = cars, .count = 2, .tick = 100, .tick_hz = TICK_HZ};
    client_near_set set = {0};
    view.glide_s = 2.0; // that is over before they meet
    client_near_update(&set, &view);
    ck_assert_uint_eq(set.count, 0);
    view.glide_s = 3.0;
    client_near_update(&set, &view);
    ck_assert_uint_eq(set.count, 1);
    cars[1].x_mm = (int32_t)(1000.0 * (4.0 + 14.0 * 5.3));
    view.tick = 200;
    client_near_update(&set, &view);
    ck_assert_uint_eq(set.count, 1);
    cars[1].x_mm = (int32_t)(1000.0 * (4.0 + 14.0 * 5.5));
    client_near_update(&set, &view);
    ck_assert_uint_eq(set.count, 0);
}
