// A definition as the step wants it.

#include "physics/type/type.h"
#include "base/assert.h"
#include "base/trig.h"
#include "physics/type/car_def_hash.h"

#include <math.h>
#include <string.h>

// Springs are made on Earth: a car stands as drawn there, and higher on the Moon.
static const double EARTH_MPS2 = 9.81;
static const double RADPS_PER_RPM = APEX_PI / 30.0;

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

static real yes(bool value) {
    return value ? R(1.0) : R(0.0);
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

static physics_axle build_axle(const apex_axle_def *from, double com_height_m, double substep_s) {
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

// The load each axle carries at rest: a rigid body on springs, which for two axles is the lever
// rule and for more the only answer that has one. Springs and tyres in series.
static void share_load(physics_type *type) {
    const apex_car_def *def = &type->def;
    double rate[APEX_AXLES_MAX], k0 = 0.0, k1 = 0.0, k2 = 0.0;
    for (uint32_t a = 0; a < def->axle_count; a++) {
        const apex_axle_def *axle = &def->axles[a];
        double spring = axle->suspension.spring_n_per_m;
        double tyre = axle->tyre.vertical_stiffness_n_per_m;
        rate[a] = (axle->track_width_m > 0.0 ? 2.0 : 1.0) * spring * tyre / (spring + tyre);
        k0 += rate[a];
        k1 += rate[a] * axle->x_m;
        k2 += rate[a] * axle->x_m * axle->x_m;
    }
    double weight = def->mass_kg * EARTH_MPS2;
    for (uint32_t a = 0; a < def->axle_count; a++) {
        physics_axle *axle = &type->numbers.axles[a];
        double wheels = def->axles[a].track_width_m > 0.0 ? 2.0 : 1.0;
        double share = rate[a] * (k2 - k1 * def->axles[a].x_m) / (k0 * k2 - k1 * k1);
        double load = weight * share / wheels, unsprung = (double)axle->suspension.unsprung_kg;
        axle->suspension.static_n = (real)(load - unsprung * EARTH_MPS2);
        axle->suspension.hub_z_m -= (real)(load / def->axles[a].tyre.vertical_stiffness_n_per_m);
        for (uint32_t w = 0; w < type->wheel_count; w++) {
            if (type->wheels[w].axle == a) {
                type->wheels[w].load_n = (real)load;
            }
        }
    }
}

static void place_wheels(physics_type *type) {
    uint8_t count = 0;
    double mean_x = 0.0, square_x = 0.0, square_y = 0.0;
    for (uint8_t a = 0; a < type->axle_count; a++) {
        const physics_axle *axle = &type->numbers.axles[a];
        uint8_t wheels = axle->present[1] > R(0.0) ? 2 : 1;
        for (uint8_t side = 0; side < wheels; side++) {
            type->wheels[count++] = (physics_wheel_place){
                .axle = a,
                .side = side,
                .x_m = axle->x_m,
                .y_m = side == 0 ? axle->half_track_m : -axle->half_track_m,
            };
            mean_x += (double)axle->x_m;
        }
    }
    type->wheel_count = count;
    mean_x /= (double)count;
    for (uint8_t w = 0; w < count; w++) {
        double x = (double)type->wheels[w].x_m - mean_x, y = (double)type->wheels[w].y_m;
        square_x += x * x;
        square_y += y * y;
    }
    for (uint8_t w = 0; w < count; w++) {
        physics_wheel_place *place = &type->wheels[w];
        double slope = ((double)place->x_m - mean_x) / square_x;
        place->slope_x_weight = (real)slope;
        place->slope_y_weight = square_y > 0.0 ? (real)((double)place->y_m / square_y) : R(0.0);
        place->height_weight = (real)(1.0 / (double)count - mean_x * slope);
    }
}

// Inner wheels steer more when they turn about the same point as the fixed axles.
static void build_ackermann(physics_type *type) {
    double fixed_x = 0.0;
    uint32_t fixed = 0;
    for (uint32_t a = 0; a < type->axle_count; a++) {
        if (type->def.axles[a].steer_share == 0.0) {
            fixed_x += type->def.axles[a].x_m;
            fixed++;
        }
    }
    fixed_x = fixed > 0 ? fixed_x / fixed : 0.0;
    double share = type->def.steering.ackermann;
    for (uint32_t a = 0; a < type->axle_count; a++) {
        double arm = type->def.axles[a].x_m - fixed_x;
        bool turns = type->def.axles[a].steer_share != 0.0 && arm != 0.0;
        type->numbers.axles[a].per_ackermann = turns ? (real)(share / arm) : R(0.0);
    }
}

static void build_torque(physics_torque_curve *curve, const apex_engine_def *from) {
    curve->count = from->torque_count;
    for (uint32_t i = 0; i < from->torque_count; i++) {
        curve->radps[i] = (real)(from->torque_rpm[i] * RADPS_PER_RPM);
        curve->nm[i] = (real)from->torque_nm[i];
        curve->nm_per_radps[i] =
            i + 1 < from->torque_count
                ? (real)((from->torque_nm[i + 1] - from->torque_nm[i]) /
                         ((from->torque_rpm[i + 1] - from->torque_rpm[i]) * RADPS_PER_RPM))
                : R(0.0);
    }
    double last_rpm = from->torque_rpm[from->torque_count - 1];
    double bin_rpm = last_rpm / PHYSICS_TORQUE_BINS;
    curve->bins_per_radps = (real)(1.0 / (bin_rpm * RADPS_PER_RPM));
    for (uint32_t bin = 0; bin <= PHYSICS_TORQUE_BINS; bin++) {
        uint8_t first = 0;
        // One bin early, so that rounding of a bin's edge never skips a point.
        while (first + 1u < from->torque_count &&
               from->torque_rpm[first + 1] <= ((double)bin - 1.0) * bin_rpm) {
            first++;
        }
        curve->bin_first[bin] = first;
    }
}

physics_torque_piece physics_torque_piece_at(const physics_torque_curve *curve, real radps) {
    const real FAR_RADPS = R(1e30);
    uint32_t last = curve->count - 1;
    if (!(radps >= curve->radps[0])) {
        return (physics_torque_piece){-FAR_RADPS, curve->radps[0], curve->nm[0], R(0.0)};
    }
    if (radps >= curve->radps[last]) {
        return (physics_torque_piece){curve->radps[last], FAR_RADPS, curve->nm[last], R(0.0)};
    }
    uint32_t i = curve->bin_first[(uint32_t)(radps * curve->bins_per_radps)];
    while (radps >= curve->radps[i + 1]) {
        i++;
    }
    return (physics_torque_piece){curve->radps[i], curve->radps[i + 1], curve->nm[i],
                                  curve->nm_per_radps[i]};
}

real physics_torque_at(const physics_torque_curve *curve, real radps) {
    physics_torque_piece piece = physics_torque_piece_at(curve, radps);
    return piece.nm + piece.nm_per_radps * (radps - piece.from_radps);
}

static physics_engine build_engine(const apex_engine_def *from) {
    return (physics_engine){
        .idle_radps = (real)(from->idle_rpm * RADPS_PER_RPM),
        .limiter_radps = (real)(from->limiter_rpm * RADPS_PER_RPM),
        .blow_radps = (real)(from->blow_rpm * RADPS_PER_RPM),
        .idle_nm = real_max((real)from->torque_nm[0], R(10.0)),
        .inertia_kgm2 = (real)from->inertia_kgm2,
        .per_inertia = (real)(1.0 / from->inertia_kgm2),
        .brake_nms = (real)(from->brake_nm_per_rps / (2.0 * APEX_PI)),
        .turbo_lag_s = (real)from->turbo_lag_s,
        .turbo_share = (real)from->turbo_share,
        .fuel_kg_per_j = (real)(from->fuel_kg_per_mj * 1e-6),
        .fuel_idle_kg_per_s = (real)from->fuel_idle_kg_per_s,
    };
}

static void build_gearbox(physics_type *type) {
    const apex_gearbox_def *from = &type->def.gearbox;
    physics_numbers *numbers = &type->numbers;
    type->gear_count = (int8_t)from->gear_count;
    type->is_automatic = from->automatic;
    type->ratio[0] = (real)(-from->reverse_ratio * from->final_drive);
    type->ratio[1] = R(0.0);
    for (uint32_t g = 0; g < from->gear_count; g++) {
        type->ratio[g + 2] = (real)(from->ratio[g] * from->final_drive);
    }
    numbers->gear_count = (real)from->gear_count;
    numbers->efficiency = (real)from->efficiency;
    numbers->shift_time_s = (real)from->shift_time_s;
    numbers->up_radps = (real)(from->shift_up_rpm * RADPS_PER_RPM);
    numbers->down_radps = (real)(from->shift_down_rpm * RADPS_PER_RPM);
    numbers->clutch_nm = (real)from->clutch_nm_max;
    const apex_differential_def *centre = &type->def.centre_differential;
    numbers->centre = (physics_centre){
        .is_locked = yes(centre->kind == APEX_DIFFERENTIAL_LOCKED),
        .is_limited = yes(centre->kind == APEX_DIFFERENTIAL_LIMITED_SLIP),
        .preload_nm = (real)centre->preload_nm,
        .power_bias = (real)centre->power_bias,
        .coast_bias = (real)centre->coast_bias,
        .viscous_nms =
            centre->kind == APEX_DIFFERENTIAL_VISCOUS ? (real)centre->viscous_nms_per_rad : R(0.0),
    };
    double radius = 0.0, share = 0.0;
    for (uint32_t a = 0; a < type->axle_count; a++) {
        radius += type->def.axles[a].drive_share * type->def.axles[a].tyre.radius_m;
        share += type->def.axles[a].drive_share;
    }
    numbers->driven_radius_m =
        (real)(share > 0.0 ? radius / share : type->def.axles[0].tyre.radius_m);
}

// Wheels have a vertical motion of their own: the body's heave, roll and pitch are without them.
static void build_body(physics_type *type) {
    const apex_car_def *def = &type->def;
    physics_numbers *numbers = &type->numbers;
    double unsprung = 0.0, moment = 0.0, roll = def->inertia_roll_kgm2;
    double pitch = def->inertia_pitch_kgm2, friction = 10.0;
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        uint32_t a = type->wheels[w].axle;
        double mass = def->axles[a].suspension.unsprung_mass_kg;
        double x = def->axles[a].x_m, y = 0.5 * def->axles[a].track_width_m;
        unsprung += mass;
        moment += mass * x;
        roll -= mass * y * y;
        pitch -= mass * x * x;
        double d = def->axles[a].tyre.lateral.d;
        friction = d < friction ? d : friction;
    }
    double least = roll < pitch ? roll : pitch, height = def->com_height_m;
    numbers->patch_mass_share = (real)(1.0 / (1.0 + def->mass_kg * height * height / least));
    numbers->mass_kg = (real)def->mass_kg;
    numbers->unsprung_kg = (real)unsprung;
    numbers->sprung_x_kgm = (real)-moment;
    numbers->fuel_x_m = (real)def->fuel_x_m;
    numbers->inertia_kgm2[0] = (real)roll;
    numbers->inertia_kgm2[1] = (real)pitch;
    numbers->inertia_kgm2[2] = (real)def->inertia_yaw_kgm2;
    numbers->com_height_m = (real)def->com_height_m;
    numbers->lean_friction = (real)(0.75 * friction);
    numbers->wheelbase_m = (real)(def->axles[0].x_m - def->axles[def->axle_count - 1].x_m);
    numbers->drag_m2 = (real)(def->aero.drag_coefficient * def->aero.frontal_area_m2);
    numbers->drag_height_m = (real)def->aero.drag_height_m;
    numbers->slipstream_strength = (real)def->aero.slipstream_strength;
    numbers->axles[0].lift_m2 = (real)def->aero.lift_front_m2;
    numbers->axles[def->axle_count - 1].lift_m2 = (real)def->aero.lift_rear_m2;
    numbers->is_motorcycle = yes(def->model == APEX_CAR_MOTORCYCLE);
    numbers->is_kinematic = yes(def->model == APEX_CAR_KINEMATIC);
}

// Greatest thrust from rest: what the driven wheels' load bears, with what thrust itself adds to
// the rear (a = mu g b / (L - mu h)); of a motorcycle, no more than lifts its front (a = g c / h).
static double launch_thrust_n(const physics_type *type) {
    const apex_car_def *def = &type->def;
    double weight = def->mass_kg * EARTH_MPS2, load = 0.0, friction = 0.0, side = 0.0;
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        const apex_axle_def *axle = &def->axles[type->wheels[w].axle];
        if (axle->drive_share > 0.0) {
            load += (double)type->wheels[w].load_n;
            friction = axle->tyre.longitudinal.d;
        }
        side += axle->drive_share * (axle->x_m < 0.0 ? 1.0 : -1.0) /
                (axle->track_width_m > 0.0 ? 2.0 : 1.0);
    }
    double lever = def->com_height_m / (double)type->numbers.wheelbase_m;
    double thrust = friction * load / fmax(1.0 - friction * lever * side, 0.2);
    double rear_m = -def->axles[def->axle_count - 1].x_m;
    bool is_motorcycle = def->model == APEX_CAR_MOTORCYCLE;
    return is_motorcycle ? fmin(thrust, weight * rear_m / def->com_height_m) : thrust;
}

