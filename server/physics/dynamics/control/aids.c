// Driver aids: what the driver asked for becomes what engine and brakes get.

#include "physics/dynamics/control/rider.h"

// The grip that a wheel spends along itself, in units of the peak's slip; a wheel that also slides
// sideways has less to spend. `direction` is 1 for driving forwards or braking backwards.
LANES_INLINE lanes spent_slip(const physics_tyre_lanes *tyre, const physics_wheel_lanes *state,
                              lanes direction) {
    lanes along = state->deflection_long_m * tyre->longitudinal.per_deflection * direction;
    lanes across = lanes_abs(state->deflection_lat_m * tyre->lateral.per_deflection);
    return lanes_max(along, lanes_zero()) * (R(1.0) + lanes_min(across, lanes_all(R(1.5))));
}

static lanes driven_slip(const physics_substep *step) {
    lanes direction = lanes_select(lanes_less(step->drive->gear, lanes_zero()), lanes_all(R(-1.0)),
                                   lanes_all(R(1.0)));
    lanes most = lanes_zero();
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        const physics_axle_lanes *axle = &step->numbers->axles[a];
        lanes_mask is_driven = lanes_more(axle->drive_share, lanes_zero());
        for (uint32_t side = 0; side < 2; side++) {
            lanes slip = spent_slip(&axle->tyre, &step->block->wheels[2 * a + side], direction);
            most = lanes_max(most,
                             lanes_keep(is_driven & step->wheels[2 * a + side].is_grounded, slip));
        }
    }
    return most;
}

static lanes traction_factor(const physics_substep *step, lanes balance) {
    const real START = R(0.8), FULL = R(1.4), LEFT = R(0.05), LAUNCH_MPS = R(15.0);
    lanes_mask is_launch = lanes_less(lanes_abs(step->velocity_mps[0]), lanes_all(LAUNCH_MPS));
    lanes strength = lanes_max(step->drive->traction_control,
                               lanes_keep(is_launch, step->drive->launch_control));
    if (!lanes_any(lanes_more(strength * step->drive->throttle, lanes_zero()))) {
        return lanes_all(R(1.0));
    }
    lanes cut = lanes_share((driven_slip(step) - START) * (R(1.0) / (FULL - START)));
    cut = lanes_max(cut, R(1.0) - balance);
    lanes factor = lanes_max(R(1.0) - strength * cut, lanes_all(LEFT));
    return lanes_select(lanes_more(strength, lanes_zero()), factor, lanes_all(R(1.0)));
}

// Less brake the further a wheel slips past its peak; below walking speed wheels may lock.
// `balance` is the most that a motorcycle can take without standing on its nose.
LANES_INLINE lanes anti_lock_factor(const physics_substep *step, const physics_tyre_lanes *tyre,
                                    const physics_wheel_lanes *state, lanes balance) {
    const real START = R(0.8), FULL = R(1.3), SPEED_MPS = R(1.5);
    lanes speed = step->velocity_mps[0];
    lanes backwards = lanes_with_sign(lanes_all(R(1.0)), -speed);
    lanes slip = spent_slip(tyre, state, backwards);
    lanes release = lanes_share((slip - START) * (R(1.0) / (FULL - START)));
    lanes_mask is_slow = lanes_less(lanes_abs(speed), lanes_all(SPEED_MPS));
    release = lanes_max(lanes_select(is_slow, lanes_zero(), release), R(1.0) - balance);
    return R(1.0) - step->drive->abs * release;
}

/// The difference between the car's yaw rate and the one its steering asks for.
typedef struct yaw_error {
    lanes side;  ///< of the wheel to brake: 1 left, -1 right
    lanes front; ///< 1: the front one, -1: the rear one
    lanes share; ///< of an axle's full brake
} yaw_error;

