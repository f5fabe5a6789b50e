// Engine, clutch, differentials and brakes against the tyres: bounded one-dimensional constraints
// between spinning things, solved by a few projected Gauss-Seidel sweeps over summed impulses (the
// scheme of rigid-body contacts, for shafts). Tyres enter through the inertia: each wheel carries
// its tyre's resistance to a change of spin, so the whole is linearly implicit.

#include "physics/dynamics/powertrain/engine.h"
#include "physics/dynamics/powertrain/gearbox_input.h"

// Clutch and differentials pull at the same wheels, so one row undoes a tenth of what another did.
// After three sweeps a thousandth is left, which is the next substep's first business.
enum { SWEEPS = 3 };

// Stands for "as much as it takes".
static const real RIGID_NMS = R(1e9);

typedef struct shaft_wheel {
    lanes spin_radps, inertia_kgm2, per_inertia;
    lanes brake_nms, brake_nms_max;
} shaft_wheel;

/// A differential, whichever two things it stands between.
typedef struct shaft_joint {
    lanes impulse_nms, change_nms;
    lanes softness;
    lanes per_mobility; ///< impulse for each unit of slip
} shaft_joint;

typedef struct shaft_state {
    shaft_wheel wheels[PHYSICS_WHEEL_SLOTS];
    lanes engine_radps;
    lanes efficiency;
    lanes clutch_nms, clutch_nms_max;
    lanes clutch_kgm2; ///< of engine and wheels together, as a slipping clutch sees it
    shaft_joint axles[APEX_AXLES_MAX];   ///< between its wheels
    shaft_joint centres[APEX_AXLES_MAX]; ///< to the axle before it
} shaft_state;

LANES_INLINE lanes axle_spin(const shaft_state *shaft, const physics_axle_lanes *axle, uint32_t a) {
    const shaft_wheel *pair = &shaft->wheels[2 * a];
    return axle->mean_share * (pair[0].spin_radps + axle->present[1] * pair[1].spin_radps);
}

// Change of the axle's mean spin for each unit of impulse that its wheels share equally.
LANES_INLINE lanes axle_mobility(const shaft_state *shaft, const physics_axle_lanes *axle,
                                 uint32_t a) {
    const shaft_wheel *pair = &shaft->wheels[2 * a];
    return axle->mean_share * axle->mean_share *
           (pair[0].per_inertia + axle->present[1] * pair[1].per_inertia);
}

LANES_INLINE void turn_wheel(shaft_state *shaft, uint32_t w, lanes impulse_nms) {
    shaft->wheels[w].spin_radps += impulse_nms * shaft->wheels[w].per_inertia;
}

LANES_INLINE void turn_axle(shaft_state *shaft, const physics_axle_lanes *axle, uint32_t a,
                            lanes impulse_nms) {
    lanes each = axle->mean_share * impulse_nms;
    turn_wheel(shaft, 2 * a, each);
    turn_wheel(shaft, 2 * a + 1, each * axle->present[1]);
}

static void solve_clutch(shaft_state *shaft, const physics_substep *step) {
    const physics_numbers_lanes *numbers = step->numbers;
    lanes input = lanes_zero(), ratio = step->drive->ratio;
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        if (step->drive->shafts.is_driven[a]) {
            const physics_axle_lanes *axle = &numbers->axles[a];
            input += axle->drive_share * axle_spin(shaft, axle, a);
        }
    }
    lanes slip = shaft->engine_radps - input * ratio;
    lanes wanted = shaft->clutch_nms + slip * shaft->clutch_kgm2;
    lanes limit = shaft->clutch_nms_max;
    lanes impulse = lanes_clamp(wanted, -limit, limit);
    lanes change = impulse - shaft->clutch_nms;
    shaft->clutch_nms += change;
    shaft->engine_radps -= change * numbers->engine.per_inertia;
    lanes flow = change * ratio * shaft->efficiency;
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        if (step->drive->shafts.is_driven[a]) {
            const physics_axle_lanes *axle = &numbers->axles[a];
            turn_axle(shaft, axle, a, flow * axle->drive_share);
        }
    }
}

