// Bicycle geometry without forces, for cars that need no dynamics. Gravity, tyres and slip do not
// exist here; contacts do, and turn into a change of speed.

#include "physics/car/kinematic.h"
#include "base/assert.h"
#include "base/trig.h"
#include "physics/car/orientation.h"
#include "physics/car/stance.h"

// Turning centre on the line of the rear axle; exact for any step length.
static physics_kinematic_pose step_rear_axle(physics_kinematic_pose at, double wheelbase_m,
                                             double steer_rad, double distance_m) {
    double turn = distance_m * apex_tan(steer_rad) / wheelbase_m;
    double sin_now, cos_now, sin_then, cos_then;
    apex_sincos(at.yaw_rad, &sin_now, &cos_now);
    apex_sincos(at.yaw_rad + turn, &sin_then, &cos_then);
    physics_kinematic_pose next = {.yaw_rad = at.yaw_rad + turn};
    if (turn < 1e-6 && turn > -1e-6) { // the arc's chord, where its radius is past all numbers
        double half_sin, half_cos;
        apex_sincos(at.yaw_rad + 0.5 * turn, &half_sin, &half_cos);
        next.x_m = at.x_m + distance_m * half_cos;
        next.y_m = at.y_m + distance_m * half_sin;
    } else {
        double radius = distance_m / turn;
        next.x_m = at.x_m + radius * (sin_then - sin_now);
        next.y_m = at.y_m - radius * (cos_then - cos_now);
    }
    return next;
}

// Both axles' midpoints step the same distance, each where its wheels point ("2D car steering",
// the six-line bicycle); the car's middle and heading follow, so the wheelbase never shrinks.
static physics_kinematic_pose step_baseline(physics_kinematic_pose at, double wheelbase_m,
                                            double steer_rad, double distance_m) {
    double s, c, wheel_s, wheel_c;
    apex_sincos(at.yaw_rad, &s, &c);
    apex_sincos(at.yaw_rad + steer_rad, &wheel_s, &wheel_c);
    double rear_x = at.x_m + distance_m * c, rear_y = at.y_m + distance_m * s;
    double front_x = at.x_m + wheelbase_m * c + distance_m * wheel_c;
    double front_y = at.y_m + wheelbase_m * s + distance_m * wheel_s;
    physics_kinematic_pose next;
    next.yaw_rad = apex_atan2(front_y - rear_y, front_x - rear_x);
    apex_sincos(next.yaw_rad, &s, &c);
    next.x_m = 0.5 * (rear_x + front_x) - 0.5 * wheelbase_m * c;
    next.y_m = 0.5 * (rear_y + front_y) - 0.5 * wheelbase_m * s;
    return next;
}

physics_kinematic_pose physics_kinematic_step(apex_kinematic_form form, physics_kinematic_pose at,
                                              const physics_kinematic_move *move) {
    return form == APEX_KINEMATIC_REAR_AXLE
               ? step_rear_axle(at, move->wheelbase_m, move->steer_rad, move->distance_m)
               : step_baseline(at, move->wheelbase_m, move->steer_rad, move->distance_m);
}

/// One car for one substep.
typedef struct kinematic_car {
    const physics_type *type;
    const physics_drive *drive;
    uint32_t lane;
    real h_s;
    physics_car car;
} kinematic_car;

static real next_speed(const kinematic_car *of, real speed) {
    const apex_kinematic_def *def = &of->type->def.kinematic;
    const physics_drive *drive = of->drive;
    real brake = real_max(drive->brake[of->lane], drive->handbrake[of->lane]);
    real push = drive->throttle[of->lane] * (real)def->acceleration_mps2_max;
    if (of->car.gear == APEX_GEAR_NEUTRAL) {
        push = R(0.0);
    }
    speed += of->car.gear < 0 ? -of->h_s * push : of->h_s * push;
    real slowed = real_max(real_abs(speed) - of->h_s * brake * (real)def->braking_mps2_max, R(0.0));
    speed = speed < R(0.0) ? -slowed : slowed;
    return real_clamp(speed, -(real)def->reverse_mps_max, (real)def->speed_mps_max);
}

// A short car with much lock would spin about itself faster than means anything.
static double steer_for_speed(double steer_rad, double wheelbase_m, double speed_mps) {
    const double TURN_RADPS_MAX = 50.0, TANGENT_MAX = 3.7; // of the longest lock there is
    double speed = speed_mps < 0.0 ? -speed_mps : speed_mps;
    if (speed * TANGENT_MAX <= TURN_RADPS_MAX * wheelbase_m) {
        return steer_rad;
    }
    double most = apex_atan(TURN_RADPS_MAX * wheelbase_m / speed);
    steer_rad = steer_rad > most ? most : steer_rad;
    return steer_rad < -most ? -most : steer_rad;
}

// Turns with the path, and towards the ground's tilt: there are no springs to do it.
static void turn(kinematic_car *of, const physics_stance *stance, real yaw_radps) {
    const real TILT_PER_S = R(20.0);
    double x[3], y[3], z[3];
    const real *normal = stance->normal;
    physics_quaternion_axes(of->car.orientation, x, y, z);
    const real up[3] = {(real)z[0], (real)z[1], (real)z[2]};
    const real tilt[3] = {up[1] * normal[2] - up[2] * normal[1],
                          up[2] * normal[0] - up[0] * normal[2],
                          up[0] * normal[1] - up[1] * normal[0]};
    for (uint32_t i = 0; i < 3; i++) {
        of->car.angular_radps[i] = yaw_radps * normal[i] + TILT_PER_S * tilt[i];
    }
}

