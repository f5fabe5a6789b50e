// Engine, clutch, differentials and brakes against the tyres: bounded one-dimensional constraints
// between spinning things, solved by a fixed number of projected Gauss-Seidel sweeps over summed
// impulses (the scheme of rigid-body contacts, for shafts). Tyres enter through the inertia: each
// wheel carries its tyre's resistance to a change of spin, so the whole is linearly implicit.

#include "physics/car_private.h"

enum { SWEEPS_MAX = 6, DIFFERENTIALS_MAX = 2 * APEX_AXLES_MAX };

// Sweeps end early when none of them changes a speed by more.
static const real SETTLED_RADPS = R(1e-5);

typedef struct shaft_state {
    real spin_radps[APEX_WHEELS_MAX];
    real inertia_kgm2[APEX_WHEELS_MAX], per_inertia[APEX_WHEELS_MAX];
    real brake_nms_max[APEX_WHEELS_MAX];
    real brake_nms[APEX_WHEELS_MAX];
    real engine_radps, engine_per_inertia;
    real ratio;
    real clutch_nms, clutch_nms_max;
    real clutch_kgm2; ///< what a slipping clutch sees: engine and wheels together
    real efficiency;
    real largest_change_radps; ///< of this sweep
} shaft_state;

typedef struct shaft_joint {
    uint8_t first_a, count_a, first_b, count_b; ///< wheels on either side
    apex_differential_kind kind;
    real preload_nms, power_bias, coast_bias;
    real share;        ///< of gearbox torque that passes through
    real softness;     ///< viscous: slip for each unit of impulse
    real inertia_kgm2; ///< what a difference of speeds sees
    real impulse_nms;
} shaft_joint;

static real mean_spin(const shaft_state *shaft, uint8_t first, uint8_t count) {
    real sum = R(0.0);
    for (uint32_t w = first; w < (uint32_t)first + count; w++) {
        sum += shaft->spin_radps[w];
    }
    return count == 2 ? R(0.5) * sum : sum;
}

// Change of a side's mean spin for each unit of impulse shared equally by its wheels.
static real mean_mobility(const shaft_state *shaft, uint8_t first, uint8_t count) {
    real sum = R(0.0);
    for (uint32_t w = first; w < (uint32_t)first + count; w++) {
        sum += shaft->per_inertia[w];
    }
    return count == 2 ? R(0.25) * sum : sum;
}

static void turn(shaft_state *shaft, uint8_t first, uint8_t count, real impulse_nms) {
    real each = count == 2 ? R(0.5) * impulse_nms : impulse_nms;
    for (uint32_t w = first; w < (uint32_t)first + count; w++) {
        real change = each * shaft->per_inertia[w];
        shaft->spin_radps[w] += change;
        shaft->largest_change_radps = real_max(shaft->largest_change_radps, real_abs(change));
    }
}

static real joint_inertia(const shaft_state *shaft, const shaft_joint *joint) {
    return R(1.0) / (mean_mobility(shaft, joint->first_a, joint->count_a) +
                     mean_mobility(shaft, joint->first_b, joint->count_b) + joint->softness);
}

static void solve_joint(shaft_state *shaft, shaft_joint *joint) {
    real limit = R(0.0);
    if (joint->kind == APEX_DIFFERENTIAL_LIMITED_SLIP) {
        real torque = shaft->clutch_nms * shaft->ratio * joint->share;
        bool is_power = torque * real_sign(shaft->ratio) > R(0.0);
        limit = joint->preload_nms +
                real_abs(torque) * (is_power ? joint->power_bias : joint->coast_bias);
    } else if (joint->kind != APEX_DIFFERENTIAL_OPEN) {
        limit = R(1e9);
    }
    if (limit <= R(0.0)) {
        return;
    }
    real slip = mean_spin(shaft, joint->first_a, joint->count_a) -
                mean_spin(shaft, joint->first_b, joint->count_b);
    real wanted =
        joint->impulse_nms - (slip + joint->softness * joint->impulse_nms) * joint->inertia_kgm2;
    real impulse = real_clamp(wanted, -limit, limit);
    real change = impulse - joint->impulse_nms;
    joint->impulse_nms = impulse;
    turn(shaft, joint->first_a, joint->count_a, change);
    turn(shaft, joint->first_b, joint->count_b, -change);
}

static void solve_clutch(shaft_state *shaft, const physics_type *type) {
    if (shaft->clutch_nms_max <= R(0.0)) {
        return;
    }
    real input = R(0.0);
    for (uint32_t a = 0; a < type->axle_count; a++) {
        const physics_axle *axle = &type->axles[a];
        input += axle->drive_share * mean_spin(shaft, axle->first_wheel, axle->wheel_count);
    }
    real slip = shaft->engine_radps - input * shaft->ratio;
    real wanted = shaft->clutch_nms + slip * shaft->clutch_kgm2;
    real impulse = real_clamp(wanted, -shaft->clutch_nms_max, shaft->clutch_nms_max);
    real change = impulse - shaft->clutch_nms;
    shaft->clutch_nms = impulse;
    shaft->engine_radps -= change * shaft->engine_per_inertia;
    real flow = change * shaft->ratio * shaft->efficiency;
    for (uint32_t a = 0; a < type->axle_count; a++) {
        const physics_axle *axle = &type->axles[a];
        turn(shaft, axle->first_wheel, axle->wheel_count, flow * axle->drive_share);
    }
}

