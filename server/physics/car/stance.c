// A car's stance before anything moves it: on the plane that fits the ground under its wheels best.

#include "physics/car/stance.h"
#include "base/assert.h"
#include "physics/car/gearbox.h"
#include "physics/car/orientation.h"

#include "base/trig.h"

#include <math.h>
#include <string.h>

static void build_frame(const double heading[2], const real slopes[2], physics_stance *stance) {
    real hx = (real)heading[0], hy = (real)heading[1];
    real up = R(1.0) / real_sqrt(R(1.0) + slopes[0] * slopes[0] + slopes[1] * slopes[1]);
    stance->normal[0] = (-slopes[0] * hx + slopes[1] * hy) * up;
    stance->normal[1] = (-slopes[0] * hy - slopes[1] * hx) * up;
    stance->normal[2] = up;
    real flat = R(1.0) / real_sqrt(R(1.0) + slopes[0] * slopes[0]);
    stance->forward[0] = hx * flat;
    stance->forward[1] = hy * flat;
    stance->forward[2] = slopes[0] * flat;
    const real *n = stance->normal, *f = stance->forward;
    stance->left[0] = n[1] * f[2] - n[2] * f[1];
    stance->left[1] = n[2] * f[0] - n[0] * f[2];
    stance->left[2] = n[0] * f[1] - n[1] * f[0];
}

// Ground at a point beside the centre of mass, above where the car's wheels stand on level ground.
static real rise_at(const physics_cars *cars, const physics_car *car, const double heading[2],
                    const real place_m[2]) {
    const physics_type *type = &cars->types[car->type];
    double px = (double)place_m[0], py = (double)place_m[1];
    const double at[3] = {car->position_m[0] + (heading[0] * px - heading[1] * py),
                          car->position_m[1] + (heading[1] * px + heading[0] * py),
                          car->position_m[2] - (double)type->numbers.com_height_m};
    uint8_t surface;
    return physics_ground_under(cars->ground.map, at, &surface);
}

// Adds height and slopes of the wheels of one axle. Left and right are summed first: swapped, they
// must give the same bits. @return how many they are.
static uint32_t add_axle(const physics_cars *cars, const physics_car *car, const double heading[2],
                         uint32_t first, real sum[3]) {
    const physics_wheel_place *place = &cars->types[car->type].wheels[first];
    const physics_axle *axle = &cars->types[car->type].numbers.axles[place->axle];
    uint32_t count = axle->present[1] > R(0.0) ? 2 : 1;
    real part[3] = {R(0.0), R(0.0), R(0.0)};
    for (uint32_t w = 0; w < count; w++, place++) {
        const real at[2] = {place->x_m, place->y_m};
        real rise = rise_at(cars, car, heading, at);
        part[0] += place->height_weight * rise;
        part[1] += place->slope_x_weight * rise;
        part[2] += place->slope_y_weight * rise;
    }
    for (uint32_t i = 0; i < 3; i++) {
        sum[i] += part[i];
    }
    return count;
}

// A car on one track stands upright, whatever the slope across it.
physics_stance physics_stance_of(const physics_cars *cars, const physics_car *car) {
    APEX_ASSERT(car->type < cars->type_count);
    const physics_type *type = &cars->types[car->type];
    double x[3], y[3], z[3];
    physics_quaternion_axes(car->orientation, x, y, z);
    double length = sqrt(x[0] * x[0] + x[1] * x[1]);
    double heading[2] = {1.0, 0.0}; // nose straight up or down: any heading will do
    if (length > 1e-9) {
        heading[0] = x[0] / length;
        heading[1] = x[1] / length;
    }
    real sum[3] = {R(0.0), R(0.0), R(0.0)};
    for (uint32_t w = 0; w < type->wheel_count;) {
        w += add_axle(cars, car, heading, w, sum);
    }
    physics_stance stance = {.rise_m = sum[0]};
    const real slopes[2] = {sum[1], sum[2]};
    build_frame(heading, slopes, &stance);
    return stance;
}

static int8_t gear_for_speed(const physics_car *car, const physics_type *type) {
    int8_t gear = 1;
    while (gear < type->gear_count &&
           physics_gearbox_input_radps(car, type, gear) > R(0.9) * type->numbers.up_radps) {
        gear++;
    }
    return gear;
}

static void stop_motion(physics_car *car, const physics_type *type) {
    for (uint32_t w = 0; w < APEX_WHEELS_MAX; w++) {
        physics_wheel *wheel = &car->wheels[w];
        wheel->spin_radps = R(0.0);
        wheel->deflection_long_m = R(0.0);
        wheel->deflection_lat_m = R(0.0);
        wheel->travel_m = R(0.0);
        wheel->travel_mps = R(0.0);
    }
    memset(car->velocity_mps, 0, sizeof car->velocity_mps);
    memset(car->angular_radps, 0, sizeof car->angular_radps);
    memset(car->acceleration_mps2, 0, sizeof car->acceleration_mps2);
    car->steer_rad = R(0.0);
    car->lean_rad = R(0.0);
    car->lean_radps = R(0.0);
    car->boost = R(0.0);
    car->shift_left_s = R(0.0);
    car->slipstream = R(0.0);
    car->airborne = false;
    car->gear = type->is_automatic ? 1 : APEX_GEAR_NEUTRAL;
    car->engine_radps = car->engine_blown ? R(0.0) : type->numbers.engine.idle_radps;
}

static void roll(physics_car *car, const physics_type *type, real speed_mps) {
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        const physics_axle *axle = &type->numbers.axles[type->wheels[w].axle];
        car->wheels[w].spin_radps = speed_mps / axle->tyre.radius_m;
    }
    if (speed_mps > R(0.0) && type->is_automatic) {
        car->gear = gear_for_speed(car, type);
        real input = physics_gearbox_input_radps(car, type, car->gear);
        car->engine_radps =
            real_clamp(input, car->engine_radps, type->numbers.engine.limiter_radps);
    }
    car->gear_before = car->gear;
}

void physics_car_place(const physics_cars *cars, physics_car *car, const apex_placement *at) {
    APEX_ASSERT(car->type < cars->type_count);
    const physics_type *type = &cars->types[car->type];
    const double level[3] = {0.0, 0.0, 1.0};
    double heading[2], height = (double)type->numbers.com_height_m;
    stop_motion(car, type);
    apex_sincos(at->yaw_rad, &heading[1], &heading[0]);
    car->position_m[0] = at->x_m;
    car->position_m[1] = at->y_m;
    car->position_m[2] = at->z_m + height;
    physics_car_orient(car, heading, level);
    // Sampled as a step would, so that a car placed on a slope neither drops nor hops.
    physics_stance stance = physics_stance_of(cars, car);
    double normal_z = (double)stance.normal[2];
    car->position_m[2] += (double)stance.rise_m + height * (1.0 / normal_z - 1.0);
    const double up[3] = {(double)stance.normal[0], (double)stance.normal[1], normal_z};
    physics_car_orient(car, heading, up);
    for (uint32_t i = 0; i < 3; i++) {
        car->velocity_mps[i] = stance.forward[i] * (real)at->speed_mps;
    }
    roll(car, type, (real)at->speed_mps);
}
