// How a car stands: the ground under its wheels, the spring that carries it, and the load on each
// wheel. One vertical degree of freedom (heave) is integrated; pitch and roll loads are
// quasi-static, from the acceleration of the last substeps.

#include "physics/car_private.h"

static const real FRICTION_MIN = R(0.01);

static real dot(const real a[3], const real b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The plane that fits the wheels' ground best, as a frame: forward lies in it over the heading.
static void build_frame(physics_car_step *step, real heading_x, real heading_y, real slopes[2]) {
    real slope_x = slopes[0], slope_y = slopes[1];
    real up = R(1.0) / real_sqrt(R(1.0) + slope_x * slope_x + slope_y * slope_y);
    step->normal[0] = (-slope_x * heading_x + slope_y * heading_y) * up;
    step->normal[1] = (-slope_x * heading_y - slope_y * heading_x) * up;
    step->normal[2] = up;
    real flat = R(1.0) / real_sqrt(R(1.0) + slope_x * slope_x);
    step->forward[0] = heading_x * flat;
    step->forward[1] = heading_y * flat;
    step->forward[2] = slope_x * flat;
    const real *n = step->normal, *f = step->forward;
    step->left[0] = n[1] * f[2] - n[2] * f[1];
    step->left[1] = n[2] * f[0] - n[0] * f[2];
    step->left[2] = n[0] * f[1] - n[1] * f[0];
}

// A car on one track can't tell the ground's cross slope by its wheels: look beside it.
static real cross_slope(const physics_car_step *step, const double heading[2], double z_m) {
    const real ARM_M = R(0.3);
    const double *position = step->car->position_m;
    real height[2];
    for (int32_t side = 0; side < 2; side++) {
        double y = side == 0 ? (double)ARM_M : -(double)ARM_M;
        uint8_t surface;
        const double at[3] = {position[0] - heading[1] * y, position[1] + heading[0] * y, z_m};
        height[side] = physics_ground_under(step->world->ground, at, &surface);
    }
    return (height[0] - height[1]) / (R(2.0) * ARM_M);
}

static void read_surface(physics_car_step *step, uint32_t wheel, uint8_t surface) {
    const apex_surface_def *def = &step->world->ground->surfaces[surface];
    step->work->wheels[wheel].surface = surface;
    step->friction[wheel] = real_max((real)def->friction, FRICTION_MIN);
    step->rolling_ratio[wheel] = (real)def->rolling_ratio;
    step->plough_ns_per_m[wheel] = (real)def->plough_n_per_mps;
}

static real ground_at_wheel(physics_car_step *step, uint32_t wheel, const double heading[2],
                            double foot_z_m) {
    const physics_wheel_place *place = &step->type->wheels[wheel];
    const double *position = step->car->position_m;
    double px = (double)place->x_m, py = (double)place->y_m;
    const double at[3] = {position[0] + (heading[0] * px - heading[1] * py),
                          position[1] + (heading[1] * px + heading[0] * py), foot_z_m};
    uint8_t surface;
    real ground = physics_ground_under(step->world->ground, at, &surface);
    read_surface(step, wheel, surface);
    return ground;
}

void physics_stance_sample(physics_car_step *step) {
    const physics_type *type = step->type;
    physics_car *car = step->car;
    double x[3], y[3], z[3];
    physics_quaternion_axes(car->orientation, x, y, z);
    double length = sqrt(x[0] * x[0] + x[1] * x[1]);
    double heading[2] = {1.0, 0.0}; // nose straight up or down: any heading will do
    if (length > 1e-9) {
        heading[0] = x[0] / length;
        heading[1] = x[1] / length;
    }
    double foot_z = car->position_m[2] - (double)type->com_height_m;
    real height = R(0.0), slopes[2] = {R(0.0), R(0.0)};
    for (uint32_t a = 0; a < type->axle_count; a++) {
        const physics_axle *axle = &type->axles[a];
        real ground[2] = {R(0.0), R(0.0)};
        for (uint32_t k = 0; k < axle->wheel_count; k++) {
            ground[k] = ground_at_wheel(step, axle->first_wheel + k, heading, foot_z);
        }
        const physics_wheel_place *place = &type->wheels[axle->first_wheel];
        real sum = axle->wheel_count == 2 ? ground[0] + ground[1] : ground[0];
        height += place->height_weight * sum;
        slopes[0] += place->slope_x_weight * sum;
        slopes[1] +=
            axle->wheel_count == 2 ? place->slope_y_weight * (ground[0] - ground[1]) : R(0.0);
    }
    if (type->def.model == APEX_CAR_MOTORCYCLE) {
        slopes[1] = cross_slope(step, heading, foot_z);
    }
    build_frame(step, (real)heading[0], (real)heading[1], slopes);
    step->work->ground_height_m = height;
    for (uint32_t i = 0; i < 3; i++) {
        step->work->ground_normal[i] = step->normal[i];
    }
    const real *velocity = car->velocity_mps, *turn = car->angular_radps;
    step->speed_x_mps = dot(velocity, step->forward);
    step->speed_y_mps = dot(velocity, step->left);
    step->speed_z_mps = dot(velocity, step->normal);
    step->yaw_radps = turn[0] * (real)z[0] + turn[1] * (real)z[1] + turn[2] * (real)z[2];
    step->mass_kg = type->mass_kg + car->fuel_kg + car->ballast_kg;
}

// The heave spring, linearly implicit: N (1 + A h/m) = W0 + k c - A (v - h (g - L/m)), A = k h + d.
static void carry(physics_car_step *step) {
    const physics_type *type = step->type;
    real h = step->h_s, gravity = step->world->gravity_mps2;
    real compression = step->work->ground_height_m * step->normal[2] +
                       type->com_height_m * (R(1.0) - step->normal[2]);
    if (compression < -type->travel_rebound_m) { // the wheels hang: no damper can push from there
        step->carried_n = R(0.0);
        return;
    }
    real weight = step->mass_kg * gravity;
    real stop = real_max(compression - type->travel_bump_m, R(0.0)) * type->bump_stop_n_per_m;
    real stiffness = type->heave_n_per_m + (stop > R(0.0) ? type->bump_stop_n_per_m : R(0.0));
    real resist = stiffness * h + type->heave_ns_per_m;
    real free_mps =
        step->speed_z_mps - h * (gravity * step->normal[2] - step->lift_n / step->mass_kg);
    real force = weight + type->heave_n_per_m * compression + stop - resist * free_mps;
    force /= R(1.0) + resist * h / step->mass_kg;
    step->carried_n = real_max(force, R(0.0));
}

// Moves what a lifted wheel can't take to the others, so that the sum stays what carries the car.
static void settle_axles(real axle_n[], uint32_t count, real carried_n) {
    real positive = R(0.0);
    for (uint32_t a = 0; a < count; a++) {
        axle_n[a] = real_max(axle_n[a], R(0.0));
        positive += axle_n[a];
    }
    real scale = positive > R(0.0) ? carried_n / positive : R(0.0);
    for (uint32_t a = 0; a < count; a++) {
        axle_n[a] *= scale;
    }
}

void physics_stance_loads(physics_car_step *step) {
    const physics_type *type = step->type;
    const real *acceleration = step->car->acceleration_mps2;
    carry(step);
    real nose_up_nm =
        step->mass_kg * acceleration[0] * type->com_height_m + step->drag_n * type->drag_height_m;
    real axle_n[APEX_AXLES_MAX];
    real q = step->speed_x_mps * step->speed_x_mps * R(0.5) * step->world->air_kg_per_m3;
    for (uint32_t a = 0; a < type->axle_count; a++) {
        const physics_axle *axle = &type->axles[a];
        axle_n[a] = axle->load_share * (step->carried_n + step->lift_n) - axle->lift_m2 * q +
                    axle->load_per_nm * nose_up_nm;
    }
    settle_axles(axle_n, type->axle_count, step->carried_n);
    real side_n = step->mass_kg * acceleration[1];
    for (uint32_t a = 0; a < type->axle_count; a++) {
        const physics_axle *axle = &type->axles[a];
        uint32_t left = axle->first_wheel;
        if (axle->wheel_count == 1) {
            step->load_n[left] = axle_n[a];
            continue;
        }
        real lever = axle->roll_share * (type->com_height_m - type->roll_centre_m) +
                     axle->load_share * axle->roll_centre_m;
        real half = R(0.5) * axle_n[a];
        real transfer = real_clamp(side_n * lever / axle->track_m, -half, half);
        step->load_n[left] = half - transfer;
        step->load_n[left + 1] = half + transfer;
    }
}
