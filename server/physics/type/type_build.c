// A definition as the step wants it: its parts, and what they make of each other.
#include "physics/type/type_build.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/trig.h"
#include "physics/type/car_def_hash.h"
#include "physics/type/type_parts.h"

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
    double weight = def->mass_kg * APEX_EARTH_MPS2;
    for (uint32_t a = 0; a < def->axle_count; a++) {
        physics_axle *axle = &type->numbers.axles[a];
        double wheels = def->axles[a].track_width_m > 0.0 ? 2.0 : 1.0;
        double share = rate[a] * (k2 - k1 * def->axles[a].x_m) / (k0 * k2 - k1 * k1);
        double load = weight * share / wheels, unsprung = (double)axle->suspension.unsprung_kg;
        axle->suspension.static_n = (real)(load - unsprung * APEX_EARTH_MPS2);
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

// The hull that rests on the ground: at least as wide as the wheels, which have no sides of their
// own. A motorcycle's box would scrape as soon as it leans: its lower edge counts only above what a
// lean of 52 degrees clears.
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
        type->numbers.axles[a] = physics_build_axle(&def->axles[a], def->com_height_m, substep_s);
    }
    place_wheels(type);
    share_load(type);
    build_ackermann(type);
    physics_build_torque(&type->torque, &def->engine);
    type->numbers.engine = physics_build_engine(&def->engine);
    physics_build_gearbox(type);
    build_body(type);
    physics_build_launch(type);
    build_controls(&type->numbers, def);
    fill_absent_axles(type);
    type->hull = build_hull(&def->hull);
    build_resting_hull(type);
}
