// Tests of the timing wheel: everybody has his turn once, in order, neither early nor late.
#include <string.h>

#include "client-lite/load/crowd/wheel.h"
#include "support/base/check_main.h"

enum { ITEMS = 3000, BEGIN_MS = 1000003 };

static uint64_t due_of(uint32_t item) {
    return BEGIN_MS + 1 + (uint64_t)item * 7919 % 250;
}

static client_wheel full_wheel(void) {
    client_wheel wheel;
    ck_assert(client_wheel_create(&wheel, ITEMS, BEGIN_MS));
    for (uint32_t item = 0; item < ITEMS; item++) {
        client_wheel_set(&wheel, item, due_of(item));
    }
    return wheel;
}

TEST(everybody_has_one_turn_and_on_time) {
    client_wheel wheel = full_wheel();
    uint32_t turns = 0;
    for (uint64_t now_ms = BEGIN_MS; now_ms < BEGIN_MS + 260; now_ms++) {
        uint32_t item;
        while ((item = client_wheel_take(&wheel, now_ms)) != CLIENT_WHEEL_NONE) {
            ck_assert_uint_eq(due_of(item), now_ms);
            turns++;
        }
    }
    ck_assert_uint_eq(turns, ITEMS);
    client_wheel_destroy(&wheel);
}

// A loop that slept takes what has become due in order of time, and only that.
TEST(late_takes_the_earliest_first) {
    client_wheel wheel = full_wheel();
    uint64_t before_ms = 0;
    uint32_t item;
    uint32_t turns = 0;
    while ((item = client_wheel_take(&wheel, BEGIN_MS + 100)) != CLIENT_WHEEL_NONE) {
        ck_assert_uint_ge(due_of(item), before_ms);
        ck_assert_uint_le(due_of(item), BEGIN_MS + 100);
        before_ms = due_of(item);
        turns++;
    }
    ck_assert_uint_eq(turns, ITEMS / 250 * 100);
    client_wheel_destroy(&wheel);
}

TEST(past_far_and_twice) {
    client_wheel wheel;
    ck_assert(client_wheel_create(&wheel, 4, BEGIN_MS));
    client_wheel_set(&wheel, 0, BEGIN_MS - 500);
    client_wheel_set(&wheel, 1, BEGIN_MS + 5000000); // farther than the wheel is big
    client_wheel_set(&wheel, 2, BEGIN_MS + 10);
    client_wheel_set(&wheel, 2, BEGIN_MS + 3); // it waits already
    ck_assert_uint_eq(client_wheel_take(&wheel, BEGIN_MS), 0);
    ck_assert_uint_eq(client_wheel_take(&wheel, BEGIN_MS + 9), CLIENT_WHEEL_NONE);
    ck_assert_uint_eq(client_wheel_take(&wheel, BEGIN_MS + 10), 2);
    ck_assert_uint_eq(client_wheel_take(&wheel, BEGIN_MS + 254), CLIENT_WHEEL_NONE);
    ck_assert_uint_eq(client_wheel_take(&wheel, BEGIN_MS + 255), 1);
    ck_assert_uint_eq(client_wheel_take(&wheel, BEGIN_MS + 255), CLIENT_WHEEL_NONE);
    client_wheel_destroy(&wheel);
}

TEST(asleep_for_hours) {
    client_wheel wheel;
    ck_assert(client_wheel_create(&wheel, 3, BEGIN_MS));
    client_wheel_set(&wheel, 0, BEGIN_MS + 1);
    client_wheel_set(&wheel, 1, BEGIN_MS + 200);
    uint64_t late_ms = BEGIN_MS + 36000123;
    bool taken[2] = {false};
    taken[client_wheel_take(&wheel, late_ms)] = true;
    taken[client_wheel_take(&wheel, late_ms)] = true;
    ck_assert(taken[0] && taken[1]);
    ck_assert_uint_eq(client_wheel_take(&wheel, late_ms), CLIENT_WHEEL_NONE);
    client_wheel_set(&wheel, 2, late_ms + 2);
    ck_assert_uint_eq(client_wheel_take(&wheel, late_ms + 1), CLIENT_WHEEL_NONE);
    ck_assert_uint_eq(client_wheel_take(&wheel, late_ms + 2), 2);
    client_wheel_destroy(&wheel);
}