// The lowest engine speed that makes this thrust in first gear; if none does, that of most torque.
static void build_launch(physics_type *type) {
    const apex_engine_def *engine = &type->def.engine;
    const apex_gearbox_def *gearbox = &type->def.gearbox;
    double per_nm = gearbox->ratio[0] * gearbox->final_drive * gearbox->efficiency /
                    (double)type->numbers.driven_radius_m;
    double wanted_nm = launch_thrust_n(type) / per_nm, best_nm = -1.0;
    double best_rpm = engine->idle_rpm;
    for (uint32_t i = 0; i < engine->torque_count && best_nm < wanted_nm; i++) {
        double rpm = engine->torque_rpm[i];
        double boost = engine->turbo_lag_s > 0.0 ? fmin(2.0 * rpm / engine->limiter_rpm, 1.0) : 1.0;
        double nm = engine->torque_nm[i] * (1.0 - engine->turbo_share * (1.0 - boost));
        if (nm > best_nm && rpm >= engine->idle_rpm) {
            best_nm = nm;
            best_rpm = rpm;
        }
    }
    type->numbers.launch_radps = (real)(best_rpm * RADPS_PER_RPM);
}

static physics_hull build_hull(const apex_hull_def *from) {
    physics_hull hull = {
        .half_length_m = (real)(0.5 * from->length_m),
        .half_width_m = (real)(0.5 * from->width_m),
        .half_height_m = (real)(0.5 * from->height_m),
        .x_m = (real)from->centre_x_m,
        .y_m = (real)from->centre_y_m,
        .z_m = (real)from->centre_z_m,
        .rounding_m = (real)from->rounding_m,
        .restitution = (real)from->restitution,
        .friction = (real)from->friction,
    };
    real far_x = hull.half_length_m + real_abs(hull.x_m);
    real far_y = hull.half_width_m + real_abs(hull.y_m);
    real far_z = hull.half_height_m + real_abs(hull.z_m); // a rolled car lies on its side
    hull.radius_m = real_sqrt(far_x * far_x + far_y * far_y + far_z * far_z);
    return hull;
}

