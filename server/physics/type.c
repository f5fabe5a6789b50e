#include "base/assert.h"
#include "base/trig.h"
#include "physics/type_private.h"

#include <string.h>

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
    return (physics_tyre_axis){.b = (real)from->b,
                               .c = (real)from->c,
                               .d = (real)from->d,
                               .e = (real)from->e,
                               .peak_slip = (real)peak,
                               .slope = (real)slope,
                               .relaxation_m = (real)from->relaxation_m,
                               .per_deflection = (real)(1.0 / (from->relaxation_m * peak))};
}

static physics_tyre build_tyre(const apex_tyre_def *from) {
    physics_tyre tyre = {
        .model = from->model,
        .longitudinal = build_tyre_axis(from->model, &from->longitudinal),
        .lateral = build_tyre_axis(from->model, &from->lateral),
        .radius_m = (real)from->radius_m,
        .inertia_kgm2 = (real)from->inertia_kgm2,
        .load_nominal_n = (real)from->load_nominal_n,
        .load_sensitivity = (real)from->load_sensitivity,
        .camber_stiffness = (real)from->camber_stiffness,
        .pneumatic_trail_m = (real)from->pneumatic_trail_m,
        .rolling = (real)from->rolling_coefficient,
        .rolling_s_per_m = (real)from->rolling_coefficient_s_per_m,
        .slide_force_ratio = (real)from->slide_force_ratio,
        .temperature_best_c = (real)from->temperature_best_c,
        .temperature_window_c = (real)from->temperature_window_c,
        .heat_capacity_j_per_k = (real)from->heat_capacity_j_per_k,
        .wear_per_mj = (real)from->wear_per_mj,
    };
    const physics_tyre_axis *x = &tyre.longitudinal, *y = &tyre.lateral;
    tyre.is_isotropic = x->b == y->b && x->c == y->c && x->d == y->d && x->e == y->e &&
                        x->peak_slip == y->peak_slip;
    return tyre;
}

static physics_axle build_axle(const apex_axle_def *from, uint8_t first_wheel) {
    double tyre_rate = from->tyre.vertical_stiffness_n_per_m;
    double spring = from->suspension.spring_n_per_m;
    return (physics_axle){
        .tyre = build_tyre(&from->tyre),
        .first_wheel = first_wheel,
        .wheel_count = from->track_width_m > 0.0 ? 2 : 1,
        .x_m = (real)from->x_m,
        .track_m = (real)from->track_width_m,
        .steer_share = (real)from->steer_share,
        .toe_sin = (real)apex_sin(from->suspension.toe_rad),
        .toe_cos = (real)apex_cos(from->suspension.toe_rad),
        .camber_rad = (real)from->suspension.camber_rad,
        .drive_share = (real)from->drive_share,
        .differential = from->differential.kind,
        .preload_nm = (real)from->differential.preload_nm,
        .power_bias = (real)from->differential.power_bias,
        .coast_bias = (real)from->differential.coast_bias,
        .viscous_nms_per_rad = (real)from->differential.viscous_nms_per_rad,
        .brake_nm = (real)from->brake.torque_nm_max,
        .handbrake_nm = (real)from->brake.handbrake_nm_max,
        .brake_heat_j_per_k = (real)from->brake.heat_capacity_j_per_k,
        .brake_fade_c = (real)from->brake.fade_start_c,
        .wheel_rate_n_per_m = (real)(spring * tyre_rate / (spring + tyre_rate)),
        .roll_centre_m = (real)from->suspension.roll_centre_height_m,
    };
}

// The share of the load each axle carries: a rigid body on springs, which for two axles is the
// lever rule and for more the only answer that has one. Shares sum to 1, moments to nothing.
static void share_load(physics_type *type) {
    double k0 = 0.0, k1 = 0.0, k2 = 0.0;
    for (uint32_t a = 0; a < type->axle_count; a++) {
        double rate = (double)type->axles[a].wheel_rate_n_per_m * type->axles[a].wheel_count;
        double x = type->def.axles[a].x_m;
        k0 += rate;
        k1 += rate * x;
        k2 += rate * x * x;
    }
    double determinant = k0 * k2 - k1 * k1;
    for (uint32_t a = 0; a < type->axle_count; a++) {
        double rate = (double)type->axles[a].wheel_rate_n_per_m * type->axles[a].wheel_count;
        double x = type->def.axles[a].x_m;
        type->axles[a].load_share = (real)(rate * (k2 - k1 * x) / determinant);
        type->axles[a].load_per_nm = (real)(rate * (k1 - k0 * x) / determinant);
    }
}

