// Lots for a field of drivers: the same seed deals the same, another one others, and each field is
// as wide as it was asked for.
#include "driver/driver.h"
#include "support/base/check_main.h"

#include <string.h>

enum { FIELD = 8, SEEDS = 200 };

static const apex_driver_field usual = {
    .seed = 7, .count = FIELD, .skill = 0.95, .skill_spread = 0.06, .lane_m = 0.8, .car_count = 3};

static bool same(const apex_driver_lot a[], const apex_driver_lot b[]) {
    uint32_t alike = 0;
    for (uint32_t i = 0; i < FIELD; i++) {
        alike += memcmp(&a[i].skill, &b[i].skill, sizeof a[i].skill) == 0 &&
                 memcmp(&a[i].lane_m, &b[i].lane_m, sizeof a[i].lane_m) == 0 &&
                 a[i].car == b[i].car;
    }
    return alike == FIELD;
}

TEST(a_seed_deals_the_same_again) {
    apex_driver_lot first[FIELD], again[FIELD];
    apex_driver_deal(&usual, first);
    apex_driver_deal(&usual, again);
    ck_assert(same(first, again));
    apex_driver_field other = usual;
    other.seed = 8;
    apex_driver_deal(&other, again);
    ck_assert(!same(first, again));
}

// Index of the strongest.
static uint32_t strongest(const apex_driver_lot lots[]) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < FIELD; i++) {
        best = lots[i].skill > lots[best].skill ? i : best;
    }
    return best;
}

static void check_field(const apex_driver_lot lots[]) {
    uint32_t cars[3] = {0};
    double least = 1.0, most = 0.0, left_m = 0.0, right_m = 0.0;
    for (uint32_t i = 0; i < FIELD; i++) {
        ck_assert(lots[i].skill >= 0.92 && lots[i].skill <= 0.98);
        ck_assert(lots[i].lane_m >= -0.8 && lots[i].lane_m <= 0.8);
        ck_assert_uint_lt(lots[i].car, 3);
        cars[lots[i].car]++;
        least = lots[i].skill < least ? lots[i].skill : least;
        most = lots[i].skill > most ? lots[i].skill : most;
        left_m = lots[i].lane_m > left_m ? lots[i].lane_m : left_m;
        right_m = lots[i].lane_m < right_m ? lots[i].lane_m : right_m;
        for (uint32_t j = 0; j < i; j++) { // a weaker driver lets others by sooner
            bool weaker = lots[i].skill < lots[j].skill;
            ck_assert(weaker == (lots[i].patience_s < lots[j].patience_s));
        }
    }
    ck_assert_double_ge(most - least, 0.04); // never all alike
    ck_assert(left_m > 0.4 && right_m < -0.4);
    ck_assert(cars[0] >= 2 && cars[1] >= 2 && cars[2] >= 2);
}

// Index of the one who drives furthest to the left.
static uint32_t leftmost(const apex_driver_lot lots[]) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < FIELD; i++) {
        best = lots[i].lane_m > lots[best].lane_m ? i : best;
    }
    return best;
}

TEST(every_field_is_wide_and_anybody_may_be_strongest) {
    uint32_t strongest_of[FIELD] = {0}, leftmost_of[FIELD] = {0};
    apex_driver_field field = usual;
    for (field.seed = 1; field.seed <= SEEDS; field.seed++) {
        apex_driver_lot lots[FIELD];
        apex_driver_deal(&field, lots);
        check_field(lots);
        strongest_of[strongest(lots)]++;
        leftmost_of[leftmost(lots)]++;
    }
    for (uint32_t i = 0; i < FIELD; i++) { // an eighth of them each
        ck_assert(strongest_of[i] >= SEEDS / 20 && strongest_of[i] <= SEEDS / 4);
        ck_assert(leftmost_of[i] >= SEEDS / 20 && leftmost_of[i] <= SEEDS / 4);
    }
}

TEST(what_is_past_the_limits_is_cut_off) {
    apex_driver_field field = {.seed = 3, .count = FIELD, .skill = 1.0, .skill_spread = 0.1};
    field.car_count = 1;
    apex_driver_lot lots[FIELD];
    apex_driver_deal(&field, lots);
    for (uint32_t i = 0; i < FIELD; i++) {
        ck_assert(lots[i].skill >= 0.95 && lots[i].skill <= 1.0 && lots[i].car == 0);
    }
    field.skill_spread = 0.0;
    apex_driver_deal(&field, lots);
    for (uint32_t i = 0; i < FIELD; i++) { // equals let nobody by
        ck_assert(lots[i].skill >= 1.0 && lots[i].skill <= 1.0);
        ck_assert(lots[i].patience_s <= 0.0 && lots[i].lane_m <= 0.0 && lots[i].lane_m >= 0.0);
    }
}