// What may touch the ground: at least as wide as the wheels, which have no sides of their own. A
// motorcycle's box would scrape as soon as it leans: its lower edge counts only above what a lean
// of 52 degrees clears.
static void build_resting_hull(physics_type *type) {
    const real LEAN_TANGENT = R(1.28);
    const physics_hull *hull = &type->hull;
    physics_numbers *numbers = &type->numbers;
    real bottom = hull->z_m - hull->half_height_m, top = hull->z_m + hull->half_height_m;
    if (type->def.model == APEX_CAR_MOTORCYCLE) {
        real clear = LEAN_TANGENT * hull->half_width_m - numbers->com_height_m;
        bottom = real_min(real_max(bottom, clear), top);
    }
    real half_width = hull->half_width_m;
    for (uint32_t a = 0; a < type->axle_count; a++) {
        const apex_axle_def *axle = &type->def.axles[a];
        real outside = (real)(0.5 * (axle->track_width_m + axle->tyre.width_m));
        half_width = real_max(half_width, outside + real_abs(hull->y_m));
    }
    numbers->hull_half_m[0] = hull->half_length_m;
    numbers->hull_half_m[1] = half_width;
    numbers->hull_half_m[2] = R(0.5) * (top - bottom);
    numbers->hull_centre_m[0] = hull->x_m;
    numbers->hull_centre_m[1] = hull->y_m;
    numbers->hull_centre_m[2] = R(0.5) * (top + bottom);
}

