// A block's motion through a substep, with the velocities that forces and contacts have left; and
// its cars as contacts see them.

#include "physics/solver/hulls.h"

// q' = q + h/2 w q, brought back to unit length; w in world axes.
static void rotate(physics_block *block, lanes_mask moves, const lanes turn_radps[3], double h) {
    const lanes_wide *q = block->orientation;
    lanes_wide x = wide_scale(lanes_widen(turn_radps[0]), 0.5 * h);
    lanes_wide y = wide_scale(lanes_widen(turn_radps[1]), 0.5 * h);
    lanes_wide z = wide_scale(lanes_widen(turn_radps[2]), 0.5 * h);
    lanes_wide next[4];
    next[0] = wide_subtract(q[0], wide_add(wide_add(wide_multiply(x, q[1]), wide_multiply(z, q[3])),
                                           wide_multiply(y, q[2])));
    next[1] =
        wide_add(q[1], wide_add(wide_multiply(x, q[0]),
                                wide_subtract(wide_multiply(y, q[3]), wide_multiply(z, q[2]))));
    next[2] =
        wide_add(q[2], wide_add(wide_multiply(y, q[0]),
                                wide_subtract(wide_multiply(z, q[1]), wide_multiply(x, q[3]))));
    next[3] =
        wide_add(q[3], wide_add(wide_multiply(z, q[0]),
                                wide_subtract(wide_multiply(x, q[2]), wide_multiply(y, q[1]))));
    lanes_wide square = wide_multiply(next[0], next[0]);
    for (uint32_t i = 1; i < 4; i++) {
        square = wide_add(square, wide_multiply(next[i], next[i]));
    }
    // Near 1: the first two terms of 1 / sqrt(1 + e), and one more for fast tumbling.
    lanes_wide e = wide_subtract(square, wide_all(1.0));
    lanes_wide scale = wide_subtract(wide_all(1.0), wide_scale(e, 0.5));
    scale = wide_add(scale, wide_scale(wide_multiply(e, e), 0.375));
    // Newton's step: three terms leave 5/8 e^3 of the square, which at 50 rad/s is more than a
    // restore takes for a unit.
    lanes_wide left = wide_multiply(square, wide_multiply(scale, scale));
    scale = wide_multiply(scale, wide_subtract(wide_all(1.5), wide_scale(left, 0.5)));
    for (uint32_t i = 0; i < 4; i++) {
        block->orientation[i] = wide_select(moves, wide_multiply(next[i], scale), q[i]);
    }
}

// Cars whose numbers have left the range that means anything.
static lanes_mask find_bad(const physics_block *block, const physics_drive *drive) {
    const lanes FAST_MPS = lanes_all(R(1000.0)), TUMBLING_RADPS = lanes_all(R(100.0));
    const lanes FAR_M = lanes_all(R(1e7));
    const lanes place[3] = {lanes_narrow(block->position_m[0]), lanes_narrow(block->position_m[1]),
                            lanes_narrow(block->position_m[2])};
    lanes sum = block->engine_radps + block->steer_rad + block->lean_rad + block->fuel_kg;
    // Squares of what is not a number, or too large for one, are not less than anything.
    lanes_mask is_fine =
        lanes_less(dot3(block->velocity_mps, block->velocity_mps), FAST_MPS * FAST_MPS) &
        lanes_less(dot3(block->angular_radps, block->angular_radps),
                   TUMBLING_RADPS * TUMBLING_RADPS) &
        lanes_less(dot3(place, place), FAR_M * FAR_M);
    for (uint32_t w = 0; w < 2u * drive->axle_count; w++) {
        const physics_wheel_lanes *wheel = &block->wheels[w];
        sum += wheel->spin_radps + wheel->deflection_long_m + wheel->deflection_lat_m;
        is_fine &= lanes_less(lanes_abs(wheel->travel_m), lanes_all(R(10.0)));
    }
    return ~(is_fine & lanes_finite(sum)) & drive->is_live;
}