// Dry friction: stops a wheel, never turns it the other way.
static void solve_brakes(shaft_state *shaft, uint32_t wheel_count) {
    for (uint32_t w = 0; w < wheel_count; w++) {
        real wanted = shaft->brake_nms[w] - shaft->spin_radps[w] * shaft->inertia_kgm2[w];
        real impulse = real_clamp(wanted, -shaft->brake_nms_max[w], shaft->brake_nms_max[w]);
        real change = (impulse - shaft->brake_nms[w]) * shaft->per_inertia[w];
        shaft->spin_radps[w] = impulse == wanted ? R(0.0) : shaft->spin_radps[w] + change;
        shaft->largest_change_radps = real_max(shaft->largest_change_radps, real_abs(change));
        shaft->brake_nms[w] = impulse;
    }
}

static shaft_joint axle_joint(const physics_axle *axle, real h_s) {
    uint8_t first = axle->first_wheel;
    real viscous = axle->viscous_nms_per_rad * h_s;
    bool is_soft = axle->differential == APEX_DIFFERENTIAL_VISCOUS;
    return (shaft_joint){first,
                         1,
                         (uint8_t)(first + 1),
                         1,
                         .kind = is_soft && viscous <= R(0.0) ? APEX_DIFFERENTIAL_OPEN
                                                              : axle->differential,
                         .preload_nms = axle->preload_nm * h_s,
                         .power_bias = axle->power_bias,
                         .coast_bias = axle->coast_bias,
                         .share = axle->drive_share,
                         .softness = is_soft && viscous > R(0.0) ? R(1.0) / viscous : R(0.0)};
}

// One between the wheels of each driven axle, one between neighbouring driven axles.
static uint32_t build_joints(const physics_type *type, real h_s, shaft_joint joints[]) {
    uint32_t count = 0;
    const physics_axle *before = NULL;
    for (uint32_t a = 0; a < type->axle_count; a++) {
        const physics_axle *axle = &type->axles[a];
        if (axle->drive_share <= R(0.0)) {
            continue;
        }
        if (axle->wheel_count == 2 && axle->differential != APEX_DIFFERENTIAL_OPEN) {
            joints[count++] = axle_joint(axle, h_s);
        }
        if (before != NULL && type->centre_kind != APEX_DIFFERENTIAL_OPEN) {
            bool is_soft = type->centre_kind == APEX_DIFFERENTIAL_VISCOUS;
            real viscous = real_max(type->centre_viscous * h_s, R(1e-6));
            joints[count++] = (shaft_joint){before->first_wheel,
                                            before->wheel_count,
                                            axle->first_wheel,
                                            axle->wheel_count,
                                            .kind = type->centre_kind,
                                            .preload_nms = type->centre_preload_nm * h_s,
                                            .power_bias = type->centre_power_bias,
                                            .coast_bias = type->centre_coast_bias,
                                            .share = R(1.0),
                                            .softness = is_soft ? R(1.0) / viscous : R(0.0)};
        }
        before = axle;
    }
    return count;
}

// While a shift is under way the engine is brought to the speed the new gear will want
// (Palmer 8.14: rpm changes by the ratio of the gears).
static real shift_match_nm(const physics_car_step *step) {
    const physics_car *car = step->car;
    real target = physics_gearbox_input_radps(car, step->type, car->gear);
    target = real_clamp(target, step->type->engine.idle_radps, step->type->engine.limiter_radps);
    real time = real_max(car->shift_left_s, R(4.0) * step->h_s);
    real limit = R(3.0) * step->type->gearbox.clutch_nm;
    return real_clamp(step->type->engine.inertia_kgm2 * (target - car->engine_radps) / time, -limit,
                      limit);
}

static real clutch_inertia(const shaft_state *shaft, const physics_type *type) {
    real mobility = R(0.0);
    for (uint32_t a = 0; a < type->axle_count; a++) {
        const physics_axle *axle = &type->axles[a];
        mobility += axle->drive_share * axle->drive_share *
                    mean_mobility(shaft, axle->first_wheel, axle->wheel_count);
    }
    mobility *= shaft->ratio * shaft->ratio * shaft->efficiency;
    return R(1.0) / (shaft->engine_per_inertia + mobility);
}

