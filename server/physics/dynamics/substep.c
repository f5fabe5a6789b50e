// The forces of a substep on a block of eight cars, and the velocities that they leave.
// Semi-implicit Euler: velocities first; positions follow in motion.c, with what contacts have left
// of them.

#include "physics/dynamics/substep.h"

#include "base/assert.h"
#include "physics/car/kinematic.h"
#include "physics/dynamics/body/hull_on_ground.h"
#include "physics/dynamics/pass/stages.h"

// The implicit half of a rotating body's own torque (w x I w): one Newton step, as explicit terms
// would let a tumbling car gain energy (Catto, "Numerical methods", GDC 2015).
static void add_gyroscopic(const lanes inertia[3], real h, lanes turn[3]) {
    const lanes *i = inertia;
    lanes p = turn[0], q = turn[1], r = turn[2];
    lanes a = h * (i[2] - i[1]), b = h * (i[0] - i[2]), c = h * (i[1] - i[0]);
    const lanes rest[3] = {a * q * r, b * r * p, c * p * q};
    // Jacobian: diagonal i, off it a r, a q; b r, b p; c q, c p.
    lanes m01 = a * r, m02 = a * q, m10 = b * r, m12 = b * p, m20 = c * q, m21 = c * p;
    lanes c00 = i[1] * i[2] - m12 * m21, c01 = m12 * m20 - m10 * i[2], c02 = m10 * m21 - i[1] * m20;
    lanes per = R(1.0) / (i[0] * c00 + m01 * c01 + m02 * c02);
    lanes c10 = m02 * m21 - m01 * i[2], c11 = i[0] * i[2] - m02 * m20, c12 = m01 * m20 - i[0] * m21;
    lanes c20 = m01 * m12 - m02 * i[1], c21 = m02 * m10 - i[0] * m12, c22 = i[0] * i[1] - m01 * m10;
    turn[0] = p - per * (c00 * rest[0] + c10 * rest[1] + c20 * rest[2]);
    turn[1] = q - per * (c01 * rest[0] + c11 * rest[1] + c21 * rest[2]);
    turn[2] = r - per * (c02 * rest[0] + c12 * rest[1] + c22 * rest[2]);
}

static void accelerate(physics_substep *step, const physics_sum *sum) {
    physics_block *block = step->block;
    const physics_numbers_lanes *numbers = step->numbers;
    lanes_mask moves = step->drive->is_dynamic;
    real h = step->h_s;
    lanes per_mass = R(1.0) / step->mass_kg;
    lanes acceleration[3] = {
        (sum->force_n[0] + step->drag_n[0]) * per_mass,
        (sum->force_n[1] + step->drag_n[1]) * per_mass,
        (sum->force_n[2] + step->drag_n[2] + step->lift_n) / step->sprung_kg,
    };
    lanes turn[3];
    const lanes moment[3] = {
        sum->moment_nm[0] + step->rider_nm,
        sum->moment_nm[1] + step->pitch_nm - step->spin_reaction_nm,
        sum->moment_nm[2],
    };
    for (uint32_t i = 0; i < 3; i++) {
        turn[i] = step->angular_radps[i] + h * (moment[i] / numbers->inertia_kgm2[i]);
    }
    add_gyroscopic(numbers->inertia_kgm2, h, turn);
    for (uint32_t i = 0; i < 3; i++) {
        lanes gain =
            h * ((step->axis[0][i] * acceleration[0] + step->axis[2][i] * acceleration[2]) +
                 step->axis[1][i] * acceleration[1]);
        gain -= i == 2 ? h * step->gravity_mps2 : R(0.0);
        block->velocity_mps[i] += lanes_keep(moves, gain);
        lanes world_turn =
            (step->axis[0][i] * turn[0] + step->axis[2][i] * turn[2]) + step->axis[1][i] * turn[1];
        block->angular_radps[i] = lanes_select(moves, world_turn, block->angular_radps[i]);
        step->work->acceleration_mps2[i] =
            lanes_select(moves, acceleration[i], step->work->acceleration_mps2[i]);
        step->angular_radps[i] = turn[i];
    }
    block->acceleration_mps2[0] = lanes_select(moves, acceleration[0], block->acceleration_mps2[0]);
    block->acceleration_mps2[1] = lanes_select(moves, acceleration[1], block->acceleration_mps2[1]);
}