// Before anything moves: places and attitudes are still the last good ones.
// @return those that may move.
static lanes_mask stop_bad_cars(apex_world *world, uint32_t index) {
    const physics_drive *drive = &world->drives[index];
    lanes_mask is_bad = find_bad(&world->blocks[index], drive);
    for (uint32_t which = lanes_which(is_bad); which != 0; which &= which - 1) {
        physics_stop_bad_car(world, index * PHYSICS_LANES + (uint32_t)__builtin_ctz(which));
    }
    return drive->is_live & ~drive->is_held & ~is_bad;
}

static void note_flight(apex_world *world, uint32_t index) {
    physics_drive *drive = &world->drives[index];
    const lanes_mask is_up = world->works[index].is_up, is_down = world->works[index].is_down;
    lanes_mask changes =
        ((drive->is_airborne & is_down) | (~drive->is_airborne & is_up)) & drive->is_dynamic;
    if (!lanes_any(changes)) {
        return;
    }
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        if (changes[lane]) {
            physics_flight_change(world, index * PHYSICS_LANES + lane);
        }
    }
}

static void move(physics_block *block, lanes_mask moves, const lanes way[6], double h) {
    for (uint32_t i = 0; i < 3; i++) {
        lanes step = lanes_keep(moves, way[i]);
        block->position_m[i] = wide_add(block->position_m[i], wide_scale(lanes_widen(step), h));
    }
    rotate(block, moves, &way[3], h);
}

void LEVEL(physics_block_move)(apex_world *world, const uint32_t blocks[], uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        physics_block *block = &world->blocks[blocks[i]];
        lanes_mask moves = stop_bad_cars(world, blocks[i]);
        const lanes way[6] = {block->velocity_mps[0],  block->velocity_mps[1],
                              block->velocity_mps[2],  block->angular_radps[0],
                              block->angular_radps[1], block->angular_radps[2]};
        move(block, moves, way, (double)world->h_s);
        note_flight(world, blocks[i]);
    }
}

// --- As contacts see them ----------------------------------------------------------------------

/// A block on its way to becoming eight hulls.
typedef struct block_view {
    const physics_block *block;
    const physics_drive *drive;
    lanes_mask is_bad;
    lanes axis[3][3];
    lanes shape[PHYSICS_LANES]; ///< columns of physics_shape
} block_view;

static void show_motion(const block_view *view, physics_motion *motions, physics_heft *hefts) {
    const physics_block *block = view->block;
    const physics_numbers_lanes *numbers = view->drive->numbers;
    lanes_mask yields = view->drive->is_live & ~view->drive->is_held & ~view->is_bad;
    lanes motion[PHYSICS_LANES], heft[PHYSICS_LANES] = {lanes_zero()};
    for (uint32_t i = 0; i < 3; i++) {
        motion[i] = lanes_keep(~view->is_bad, block->velocity_mps[i]);
        motion[3 + i] = lanes_keep(~view->is_bad, block->angular_radps[i]);
    }
    lanes mass_kg = numbers->mass_kg + (block->fuel_kg + block->ballast_kg);
    motion[6] = lanes_keep(yields, R(1.0) / mass_kg);
    motion[7] = lanes_zero();
    lanes per[3];
    for (uint32_t k = 0; k < 3; k++) {
        per[k] = lanes_keep(yields, R(1.0) / numbers->inertia_kgm2[k]);
    }
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t j = (i + 1) % 3; // xy, yz, zx
        const lanes(*axis)[3] = view->axis;
        heft[i] = (per[0] * axis[0][i] * axis[0][i] + per[2] * axis[2][i] * axis[2][i]) +
                  per[1] * axis[1][i] * axis[1][i];
        lanes mixed = (per[0] * axis[0][i] * axis[0][j] + per[2] * axis[2][i] * axis[2][j]) +
                      per[1] * axis[1][i] * axis[1][j];
        heft[i == 0 ? 3 : i == 1 ? 5 : 4] = mixed;
    }
    heft[6] = heft[7] = lanes_zero();
    physics_rows_give(motions, NULL, motion);
    physics_rows_give(hefts, NULL, heft);
}

