// An axle as the step wants it: its tyres' curves with their peaks, springs, differential and
// brakes.
#include "physics/type/type_parts.h"

#include <math.h>
#include <string.h>

#include "base/trig.h"

static double magic_argument(const apex_tyre_axis *axis, double slip) {
    double x = axis->b * slip;
    return axis->c * apex_atan(x - axis->e * (x - apex_atan(x)));
}

// Slip of the greatest force: where the sine's argument passes a right angle. A curve that never
// does (c near 1) keeps rising; 99 % of what it reaches at full slip then counts as its peak.
static double magic_peak_slip(const apex_tyre_axis *axis) {
    const double FULL_SLIP = 2.0;
    double end = magic_argument(axis, FULL_SLIP);
    double target = end > APEX_PI / 2.0 ? APEX_PI / 2.0 : apex_asin(0.99 * apex_sin(end));
    double low = 0.0, high = FULL_SLIP;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (magic_argument(axis, middle) < target) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}

static physics_tyre_axis build_tyre_axis(apex_tyre_model model, const apex_tyre_axis *from) {
    double peak = 0.0, slope = 0.0;
    switch (model) {
    case APEX_TYRE_MAGIC:
        peak = magic_peak_slip(from);
        slope = from->b * from->c;
        break;
    case APEX_TYRE_LINEAR:
        slope = from->stiffness / from->d;
        peak = 1.0 / slope;
        break;
    case APEX_TYRE_BRUSH:
        slope = from->stiffness / from->d;
        peak = 3.0 / slope;
        break;
    }
    return (physics_tyre_axis){.b_peak = (real)(from->b * peak),
                               .c = (real)from->c,
                               .e = (real)from->e,
                               .d = (real)from->d,
                               .rest_secant = (real)(from->d * slope * peak),
                               .peak_slip = (real)peak,
                               .per_peak = (real)(1.0 / peak),
                               .relaxation_m = (real)from->relaxation_m,
                               .per_relaxation = (real)(1.0 / from->relaxation_m),
                               .per_deflection = (real)(1.0 / (from->relaxation_m * peak))};
}

static physics_tyre build_tyre(const apex_tyre_def *from, double unsprung_kg, double substep_s) {
    double damping = from->vertical_damping_ns_per_m;
    physics_tyre tyre = {
        .longitudinal = build_tyre_axis(from->model, &from->longitudinal),
        .lateral = build_tyre_axis(from->model, &from->lateral),
        .is_linear = yes(from->model == APEX_TYRE_LINEAR),
        .is_brush = yes(from->model == APEX_TYRE_BRUSH),
        .radius_m = (real)from->radius_m,
        .inertia_kgm2 = (real)from->inertia_kgm2,
        .per_load_nominal = (real)(1.0 / from->load_nominal_n),
        .load_sensitivity = (real)from->load_sensitivity,
        .camber_stiffness = (real)from->camber_stiffness,
        .trail_m = (real)from->pneumatic_trail_m,
        .rolling = (real)from->rolling_coefficient,
        .rolling_s_per_m = (real)from->rolling_coefficient_s_per_m,
        .slide_loss = (real)(1.0 - from->slide_force_ratio),
        .vertical_n_per_m = (real)from->vertical_stiffness_n_per_m,
        .vertical_ns_per_m = (real)(damping / (1.0 + substep_s * damping / unsprung_kg)),
        .temperature_best_c = (real)from->temperature_best_c,
        .per_temperature_window = (real)(1.0 / from->temperature_window_c),
        .per_heat_capacity = (real)(1.0 / from->heat_capacity_j_per_k),
        .wear_per_j = (real)(from->wear_per_mj * 1e-6),
    };
    const physics_tyre_axis *x = &tyre.longitudinal, *y = &tyre.lateral;
    tyre.is_isotropic = yes(x->b_peak == y->b_peak && x->c == y->c && x->d == y->d &&
                            x->e == y->e && x->rest_secant == y->rest_secant);
    return tyre;
}

