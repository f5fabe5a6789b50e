#include "physics/tyre_private.h"

// Bristles rub even where nothing slides: damping ratio of the contact patch at standstill.
static const real STANDSTILL_DAMPING = R(0.7);
static const real STANDSTILL_SPEED_MPS = R(2.0);
static const real SLIP_SPEED_MIN_MPS = R(0.5);
// Of the peak's slip: up to here the force that is lost by sliding grows.
static const real SLIDE_FULL = R(1.5);

static real magic(const physics_tyre_axis *axis, real slip) {
    real x = axis->b * slip;
    // Pacejka's x - e (x - atan x), without the difference of two large numbers.
    real argument = real_atan(x * (R(1.0) - axis->e) + axis->e * real_atan(x));
    return real_sin(axis->c * argument);
}

real physics_tyre_curve(apex_tyre_model model, const physics_tyre_axis *axis, real slip) {
    real rho = slip / axis->peak_slip;
    switch (model) {
    case APEX_TYRE_LINEAR:
        return real_min(rho, R(1.0));
    case APEX_TYRE_BRUSH: // Fiala: parabolic pressure, sliding from the trailing edge on
        return rho < R(1.0) ? rho * (R(3.0) - R(3.0) * rho + rho * rho) : R(1.0);
    case APEX_TYRE_MAGIC:
        break;
    }
    return magic(axis, slip);
}

// Force per load and normalised slip, i.e. the curve divided by rho, with its limit at none.
static real secant(const physics_tyre *tyre, const physics_tyre_axis *axis, real rho) {
    if (rho < R(1e-4)) {
        return axis->d * axis->slope * axis->peak_slip;
    }
    real force = physics_tyre_curve(tyre->model, axis, rho * axis->peak_slip);
    if (tyre->slide_force_ratio < R(1.0)) {
        real sliding = real_smoothstep(rho, R(1.0), SLIDE_FULL);
        force *= R(1.0) - (R(1.0) - tyre->slide_force_ratio) * sliding;
    }
    return axis->d * force / rho;
}

// Both axes' secants at one combined slip.
static physics_pair secants(const physics_tyre *tyre, real rho) {
    physics_pair result;
    result.x = secant(tyre, &tyre->longitudinal, rho);
    result.y = tyre->is_isotropic ? result.x : secant(tyre, &tyre->lateral, rho);
    return result;
}

physics_pair physics_tyre_combined(const physics_tyre *tyre, physics_pair slip) {
    physics_pair per_slip = secants(tyre, real_sqrt(slip.x * slip.x + slip.y * slip.y));
    return (physics_pair){per_slip.x * slip.x, per_slip.y * slip.y};
}

real physics_tyre_load_factor(const physics_tyre *tyre, real load_n) {
    real excess = load_n / tyre->load_nominal_n - R(1.0);
    return real_clamp(R(1.0) - tyre->load_sensitivity * excess, R(0.3), R(1.5));
}

static real ellipse_radius(const physics_tyre_output *out, real long_n, real lat_n) {
    real x = long_n / out->long_n_max, y = lat_n / out->lat_n_max;
    return real_sqrt(x * x + y * y);
}

// Sticks until the patch is stretched as far as the slip at hand would stretch it: sticking turns
// into sliding without a mode flag.
static void limit_deflection(const physics_tyre *tyre, const physics_tyre_input *in,
                             physics_tyre_output *out, real *u_m, real *v_m) {
    out->slip_long = *u_m * tyre->longitudinal.per_deflection;
    out->slip_lat = *v_m * tyre->lateral.per_deflection;
    real rho = real_sqrt(out->slip_long * out->slip_long + out->slip_lat * out->slip_lat);
    if (rho > R(1.0)) {
        real speed = real_max(real_abs(in->velocity_x_mps), SLIP_SPEED_MIN_MPS);
        real slip_mps = in->spin_radps * tyre->radius_m - in->velocity_x_mps;
        real x = slip_mps / (speed * tyre->longitudinal.peak_slip);
        real y = in->velocity_y_mps / (speed * tyre->lateral.peak_slip);
        real limit = real_max(R(1.0), real_sqrt(x * x + y * y));
        if (rho > limit) {
            real scale = limit / rho;
            *u_m *= scale;
            *v_m *= scale;
            out->slip_long *= scale;
            out->slip_lat *= scale;
            rho = limit;
        }
    }
    out->slip = rho;
}

