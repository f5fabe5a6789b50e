// A block's motion through a substep, with the velocities that forces and contacts have left.

#include "physics/dynamics/body/motion.h"

#include "base/assert.h"
#include "physics/car/car_incidents.h"
#include "physics/lanes/geometry.h"

// q' = q + h/2 w q, brought back to unit length; w in world axes.
static void rotate(physics_block *block, lanes_mask moves, const lanes angular_radps[3], double h) {
    const lanes_wide *q = block->orientation;
    lanes_wide x = wide_scale(lanes_widen(angular_radps[0]), 0.5 * h);
    lanes_wide y = wide_scale(lanes_widen(angular_radps[1]), 0.5 * h);
    lanes_wide z = wide_scale(lanes_widen(angular_radps[2]), 0.5 * h);
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
static lanes_mask stop_bad_cars(physics_cars *cars, uint32_t index) {
    const physics_drive *drive = &cars->drives[index];
    lanes_mask is_bad = find_bad(&cars->blocks[index], drive);
    for (uint32_t which = lanes_which(is_bad); which != 0; which &= which - 1) {
        physics_stop_bad_car(cars, index * PHYSICS_LANES + (uint32_t)__builtin_ctz(which));
    }
    return drive->is_live & ~drive->is_held & ~is_bad;
}

static void note_flight(physics_cars *cars, uint32_t index) {
    physics_drive *drive = &cars->drives[index];
    const lanes_mask is_up = cars->works[index].is_up, is_down = cars->works[index].is_down;
    lanes_mask changes =
        ((drive->is_airborne & is_down) | (~drive->is_airborne & is_up)) & drive->is_dynamic;
    if (!lanes_any(changes)) {
        return;
    }
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        if (changes[lane]) {
            physics_flight_change(cars, index * PHYSICS_LANES + lane);
        }
    }
}

static void move(physics_block *block, lanes_mask moves, const lanes velocity[6], double h) {
    for (uint32_t i = 0; i < 3; i++) {
        lanes step = lanes_keep(moves, velocity[i]);
        block->position_m[i] = wide_add(block->position_m[i], wide_scale(lanes_widen(step), h));
    }
    rotate(block, moves, &velocity[3], h);
}

void FOR_ISA(physics_block_find_bad)(const physics_block *block, const physics_drive *drive,
                                     lanes_mask *is_bad) {
    *is_bad = find_bad(block, drive);
}

void FOR_ISA(physics_block_advance)(physics_cars *cars, uint32_t index, const lanes velocity[6]) {
    APEX_ASSERT(index < cars->block_count);
    lanes_mask moves = stop_bad_cars(cars, index);
    move(&cars->blocks[index], moves, velocity, (double)cars->conditions.h_s);
    note_flight(cars, index);
}

void FOR_ISA(physics_block_move)(physics_cars *cars, const uint32_t blocks[], uint32_t count) {
    APEX_ASSERT(count <= cars->block_count);
    for (uint32_t i = 0; i < count; i++) {
        APEX_ASSERT(blocks[i] < cars->block_count);
        physics_block *block = &cars->blocks[blocks[i]];
        lanes_mask moves = stop_bad_cars(cars, blocks[i]);
        const lanes velocity[6] = {block->velocity_mps[0],  block->velocity_mps[1],
                                   block->velocity_mps[2],  block->angular_radps[0],
                                   block->angular_radps[1], block->angular_radps[2]};
        move(block, moves, velocity, (double)cars->conditions.h_s);
        note_flight(cars, blocks[i]);
    }
}