// A viscous differential gives way by this for each unit of impulse; a rigid one not at all.
LANES_INLINE lanes softness_of(const physics_substep *step, lanes viscous_nms) {
    if (!step->drive->shafts.is_any_viscous) {
        return lanes_zero();
    }
    return lanes_keep(lanes_more(viscous_nms, lanes_zero()), R(1.0) / (viscous_nms * step->h_s));
}

/// The bounds that a differential's kind and the torque through it set to the torque it passes.
typedef struct joint_law {
    lanes is_locked, is_limited, viscous_nms;
    lanes preload_nm, power_bias, coast_bias;
    lanes share; ///< of gearbox torque that passes through
} joint_law;

// Impulse that it has passed once this slip has been answered: none open, bounded by the torque
// through it when limited, all it takes when locked; a viscous one's grows with what slip is left.
LANES_INLINE void solve_joint(const shaft_state *shaft, const physics_substep *step,
                              const joint_law *law, lanes slip_radps, shaft_joint *joint) {
    const lanes ZERO = lanes_zero();
    lanes torque_nms = shaft->clutch_nms * step->drive->ratio * law->share;
    lanes_mask is_power = lanes_more(torque_nms * step->drive->ratio, ZERO);
    lanes bias = lanes_select(is_power, law->power_bias, law->coast_bias);
    lanes limit = law->is_limited * (law->preload_nm * step->h_s + lanes_abs(torque_nms) * bias);
    lanes_mask is_rigid = lanes_true(law->is_locked) | lanes_more(law->viscous_nms, ZERO);
    limit = lanes_select(is_rigid, lanes_all(RIGID_NMS), limit);
    lanes wanted = joint->impulse_nms -
                   (slip_radps + joint->softness * joint->impulse_nms) * joint->per_mobility;
    lanes impulse = lanes_clamp(wanted, -limit, limit);
    joint->change_nms = impulse - joint->impulse_nms;
    joint->impulse_nms = impulse;
}

static void solve_axle(shaft_state *shaft, const physics_substep *step, uint32_t a) {
    const physics_axle_lanes *axle = &step->numbers->axles[a];
    const shaft_wheel *pair = &shaft->wheels[2 * a];
    shaft_joint *joint = &shaft->axles[a];
    const joint_law law = {
        .is_locked = axle->is_locked,
        .is_limited = axle->is_limited,
        .viscous_nms = axle->viscous_nms,
        .preload_nm = axle->preload_nm,
        .power_bias = axle->power_bias,
        .coast_bias = axle->coast_bias,
        .share = axle->drive_share,
    };
    solve_joint(shaft, step, &law, pair[0].spin_radps - pair[1].spin_radps, joint);
    turn_wheel(shaft, 2 * a, joint->change_nms);
    turn_wheel(shaft, 2 * a + 1, -joint->change_nms);
}

// Between axle `a` and the driven one before it.
static void solve_centre(shaft_state *shaft, const physics_substep *step, uint32_t a) {
    const physics_numbers_lanes *numbers = step->numbers;
    const physics_axle_lanes *front = &numbers->axles[a - 1], *rear = &numbers->axles[a];
    lanes_mask drives =
        lanes_more(front->drive_share, lanes_zero()) & lanes_more(rear->drive_share, lanes_zero());
    shaft_joint *joint = &shaft->centres[a];
    const joint_law law = {
        .is_locked = lanes_keep(drives, numbers->centre.is_locked),
        .is_limited = lanes_keep(drives, numbers->centre.is_limited),
        .viscous_nms = lanes_keep(drives, numbers->centre.viscous_nms),
        .preload_nm = numbers->centre.preload_nm,
        .power_bias = numbers->centre.power_bias,
        .coast_bias = numbers->centre.coast_bias,
        .share = lanes_all(R(1.0)),
    };
    lanes slip = axle_spin(shaft, front, a - 1) - axle_spin(shaft, rear, a);
    solve_joint(shaft, step, &law, slip, joint);
    turn_axle(shaft, front, a - 1, joint->change_nms);
    turn_axle(shaft, rear, a, -joint->change_nms);
}