// Hubs move against the body: by the speed that is theirs and no longer the body's.
static void integrate_hubs(physics_substep *step) {
    lanes body_z_mps = dot3(step->axis[2], step->block->velocity_mps);
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        const physics_axle_lanes *axle = &step->numbers->axles[a];
        for (uint32_t side = 0; side < 2; side++) {
            const physics_wheel_pass *wheel = &step->wheels[2 * a + side];
            physics_wheel_lanes *hub = &step->block->wheels[2 * a + side];
            lanes_mask moves = step->drive->is_dynamic & lanes_true(axle->present[side]);
            lanes body = body_z_mps + (step->angular_radps[0] * wheel->y_m -
                                       step->angular_radps[1] * wheel->x_m);
            hub->travel_mps = lanes_keep(moves, hub->travel_mps - body);
            hub->travel_m += step->h_s * hub->travel_mps;
        }
    }
}

static void stand_still(physics_substep *step) {
    lanes_mask is_held = step->drive->is_held;
    if (!lanes_any(is_held)) {
        return;
    }
    physics_block *block = step->block;
    for (uint32_t i = 0; i < 3; i++) {
        block->velocity_mps[i] = lanes_keep(~is_held, block->velocity_mps[i]);
        block->angular_radps[i] = lanes_keep(~is_held, block->angular_radps[i]);
    }
}

// Cars whose hull may reach the ground within the substep: its lowest corner over the plane that
// each wheel stands on. And those with a wheel that lies there or has given way to its rim.
static lanes_mask find_scraping(const physics_substep *step) {
    const real NEAR_M = R(0.03);
    const lanes ZERO = lanes_zero();
    const physics_numbers_lanes *numbers = step->numbers;
    const lanes *half = numbers->hull_half_m, *centre = numbers->hull_centre_m;
    lanes_mask is_scraping = {0};
    for (uint32_t w = 0; w < 2u * step->drive->axle_count; w++) {
        const physics_axle_lanes *axle = &numbers->axles[w / 2];
        const physics_wheel_pass *wheel = &step->wheels[w];
        const lanes *normal = wheel->normal;
        lanes tipping[3];
        cross3(normal, step->angular_radps, tipping);
        lanes reach = (lanes_abs(normal[0]) * half[0] + lanes_abs(normal[2]) * half[2]) +
                      lanes_abs(normal[1]) * half[1];
        lanes height =
            ((centre[0] - wheel->x_m) * normal[0] + (centre[2] - wheel->z_m) * normal[2]) +
            (centre[1] - wheel->y_m) * normal[1];
        lanes depth = PHYSICS_TYRE_DEPTH * axle->tyre.radius_m;
        lanes gap = height - reach + (wheel->gap_m + lanes_clamp(-wheel->gap_m, ZERO, depth));
        depth = lanes_keep(lanes_more(normal[2], lanes_all(PHYSICS_UPRIGHT_MIN)), depth);
        gap = lanes_min(gap, wheel->gap_m + depth);
        lanes swing_mps = (lanes_abs(tipping[0]) * half[0] + lanes_abs(tipping[2]) * half[2]) +
                          lanes_abs(tipping[1]) * half[1];
        lanes closing_mps = swing_mps - (dot3(centre, tipping) + dot3(step->velocity_mps, normal));
        lanes near = NEAR_M + step->h_s * lanes_max(closing_mps, ZERO);
        is_scraping |= lanes_less(gap, near) & lanes_true(axle->present[w % 2]);
    }
    return is_scraping & step->drive->is_dynamic;
}