// How far it may get in a substep, and a little more.
static lanes reach_of(const block_view *view, real h_s) {
    const lanes NEAR_M = lanes_all(R(0.01)), NOWHERE_M = lanes_all(R(-1e9));
    const lanes *v = view->block->velocity_mps, *w = view->block->angular_radps;
    lanes speed = lanes_sqrt(dot3(v, v)) + view->shape[6] * lanes_sqrt(dot3(w, w));
    return lanes_select(view->drive->is_live & ~view->is_bad, NEAR_M + h_s * speed, NOWHERE_M);
}

/// Where the box's middle is, from the centre of mass, and half its size: along, across, up.
typedef struct box_view {
    lanes cos_yaw, sin_yaw;
    lanes middle_m[3], half_m[3];
    lanes slope[2], thick_m; ///< as in physics_skin
} box_view;

// The yaw projection of the rotated box.
static void look_at_box(const block_view *view, box_view *out) {
    const lanes(*axis)[3] = view->axis;
    const lanes *half = &view->shape[0], *centre = &view->shape[3];
    lanes flat = lanes_sqrt(axis[0][0] * axis[0][0] + axis[0][1] * axis[0][1]);
    lanes_mask is_upright = lanes_less(flat, lanes_all(R(1e-6))); // its nose to the sky
    lanes per = R(1.0) / lanes_select(is_upright, lanes_all(R(1.0)), flat);
    lanes c = lanes_select(is_upright, lanes_all(R(1.0)), axis[0][0] * per);
    lanes s = lanes_keep(~is_upright, axis[0][1] * per);
    lanes size[3][3];
    for (uint32_t k = 0; k < 3; k++) {
        size[0][k] = lanes_abs(c * axis[k][0] + s * axis[k][1]) * half[k];
        size[1][k] = lanes_abs(c * axis[k][1] - s * axis[k][0]) * half[k];
        size[2][k] = lanes_abs(axis[k][2]) * half[k];
    }
    for (uint32_t i = 0; i < 3; i++) {
        out->middle_m[i] =
            (axis[0][i] * centre[0] + axis[2][i] * centre[2]) + axis[1][i] * centre[1];
        out->half_m[i] = (size[i][0] + size[i][2]) + size[i][1];
    }
    out->cos_yaw = c;
    out->sin_yaw = s;
}

static const real LEVEL_MIN = R(0.85);

// The side that looks up most is the roof; of what tumbles the top of it.
static void look_at_roof(const block_view *view, box_view *out) {
    lanes up[3], thick = view->shape[2];
    for (uint32_t i = 0; i < 3; i++) {
        up[i] = view->axis[2][i];
    }
    for (uint32_t k = 0; k < 2; k++) {
        lanes_mask is_higher = lanes_more(lanes_abs(view->axis[k][2]), lanes_abs(up[2]));
        thick = lanes_select(is_higher, view->shape[k], thick);
        for (uint32_t i = 0; i < 3; i++) {
            up[i] = lanes_select(is_higher, view->axis[k][i], up[i]);
        }
    }
    lanes_mask is_level = lanes_more(lanes_abs(up[2]), lanes_all(LEVEL_MIN));
    lanes per = lanes_keep(is_level, R(-1.0) / up[2]);
    out->slope[0] = up[0] * per;
    out->slope[1] = up[1] * per;
    out->thick_m = lanes_select(is_level, thick * lanes_abs(per), out->half_m[2]);
}

static void show_box(const block_view *view, physics_hulls *hulls, uint32_t slot, real h_s) {
    box_view box;
    look_at_box(view, &box);
    look_at_roof(view, &box);
    lanes rounding = lanes_min(view->shape[7], lanes_min(box.half_m[0], box.half_m[1]));
    lanes rows[PHYSICS_LANES] = {box.cos_yaw,
                                 box.sin_yaw,
                                 box.half_m[0] - rounding,
                                 box.half_m[1] - rounding,
                                 box.middle_m[2] - box.half_m[2],
                                 box.middle_m[2] + box.half_m[2],
                                 rounding,
                                 reach_of(view, h_s)};
    physics_rows_give(&hulls->boxes[slot], NULL, rows);
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        double *place = hulls->places[slot + lane].at_m;
        physics_skin *skin = &hulls->skins[slot + lane];
        for (uint32_t i = 0; i < 2; i++) {
            skin->middle_m[i] = box.middle_m[i][lane];
            skin->slope[i] = box.slope[i][lane];
            place[i] = wide_get(&view->block->position_m[i], lane) + (double)skin->middle_m[i];
        }
        skin->thick_m = box.thick_m[lane];
        place[2] = wide_get(&view->block->position_m[2], lane);
    }
}

