// One tyre of eight cars in one substep. Its state is how far the contact patch is stretched, not a
// slip ratio (Pacejka, Tyre and Vehicle Dynamics, ch. 7): at speed the stretch follows the slip
// over the relaxation length, at a standstill it is a spring, and nothing is divided by the speed.
// So parking and racing are one model, without a mode that has to be switched.

#include "physics/dynamics/pass/stages.h"

// Bristles are damped even where nothing slides: the contact patch's damping ratio at standstill.
static const real STANDSTILL_DAMPING = R(0.7);
static const real STANDSTILL_SPEED_MPS = R(2.0);
static const real SLIP_SPEED_MIN_MPS = R(0.5);
// Of the peak's slip: up to here the force that is lost by sliding grows.
static const real SLIDE_FULL = R(1.5);
// Below this normalised slip a force divided by its slip would be rounding.
static const real REST_SLIP = R(1e-4);

// Pacejka's x - e (x - atan x), without the difference of two large numbers.
LANES_INLINE lanes magic_formula(const physics_tyre_axis_lanes *axis, lanes rho) {
    lanes x = axis->b_peak * rho;
    lanes argument = lanes_atan(x * (R(1.0) - axis->e) + axis->e * lanes_atan(x));
    return lanes_sin(axis->c * argument);
}

// Fiala: parabolic pressure, sliding from the trailing edge on.
LANES_INLINE lanes brush(lanes rho) {
    lanes inside = rho * (R(3.0) - R(3.0) * rho + rho * rho);
    return lanes_select(lanes_less(rho, lanes_all(R(1.0))), inside, lanes_all(R(1.0)));
}

// Force per load, friction and normalised slip, i.e. the curve divided by rho, with its limit at 0.
LANES_INLINE lanes secant(const physics_tyre_lanes *tyre, const physics_tyre_plan *plan,
                          const physics_tyre_axis_lanes *axis, lanes rho, lanes per_rho) {
    const lanes ONE = lanes_all(R(1.0));
    lanes force = lanes_zero();
    if (plan->has_magic) {
        force = magic_formula(axis, rho);
    }
    if (plan->has_linear) {
        force = lanes_select(lanes_true(tyre->is_linear), lanes_min(rho, ONE), force);
    }
    if (plan->has_brush) {
        force = lanes_select(lanes_true(tyre->is_brush), brush(rho), force);
    }
    if (plan->has_slide_loss) {
        lanes sliding = lanes_smoothstep(rho, ONE, lanes_all(SLIDE_FULL));
        force *= ONE - tyre->slide_loss * sliding;
    }
    lanes_mask is_rest = lanes_less(rho, lanes_all(REST_SLIP));
    return lanes_select(is_rest, axis->rest_secant, axis->d * force * per_rho);
}

// Both axes' secants at one combined slip.
LANES_INLINE void secants(const physics_tyre_lanes *tyre, const physics_tyre_plan *plan, lanes rho,
                          lanes out[2]) {
    lanes per_rho = R(1.0) / lanes_max(rho, lanes_all(REST_SLIP));
    out[0] = secant(tyre, plan, &tyre->longitudinal, rho, per_rho);
    out[1] = out[0];
    if (plan->has_two_curves) {
        out[1] = secant(tyre, plan, &tyre->lateral, rho, per_rho);
    }
}

void FOR_ISA(physics_tyre_combined)(const physics_tyre_lanes *tyre, const physics_tyre_plan *plan,
                                    const lanes slip[2], lanes force[2]) {
    lanes per_slip[2];
    secants(tyre, plan, lanes_sqrt(slip[0] * slip[0] + slip[1] * slip[1]), per_slip);
    force[0] = per_slip[0] * slip[0];
    force[1] = per_slip[1] * slip[1];
}

LANES_INLINE lanes load_share(const physics_tyre_lanes *tyre, lanes load_n) {
    lanes excess = load_n * tyre->per_load_nominal - R(1.0);
    return lanes_clamp(R(1.0) - tyre->load_sensitivity * excess, lanes_all(R(0.3)),
                       lanes_all(R(1.5)));
}

// Sticks until the patch is stretched as far as the slip at hand would stretch it, the way it is
// stretched: sticking turns into sliding without a mode flag, and a wheel whose slip turns round is
// not wound up by more than what sticks.
LANES_INLINE void limit_deflection(const physics_tyre_lanes *tyre, const physics_tyre_input *in,
                                   physics_wheel_lanes *wheel, physics_grip *out) {
    const lanes ONE = lanes_all(R(1.0));
    out->slip_long = wheel->deflection_long_m * tyre->longitudinal.per_deflection;
    out->slip_lat = wheel->deflection_lat_m * tyre->lateral.per_deflection;
    out->slip = lanes_sqrt(out->slip_long * out->slip_long + out->slip_lat * out->slip_lat);
    if (!lanes_any(lanes_more(out->slip, ONE))) {
        return;
    }
    lanes per_speed = ONE / lanes_max(lanes_abs(in->speed_x_mps), lanes_all(SLIP_SPEED_MIN_MPS));
    lanes slip_mps = in->spin_radps * tyre->radius_m - in->speed_x_mps;
    lanes x = slip_mps * per_speed * tyre->longitudinal.per_peak;
    lanes y = in->speed_y_mps * per_speed * tyre->lateral.per_peak;
    lanes along = (x * out->slip_long - y * out->slip_lat) / lanes_max(out->slip, ONE);
    lanes limit = lanes_max(ONE, along);
    lanes scale = lanes_select(lanes_more(out->slip, limit), limit / out->slip, ONE);
    wheel->deflection_long_m *= scale;
    wheel->deflection_lat_m *= scale;
    out->slip_long *= scale;
    out->slip_lat *= scale;
    out->slip *= scale;
}

