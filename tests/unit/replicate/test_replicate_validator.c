// A replica's validator: what it says of a whole replica, and of each kind of broken one.
#include <string.h>

#include "replicate/replica_validator.h"
#include "support/base/check_main.h"

enum { SLOTS = 6, TICK = 40 };

static captured_cars cars;
static running_order order;

// Cars in the slots 1, 3 and 6; in the running order they are 6, 1, 3.
static void set_up(void) {
    static const uint16_t LINES[] = {6, 1, 3};
    apex_car_pose poses[SLOTS];
    memset(poses, 0, sizeof poses);
    ck_assert(captured_cars_create(&cars, SLOTS, 60));
    ck_assert(running_order_create(&order, SLOTS));
    for (uint32_t i = 0; i < 3; i++) {
        poses[LINES[i] - 1].id = (apex_car_id){.index1 = LINES[i], .generation = 2};
        order.slots[i] = LINES[i];
        order.ranks[LINES[i]] = (uint16_t)(i + 1);
    }
    order.count = 3;
    captured_cars_take(&cars, TICK, poses, SLOTS);
}

static void tear_down(void) {
    captured_cars_destroy(&cars);
    running_order_destroy(&order);
    memset(&cars, 0, sizeof cars);
    memset(&order, 0, sizeof order);
}

static void expect(const char *sentence) {
    const char *wrong = replica_validate(&cars, &order);
    ck_assert_ptr_nonnull(wrong);
    ck_assert_str_eq(wrong, sentence);
}

FIXTURE(set_up, tear_down)

TEST(what_was_captured_is_whole) {
    ck_assert_ptr_null(replica_validate(&cars, &order));
    ck_assert_uint_eq(cars.live_count, 3);
}

TEST(live_slots_are_those_of_the_cars) {
    cars.live[0] = 3;
    cars.live[1] = 1;
    expect("the list of live slots is not that of the cars, rising");
    cars.live[0] = 1;
    cars.live[1] = 3;
    cars.live_count = 4;
    expect("a live slot has no car");
    cars.live_count = 2;
    expect("the list of live slots is not that of the cars, rising");
}

TEST(a_car_is_in_its_own_slot) {
    captured_row(&cars, TICK)[3].id = 2u << 16 | 4;
    expect("a car was captured in another's slot");
    captured_row(&cars, TICK)[3].id = 3u << 16 | 3;
    expect("a car is another one far away");
}

TEST(a_car_has_come_by_now) {
    cars.since_tick[6] = TICK + 1;
    expect("a car has been there since it was not");
    cars.since_tick[6] = TICK;
    cars.since_tick[2] = TICK;
    expect("a car has been there since it was not");
}

TEST(ranks_are_the_order_turned_round) {
    order.ranks[2] = 1;
    expect("a slot has a rank and no place in the running order");
    order.ranks[2] = 0;
    order.slots[2] = 6;
    expect("a slot's rank is not its place in the running order");
    order.slots[2] = SLOTS + 1;
    expect("a slot of the running order is none");
}