static void show(const apex_world *world, physics_hulls *hulls, uint32_t index) {
    block_view view;
    uint32_t slot = index * PHYSICS_LANES;
    view.block = &world->blocks[index];
    view.drive = &world->drives[index];
    view.is_bad = find_bad(view.block, view.drive);
    lanes_axes(view.block->orientation, view.axis);
    physics_rows_take(&hulls->shapes[slot], NULL, view.shape);
    show_motion(&view, &hulls->motions[slot], &hulls->hefts[slot]);
    show_box(&view, hulls, slot, world->h_s);
}

void LEVEL(physics_hulls_show)(const apex_world *world, physics_hulls *hulls,
                               const uint32_t blocks[], uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        show(world, hulls, blocks[i]);
    }
}

// Nothing that is hit turns faster than this: a motorcycle would, out of any measure, for its arms
// are long and stiff here and not in the world.
static const real SPIN_RADPS_MAX = R(50.0);

static void limit_spin(const lanes before_radps[3], lanes turn_radps[3]) {
    lanes square = dot3(turn_radps, turn_radps);
    lanes_mask is_same = lanes_equal(turn_radps[0], before_radps[0]) &
                         lanes_equal(turn_radps[1], before_radps[1]) &
                         lanes_equal(turn_radps[2], before_radps[2]);
    lanes_mask is_wild = lanes_more(square, lanes_all(SPIN_RADPS_MAX * SPIN_RADPS_MAX)) & ~is_same;
    lanes size = lanes_sqrt(lanes_select(is_wild, square, lanes_all(R(1.0))));
    lanes scale = lanes_select(is_wild, SPIN_RADPS_MAX / size, lanes_all(R(1.0)));
    for (uint32_t i = 0; i < 3; i++) {
        turn_radps[i] *= scale;
    }
}

// Who does not yield keeps what he has.
static void take_speeds(apex_world *world, const physics_hulls *hulls, uint32_t index) {
    physics_block *block = &world->blocks[index];
    const physics_drive *drive = &world->drives[index];
    lanes motion[PHYSICS_LANES], gain[2];
    physics_rows_take(&hulls->motions[index * PHYSICS_LANES], NULL, motion);
    lanes_mask is_taken = lanes_more(motion[6], lanes_zero());
    limit_spin(block->angular_radps, &motion[3]);
    for (uint32_t i = 0; i < 2; i++) {
        gain[i] = lanes_keep(is_taken, motion[i] - block->velocity_mps[i]);
    }
    for (uint32_t i = 0; i < 3; i++) {
        block->velocity_mps[i] = lanes_select(is_taken, motion[i], block->velocity_mps[i]);
        block->angular_radps[i] = lanes_select(is_taken, motion[3 + i], block->angular_radps[i]);
    }
    for (uint32_t lane = 0; drive->is_anyone_kinematic && lane < PHYSICS_LANES; lane++) {
        const physics_box *box = &hulls->boxes[index * PHYSICS_LANES + lane];
        physics_kinematic_hit(world, index * PHYSICS_LANES + lane,
                              gain[0][lane] * box->cos_yaw + gain[1][lane] * box->sin_yaw);
    }
}

void LEVEL(physics_hulls_move)(apex_world *world, const physics_hulls *hulls,
                               const uint32_t blocks[], uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        lanes way[PHYSICS_LANES];
        physics_rows_take(&hulls->ways[blocks[i] * PHYSICS_LANES], NULL, way);
        limit_spin(world->blocks[blocks[i]].angular_radps, &way[3]);
        take_speeds(world, hulls, blocks[i]);
        lanes_mask moves = stop_bad_cars(world, blocks[i]);
        move(&world->blocks[blocks[i]], moves, way, (double)world->h_s);
        note_flight(world, blocks[i]);
    }
}