// Damping of the patch at walking speed and below, for each m/s of slip velocity; 0 once it slides.
LANES_INLINE lanes standstill_damping(const physics_tyre_input *in, lanes stiffness, lanes slip,
                                      lanes fade) {
    lanes carried_kg = in->load_n * (R(1.0) / in->gravity_mps2);
    lanes damping = R(2.0) * STANDSTILL_DAMPING * lanes_sqrt(stiffness * carried_kg);
    damping = lanes_min(damping, carried_kg * in->patch_share * (R(0.5) / in->h_s)) * fade;
    return lanes_keep(lanes_less(slip, lanes_all(R(1.0))), damping);
}

LANES_INLINE void limit_to_ellipse(physics_grip *out) {
    // Both sides of x^2 / a^2 + y^2 / b^2 = 1 times a^2 b^2: most often nothing need be divided.
    lanes x = out->long_n * out->lat_n_max, y = out->lat_n * out->long_n_max;
    lanes most = out->long_n_max * out->lat_n_max;
    lanes square = x * x + y * y;
    lanes_mask is_outside = lanes_more(square, most * most);
    if (lanes_any(is_outside)) {
        lanes scale = lanes_select(is_outside, most / lanes_sqrt(square), lanes_all(R(1.0)));
        out->long_n *= scale;
        out->lat_n *= scale;
    }
}

// First: how far the patch is stretched, and what slip that is.
LANES_INLINE void deflect(const physics_tyre_lanes *tyre, const physics_tyre_input *in,
                          physics_wheel_lanes *wheel, physics_grip *out) {
    lanes_mask is_loaded = lanes_more(in->load_n, lanes_zero());
    lanes slip_mps = in->spin_radps * tyre->radius_m - in->speed_x_mps;
    lanes roll_m = in->h_s * lanes_abs(in->speed_x_mps);
    lanes rest_x = R(1.0) + roll_m * tyre->longitudinal.per_relaxation;
    lanes rest_y = R(1.0) + roll_m * tyre->lateral.per_relaxation;
    lanes per_both = R(1.0) / (rest_x * rest_y); // one division for two
    lanes decay_x = per_both * rest_y, decay_y = per_both * rest_x;
    wheel->deflection_long_m =
        lanes_keep(is_loaded, (wheel->deflection_long_m + in->h_s * slip_mps) * decay_x);
    wheel->deflection_lat_m =
        lanes_keep(is_loaded, (wheel->deflection_lat_m - in->h_s * in->speed_y_mps) * decay_y);
    limit_deflection(tyre, in, wheel, out);
    // Load 0 would make 0 / 0 of what is masked out anyway.
    lanes grip_n = in->friction * lanes_select(is_loaded, in->load_n, lanes_all(R(1.0)));
    out->long_n_max = grip_n * tyre->longitudinal.d;
    out->lat_n_max = grip_n * tyre->lateral.d;
    out->deflection_per_radps = lanes_keep(is_loaded, in->h_s * tyre->radius_m * decay_x);
    out->stiffness[0] = grip_n * tyre->longitudinal.per_deflection;
    out->stiffness[1] = grip_n * tyre->lateral.per_deflection;
}

// Second: force for each metre of stretch, from the curve at that slip.
LANES_INLINE void find_stiffness(const physics_tyre_lanes *tyre, const physics_tyre_input *in,
                                 physics_grip *out) {
    lanes per_slip[2];
    secants(tyre, in->plan, out->slip, per_slip);
    out->stiffness[0] *= per_slip[0];
    out->stiffness[1] *= per_slip[1];
}

// Third: the force at the substep's end for a wheel whose spin does not change.
LANES_INLINE void find_forces(const physics_tyre_lanes *tyre, const physics_tyre_input *in,
                              const physics_wheel_lanes *wheel, physics_grip *out) {
    lanes_mask is_loaded = lanes_more(in->load_n, lanes_zero());
    lanes speed = lanes_abs(in->speed_x_mps);
    out->long_n = out->stiffness[0] * wheel->deflection_long_m;
    out->lat_n = out->stiffness[1] * wheel->deflection_lat_m + in->camber_n;
    out->long_n_per_radps = out->stiffness[0] * out->deflection_per_radps;
    if (lanes_any(lanes_less(speed, lanes_all(STANDSTILL_SPEED_MPS)) & is_loaded)) {
        lanes slip_mps = in->spin_radps * tyre->radius_m - in->speed_x_mps;
        lanes fade =
            R(1.0) - lanes_smoothstep(speed, lanes_zero(), lanes_all(STANDSTILL_SPEED_MPS));
        lanes damping_x = standstill_damping(in, out->stiffness[0], out->slip, fade);
        lanes damping_y = standstill_damping(in, out->stiffness[1], out->slip, fade);
        out->long_n += damping_x * slip_mps;
        out->lat_n -= damping_y * in->speed_y_mps;
        out->long_n_per_radps += damping_x * tyre->radius_m;
    }
    limit_to_ellipse(out);
    out->long_n = lanes_keep(is_loaded, out->long_n);
    out->lat_n = lanes_keep(is_loaded, out->lat_n);
    out->long_n_per_radps = lanes_keep(is_loaded, out->long_n_per_radps);
}