static void load_joints(shaft_state *shaft, const physics_substep *step) {
    const physics_numbers_lanes *numbers = step->numbers;
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        const physics_axle_lanes *axle = &numbers->axles[a];
        const shaft_wheel *pair = &shaft->wheels[2 * a];
        if (step->drive->shafts.has_joint[a]) {
            lanes softness = softness_of(step, axle->viscous_nms);
            lanes mobility = pair[0].per_inertia + pair[1].per_inertia + softness;
            shaft->axles[a] =
                (shaft_joint){.softness = softness, .per_mobility = R(1.0) / mobility};
        }
        if (step->drive->shafts.has_centre && a > 0) {
            lanes softness = softness_of(step, numbers->centre.viscous_nms);
            lanes mobility = axle_mobility(shaft, &numbers->axles[a - 1], a - 1) +
                             axle_mobility(shaft, axle, a) + softness;
            shaft->centres[a] =
                (shaft_joint){.softness = softness, .per_mobility = R(1.0) / mobility};
        }
    }
}

// Dry friction: stops a wheel, never turns it the other way.
static void solve_brakes(shaft_state *shaft, uint32_t axle) {
    for (uint32_t w = 2 * axle; w < 2 * axle + 2; w++) {
        shaft_wheel *wheel = &shaft->wheels[w];
        lanes wanted = wheel->brake_nms - wheel->spin_radps * wheel->inertia_kgm2;
        lanes impulse = lanes_clamp(wanted, -wheel->brake_nms_max, wheel->brake_nms_max);
        lanes spin = wheel->spin_radps + (impulse - wheel->brake_nms) * wheel->per_inertia;
        wheel->spin_radps = lanes_keep(~lanes_equal(impulse, wanted), spin);
        wheel->brake_nms = impulse;
    }
}

static void sweep(shaft_state *shaft, const physics_substep *step) {
    uint32_t axle_count = step->drive->axle_count;
    solve_clutch(shaft, step);
    for (uint32_t a = 0; a < axle_count; a++) {
        if (step->drive->shafts.has_joint[a]) {
            solve_axle(shaft, step, a);
        }
        if (step->drive->shafts.has_centre && a > 0) {
            solve_centre(shaft, step, a);
        }
    }
    for (uint32_t a = 0; a < axle_count; a++) {
        if (step->drive->shafts.is_driven[a]) {
            solve_brakes(shaft, a);
        }
    }
}

// While a shift is under way the engine is brought to the speed the new gear will want
// (Palmer 8.14: rpm changes by the ratio of the gears).
static lanes shift_match_nm(const physics_substep *step, lanes input_radps) {
    const physics_engine_lanes *engine = &step->numbers->engine;
    lanes target = lanes_clamp(input_radps, engine->idle_radps, engine->limiter_radps);
    lanes time_s = lanes_max(step->block->shift_left_s, lanes_all(R(4.0) * step->h_s));
    lanes limit = R(3.0) * step->numbers->clutch_nm;
    lanes torque = engine->inertia_kgm2 * (target - step->block->engine_radps) / time_s;
    return lanes_clamp(torque, -limit, limit);
}

// Bites from idle to a launch speed that rises with the throttle; once in step it stays closed. It
// closes over as much again as the idle speed: all at once, the engine would fall below idle, the
// clutch open again, and the car jerk.
// Launch control holds the engine where it is just strong enough for a start.
static lanes automatic_clutch(const physics_substep *step, lanes input_radps) {
    const physics_engine_lanes *engine = &step->numbers->engine;
    const lanes ZERO = lanes_zero(), ONE = lanes_all(R(1.0));
    lanes radps = step->block->engine_radps, idle = engine->idle_radps;
    lanes throttle = step->drive->throttle, range = engine->limiter_radps - idle;
    lanes launch = idle + (R(0.1) + R(0.4) * throttle) * range;
    lanes strong = step->numbers->launch_radps, holds = step->drive->launch_control * throttle;
    launch += holds * lanes_max(strong + R(0.05) * range - launch, ZERO);
    lanes start = idle + holds * lanes_max(strong - R(0.1) * range - idle, ZERO);
    lanes bite = (radps - start) / (launch - start);
    lanes slip = lanes_abs(radps - input_radps) / lanes_max(radps, idle);
    lanes in_step = lanes_share((R(0.2) - slip) * R(5.0));
    in_step *= lanes_share(input_radps / idle - R(0.9));
    in_step = lanes_select(lanes_more(input_radps, launch), ONE, in_step);
    lanes closed = lanes_share(lanes_max(bite, in_step));
    return lanes_select(step->drive->is_blown, ZERO, closed);
}