static void share_roll(physics_type *type) {
    const apex_car_def *def = &type->def;
    double total = 0.0, stiffness[APEX_AXLES_MAX];
    for (uint32_t a = 0; a < type->axle_count; a++) {
        double track = def->axles[a].track_width_m;
        double rate = (double)type->axles[a].wheel_rate_n_per_m * 0.5;
        stiffness[a] = (rate + def->axles[a].suspension.anti_roll_n_per_m) * track * track;
        total += stiffness[a];
    }
    double centre = 0.0, pitch_stiffness = 0.0;
    for (uint32_t a = 0; a < type->axle_count; a++) {
        physics_axle *axle = &type->axles[a];
        axle->roll_share = total > 0.0 ? (real)(stiffness[a] / total) : R(0.0);
        centre += (double)axle->load_share * def->axles[a].suspension.roll_centre_height_m;
        pitch_stiffness += (double)axle->wheel_rate_n_per_m * axle->wheel_count *
                           def->axles[a].x_m * def->axles[a].x_m;
    }
    type->roll_centre_m = (real)centre;
    double moment = def->mass_kg * (def->com_height_m - centre);
    type->roll_rad_per_mps2 = total > 0.0 ? (real)(moment / total) : R(0.0);
    type->pitch_rad_per_mps2 = (real)(def->mass_kg * def->com_height_m / pitch_stiffness);
}

static void place_wheels(physics_type *type) {
    uint8_t count = 0;
    double mean_x = 0.0, square_x = 0.0, square_y = 0.0, driven_radius = 0.0, drive = 0.0;
    for (uint8_t a = 0; a < type->axle_count; a++) {
        physics_axle *axle = &type->axles[a];
        for (uint8_t w = 0; w < axle->wheel_count; w++) {
            real side = axle->wheel_count == 1 ? R(0.0) : (w == 0 ? R(1.0) : R(-1.0));
            type->wheels[count++] = (physics_wheel_place){
                .axle = a,
                .x_m = axle->x_m,
                .y_m = side * R(0.5) * axle->track_m,
                .side = side,
                .drive_share = axle->drive_share / (real)axle->wheel_count,
            };
            mean_x += (double)axle->x_m;
        }
        driven_radius += (double)axle->drive_share * (double)axle->tyre.radius_m;
        drive += (double)axle->drive_share;
    }
    type->wheel_count = count;
    type->driven_radius_m =
        drive > 0.0 ? (real)(driven_radius / drive) : type->axles[0].tyre.radius_m;
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
        type->axles[a].ackermann_m = share > 0.0 ? (real)(arm / share) : R(0.0);
    }
}

static void build_engine(physics_engine *engine, const apex_engine_def *from) {
    const double RPM = APEX_PI / 30.0;
    engine->count = from->torque_count;
    for (uint32_t i = 0; i < from->torque_count; i++) {
        engine->rpm[i] = (real)from->torque_rpm[i];
        engine->nm[i] = (real)from->torque_nm[i];
        engine->nm_per_rpm[i] = i + 1 < from->torque_count
                                    ? (real)((from->torque_nm[i + 1] - from->torque_nm[i]) /
                                             (from->torque_rpm[i + 1] - from->torque_rpm[i]))
                                    : R(0.0);
    }
    engine->idle_radps = (real)(from->idle_rpm * RPM);
    engine->limiter_radps = (real)(from->limiter_rpm * RPM);
    engine->blow_radps = (real)(from->blow_rpm * RPM);
    engine->inertia_kgm2 = (real)from->inertia_kgm2;
    engine->brake_nms_per_rad = (real)(from->brake_nm_per_rps / (2.0 * APEX_PI));
    engine->turbo_lag_s = (real)from->turbo_lag_s;
    engine->turbo_share = (real)from->turbo_share;
    engine->fuel_kg_per_j = (real)(from->fuel_kg_per_mj * 1e-6);
    engine->fuel_idle_kg_per_s = (real)from->fuel_idle_kg_per_s;
}

static void build_gearbox(physics_gearbox *gearbox, const apex_gearbox_def *from) {
    const double RPM = APEX_PI / 30.0;
    gearbox->gear_count = (int8_t)from->gear_count;
    gearbox->ratio[0] = (real)(-from->reverse_ratio * from->final_drive);
    gearbox->ratio[1] = R(0.0);
    for (uint32_t g = 0; g < from->gear_count; g++) {
        gearbox->ratio[g + 2] = (real)(from->ratio[g] * from->final_drive);
    }
    gearbox->efficiency = (real)from->efficiency;
    gearbox->shift_time_s = (real)from->shift_time_s;
    gearbox->up_radps = (real)(from->shift_up_rpm * RPM);
    gearbox->down_radps = (real)(from->shift_down_rpm * RPM);
    gearbox->clutch_nm = (real)from->clutch_nm_max;
    gearbox->automatic = from->automatic;
}