// The pose's step expressed as velocities, so that contacts and motion are those of all cars.
static void step_car(const physics_cars *cars, kinematic_car *of) {
    physics_car *car = &of->car;
    const physics_numbers *numbers = &of->type->numbers;
    physics_stance stance = physics_stance_of(cars, car);
    double h = (double)of->h_s;
    // The wheels remember the speed: a chord's projection would gain or lose a little each step.
    real radius = numbers->axles[0].tyre.radius_m;
    real speed = next_speed(of, car->wheels[0].spin_radps * radius);
    double heading = apex_atan2((double)stance.forward[1], (double)stance.forward[0]);
    double rear = (double)numbers->axles[of->type->axle_count - 1].x_m;
    double s, c;
    apex_sincos(heading, &s, &c);
    physics_kinematic_pose at = {rear * c, rear * s, heading};
    double wheelbase = (double)numbers->wheelbase_m;
    physics_kinematic_move move = {
        wheelbase, steer_for_speed((double)car->steer_rad, wheelbase, (double)speed),
        h * (double)speed};
    physics_kinematic_pose next = physics_kinematic_step(of->type->def.kinematic.form, at, &move);
    double next_s, next_c;
    apex_sincos(next.yaw_rad, &next_s, &next_c);
    real velocity[2] = {(real)((next.x_m - rear * next_c) / h),
                        (real)((next.y_m - rear * next_s) / h)};
    real climb =
        -(stance.normal[0] * velocity[0] + stance.normal[1] * velocity[1]) / stance.normal[2];
    // Height closes on the ground within a few substeps.
    real gap = stance.rise_m + numbers->com_height_m * (R(1.0) / stance.normal[2] - R(1.0));
    real ax = (velocity[0] - car->velocity_mps[0]) / of->h_s;
    real ay = (velocity[1] - car->velocity_mps[1]) / of->h_s;
    car->acceleration_mps2[0] = ax * (real)c + ay * (real)s;
    car->acceleration_mps2[1] = ay * (real)c - ax * (real)s;
    car->velocity_mps[0] = velocity[0];
    car->velocity_mps[1] = velocity[1];
    car->velocity_mps[2] = climb + R(0.25) * gap / of->h_s;
    turn(of, &stance, (real)(apex_wrap_angle(next.yaw_rad - heading) / h));
    car->engine_radps = numbers->engine.idle_radps;
    for (uint32_t w = 0; w < of->type->wheel_count; w++) {
        uint32_t axle = of->type->wheels[w].axle;
        car->wheels[w].spin_radps = speed / numbers->axles[axle].tyre.radius_m;
    }
}

static void report(physics_work *work, const kinematic_car *of, const physics_cars *cars) {
    uint32_t lane = of->lane;
    lanes_set(&work->acceleration_mps2[0], lane, of->car.acceleration_mps2[0]);
    lanes_set(&work->acceleration_mps2[1], lane, of->car.acceleration_mps2[1]);
    lanes_set(&work->acceleration_mps2[2], lane, cars->conditions.gravity_mps2);
    lanes_set(&work->throttle, lane, of->drive->throttle[lane]);
    lanes_set(&work->brake, lane, of->drive->brake[lane]);
    for (uint32_t w = 0; w < of->type->wheel_count; w++) {
        const physics_wheel_place *place = &of->type->wheels[w];
        lanes_set(&work->wheels[2u * place->axle + place->side].load_n, lane, place->load_n);
    }
}

void physics_kinematic_forces(physics_cars *cars, uint32_t index) {
    APEX_ASSERT(index < cars->block_count && cars->drives[index].is_anyone_kinematic);
    physics_drive *drive = &cars->drives[index];
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        const physics_type *type = drive->types[lane];
        if (!drive->is_live[lane] || drive->is_held[lane] ||
            type->def.model != APEX_CAR_KINEMATIC) {
            continue;
        }
        uint32_t slot = index * PHYSICS_LANES + lane;
        kinematic_car of = {
            .type = type, .drive = drive, .lane = lane, .h_s = cars->conditions.h_s};
        physics_block_get(cars, slot, &of.car);
        step_car(cars, &of);
        physics_block_put(cars, slot, &of.car);
        report(&cars->works[index], &of, cars);
    }
}

void physics_kinematic_hit(physics_cars *cars, uint32_t slot, real gain_mps) {
    APEX_ASSERT(slot < cars->block_count * PHYSICS_LANES);
    physics_block *block = &cars->blocks[slot / PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    const physics_type *type = cars->drives[slot / PHYSICS_LANES].types[lane];
    if (gain_mps == R(0.0) || type->def.model != APEX_CAR_KINEMATIC) {
        return;
    }
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        const physics_wheel_place *place = &type->wheels[w];
        lanes *spin_radps = &block->wheels[2u * place->axle + place->side].spin_radps;
        real radius_m = type->numbers.axles[place->axle].tyre.radius_m;
        lanes_set(spin_radps, lane, (*spin_radps)[lane] + gain_mps / radius_m);
    }
}
