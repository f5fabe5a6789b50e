// Walls and posts are found where they are, whichever way they run.

#include "physics/contact/walls.h"
#include "support/base/check_main.h"

static bool finds(const physics_walls *walls, double x_m, double y_m, uint32_t item) {
    uint32_t found[8];
    physics_circle circle = {x_m, y_m, 0.5};
    uint32_t count = physics_walls_find(walls, &circle, found, 8);
    bool is_found = false;
    for (uint32_t i = 0; i < count; i++) {
        is_found = is_found || found[i] == item;
    }
    ck_assert_int_eq(physics_wall_is_near(walls, item, &circle), is_found);
    return is_found;
}

// From (-5, 4) to (35, 24) and three more: each way along both diagonals of one box.
TEST(a_wall_is_found_at_both_ends_and_between) {
    static const apex_wall_material MATERIAL = {.name = "wall"};
    for (uint32_t way = 0; way < 4; way++) {
        double x[2] = {-5.0, 35.0}, y[2] = {4.0, 24.0};
        uint32_t ex = way & 1, ey = way >> 1;
        apex_wall_segment segment = {.from_x_m = x[ex],
                                     .from_y_m = y[ey],
                                     .to_x_m = x[1 - ex],
                                     .to_y_m = y[1 - ey],
                                     .top_m = 1.0,
                                     .previous = APEX_GROUND_NONE,
                                     .next = APEX_GROUND_NONE};
        apex_wall_post posts[2] = {{.x_m = -60.0, .y_m = -70.0, .radius_m = 1.0, .top_m = 1.0},
                                   {.x_m = 80.0, .y_m = 90.0, .radius_m = 1.0, .top_m = 1.0}};
        apex_walls from = {.segments = &segment,
                           .segment_count = 1,
                           .posts = posts,
                           .post_count = 2,
                           .materials = &MATERIAL,
                           .material_count = 1};
        physics_walls *walls = physics_walls_create(&from);
        ck_assert_ptr_nonnull(walls);
        for (uint32_t end = 0; end < 2; end++) {
            double sign = end == 0 ? -1.0 : 1.0;
            ck_assert(finds(walls, x[end] + 0.4 * sign, y[end], 0));
            ck_assert(!finds(walls, x[end] + 0.6 * sign, y[end], 0));
            ck_assert(finds(walls, x[end], y[end] + 0.4 * sign, 0));
            ck_assert(!finds(walls, x[end], y[end] + 0.6 * sign, 0));
            ck_assert(finds(walls, posts[end].x_m + 1.4 * sign, posts[end].y_m, 1 + end));
            ck_assert(!finds(walls, posts[end].x_m + 1.6 * sign, posts[end].y_m, 1 + end));
            ck_assert(finds(walls, posts[end].x_m, posts[end].y_m - 1.4 * sign, 1 + end));
            ck_assert(!finds(walls, posts[end].x_m, posts[end].y_m - 1.6 * sign, 1 + end));
        }
        ck_assert(finds(walls, 15.0, 14.0, 0));
        physics_walls_destroy(walls);
    }
}
