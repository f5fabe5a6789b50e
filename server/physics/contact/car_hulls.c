// The hulls of cars, eight at a time: updated before contacts are found, and integrated with the
// velocities that the solver has left.

#include "physics/contact/car_hulls.h"

#include "base/assert.h"
#include "physics/car/kinematic.h"
#include "physics/dynamics/body/motion.h"
#include "physics/lanes/geometry.h"
#include "physics/lanes/rows.h"

/// A block on its way to becoming eight hulls.
typedef struct block_view {
    const physics_block *block;
    const physics_drive *drive;
    lanes_mask is_bad;
    lanes axis[3][3];
    lanes shape[PHYSICS_LANES]; ///< columns of physics_shape
} block_view;

static void set_motion(const block_view *view, physics_motion *motions,
                       physics_inverse_inertia *inverse_inertias) {
    const physics_block *block = view->block;
    const physics_numbers_lanes *numbers = view->drive->numbers;
    lanes_mask yields = view->drive->is_live & ~view->drive->is_held & ~view->is_bad;
    lanes motion[PHYSICS_LANES], inertia[PHYSICS_LANES] = {lanes_zero()};
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
        inertia[i] = (per[0] * axis[0][i] * axis[0][i] + per[2] * axis[2][i] * axis[2][i]) +
                     per[1] * axis[1][i] * axis[1][i];
        lanes mixed = (per[0] * axis[0][i] * axis[0][j] + per[2] * axis[2][i] * axis[2][j]) +
                      per[1] * axis[1][i] * axis[1][j];
        inertia[i == 0 ? 3 : i == 1 ? 5 : 4] = mixed;
    }
    inertia[6] = inertia[7] = lanes_zero();
    physics_rows_scatter(motions, NULL, motion);
    physics_rows_scatter(inverse_inertias, NULL, inertia);
}

// @return the farthest that it may get in a substep, and a little more.
static lanes margin_of(const block_view *view, real h_s) {
    const lanes NEAR_M = lanes_all(R(0.01)), NOWHERE_M = lanes_all(R(-1e9));
    const lanes *v = view->block->velocity_mps, *w = view->block->angular_radps;
    lanes speed = lanes_sqrt(dot3(v, v)) + view->shape[6] * lanes_sqrt(dot3(w, w));
    return lanes_select(view->drive->is_live & ~view->is_bad, NEAR_M + h_s * speed, NOWHERE_M);
}

/// The place of the box's middle, from the centre of mass, and half its size: along, across, up.
typedef struct box_projection {
    lanes cos_yaw, sin_yaw;
    lanes centre_m[3], half_m[3];
    lanes slope[2], half_thickness_m; ///< as in physics_hull_surface
} box_projection;

// The yaw projection of the rotated box.
static void project_box(const block_view *view, box_projection *out) {
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
        out->centre_m[i] =
            (axis[0][i] * centre[0] + axis[2][i] * centre[2]) + axis[1][i] * centre[1];
        out->half_m[i] = (size[i][0] + size[i][2]) + size[i][1];
    }
    out->cos_yaw = c;
    out->sin_yaw = s;
}

static const real LEVEL_COSINE_MIN = R(0.85);

// The side that looks up most is the roof; of a car that tumbles, the level top of its box is.
static void find_roof(const block_view *view, box_projection *out) {
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
    lanes_mask is_level = lanes_more(lanes_abs(up[2]), lanes_all(LEVEL_COSINE_MIN));
    lanes per = lanes_keep(is_level, R(-1.0) / up[2]);
    out->slope[0] = up[0] * per;
    out->slope[1] = up[1] * per;
    out->half_thickness_m = lanes_select(is_level, thick * lanes_abs(per), out->half_m[2]);
}

