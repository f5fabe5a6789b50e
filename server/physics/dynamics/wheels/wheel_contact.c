// Each wheel meets the ground here: the ground under it, its directions there, and its load.

#include "physics/dynamics/pass/stages.h"

static const real FRICTION_MIN = R(0.01);
// A wheel that is in the ground by more than a tyre can give way is driven out no faster.
static const real SUNK_MPS_MAX = R(3.0);

/// The cell under each car's centre of mass, to which wheels are a small offset.
typedef struct ground_origin {
    lanes_index column, row;
    lanes along_x, along_y;        ///< 0..1 in the cell
    lanes height_m, height_rest_m; ///< of the centre of mass: rounded, and what rounding left
} ground_origin;

static void find_origin(const physics_substep *step, ground_origin *origin) {
    const physics_block *block = step->block;
    const double CELLS_PER_M = 1.0 / APEX_GROUND_CELL_M;
    origin->along_x = wide_cell(wide_scale(block->position_m[0], CELLS_PER_M), &origin->column);
    origin->along_y = wide_cell(wide_scale(block->position_m[1], CELLS_PER_M), &origin->row);
    origin->height_m = lanes_narrow(block->position_m[2]);
    origin->height_rest_m =
        lanes_narrow(wide_subtract(block->position_m[2], lanes_widen(origin->height_m)));
}

// The patch runs where the wheel's plane cuts the ground: at right angles to axle and normal. (Its
// heading laid flat would turn a leaning wheel the less, the more it leans; in truth it turns
// more.)
static void find_directions(physics_wheel_pass *wheel) {
    const lanes *normal = wheel->normal;
    lanes dip = wheel->steer_sin * normal[1] + wheel->steer_cos * normal[0];
    lanes square = normal[2] * normal[2] + dip * dip;
    lanes per_length = R(1.0) / lanes_sqrt(lanes_max(square, lanes_all(R(1e-6))));
    wheel->forward[0] = wheel->steer_cos * normal[2] * per_length;
    wheel->forward[1] = wheel->steer_sin * normal[2] * per_length;
    wheel->forward[2] = -dip * per_length;
    cross3(wheel->normal, wheel->forward, wheel->left);
    wheel->lean = wheel->steer_sin * wheel->normal[0] - wheel->steer_cos * wheel->normal[1];
}

// Finds the foot of an undeformed wheel.
static void make_query(const physics_substep *step, const ground_origin *origin,
                       const physics_wheel_pass *wheel, physics_ground_query *query) {
    const real CELLS_PER_M = (real)(1.0 / APEX_GROUND_CELL_M);
    const lanes(*axis)[3] = step->axis;
    lanes offset[3];
    for (uint32_t i = 0; i < 3; i++) {
        offset[i] = (axis[0][i] * wheel->x_m + axis[2][i] * wheel->z_m) + axis[1][i] * wheel->y_m;
    }
    lanes_index column, row;
    query->along_x = lanes_cell(origin->along_x + offset[0] * CELLS_PER_M, &column);
    query->along_y = lanes_cell(origin->along_y + offset[1] * CELLS_PER_M, &row);
    query->column = index_add(origin->column, column);
    query->row = index_add(origin->row, row);
    query->height_m = origin->height_m;
    query->foot_m = offset[2] + origin->height_rest_m;
}

// Gap, normal and surface from the ground found there.
static void find_gap(const physics_substep *step, const physics_ground_query *query,
                     const physics_ground_slope *ground, const physics_ground_cache *cache,
                     physics_wheel_pass *wheel) {
    lanes steep = ground->slope_x * ground->slope_x + ground->slope_y * ground->slope_y;
    lanes up = R(1.0) / lanes_sqrt(R(1.0) + steep);
    const lanes normal[3] = {-ground->slope_x * up, -ground->slope_y * up, up};
    for (uint32_t i = 0; i < 3; i++) {
        wheel->normal[i] = dot3(normal, step->axis[i]);
    }
    wheel->gap_m = (query->foot_m - ground->rise_m) * up;
    wheel->friction = lanes_max(cache->friction, lanes_all(FRICTION_MIN));
    wheel->rolling_ratio = cache->rolling_ratio;
    wheel->plough_ns_per_m = cache->plough_ns_per_m;
}