// Brakes one side when the car turns faster than its steering asks (front outer wheel) or slower
// (rear inner one).
static yaw_error stability(const physics_substep *step) {
    const real TOLERANCE_RADPS = R(0.12), GAIN_S = R(2.5), SPEED_MPS = R(5.0), SHARE_MAX = R(1.0);
    const lanes ONE = lanes_all(R(1.0));
    if (!lanes_any(lanes_more(step->drive->stability_control, lanes_zero()))) {
        return (yaw_error){ONE, ONE, lanes_zero()};
    }
    lanes speed = step->velocity_mps[0], turn = step->angular_radps[2];
    lanes_mask is_slow = lanes_less(speed, lanes_all(SPEED_MPS));
    lanes asked = speed * step->block->steer_rad / step->numbers->wheelbase_m;
    lanes most = step->gravity_mps2 * R(0.95) / lanes_max(speed, lanes_all(SPEED_MPS));
    asked = lanes_clamp(asked, -most, most);
    lanes error = turn - asked;
    lanes excess = lanes_max(lanes_abs(error) - TOLERANCE_RADPS, lanes_zero());
    lanes share = step->drive->stability_control * lanes_min(excess * GAIN_S, lanes_all(SHARE_MAX));
    lanes_mask is_too_fast = lanes_more(lanes_abs(turn), lanes_abs(asked));
    // Turning left (error > 0) too fast: the right front wheel pulls the nose back out.
    return (yaw_error){.side = lanes_with_sign(ONE, -error),
                       .front = lanes_select(is_too_fast, ONE, -ONE),
                       .share = lanes_select(is_slow, lanes_zero(), share)};
}

static lanes fade(const physics_substep *step, const physics_axle_lanes *axle,
                  const physics_wheel_lanes *state) {
    const real PER_RANGE_C = R(0.0025);
    if (!step->cars->conditions.temperatures) {
        return lanes_all(R(1.0));
    }
    lanes over = state->brake_temperature_c - axle->brake_fade_c;
    return lanes_clamp(R(1.0) - over * PER_RANGE_C, lanes_all(R(0.2)), lanes_all(R(1.0)));
}

void FOR_ISA(physics_aids)(physics_substep *step) {
    const physics_drive *drive = step->drive;
    const lanes ONE = lanes_all(R(1.0));
    physics_balance balance = {ONE, ONE, ONE, lanes_zero()};
    if (drive->is_anyone_riding) {
        FOR_ISA(physics_rider_balance)(step, &balance);
    }
    step->throttle = lanes_max(drive->throttle * traction_factor(step, balance.throttle),
                               drive->traction_control * balance.throttle_least);
    yaw_error error = stability(step);
    bool brakes =
        lanes_any(lanes_more(drive->brake + drive->handbrake + error.share, lanes_zero()));
    lanes used = lanes_zero();
    for (uint32_t w = 0; w < 2u * drive->axle_count && !brakes; w++) {
        step->wheels[w].brake_nm = lanes_zero();
    }
    for (uint32_t a = 0; a < drive->axle_count && brakes; a++) {
        const physics_axle_lanes *axle = &step->numbers->axles[a];
        lanes_mask is_front = lanes_more(axle->x_m, lanes_zero());
        lanes bearable = lanes_select(is_front, balance.front_brake, balance.rear_brake);
        lanes_mask is_end = lanes_more(axle->x_m * error.front, lanes_zero());
        for (uint32_t side = 0; side < 2; side++) {
            const physics_wheel_lanes *state = &step->block->wheels[2 * a + side];
            lanes_mask is_side = lanes_more(side == 0 ? error.side : -error.side, lanes_zero()) &
                                 lanes_true(axle->present[1]);
            lanes pedal = lanes_min(drive->brake + lanes_keep(is_end & is_side, error.share), ONE);
            pedal *= anti_lock_factor(step, &axle->tyre, state, bearable);
            used = lanes_max(used, lanes_keep(lanes_true(axle->present[side]), pedal));
            step->wheels[2 * a + side].brake_nm = pedal * axle->brake_nm * fade(step, axle, state) +
                                                  drive->handbrake * axle->handbrake_nm;
        }
    }
    step->work->throttle = step->throttle;
    step->work->brake = used;
}