// @return the lanes whose hull had an impulse from the ground.
static lanes_mask solve_hulls(const physics_substep *step) {
    lanes_mask is_scraping = find_scraping(step);
    if (!lanes_any(is_scraping)) {
        return is_scraping;
    }
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        uint32_t slot = step->block_index * PHYSICS_LANES + lane;
        is_scraping[lane] =
            is_scraping[lane] && physics_hull_solve_ground(step->cars, slot) ? -1 : 0;
    }
    return is_scraping;
}

// Off the ground by more than this with every wheel, and with its hull, a car flies.
static const real FLIGHT_M = R(0.05);

static void find_airborne(physics_substep *step, lanes_mask is_resting) {
    lanes_mask is_down = is_resting, is_up = ~is_resting;
    for (uint32_t w = 0; w < 2u * step->drive->axle_count; w++) {
        const physics_wheel_pass *wheel = &step->wheels[w];
        lanes_mask is_present = lanes_true(step->numbers->axles[w / 2].present[w % 2]);
        is_down |= wheel->is_grounded;
        is_up &= ~is_present | lanes_more(wheel->gap_m, lanes_all(FLIGHT_M));
    }
    step->work->is_down = is_down;
    step->work->is_up = is_up;
}

static void report(physics_substep *step) {
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        const physics_tyre_lanes *tyre = &step->numbers->axles[a].tyre;
        for (uint32_t w = 2 * a; w < 2 * a + 2; w++) {
            const physics_wheel_pass *wheel = &step->wheels[w];
            physics_wheel_work *work = &step->work->wheels[w];
            work->load_n = wheel->load_n;
            work->slip_ratio = wheel->grip.slip_long * tyre->longitudinal.peak_slip;
            work->slip_angle_rad = wheel->grip.slip_lat * tyre->lateral.peak_slip;
            work->force_long_n = wheel->grip.long_n;
            work->force_lat_n = wheel->grip.lat_n;
            work->friction = wheel->friction;
            work->slip = wheel->grip.slip;
        }
    }
}

// Steering, ground, aids, tyres, shafts, springs, air, sum: each reads what earlier ones filled.
static void advance(physics_substep *step) {
    physics_sum sum;
    FOR_ISA(physics_frame)(step);
    FOR_ISA(physics_steering)(step);
    FOR_ISA(physics_shifting)(step);
    FOR_ISA(physics_wheel_contacts)(step);
    FOR_ISA(physics_aids)(step);
    FOR_ISA(physics_tyres)(step);
    FOR_ISA(physics_driveline)(step);
    FOR_ISA(physics_suspension_forces)(step, &sum);
    FOR_ISA(physics_aero)(step);
    accelerate(step, &sum);
    integrate_hubs(step);
    FOR_ISA(physics_heat_and_wear)(step);
    stand_still(step);
    find_airborne(step, solve_hulls(step));
}

static void force(physics_cars *cars, uint32_t index, bool is_last) {
    APEX_ASSERT(index < cars->block_count && cars->drives[index].axle_count <= APEX_AXLES_MAX);
    if (!cars->drives[index].is_anyone_here) {
        return;
    }
    physics_substep step;
    step.cars = cars;
    step.block_index = index;
    step.block = &cars->blocks[index];
    step.drive = &cars->drives[index];
    step.work = &cars->works[index];
    step.numbers = step.drive->numbers;
    step.h_s = cars->conditions.h_s;
    step.gravity_mps2 = cars->conditions.gravity_mps2;
    advance(&step);
    if (is_last) {
        report(&step);
    }
    if (step.drive->is_anyone_kinematic) {
        physics_kinematic_forces(cars, index);
    }
}

void FOR_ISA(physics_block_forces)(physics_cars *cars, const uint32_t blocks[], uint32_t count,
                                   bool is_last) {
    APEX_ASSERT(cars->conditions.h_s > R(0.0) && count <= cars->block_count);
    for (uint32_t i = 0; i < count; i++) {
        force(cars, blocks[i], is_last);
    }
}