void FOR_ISA(physics_tyre_predict)(const physics_tyre_lanes *tyre, const physics_tyre_input *in,
                                   physics_wheel_lanes *wheel, physics_grip *out) {
    deflect(tyre, in, wheel, out);
    find_stiffness(tyre, in, out);
    find_forces(tyre, in, wheel, out);
}

void FOR_ISA(physics_tyre_finish)(const lanes *change_radps, physics_wheel_lanes *wheel,
                                  physics_grip *grip) {
    const lanes ONE = lanes_all(R(1.0));
    lanes lateral = lanes_min(lanes_abs(grip->lat_n / grip->lat_n_max), ONE);
    lanes limit = grip->long_n_max * lanes_sqrt(ONE - lateral * lateral);
    grip->long_n =
        lanes_clamp(grip->long_n + grip->long_n_per_radps * *change_radps, -limit, limit);
    wheel->deflection_long_m += grip->deflection_per_radps * *change_radps;
}

// Share of grip that temperature and wear have left: 90 % one window away from the best.
LANES_INLINE lanes condition(const physics_substep *step, const physics_tyre_lanes *tyre,
                             const physics_wheel_lanes *wheel) {
    const physics_conditions *def = &step->cars->conditions;
    lanes grip = lanes_all(R(1.0));
    if (def->temperatures) {
        lanes off =
            (wheel->temperature_c - tyre->temperature_best_c) * tyre->per_temperature_window;
        grip *= lanes_max(R(1.0) - R(0.1) * off * off, lanes_all(R(0.6)));
    }
    if (def->tyres_wear) {
        grip *= R(1.0) - R(0.3) * wheel->wear;
    }
    return grip;
}

// A tyre pushes to where its top leans; a pair with equal camber cancels. A solid axle keeps its
// wheels upright on the ground whatever the body does.
LANES_INLINE lanes camber_force(const physics_axle_lanes *axle, const physics_tyre_plan *plan,
                                real side, const physics_wheel_pass *wheel, lanes travel_m) {
    const physics_suspension_lanes *suspension = &axle->suspension;
    lanes camber = suspension->camber_rad;
    if (plan->has_curves) {
        camber += curve_at(&suspension->camber, travel_m);
    }
    lanes leftwards =
        side * axle->present[1] * camber + (R(1.0) - suspension->is_solid) * wheel->lean;
    return axle->tyre.camber_stiffness * leftwards * wheel->load_n;
}

// Wheel by wheel within each stage, not stage by stage for each wheel: a tyre's curve is a long
// chain of operations that wait for each other, and the processor fills the waits with the next
// wheel's.
void FOR_ISA(physics_tyres)(physics_substep *step) {
    physics_tyre_input in[PHYSICS_WHEEL_SLOTS];
    const physics_axle_lanes *axles = step->numbers->axles;
    uint32_t count = 2u * step->drive->axle_count;
    for (uint32_t w = 0; w < count; w++) {
        const physics_axle_lanes *axle = &axles[w / 2];
        const physics_tyre_plan *plan = &step->drive->tyres[w / 2];
        physics_wheel_pass *wheel = &step->wheels[w];
        physics_wheel_lanes *state = &step->block->wheels[w];
        wheel->friction *=
            load_share(&axle->tyre, wheel->load_n) * condition(step, &axle->tyre, state);
        in[w] = (physics_tyre_input){
            .plan = plan,
            .h_s = step->h_s,
            .gravity_mps2 = step->gravity_mps2,
            .load_n = wheel->load_n,
            .friction = wheel->friction,
            .patch_share = step->numbers->patch_mass_share,
            .speed_x_mps = wheel->speed_x_mps,
            .speed_y_mps = wheel->speed_y_mps,
            .spin_radps = state->spin_radps,
            .camber_n =
                camber_force(axle, plan, w % 2 == 0 ? R(1.0) : R(-1.0), wheel, state->travel_m),
        };
        deflect(&axle->tyre, &in[w], state, &wheel->grip);
    }
    for (uint32_t w = 0; w < count; w++) {
        find_stiffness(&axles[w / 2].tyre, &in[w], &step->wheels[w].grip);
    }
    for (uint32_t w = 0; w < count; w++) {
        find_forces(&axles[w / 2].tyre, &in[w], &step->block->wheels[w], &step->wheels[w].grip);
    }
}
