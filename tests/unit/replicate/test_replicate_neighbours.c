// Neighbours of a car on the ground, and its rivals in the running order.

#include <string.h>

#include "replicate/captured_cars.h"
#include "replicate/neighbours.h"
#include "replicate/rivals.h"
#include "support/base/check_main.h"

enum { SLOTS = 9, TICK = 40 };

static const double CELL_M = 40.96;

static captured_cars cars;
static neighbour_grid grid;
static running_order order;
static apex_car_pose poses[SLOTS];

static void set_up(void) {
    memset(poses, 0, sizeof poses);
    memset(&cars, 0, sizeof cars);
    ck_assert(captured_cars_create(&cars, SLOTS, 60));
    ck_assert(neighbour_grid_create(&grid, SLOTS));
    ck_assert(running_order_create(&order, SLOTS));
}

static void tear_down(void) {
    running_order_destroy(&order);
    neighbour_grid_destroy(&grid);
    captured_cars_destroy(&cars);
}

static void place(uint16_t slot, double x_m, double y_m) {
    apex_car_pose *pose = &poses[slot - 1];
    pose->id = (apex_car_id){.index1 = slot, .generation = 1};
    pose->position_m[0] = x_m;
    pose->position_m[1] = y_m;
}

static void fill(void) {
    captured_cars_take(&cars, TICK, poses, SLOTS);
    neighbour_grid_fill(&grid, &cars);
}

static void check_nearest(uint16_t slot, uint32_t most, uint32_t count, const uint16_t slots[]) {
    uint16_t out[4 * APEX_VIEWER_CARS_MAX];
    ck_assert_uint_eq(neighbour_grid_nearest(&grid, &cars, slot, most, out), count);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_eq(out[i], slots[i]);
    }
}

FIXTURE(set_up, tear_down)

TEST(cars_are_found_31_cells_away_on_each_side_and_no_further) {
    const double OUTER_M = 31.0 * CELL_M;
    place(1, 20.0, 20.0);
    place(2, 20.0 + OUTER_M, 20.0);
    place(3, 20.0 - OUTER_M, 20.0);
    place(4, 20.0, 20.0 + OUTER_M);
    place(5, 20.0, 20.0 - OUTER_M);
    place(6, 20.0 + OUTER_M, 20.0 + OUTER_M);
    place(7, 20.0 - OUTER_M, 20.0 - OUTER_M);
    place(8, 20.0 + 32.0 * CELL_M, 20.0);
    place(9, 20.0, 20.0 - 32.0 * CELL_M);
    fill();
    check_nearest(1, SLOTS, 7, (const uint16_t[]){1, 2, 3, 4, 5, 6, 7});
}

TEST(the_nearest_are_so_along_both_axes) {
    place(1, 0.0, 0.0);
    place(2, 3.0, 30.0);
    place(3, 20.0, 5.0);
    place(4, -10.0, -10.0);
    place(5, 30.0, 3.0);
    fill();
    check_nearest(1, 3, 3, (const uint16_t[]){1, 3, 4});
    check_nearest(1, 2, 2, (const uint16_t[]){1, 4});
}

// The ring that has enough is not the last one looked at.
TEST(a_car_across_the_border_of_cells_may_be_the_nearest) {
    place(1, CELL_M - 0.5, 20.0);
    place(2, 0.5, 20.0);
    place(3, CELL_M + 0.5, 20.0);
    fill();
    check_nearest(1, 2, 2, (const uint16_t[]){1, 3});
}

// Cells are numbered from 0, 0 on: that of -1, -1 is the last of them.
TEST(the_last_cell_and_its_neighbours_have_their_own_cars) {
    place(1, -1.0, -1.0);
    place(2, -2.0, -2.0);
    place(3, 1.0, 1.0);
    place(4, -1.0 - CELL_M, -1.0);
    fill();
    check_nearest(1, SLOTS, 4, (const uint16_t[]){1, 2, 3, 4});
    check_nearest(3, 3, 3, (const uint16_t[]){1, 2, 3});
}

// The order is 5 2 9 1 7; in the slot 9 nobody is any more.
static void line_up(void) {
    static const uint16_t LINES[] = {5, 2, 9, 1, 7};
    for (uint16_t i = 0; i < 5; i++) {
        place(LINES[i], 0.0, 0.0);
        order.slots[i] = LINES[i];
        order.ranks[LINES[i]] = (uint16_t)(i + 1);
    }
    order.count = 5;
    poses[8].id.index1 = 0;
    fill();
}

static void check_rivals(uint32_t slot, uint32_t count, const uint16_t slots[]) {
    uint16_t out[RIVALS_MAX];
    ck_assert_uint_eq(running_order_rivals(&order, &cars, slot, out), count);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_eq(out[i], slots[i]);
    }
}

TEST(rivals_are_two_places_before_and_behind_if_they_are_there) {
    line_up();
    check_rivals(5, 1, (const uint16_t[]){2});
    check_rivals(2, 2, (const uint16_t[]){5, 1});
    check_rivals(1, 2, (const uint16_t[]){2, 7});
    check_rivals(7, 1, (const uint16_t[]){1});
    check_rivals(9, 4, (const uint16_t[]){5, 2, 1, 7});
    check_rivals(3, 0, NULL); // not in it
    running_order_forget(&order);
    check_rivals(2, 0, NULL);
}
