// Springs, dampers, stops and anti-roll bars. A hub is a mass of its own that moves along the
// body's vertical; what presses on it from below reaches the body only through its spring. Forces
// along and across the ground reach the body directly, through the links, with the whole mass
// behind it. Roll and pitch inertia are therefore those of the definition less the hubs'
// (DECISIONS 12).

#include "physics/dynamics/pass/stages.h"

// Sums the ground's forces on the wheel, in body axes: load, tyre forces, drag of soft ground.
static void sum_wheel_forces(physics_wheel_pass *wheel) {
    lanes plough = lanes_keep(wheel->is_grounded, wheel->plough_ns_per_m);
    lanes along = wheel->grip.long_n - plough * wheel->speed_x_mps;
    lanes across = wheel->grip.lat_n - plough * wheel->speed_y_mps;
    for (uint32_t i = 0; i < 3; i++) {
        lanes force = wheel->load_n * wheel->normal[i] +
                      (along * wheel->forward[i] + across * wheel->left[i]);
        wheel->force_n[i] = lanes_keep(wheel->is_grounded, force);
    }
}

// Links that slope towards the roll centre press a hub down or lift it when the axle is pushed
// sideways. A solid axle's single link does so as a pair, without lifting the body.
LANES_INLINE void jacking_forces(const physics_suspension_lanes *suspension,
                                 const physics_wheel_pass pair[2], lanes out[2]) {
    lanes both = R(0.5) * (pair[0].force_n[1] + pair[1].force_n[1]);
    for (uint32_t side = 0; side < 2; side++) {
        lanes own = pair[side].force_n[1];
        lanes push = own + suspension->is_solid * (both - own);
        out[side] = (side == 0 ? -suspension->jacking : suspension->jacking) * push;
    }
}

/// A corner of the car: what moves its hub and carries the body.
typedef struct spring_corner {
    lanes spring_n; ///< spring, stops and bar at the travel of now
    lanes damping;  ///< and what stiffness adds to it within a substep
    lanes push_n;   ///< on the hub from below
    lanes body_mps; ///< of the body there, along its vertical
    lanes other_travel_m;
} spring_corner;

LANES_INLINE void find_spring_force(const physics_suspension_lanes *suspension,
                                    const physics_wheel_lanes *hub, real h_s, spring_corner *out) {
    const lanes ZERO = lanes_zero();
    lanes travel = hub->travel_m;
    lanes over = lanes_max(travel - suspension->travel_bump_m, ZERO);
    lanes under = lanes_max(-suspension->travel_rebound_m - travel, ZERO);
    lanes_mask is_stopped = lanes_more(over + under, ZERO);
    lanes stiffness = suspension->spring_n_per_m + lanes_keep(is_stopped, suspension->stop_n_per_m);
    lanes_mask is_bump = lanes_more(hub->travel_mps, ZERO);
    lanes damper = lanes_select(is_bump, suspension->bump_ns_per_m, suspension->rebound_ns_per_m);
    out->spring_n = suspension->static_n + suspension->spring_n_per_m * travel +
                    suspension->stop_n_per_m * (over - under) +
                    suspension->anti_roll_n_per_m * (travel - out->other_travel_m);
    out->damping = damper + stiffness * h_s;
}

// Moves a hub, linearly implicit in what its spring and damper will answer. travel_mps leaves as
// the hub's own speed. @return force on the body.
LANES_INLINE lanes move_hub(const physics_substep *step, const physics_suspension_lanes *suspension,
                            const spring_corner *corner, physics_wheel_lanes *hub) {
    lanes weight_mps = step->h_s * step->gravity_mps2 * step->axis[2][2];
    lanes gain = step->h_s * suspension->per_unsprung;
    lanes free = corner->body_mps + hub->travel_mps - weight_mps +
                 gain * (corner->push_n - corner->spring_n + corner->damping * corner->body_mps);
    hub->travel_mps = free / (R(1.0) + gain * corner->damping);
    return corner->spring_n + corner->damping * (hub->travel_mps - corner->body_mps);
}

LANES_INLINE lanes body_speed_at(const physics_substep *step, const physics_wheel_pass *wheel) {
    return step->velocity_mps[2] +
           (step->angular_radps[0] * wheel->y_m - step->angular_radps[1] * wheel->x_m);
}