static void build_controls(physics_numbers *numbers, const apex_car_def *def) {
    numbers->steer_max_rad = (real)def->steering.angle_rad_max;
    numbers->steer_rate_radps = (real)def->steering.rate_radps_max;
    numbers->steer_fade_mps = (real)def->steering.fade_speed_mps;
    numbers->abs = (real)def->aids.abs;
    numbers->traction_control = (real)def->aids.traction_control;
    numbers->stability_control = (real)def->aids.stability_control;
    numbers->steering_assist = (real)def->aids.steering_assist;
    numbers->launch_control = (real)def->aids.launch_control;
    numbers->has_automatic_clutch = yes(def->aids.automatic_clutch);
}

// Axles that this kind lacks but its neighbours in a block may have: sound numbers, no wheels.
static void fill_absent_axles(physics_type *type) {
    for (uint32_t a = type->axle_count; a < APEX_AXLES_MAX; a++) {
        physics_axle *axle = &type->numbers.axles[a];
        *axle = type->numbers.axles[0];
        axle->present[0] = axle->present[1] = R(0.0);
        axle->drive_share = axle->steer_share = axle->lift_m2 = R(0.0);
        axle->is_locked = axle->is_limited = axle->viscous_nms = R(0.0);
        axle->brake_nm = axle->handbrake_nm = R(0.0);
    }
}