// Clutch share 0..1 that the pedal or the automatic clutch closes.
static real clutch_closed(const physics_car_step *step) {
    const physics_car *car = step->car;
    const physics_engine *engine = &step->type->engine;
    if (car->gear == APEX_GEAR_NEUTRAL || car->shift_left_s > R(0.0)) {
        return R(0.0);
    }
    real pedal = R(1.0) - step->input->clutch;
    real input = physics_gearbox_input_radps(car, step->type, car->gear);
    // No starter on board: whatever the pedal says, the clutch opens before the engine stalls.
    real stall =
        real_clamp(car->engine_radps / (R(0.5) * engine->idle_radps) - R(1.0), R(0.0), R(1.0));
    bool is_automatic = step->type->automatic_clutch && !(step->input->aids_off & APEX_AID_CLUTCH);
    if (!is_automatic) {
        return real_min(pedal, stall);
    }
    if (car->engine_blown) {
        return R(0.0);
    }
    // Bites from idle to a launch speed that rises with the throttle; once in step it stays closed.
    real launch = engine->idle_radps + (R(0.1) + R(0.4) * step->input->throttle) *
                                           (engine->limiter_radps - engine->idle_radps);
    real bite = (car->engine_radps - engine->idle_radps) / (launch - engine->idle_radps);
    real slip =
        real_abs(car->engine_radps - input) / real_max(car->engine_radps, engine->idle_radps);
    real in_step = input > engine->idle_radps * R(0.95)
                       ? real_clamp((R(0.2) - slip) / R(0.1), R(0.0), R(1.0))
                       : R(0.0);
    if (input > launch) {
        in_step = R(1.0);
    }
    return real_min(pedal, real_clamp(real_max(bite, in_step), R(0.0), R(1.0)));
}

static void load_shaft(const physics_car_step *step, shaft_state *shaft) {
    const physics_type *type = step->type;
    real h = step->h_s;
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        const physics_tyre *tyre = &type->axles[type->wheels[w].axle].tyre;
        const physics_tyre_output *out = &step->tyre[w];
        real inertia = tyre->inertia_kgm2 + h * tyre->radius_m * out->long_n_per_radps;
        shaft->inertia_kgm2[w] = inertia;
        shaft->per_inertia[w] = R(1.0) / inertia;
        shaft->spin_radps[w] = step->car->wheels[w].spin_radps -
                               h * tyre->radius_m * out->long_n * shaft->per_inertia[w];
        real speed = real_abs(step->wheel_x_mps[w]);
        real rolling_nm = step->load_n[w] * tyre->radius_m * step->rolling_ratio[w] *
                          (tyre->rolling + tyre->rolling_s_per_m * speed);
        shaft->brake_nms_max[w] = h * (step->brake_nm[w] + rolling_nm);
        shaft->brake_nms[w] = R(0.0);
    }
    shaft->engine_per_inertia = R(1.0) / type->engine.inertia_kgm2;
    shaft->ratio = type->gearbox.ratio[step->car->gear + 1];
    shaft->clutch_nms = R(0.0);
    shaft->clutch_nms_max = h * type->gearbox.clutch_nm * clutch_closed(step);
}

void physics_driveline_step(physics_car_step *step) {
    const physics_type *type = step->type;
    physics_car *car = step->car;
    real h = step->h_s;
    real torque = car->shift_left_s > R(0.0) && !car->engine_blown ? shift_match_nm(step)
                                                                   : physics_engine_torque_nm(step);
    shaft_state shaft = {0};
    load_shaft(step, &shaft);
    shaft.engine_radps = car->engine_radps + h * torque * shaft.engine_per_inertia;
    // Losses take from what flows: driving from the wheels, on the overrun from nothing we model.
    real input = physics_gearbox_input_radps(car, type, car->gear);
    shaft.efficiency = shaft.engine_radps >= input ? type->gearbox.efficiency : R(1.0);

    shaft_joint joints[DIFFERENTIALS_MAX];
    uint32_t joint_count = build_joints(type, h, joints);
    for (uint32_t j = 0; j < joint_count; j++) {
        joints[j].inertia_kgm2 = joint_inertia(&shaft, &joints[j]);
    }
    shaft.clutch_kgm2 = clutch_inertia(&shaft, type);
    shaft.largest_change_radps = SETTLED_RADPS;
    for (uint32_t sweep = 0; sweep < SWEEPS_MAX && shaft.largest_change_radps >= SETTLED_RADPS;
         sweep++) {
        shaft.largest_change_radps = R(0.0);
        solve_clutch(&shaft, type);
        for (uint32_t j = 0; j < joint_count; j++) {
            solve_joint(&shaft, &joints[j]);
        }
        solve_brakes(&shaft, type->wheel_count);
    }
    car->engine_radps = shaft.engine_radps;
    physics_engine_after(step, torque);
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        physics_wheel *wheel = &car->wheels[w];
        physics_tyre_finish(&step->tyre[w], shaft.spin_radps[w] - wheel->spin_radps,
                            &wheel->deflection_long_m);
        wheel->spin_radps = shaft.spin_radps[w];
    }
    step->work->engine_nm = torque;
    step->work->clutch_nm = shaft.clutch_nms / h;
    step->work->drive_nm = step->work->clutch_nm * shaft.ratio * shaft.efficiency;
}