static void set_box(const block_view *view, physics_hulls *hulls, uint32_t slot, real h_s) {
    box_projection box;
    project_box(view, &box);
    find_roof(view, &box);
    lanes rounding = lanes_min(view->shape[7], lanes_min(box.half_m[0], box.half_m[1]));
    lanes rows[PHYSICS_LANES] = {box.cos_yaw,
                                 box.sin_yaw,
                                 box.half_m[0] - rounding,
                                 box.half_m[1] - rounding,
                                 box.centre_m[2] - box.half_m[2],
                                 box.centre_m[2] + box.half_m[2],
                                 rounding,
                                 margin_of(view, h_s)};
    physics_rows_scatter(&hulls->boxes[slot], NULL, rows);
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        double *position = hulls->positions[slot + lane].centre_m;
        physics_hull_surface *surface = &hulls->surfaces[slot + lane];
        for (uint32_t i = 0; i < 2; i++) {
            surface->centre_m[i] = box.centre_m[i][lane];
            surface->slope[i] = box.slope[i][lane];
            position[i] =
                wide_get(&view->block->position_m[i], lane) + (double)surface->centre_m[i];
        }
        surface->half_thickness_m = box.half_thickness_m[lane];
        position[2] = wide_get(&view->block->position_m[2], lane);
    }
}

static void update(const physics_cars *cars, physics_hulls *hulls, uint32_t index) {
    block_view view;
    uint32_t slot = index * PHYSICS_LANES;
    view.block = &cars->blocks[index];
    view.drive = &cars->drives[index];
    FOR_ISA(physics_block_find_bad)(view.block, view.drive, &view.is_bad);
    lanes_axes(view.block->orientation, view.axis);
    physics_rows_gather(&hulls->shapes[slot], NULL, view.shape);
    set_motion(&view, &hulls->motions[slot], &hulls->inverse_inertias[slot]);
    set_box(&view, hulls, slot, cars->conditions.h_s);
}

void FOR_ISA(physics_hulls_update)(const physics_cars *cars, physics_hulls *hulls,
                                   const uint32_t blocks[], uint32_t count) {
    APEX_ASSERT(cars->conditions.h_s > R(0.0) && count <= cars->block_count);
    for (uint32_t i = 0; i < count; i++) {
        APEX_ASSERT(blocks[i] < cars->block_count);
        update(cars, hulls, blocks[i]);
    }
}

// No car that is hit turns faster than this. A motorcycle would, beyond all measure: its levers are
// long and stiff here, and are not in the world.
static const real SPIN_RADPS_MAX = R(50.0);

static void limit_spin(const lanes before_radps[3], lanes angular_radps[3]) {
    lanes square = dot3(angular_radps, angular_radps);
    lanes_mask is_same = lanes_equal(angular_radps[0], before_radps[0]) &
                         lanes_equal(angular_radps[1], before_radps[1]) &
                         lanes_equal(angular_radps[2], before_radps[2]);
    lanes_mask is_wild = lanes_more(square, lanes_all(SPIN_RADPS_MAX * SPIN_RADPS_MAX)) & ~is_same;
    lanes size = lanes_sqrt(lanes_select(is_wild, square, lanes_all(R(1.0))));
    lanes scale = lanes_select(is_wild, SPIN_RADPS_MAX / size, lanes_all(R(1.0)));
    for (uint32_t i = 0; i < 3; i++) {
        angular_radps[i] *= scale;
    }
}

// A hull without inverse mass keeps its velocities.
static void set_velocities(physics_cars *cars, const physics_hulls *hulls, uint32_t index) {
    physics_block *block = &cars->blocks[index];
    const physics_drive *drive = &cars->drives[index];
    lanes motion[PHYSICS_LANES], gain[2];
    physics_rows_gather(&hulls->motions[index * PHYSICS_LANES], NULL, motion);
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
        physics_kinematic_hit(cars, index * PHYSICS_LANES + lane,
                              gain[0][lane] * box->cos_yaw + gain[1][lane] * box->sin_yaw);
    }
}

void FOR_ISA(physics_hulls_move)(physics_cars *cars, const physics_hulls *hulls,
                                 const uint32_t blocks[], uint32_t count) {
    APEX_ASSERT(count <= cars->block_count);
    for (uint32_t i = 0; i < count; i++) {
        APEX_ASSERT(blocks[i] < cars->block_count);
        lanes biased[PHYSICS_LANES];
        physics_rows_gather(&hulls->biased[blocks[i] * PHYSICS_LANES], NULL, biased);
        limit_spin(cars->blocks[blocks[i]].angular_radps, &biased[3]);
        set_velocities(cars, hulls, blocks[i]);
        FOR_ISA(physics_block_advance)(cars, blocks[i], biased);
    }
}