void physics_type_build(physics_type *type, const apex_car_def *def, double substep_s) {
    APEX_ASSERT(substep_s > 0.0 && substep_s <= PHYSICS_SUBSTEP_S_MAX);
    APEX_ASSERT(def->axle_count >= 2 && def->axle_count <= APEX_AXLES_MAX);
    memset(type, 0, sizeof *type);
    type->def = *def;
    type->def_hash = physics_car_def_hash(def);
    type->axle_count = (uint8_t)def->axle_count;
    for (uint32_t a = 0; a < def->axle_count; a++) {
        type->numbers.axles[a] = build_axle(&def->axles[a], def->com_height_m, substep_s);
    }
    place_wheels(type);
    share_load(type);
    build_ackermann(type);
    build_torque(&type->torque, &def->engine);
    type->numbers.engine = build_engine(&def->engine);
    build_gearbox(type);
    build_body(type);
    build_launch(type);
    build_controls(&type->numbers, def);
    fill_absent_axles(type);
    type->hull = build_hull(&def->hull);
    build_resting_hull(type);
}

void physics_numbers_set_lane(physics_numbers_lanes *all, uint32_t lane,
                              const physics_numbers *numbers) {
    APEX_ASSERT(lane < PHYSICS_LANES);
    const real *from = (const real *)numbers;
    lanes *to = (lanes *)all;
    for (size_t i = 0; i < sizeof *numbers / sizeof(real); i++) {
        lanes_set(&to[i], lane, from[i]);
    }
}
