// From the driver's wheel to the direction of each road wheel: lock, rate, Ackermann, toe.

#include "physics/substep_private.h"

static lanes lock_rad(const physics_substep *step) {
    const physics_numbers_lanes *numbers = step->numbers;
    lanes speed = lanes_abs(step->velocity_mps[0]);
    lanes_mask fades = lanes_more(numbers->steer_fade_mps, lanes_zero());
    lanes lost = step->drive->steering_assist * speed /
                 (speed + lanes_max(numbers->steer_fade_mps, lanes_all(R(1e-3))));
    return numbers->steer_max_rad * (R(1.0) - lanes_keep(fades, lost));
}

LANES_INLINE lanes toe_at(const physics_suspension_lanes *suspension, bool has_curves,
                          lanes travel_m) {
    lanes toe = suspension->toe_rad;
    if (has_curves) {
        toe += curve_at(&suspension->toe, travel_m);
    }
    return toe;
}

// Inner wheels turn about the same point as the outer ones; toe-in turns the left wheel right.
static void point_axle(physics_substep *step, uint32_t a) {
    const physics_axle_lanes *axle = &step->numbers->axles[a];
    const lanes ONE = lanes_all(R(1.0));
    lanes angle = step->block->steer_rad * axle->steer_share;
    bool steers = lanes_any(lanes_more(lanes_abs(axle->steer_share), lanes_zero()));
    lanes tangent = steers ? lanes_sin(angle) / lanes_cos(angle) : lanes_zero();
    for (uint32_t side = 0; side < 2; side++) {
        physics_wheel_pass *wheel = &step->wheels[2 * a + side];
        lanes c = ONE, s = lanes_zero();
        if (steers) {
            lanes y = side == 0 ? axle->half_track_m : -axle->half_track_m;
            lanes t = tangent / (ONE - tangent * (y * axle->per_ackermann));
            c = ONE / lanes_sqrt(ONE + t * t);
            s = t * c;
        }
        lanes toe = toe_at(&axle->suspension, step->drive->tyres[a].has_curves,
                           step->block->wheels[2 * a + side].travel_m);
        toe = (side == 0 ? -toe : toe) * axle->present[1];
        lanes toe_cos = ONE - R(0.5) * toe * toe;
        wheel->steer_cos = c * toe_cos - s * toe;
        wheel->steer_sin = s * toe_cos + c * toe;
    }
}

void LEVEL(physics_steering)(physics_substep *step) {
    physics_block *block = step->block;
    lanes target = step->drive->steer * lock_rad(step);
    step->rider_nm = lanes_zero();
    if (step->drive->is_anyone_riding) {
        LEVEL(physics_rider)(step, &target);
    }
    lanes change = step->numbers->steer_rate_radps * step->h_s;
    block->steer_rad += lanes_clamp(target - block->steer_rad, -change, change);
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        point_axle(step, a);
    }
}
