// Steering and the driver aids: what the driver asked for becomes what the wheels get.

#include "physics/car_private.h"

static real aid_strength(const physics_car_step *step, real strength, uint32_t bit) {
    return step->input->aids_off & bit ? R(0.0) : strength;
}

static real lock_rad(const physics_car_step *step) {
    const physics_type *type = step->type;
    if (type->steer_fade_mps <= R(0.0)) {
        return type->steer_max_rad;
    }
    real strength = aid_strength(step, type->steering_assist, APEX_AID_STEERING);
    real speed = real_abs(step->speed_x_mps);
    real lost = strength * speed / (speed + type->steer_fade_mps);
    return type->steer_max_rad * (R(1.0) - lost);
}

// Each wheel's direction from the tangent of its axle's angle: inner wheels turn about the same
// point as the outer ones (Ackermann), toe comes on top.
static void point_axle(physics_car_step *step, const physics_axle *axle) {
    real angle = step->car->steer_rad * axle->steer_share;
    real tangent = angle == R(0.0) ? R(0.0) : real_sin(angle) / real_cos(angle);
    for (uint32_t w = axle->first_wheel; w < (uint32_t)axle->first_wheel + axle->wheel_count; w++) {
        const physics_wheel_place *place = &step->type->wheels[w];
        real t = tangent;
        if (axle->ackermann_m != R(0.0)) {
            t = tangent / (R(1.0) - tangent * place->y_m / axle->ackermann_m);
        }
        real c = t == R(0.0) ? R(1.0) : R(1.0) / real_sqrt(R(1.0) + t * t), s = t * c;
        real toe = -place->side * axle->toe_sin; // toe-in turns the left wheel right
        real toe_cos = place->side == R(0.0) ? R(1.0) : axle->toe_cos;
        step->wheel_cos[w] = c * toe_cos - s * toe;
        step->wheel_sin[w] = s * toe_cos + c * toe;
    }
}

void physics_steer(physics_car_step *step) {
    const physics_type *type = step->type;
    real target = step->input->steer * lock_rad(step);
    real change = type->steer_rate_radps * step->h_s;
    real now = step->car->steer_rad;
    step->car->steer_rad = now + real_clamp(target - now, -change, change);
    for (uint32_t a = 0; a < type->axle_count; a++) {
        point_axle(step, &type->axles[a]);
    }
}

// How much of its grip a wheel spends along itself, in units of the peak's slip; a wheel that also
// slides sideways has less to spend. `direction` is 1 for driving forwards or braking backwards.
static real spent_slip(const physics_car_step *step, uint32_t wheel, real direction) {
    const physics_tyre *tyre = &step->type->axles[step->type->wheels[wheel].axle].tyre;
    const physics_wheel *state = &step->car->wheels[wheel];
    real along = state->deflection_long_m * tyre->longitudinal.per_deflection * direction;
    real across = real_abs(state->deflection_lat_m * tyre->lateral.per_deflection);
    return real_max(along, R(0.0)) * (R(1.0) + real_min(across, R(1.5)));
}

static real driven_slip(const physics_car_step *step) {
    real direction = step->car->gear < 0 ? R(-1.0) : R(1.0);
    real most = R(0.0);
    for (uint32_t w = 0; w < step->type->wheel_count; w++) {
        if (step->type->wheels[w].drive_share > R(0.0) && step->load_n[w] > R(0.0)) {
            most = real_max(most, spent_slip(step, w, direction));
        }
    }
    return most;
}

static real traction_factor(const physics_car_step *step) {
    const real START = R(0.8), FULL = R(1.4), LEFT = R(0.05), LAUNCH_MPS = R(15.0);
    real strength = aid_strength(step, step->type->traction_control, APEX_AID_TRACTION);
    if (real_abs(step->speed_x_mps) < LAUNCH_MPS) {
        real launch = aid_strength(step, step->type->launch_control, APEX_AID_LAUNCH);
        strength = real_max(strength, launch);
    }
    if (strength <= R(0.0)) {
        return R(1.0);
    }
    real cut = real_clamp((driven_slip(step) - START) / (FULL - START), R(0.0), R(1.0));
    return real_max(R(1.0) - strength * cut, LEFT);
}

// Less brake the further a wheel slips past its peak; below walking pace wheels may lock.
static real anti_lock_factor(const physics_car_step *step, uint32_t wheel, real strength) {
    const real START = R(0.8), FULL = R(1.3), SPEED_MPS = R(1.5);
    if (strength <= R(0.0) || real_abs(step->speed_x_mps) < SPEED_MPS) {
        return R(1.0);
    }
    real slip = spent_slip(step, wheel, -real_sign(step->speed_x_mps));
    real release = real_clamp((slip - START) / (FULL - START), R(0.0), R(1.0));
    return R(1.0) - strength * release;
}

// Brakes one side when the car turns faster than its steering asks (front outer wheel) or slower
// (rear inner one). @return torque to add, as shares of an axle's full brake.
static real stability_share(const physics_car_step *step, uint32_t wheel) {
    const real TOLERANCE_RADPS = R(0.12), GAIN_S = R(1.2), SPEED_MPS = R(5.0);
    real strength = aid_strength(step, step->type->stability_control, APEX_AID_STABILITY);
    real speed = step->speed_x_mps;
    if (strength <= R(0.0) || speed < SPEED_MPS) {
        return R(0.0);
    }
    real asked = speed * step->car->steer_rad / step->type->wheelbase_m;
    real most = step->world->gravity_mps2 * R(0.95) / speed;
    asked = real_clamp(asked, -most, most);
    real error = step->yaw_radps - asked;
    const physics_wheel_place *place = &step->type->wheels[wheel];
    bool is_front = place->x_m > R(0.0);
    bool too_fast = real_abs(step->yaw_radps) > real_abs(asked);
    // Turning left (error > 0) too fast: the right front wheel pulls the nose back out.
    real wanted_side = error > R(0.0) ? R(-1.0) : R(1.0);
    if (place->side != wanted_side || is_front != too_fast) {
        return R(0.0);
    }
    real excess = real_max(real_abs(error) - TOLERANCE_RADPS, R(0.0));
    return strength * real_min(excess * GAIN_S, R(0.6));
}

void physics_aids_apply(physics_car_step *step) {
    const physics_type *type = step->type;
    const physics_input *input = step->input;
    step->throttle = input->throttle * traction_factor(step);
    real strength = aid_strength(step, type->abs, APEX_AID_ABS);
    real used = R(0.0);
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        const physics_axle *axle = &type->axles[type->wheels[w].axle];
        real pedal = real_min(input->brake + stability_share(step, w), R(1.0));
        pedal *= anti_lock_factor(step, w, strength);
        used = real_max(used, pedal);
        step->brake_nm[w] = pedal * axle->brake_nm * physics_brake_condition(step, w) +
                            input->handbrake * axle->handbrake_nm;
    }
    step->work->throttle = step->throttle;
    step->work->brake = used;
}