// Normal force of the tyre's own spring and damper, and the contact point's velocity.
static void find_load(const physics_substep *step, const physics_axle_lanes *axle,
                      const physics_wheel_lanes *state, physics_wheel_pass *wheel) {
    const lanes *turn = step->angular_radps;
    lanes depth = PHYSICS_TYRE_DEPTH * axle->tyre.radius_m;
    lanes deflection_m = lanes_min(-wheel->gap_m, depth);
    wheel->z_m += lanes_max(deflection_m, lanes_zero());
    const lanes velocity[3] = {
        step->velocity_mps[0] + (turn[1] * wheel->z_m - turn[2] * wheel->y_m),
        step->velocity_mps[1] + (turn[2] * wheel->x_m - turn[0] * wheel->z_m),
        step->velocity_mps[2] + (turn[0] * wheel->y_m - turn[1] * wheel->x_m) + state->travel_mps,
    };
    wheel->speed_x_mps = dot3(velocity, wheel->forward);
    wheel->speed_y_mps = dot3(velocity, wheel->left);
    lanes leaving_mps = dot3(velocity, wheel->normal);
    lanes load =
        axle->tyre.vertical_n_per_m * deflection_m - axle->tyre.vertical_ns_per_m * leaving_mps;
    lanes_mask is_sunk = lanes_less(wheel->gap_m, -depth);
    load = lanes_keep(~(is_sunk & lanes_more(leaving_mps, lanes_all(SUNK_MPS_MAX))), load);
    wheel->is_grounded = lanes_more(deflection_m, lanes_zero()) & lanes_more(load, lanes_zero()) &
                         lanes_more(wheel->normal[2], lanes_all(PHYSICS_UPRIGHT_MIN)) &
                         step->drive->is_dynamic;
    wheel->load_n = lanes_keep(wheel->is_grounded, load);
}

// Wheel by wheel within each stage, so that one wheel's waits are filled with another's work.
void FOR_ISA(physics_wheel_contacts)(physics_substep *step) {
    ground_origin origin;
    physics_ground_query query[PHYSICS_WHEEL_SLOTS];
    physics_ground_arrival arrivals[PHYSICS_WHEEL_SLOTS];
    physics_ground_slope ground;
    const physics_axle_lanes *axles = step->numbers->axles;
    physics_ground_cache *caches = step->work->ground_caches;
    uint32_t count = 2u * step->drive->axle_count;
    find_origin(step, &origin);
    for (uint32_t w = 0; w < count; w++) {
        const physics_axle_lanes *axle = &axles[w / 2];
        physics_wheel_pass *wheel = &step->wheels[w];
        lanes travel = step->block->wheels[w].travel_m;
        wheel->x_m = axle->x_m;
        wheel->y_m = w % 2 == 0 ? axle->half_track_m : -axle->half_track_m;
        wheel->z_m = axle->suspension.hub_z_m + travel - axle->tyre.radius_m;
        make_query(step, &origin, wheel, &query[w]);
    }
    for (uint32_t w = 0; w < count; w++) {
        FOR_ISA(physics_ground_find)(&step->cars->ground, &query[w], &caches[w], &arrivals[w]);
    }
    for (uint32_t w = 0; w < count; w++) {
        FOR_ISA(physics_ground_read)(&step->cars->ground, &query[w], &arrivals[w], &caches[w]);
    }
    for (uint32_t w = 0; w < count; w++) {
        FOR_ISA(physics_ground_sample)(&step->cars->ground, &query[w], &caches[w], &ground);
        find_gap(step, &query[w], &ground, &caches[w], &step->wheels[w]);
    }
    for (uint32_t w = 0; w < count; w++) {
        physics_wheel_pass *wheel = &step->wheels[w];
        lanes_mask is_present = lanes_true(axles[w / 2].present[w % 2]);
        find_directions(wheel);
        find_load(step, &axles[w / 2], &step->block->wheels[w], wheel);
        wheel->is_grounded &= is_present;
        wheel->load_n = lanes_keep(is_present, wheel->load_n);
    }
}