// Share 0..1 of the clutch that pedal and automatic close. No starter on board: whatever the pedal
// says, the clutch opens before the engine stalls.
static lanes clutch_closed(const physics_substep *step, lanes input_radps) {
    const physics_engine_lanes *engine = &step->numbers->engine;
    const physics_drive *drive = step->drive;
    lanes pedal = R(1.0) - drive->clutch;
    lanes stall = lanes_share(step->block->engine_radps / (R(0.5) * engine->idle_radps) - R(1.0));
    lanes own = lanes_select(lanes_true(drive->has_automatic_clutch),
                             automatic_clutch(step, input_radps), stall);
    lanes_mask is_in_gear = lanes_more(lanes_abs(drive->ratio), lanes_zero()) &
                            ~lanes_more(step->block->shift_left_s, lanes_zero());
    return lanes_keep(is_in_gear, lanes_min(pedal, own));
}

// Bodywork that hangs down on a tyre: twice its own rolling resistance on top, so that a wrecked
// side slows the car like a slope of 1.5 %. A single wheel stands clear of both sides.
static lanes bodywork_drag(const physics_substep *step, uint32_t wheel) {
    apex_damage_zone zone = wheel % 2 == 0 ? APEX_ZONE_LEFT : APEX_ZONE_RIGHT;
    return R(0.03) * step->numbers->axles[wheel / 2].present[1] * step->block->damage[zone];
}

static void load_wheels(shaft_state *shaft, const physics_substep *step) {
    real h = step->h_s;
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        const physics_tyre_lanes *tyre = &step->numbers->axles[a].tyre;
        for (uint32_t w = 2 * a; w < 2 * a + 2; w++) {
            const physics_wheel_pass *pass = &step->wheels[w];
            shaft_wheel *wheel = &shaft->wheels[w];
            lanes lever = h * tyre->radius_m;
            wheel->inertia_kgm2 = tyre->inertia_kgm2 + lever * pass->grip.long_n_per_radps;
            wheel->per_inertia = R(1.0) / wheel->inertia_kgm2;
            wheel->spin_radps =
                step->block->wheels[w].spin_radps - lever * pass->grip.long_n * wheel->per_inertia;
            lanes rolling = tyre->rolling + tyre->rolling_s_per_m * lanes_abs(pass->speed_x_mps);
            lanes rolling_nms = lever * pass->load_n * pass->rolling_ratio * rolling;
            if (step->cars->conditions.damage == APEX_DAMAGE_FULL) {
                rolling_nms += lever * pass->load_n * bodywork_drag(step, w);
            }
            wheel->brake_nms_max = h * pass->brake_nm + rolling_nms;
            wheel->brake_nms = lanes_zero();
        }
    }
}

static void load_clutch(shaft_state *shaft, const physics_substep *step, lanes torque_nm,
                        lanes input) {
    const physics_numbers_lanes *numbers = step->numbers;
    const lanes ONE = lanes_all(R(1.0));
    real h = step->h_s;
    shaft->engine_radps = step->block->engine_radps + h * torque_nm * numbers->engine.per_inertia;
    // Losses take from what flows: driving from the wheels, on the overrun from nothing we model.
    lanes_mask is_driving = lanes_at_most(input, shaft->engine_radps);
    shaft->efficiency = lanes_select(is_driving, numbers->efficiency, ONE);
    lanes mobility = lanes_zero();
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        const physics_axle_lanes *axle = &numbers->axles[a];
        mobility += axle->drive_share * axle->drive_share * axle_mobility(shaft, axle, a);
    }
    mobility *= step->drive->ratio * step->drive->ratio * shaft->efficiency;
    shaft->clutch_kgm2 = ONE / (numbers->engine.per_inertia + mobility);
    shaft->clutch_nms = lanes_zero();
    lanes closed = lanes_keep(step->drive->is_dynamic, clutch_closed(step, input));
    shaft->clutch_nms_max = h * numbers->clutch_nm * closed;
}