static physics_travel_curve build_curve(const apex_travel_curve *from) {
    physics_travel_curve curve;
    memset(&curve, 0, sizeof curve);
    if (from->count > 0) {
        curve.start_rad = (real)from->value_rad[0];
    }
    for (uint32_t i = 0; i + 1 < from->count; i++) {
        double length = from->travel_m[i + 1] - from->travel_m[i];
        curve.from_m[i] = (real)from->travel_m[i];
        curve.length_m[i] = (real)length;
        curve.slope[i] = (real)((from->value_rad[i + 1] - from->value_rad[i]) / length);
    }
    return curve;
}

static physics_suspension build_suspension(const apex_axle_def *axle, double com_height_m) {
    const apex_suspension_def *from = &axle->suspension;
    bool is_pair = axle->track_width_m > 0.0;
    return (physics_suspension){
        .spring_n_per_m = (real)from->spring_n_per_m,
        .bump_ns_per_m = (real)from->bump_ns_per_m,
        .rebound_ns_per_m = (real)from->rebound_ns_per_m,
        .travel_bump_m = (real)from->travel_bump_m,
        .travel_rebound_m = (real)from->travel_rebound_m,
        .stop_n_per_m = (real)from->bump_stop_n_per_m,
        .anti_roll_n_per_m = is_pair ? (real)from->anti_roll_n_per_m : R(0.0),
        .jacking =
            is_pair ? (real)(2.0 * from->roll_centre_height_m / axle->track_width_m) : R(0.0),
        .is_solid = yes(from->kind == APEX_SUSPENSION_SOLID_AXLE),
        .unsprung_kg = (real)from->unsprung_mass_kg,
        .per_unsprung = (real)(1.0 / from->unsprung_mass_kg),
        .hub_z_m = (real)(axle->tyre.radius_m - com_height_m), // completed once the load is known
        .toe_rad = (real)from->toe_rad,
        .camber_rad = (real)from->camber_rad,
        .has_curves = yes(from->camber_curve.count > 0 || from->toe_curve.count > 0),
        .camber = build_curve(&from->camber_curve),
        .toe = build_curve(&from->toe_curve),
    };
}

physics_axle physics_build_axle(const apex_axle_def *from, double com_height_m, double substep_s) {
    bool is_pair = from->track_width_m > 0.0;
    const apex_differential_def *differential = &from->differential;
    bool splits = is_pair && from->drive_share > 0.0;
    return (physics_axle){
        .tyre = build_tyre(&from->tyre, from->suspension.unsprung_mass_kg, substep_s),
        .suspension = build_suspension(from, com_height_m),
        .present = {R(1.0), yes(is_pair)},
        .x_m = (real)from->x_m,
        .half_track_m = (real)(0.5 * from->track_width_m),
        .mean_share = is_pair ? R(0.5) : R(1.0),
        .steer_share = (real)from->steer_share,
        .drive_share = (real)from->drive_share,
        .is_locked = yes(splits && differential->kind == APEX_DIFFERENTIAL_LOCKED),
        .is_limited = yes(splits && differential->kind == APEX_DIFFERENTIAL_LIMITED_SLIP),
        .preload_nm = (real)differential->preload_nm,
        .power_bias = (real)differential->power_bias,
        .coast_bias = (real)differential->coast_bias,
        .viscous_nms = splits && differential->kind == APEX_DIFFERENTIAL_VISCOUS
                           ? (real)differential->viscous_nms_per_rad
                           : R(0.0),
        .brake_nm = (real)from->brake.torque_nm_max,
        .handbrake_nm = (real)from->brake.handbrake_nm_max,
        .per_brake_heat = (real)(1.0 / from->brake.heat_capacity_j_per_k),
        .brake_fade_c = (real)from->brake.fade_start_c,
    };
}
