// The powertrain as the step wants it: the torque curve with its bins, engine, gearbox, launch.
#include "physics/type/type_parts.h"

#include <math.h>

#include "base/trig.h"

static const double RADPS_PER_RPM = APEX_PI / 30.0;

void physics_build_torque(physics_torque_curve *curve, const apex_engine_def *from) {
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

physics_engine physics_build_engine(const apex_engine_def *from) {
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

void physics_build_gearbox(physics_type *type) {
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

// Greatest thrust from rest: the friction of the driven wheels' load, with what thrust itself adds
// to the rear (a = mu g b / (L - mu h)); of a motorcycle no more than lifts its front: a = g c / h.
static double launch_thrust_n(const physics_type *type) {
    const apex_car_def *def = &type->def;
    double weight = def->mass_kg * APEX_EARTH_MPS2, load = 0.0, friction = 0.0, side = 0.0;
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
void physics_build_launch(physics_type *type) {
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