// The shafts were solved against tyres whose force rises with the spin without end. The part that a
// tyre could not take after all spins up its wheel: lost, it would be a few per cent of the drive
// torque wherever a tyre is about to let go. A brake that holds the wheel takes it instead, while
// it can.
LANES_INLINE lanes spin_up(const shaft_wheel *wheel, lanes cut_nms, lanes inertia_kgm2) {
    const lanes ZERO = lanes_zero(), max = wheel->brake_nms_max;
    lanes spin = wheel->spin_radps, held = wheel->brake_nms - cut_nms;
    lanes left =
        lanes_select(lanes_equal(spin, ZERO), lanes_clamp(held, -max, max) - held, cut_nms);
    lanes next = spin + left / inertia_kgm2;
    lanes_mask turns_back = lanes_less(next * spin, ZERO) & lanes_more(max, ZERO);
    return lanes_select(turns_back, ZERO, next);
}

// Gives the tyres their wheels' new spins, and the body what the wheels' inertia takes from it.
static void finish_wheels(const shaft_state *shaft, physics_substep *step) {
    lanes_mask is_dynamic = step->drive->is_dynamic;
    step->spin_reaction_nm = lanes_zero();
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        const physics_axle_lanes *axle = &step->numbers->axles[a];
        lanes both = lanes_zero();
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t w = 2 * a + side;
            physics_wheel_lanes *wheel = &step->block->wheels[w];
            physics_grip *grip = &step->wheels[w].grip;
            lanes_mask is_turning = is_dynamic & lanes_true(axle->present[side]);
            lanes change = shaft->wheels[w].spin_radps - wheel->spin_radps;
            change = lanes_keep(is_turning, change);
            lanes asked = grip->long_n + grip->long_n_per_radps * change;
            FOR_ISA(physics_tyre_finish)(&change, wheel, grip);
            lanes_mask is_cut = ~lanes_equal(asked, grip->long_n) & is_turning;
            lanes spin = shaft->wheels[w].spin_radps;
            if (lanes_any(is_cut)) {
                lanes cut_nms = step->h_s * axle->tyre.radius_m * (asked - grip->long_n);
                lanes more = spin_up(&shaft->wheels[w], cut_nms, axle->tyre.inertia_kgm2);
                spin = lanes_select(is_cut, more, spin);
                change = lanes_select(is_cut, spin - wheel->spin_radps, change);
            }
            wheel->spin_radps = lanes_keep(step->drive->is_live & ~step->drive->is_held,
                                           lanes_select(is_turning, spin, wheel->spin_radps));
            both += change;
        }
        step->spin_reaction_nm += axle->tyre.inertia_kgm2 * both;
    }
    step->spin_reaction_nm *= R(1.0) / step->h_s;
}

void FOR_ISA(physics_driveline)(physics_substep *step) {
    shaft_state shaft;
    physics_block *block = step->block;
    lanes input = gearbox_input(step), torque;
    FOR_ISA(physics_engine_torque)(step, &torque);
    lanes_mask is_shifting = lanes_more(block->shift_left_s, lanes_zero()) &
                             ~step->drive->is_blown & ~step->drive->is_held;
    if (lanes_any(is_shifting)) {
        torque = lanes_select(is_shifting, shift_match_nm(step, input), torque);
    }
    load_wheels(&shaft, step);
    load_clutch(&shaft, step, torque, input);
    load_joints(&shaft, step);
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        solve_brakes(&shaft, a);
    }
    for (uint32_t i = 0; i < SWEEPS; i++) {
        sweep(&shaft, step);
    }
    lanes_mask is_engine_ours = step->drive->is_live & ~lanes_true(step->numbers->is_kinematic);
    block->engine_radps = lanes_select(is_engine_ours, shaft.engine_radps, block->engine_radps);
    FOR_ISA(physics_engine_after)(step, &torque);
    finish_wheels(&shaft, step);
    step->work->engine_nm = torque;
    step->work->clutch_nm = shaft.clutch_nms * (R(1.0) / step->h_s);
    step->work->drive_nm = step->work->clutch_nm * step->drive->ratio * shaft.efficiency;
}