static void build_body(physics_type *type) {
    const apex_car_def *def = &type->def;
    type->mass_kg = (real)def->mass_kg;
    type->inertia_yaw_kgm2 = (real)def->inertia_yaw_kgm2;
    type->com_height_m = (real)def->com_height_m;
    type->wheelbase_m = (real)(def->axles[0].x_m - def->axles[def->axle_count - 1].x_m);
    double bump = 0.0, rebound = 0.0;
    for (uint32_t a = 0; a < type->axle_count; a++) {
        const apex_suspension_def *from = &def->axles[a].suspension;
        double wheels = type->axles[a].wheel_count;
        type->heave_n_per_m += (real)wheels * type->axles[a].wheel_rate_n_per_m;
        type->heave_ns_per_m +=
            (real)(wheels * 0.5 * (from->bump_ns_per_m + from->rebound_ns_per_m));
        type->bump_stop_n_per_m += (real)(wheels * from->bump_stop_n_per_m);
        bump += from->travel_bump_m / def->axle_count;
        rebound += from->travel_rebound_m / def->axle_count;
    }
    type->travel_bump_m = (real)bump;
    type->travel_rebound_m = (real)rebound;
    type->drag_m2 = (real)(def->aero.drag_coefficient * def->aero.frontal_area_m2);
    type->drag_height_m = (real)def->aero.drag_height_m;
    type->lift_m2 = (real)(def->aero.lift_front_m2 + def->aero.lift_rear_m2);
    type->axles[0].lift_m2 = (real)def->aero.lift_front_m2;
    type->axles[def->axle_count - 1].lift_m2 = (real)def->aero.lift_rear_m2;
}

static void build_hull(physics_type *type) {
    const apex_hull_def *hull = &type->def.hull;
    type->hull_half_length_m = (real)(0.5 * hull->length_m);
    type->hull_half_width_m = (real)(0.5 * hull->width_m);
    type->hull_half_height_m = (real)(0.5 * hull->height_m);
    type->hull_x_m = (real)hull->centre_x_m;
    type->hull_y_m = (real)hull->centre_y_m;
    type->hull_z_m = (real)hull->centre_z_m;
    real far_x = type->hull_half_length_m + real_abs(type->hull_x_m);
    real far_y = type->hull_half_width_m + real_abs(type->hull_y_m);
    type->hull_radius_m = real_sqrt(far_x * far_x + far_y * far_y);
    type->restitution = (real)hull->restitution;
    type->friction = (real)hull->friction;
}

static void build_controls(physics_type *type) {
    const apex_car_def *def = &type->def;
    type->centre_kind = def->centre_differential.kind;
    type->centre_preload_nm = (real)def->centre_differential.preload_nm;
    type->centre_power_bias = (real)def->centre_differential.power_bias;
    type->centre_coast_bias = (real)def->centre_differential.coast_bias;
    type->centre_viscous = (real)def->centre_differential.viscous_nms_per_rad;
    type->steer_max_rad = (real)def->steering.angle_rad_max;
    type->steer_rate_radps = (real)def->steering.rate_radps_max;
    type->steer_fade_mps = (real)def->steering.fade_speed_mps;
    type->abs = (real)def->aids.abs;
    type->traction_control = (real)def->aids.traction_control;
    type->stability_control = (real)def->aids.stability_control;
    type->steering_assist = (real)def->aids.steering_assist;
    type->launch_control = (real)def->aids.launch_control;
    type->automatic_clutch = def->aids.automatic_clutch;
}

void physics_type_build(physics_type *type, const apex_car_def *def) {
    APEX_ASSERT(def->axle_count >= 2 && def->axle_count <= APEX_AXLES_MAX);
    memset(type, 0, sizeof *type);
    type->def = *def;
    type->def_hash = physics_car_def_hash(def);
    type->axle_count = (uint8_t)def->axle_count;
    uint8_t first_wheel = 0;
    for (uint32_t a = 0; a < def->axle_count; a++) {
        type->axles[a] = build_axle(&def->axles[a], first_wheel);
        first_wheel = (uint8_t)(first_wheel + type->axles[a].wheel_count);
    }
    build_body(type);
    share_load(type);
    share_roll(type);
    place_wheels(type);
    build_ackermann(type);
    build_engine(&type->engine, &def->engine);
    build_gearbox(&type->gearbox, &def->gearbox);
    build_hull(type);
    build_controls(type);
}