// Damping of the patch at walking pace and below, for each m/s of slip velocity; 0 once it slides.
static real standstill_damping(const physics_tyre_input *in, real stiffness_n_per_m, real rho) {
    real speed = real_abs(in->velocity_x_mps);
    if (rho >= R(1.0) || speed >= STANDSTILL_SPEED_MPS) {
        return R(0.0);
    }
    real carried_kg = in->load_n / in->gravity_mps2;
    real damping = R(2.0) * STANDSTILL_DAMPING * real_sqrt(stiffness_n_per_m * carried_kg);
    real fade = R(1.0) - real_smoothstep(speed, R(0.0), STANDSTILL_SPEED_MPS);
    return real_min(damping, carried_kg / (R(2.0) * in->h_s)) * fade;
}

physics_tyre_output physics_tyre_predict(const physics_tyre *tyre, const physics_tyre_input *in,
                                         real *u_m, real *v_m) {
    physics_tyre_output out = {0};
    if (in->load_n <= R(0.0)) {
        *u_m = R(0.0);
        *v_m = R(0.0);
        return out;
    }
    real slip_mps = in->spin_radps * tyre->radius_m - in->velocity_x_mps;
    real roll = in->h_s * real_abs(in->velocity_x_mps);
    real decay_x = R(1.0) / (R(1.0) + roll / tyre->longitudinal.relaxation_m);
    real decay_y = R(1.0) / (R(1.0) + roll / tyre->lateral.relaxation_m);
    *u_m = (*u_m + in->h_s * slip_mps) * decay_x;
    *v_m = (*v_m - in->h_s * in->velocity_y_mps) * decay_y;
    limit_deflection(tyre, in, &out, u_m, v_m);

    real grip_n = in->friction * in->load_n;
    out.long_n_max = grip_n * tyre->longitudinal.d;
    out.lat_n_max = grip_n * tyre->lateral.d;
    physics_pair per_slip = secants(tyre, out.slip);
    real stiff_x = grip_n * per_slip.x * tyre->longitudinal.per_deflection;
    real stiff_y = grip_n * per_slip.y * tyre->lateral.per_deflection;
    real damping_x = standstill_damping(in, stiff_x, out.slip);
    real damping_y = standstill_damping(in, stiff_y, out.slip);
    out.long_n = stiff_x * *u_m + damping_x * slip_mps;
    out.lat_n = stiff_y * *v_m - damping_y * in->velocity_y_mps + in->camber_force_n;
    real radius = ellipse_radius(&out, out.long_n, out.lat_n);
    if (radius > R(1.0)) {
        out.long_n /= radius;
        out.lat_n /= radius;
    }
    out.deflection_per_radps = in->h_s * tyre->radius_m * decay_x;
    out.long_n_per_radps = stiff_x * out.deflection_per_radps + damping_x * tyre->radius_m;
    return out;
}

void physics_tyre_finish(physics_tyre_output *out, real spin_change_radps, real *u_m) {
    if (out->long_n_max <= R(0.0)) {
        return;
    }
    real lateral = real_min(real_abs(out->lat_n / out->lat_n_max), R(1.0));
    real limit = out->long_n_max * real_sqrt(R(1.0) - lateral * lateral);
    out->long_n =
        real_clamp(out->long_n + out->long_n_per_radps * spin_change_radps, -limit, limit);
    *u_m += out->deflection_per_radps * spin_change_radps;
}
