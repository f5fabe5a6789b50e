// Bicycle geometry without forces, for cars that need no dynamics. Gravity, tyres and slip do not
// exist here; contacts do, and turn into a change of speed.

#include "physics/car_private.h"

#include "base/trig.h"
#include "physics/kinematic_private.h"

// Turning centre on the line of the rear axle; exact for any step length.
static physics_kinematic_pose step_rear_axle(physics_kinematic_pose at, double wheelbase_m,
                                             double steer_rad, double distance_m) {
    double s, c;
    apex_sincos(steer_rad, &s, &c);
    double turn = distance_m * (s / c) / wheelbase_m;
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

static real next_speed(const physics_car_step *step, real speed) {
    const apex_kinematic_def *def = &step->type->def.kinematic;
    real h = step->h_s;
    real brake = real_max(step->input->brake, step->input->handbrake) * (real)def->braking_mps2_max;
    real drive = step->input->throttle * (real)def->acceleration_mps2_max;
    if (step->car->gear == APEX_GEAR_NEUTRAL) {
        drive = R(0.0);
    }
    speed += step->car->gear < 0 ? -h * drive : h * drive;
    real slowed = real_max(real_abs(speed) - h * brake, R(0.0));
    speed = speed < R(0.0) ? -slowed : slowed;
    return real_clamp(speed, -(real)def->reverse_mps_max, (real)def->speed_mps_max);
}

// The pose's step expressed as velocities, so that contacts and integration are those of all cars.
void physics_kinematic_forces(physics_car_step *step) {
    physics_car *car = step->car;
    const physics_type *type = step->type;
    double h = (double)step->h_s, wheelbase = (double)type->wheelbase_m;
    // The wheels remember the speed: a chord's projection would gain or lose a little each step.
    const real radius = type->axles[0].tyre.radius_m;
    real speed = next_speed(step, car->wheels[0].spin_radps * radius);
    double heading = apex_atan2((double)step->forward[1], (double)step->forward[0]);
    double rear = (double)type->axles[type->axle_count - 1].x_m;
    double s, c;
    apex_sincos(heading, &s, &c);
    physics_kinematic_pose at = {rear * c, rear * s, heading};
    physics_kinematic_move move = {wheelbase, (double)car->steer_rad, h * (double)speed};
    physics_kinematic_pose next = physics_kinematic_step(type->def.kinematic.form, at, &move);
    double next_s, next_c;
    apex_sincos(next.yaw_rad, &next_s, &next_c);
    double velocity[2] = {(next.x_m - rear * next_c) / h, (next.y_m - rear * next_s) / h};
    real climb = -(step->normal[0] * (real)velocity[0] + step->normal[1] * (real)velocity[1]) /
                 step->normal[2];
    real before[2] = {car->velocity_mps[0], car->velocity_mps[1]};
    car->velocity_mps[0] = (real)velocity[0];
    car->velocity_mps[1] = (real)velocity[1];
    // Height closes on the ground within a few substeps: there are no springs to do it.
    real gap =
        step->work->ground_height_m + type->com_height_m * (R(1.0) / step->normal[2] - R(1.0));
    car->velocity_mps[2] = climb + R(0.25) * gap / step->h_s;
    step->yaw_radps = (real)(apex_wrap_angle(next.yaw_rad - heading) / h);
    real ax = (car->velocity_mps[0] - before[0]) / step->h_s;
    real ay = (car->velocity_mps[1] - before[1]) / step->h_s;
    step->work->acceleration_mps2[0] = ax * (real)c + ay * (real)s;
    step->work->acceleration_mps2[1] = ay * (real)c - ax * (real)s;
    step->work->acceleration_mps2[2] = step->world->gravity_mps2;
    step->work->throttle = step->input->throttle;
    step->work->brake = step->input->brake;
    car->engine_radps = type->engine.idle_radps;
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        const physics_axle *axle = &type->axles[type->wheels[w].axle];
        car->wheels[w].spin_radps = speed / axle->tyre.radius_m;
        step->work->wheels[w].grounded = true;
        step->work->wheels[w].load_n =
            axle->load_share / (real)axle->wheel_count * step->mass_kg * step->world->gravity_mps2;
    }
}

void physics_kinematic_hit(physics_car *car, const physics_type *type, const physics_body *body) {
    real along = (body->velocity_x_mps - car->velocity_mps[0]) * body->cos_yaw +
                 (body->velocity_y_mps - car->velocity_mps[1]) * body->sin_yaw;
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        const physics_axle *axle = &type->axles[type->wheels[w].axle];
        car->wheels[w].spin_radps += along / axle->tyre.radius_m;
    }
}