// Self-aligning torque: the force acts behind the contact's middle until the tyre slides. A brush's
// trail is known (Fiala; Pacejka, Tyre and Vehicle Dynamics, eq. 3.13); others lose it evenly.
LANES_INLINE lanes aligning_torque(const physics_tyre_lanes *tyre, bool has_brush,
                                   const physics_wheel_pass *wheel) {
    lanes slip = wheel->grip.slip, left = lanes_max(R(1.0) - slip, lanes_zero()), share = left;
    if (has_brush) {
        lanes brush = left * left * left / (left + slip * slip * R(0.333333333333333333));
        share = lanes_select(lanes_true(tyre->is_brush), brush, share);
    }
    lanes forwards = lanes_clamp(wheel->speed_x_mps, lanes_all(R(-1.0)), lanes_all(R(1.0)));
    return lanes_keep(wheel->is_grounded, -tyre->trail_m * share * forwards * wheel->grip.lat_n);
}

// A wheel is round: however the body stands to the ground along the car, the ground's push goes
// through the hub, not through the lowest point of where the body's axis finds the tyre.
LANES_INLINE lanes push_through_hub(const physics_tyre_lanes *tyre,
                                    const physics_wheel_pass *wheel) {
    return tyre->radius_m * wheel->load_n * wheel->normal[0];
}

static void sum_corner(const physics_substep *step, const physics_wheel_pass *wheel, lanes lift_n,
                       physics_sum *sum) {
    // Along and across the ground all of the car is pushed; upwards only what the springs carry.
    const lanes *force = wheel->force_n;
    lanes arm_x = wheel->x_m - step->com_x_m;
    sum->force_n[0] = force[0];
    sum->force_n[1] = force[1];
    sum->force_n[2] = lift_n;
    sum->moment_nm[0] = wheel->y_m * lift_n - wheel->z_m * force[1];
    sum->moment_nm[1] = wheel->z_m * force[0] - (wheel->x_m - step->sprung_x_m) * lift_n;
    sum->moment_nm[2] = arm_x * force[1] - wheel->y_m * force[0];
}

// Axle by axle and pair by pair: swapping left and right then changes no rounding, so a mirrored
// drive is the same drive to the last bit.
static void sum_axle(physics_substep *step, uint32_t a, physics_sum *sum) {
    const physics_axle_lanes *axle = &step->numbers->axles[a];
    const physics_suspension_lanes *suspension = &axle->suspension;
    physics_wheel_pass *pair = &step->wheels[2 * a];
    physics_wheel_lanes *hubs = &step->block->wheels[2 * a];
    lanes jacking[2];
    physics_sum part[2];
    const lanes travel_before[2] = {hubs[0].travel_m, hubs[1].travel_m};
    sum_wheel_forces(&pair[0]);
    sum_wheel_forces(&pair[1]);
    jacking_forces(suspension, pair, jacking);
    for (uint32_t side = 0; side < 2; side++) {
        physics_wheel_lanes *hub = &hubs[side];
        lanes_mask is_present = lanes_true(axle->present[side]);
        spring_corner corner = {.other_travel_m = travel_before[1 - side],
                                .push_n = pair[side].force_n[2] - jacking[side],
                                .body_mps = body_speed_at(step, &pair[side])};
        find_spring_force(suspension, hub, step->h_s, &corner);
        lanes lift = move_hub(step, suspension, &corner, hub) + jacking[side];
        hub->travel_mps = lanes_keep(is_present & step->drive->is_dynamic, hub->travel_mps);
        sum_corner(step, &pair[side], lanes_keep(is_present, lift), &part[side]);
        part[side].moment_nm[1] += push_through_hub(&axle->tyre, &pair[side]);
        part[side].moment_nm[2] +=
            aligning_torque(&axle->tyre, step->drive->tyres[a].has_brush, &pair[side]);
    }
    for (uint32_t i = 0; i < 3; i++) {
        sum->force_n[i] += part[0].force_n[i] + part[1].force_n[i];
        sum->moment_nm[i] += part[0].moment_nm[i] + part[1].moment_nm[i];
    }
}

void FOR_ISA(physics_suspension_forces)(physics_substep *step, physics_sum *sum) {
    for (uint32_t i = 0; i < 3; i++) {
        sum->force_n[i] = lanes_zero();
        sum->moment_nm[i] = lanes_zero();
    }
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        sum_axle(step, a, sum);
    }
}
