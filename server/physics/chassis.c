// A car's substep: forces in the plane of the ground under it, then motion. Semi-implicit Euler:
// velocities first, positions with the new velocities.

#include "physics/car_private.h"
#include "physics/contact_private.h"

#include "base/assert.h"

// The springs follow the driver this fast: time constant of the load transfer.
static const real TRANSFER_S = R(0.05);
// The body follows the ground's tilt at this rate; the pose of a planar model, not its physics.
static const real TILT_PER_S = R(20.0);
static const real LEAN_PER_S = R(7.0);

void physics_quaternion_axes(const double q[4], double x[3], double y[3], double z[3]) {
    double w = q[0], i = q[1], j = q[2], k = q[3];
    x[0] = 1.0 - 2.0 * (j * j + k * k);
    x[1] = 2.0 * (i * j + w * k);
    x[2] = 2.0 * (i * k - w * j);
    y[0] = 2.0 * (i * j - w * k);
    y[1] = 1.0 - 2.0 * (i * i + k * k);
    y[2] = 2.0 * (j * k + w * i);
    z[0] = 2.0 * (i * k + w * j);
    z[1] = 2.0 * (j * k - w * i);
    z[2] = 1.0 - 2.0 * (i * i + j * j);
}

// Shepperd's method: divides by the largest of the four components, so never by nearly nothing.
static void quaternion_from_axes(const double x[3], const double y[3], const double z[3],
                                 double q[4]) {
    double trace = x[0] + y[1] + z[2];
    if (trace > 0.0) {
        double s = 2.0 * sqrt(trace + 1.0);
        q[0] = 0.25 * s;
        q[1] = (y[2] - z[1]) / s;
        q[2] = (z[0] - x[2]) / s;
        q[3] = (x[1] - y[0]) / s;
    } else if (x[0] > y[1] && x[0] > z[2]) {
        double s = 2.0 * sqrt(1.0 + x[0] - y[1] - z[2]);
        q[0] = (y[2] - z[1]) / s;
        q[1] = 0.25 * s;
        q[2] = (y[0] + x[1]) / s;
        q[3] = (z[0] + x[2]) / s;
    } else if (y[1] > z[2]) {
        double s = 2.0 * sqrt(1.0 + y[1] - x[0] - z[2]);
        q[0] = (z[0] - x[2]) / s;
        q[1] = (y[0] + x[1]) / s;
        q[2] = 0.25 * s;
        q[3] = (z[1] + y[2]) / s;
    } else {
        double s = 2.0 * sqrt(1.0 + z[2] - x[0] - y[1]);
        q[0] = (x[1] - y[0]) / s;
        q[1] = (z[0] + x[2]) / s;
        q[2] = (z[1] + y[2]) / s;
        q[3] = 0.25 * s;
    }
    if (q[0] < 0.0) {
        for (int32_t i = 0; i < 4; i++) {
            q[i] = -q[i];
        }
    }
}

static void predict_tyres(physics_car_step *step) {
    const physics_type *type = step->type;
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        const physics_wheel_place *place = &type->wheels[w];
        const physics_axle *axle = &type->axles[place->axle];
        physics_wheel *wheel = &step->car->wheels[w];
        real vx = step->speed_x_mps - step->yaw_radps * place->y_m;
        real vy = step->speed_y_mps + step->yaw_radps * place->x_m;
        real c = step->wheel_cos[w], s = step->wheel_sin[w];
        step->wheel_x_mps[w] = c * vx + s * vy;
        step->wheel_y_mps[w] = c * vy - s * vx;
        real load = step->load_n[w];
        step->friction[w] *=
            physics_tyre_load_factor(&axle->tyre, load) * physics_tyre_condition(step, w);
        // A tyre pushes to where its top leans; a pair with equal camber cancels.
        real leftwards = place->side * axle->camber_rad - step->car->lean_rad;
        physics_tyre_input in = {
            .h_s = step->h_s,
            .load_n = load,
            .friction = step->friction[w],
            .velocity_x_mps = step->wheel_x_mps[w],
            .velocity_y_mps = step->wheel_y_mps[w],
            .spin_radps = wheel->spin_radps,
            .camber_force_n = axle->tyre.camber_stiffness * leftwards * load,
            .gravity_mps2 = step->world->gravity_mps2,
        };
        step->tyre[w] = physics_tyre_predict(&axle->tyre, &in, &wheel->deflection_long_m,
                                             &wheel->deflection_lat_m);
    }
}

typedef struct force_sum {
    real x_n, y_n, yaw_nm;
} force_sum;

static force_sum tyre_force(const physics_car_step *step, uint32_t w) {
    const physics_wheel_place *place = &step->type->wheels[w];
    const physics_tyre *tyre = &step->type->axles[place->axle].tyre;
    const physics_tyre_output *out = &step->tyre[w];
    real c = step->wheel_cos[w], s = step->wheel_sin[w];
    real plough = step->load_n[w] > R(0.0) ? step->plough_ns_per_m[w] : R(0.0);
    real along = out->long_n - plough * step->wheel_x_mps[w];
    real across = out->lat_n - plough * step->wheel_y_mps[w];
    real fx = c * along - s * across, fy = s * along + c * across;
    real trail = tyre->pneumatic_trail_m * real_max(R(1.0) - out->slip, R(0.0));
    real forwards = real_clamp(step->wheel_x_mps[w], R(-1.0), R(1.0));
    return (force_sum){fx, fy, place->x_m * fy - place->y_m * fx - trail * forwards * out->lat_n};
}

static void add_force(force_sum *sum, force_sum force) {
    sum->x_n += force.x_n;
    sum->y_n += force.y_n;
    sum->yaw_nm += force.yaw_nm;
}

// Axle by axle: swapping left and right then changes no rounding, so a mirrored drive is the same
// drive to the last bit.
static force_sum sum_tyres(const physics_car_step *step) {
    force_sum sum = {R(0.0), R(0.0), R(0.0)};
    for (uint32_t a = 0; a < step->type->axle_count; a++) {
        const physics_axle *axle = &step->type->axles[a];
        force_sum pair = tyre_force(step, axle->first_wheel);
        if (axle->wheel_count == 2) {
            add_force(&pair, tyre_force(step, axle->first_wheel + 1u));
        }
        add_force(&sum, pair);
    }
    return sum;
}

static void report_wheels(physics_car_step *step) {
    for (uint32_t w = 0; w < step->type->wheel_count; w++) {
        const physics_tyre_output *out = &step->tyre[w];
        const physics_axle *axle = &step->type->axles[step->type->wheels[w].axle];
        physics_wheel *wheel = &step->car->wheels[w];
        physics_wheel_work *work = &step->work->wheels[w];
        work->load_n = step->load_n[w];
        work->slip_ratio = out->slip_long * axle->tyre.longitudinal.peak_slip;
        work->slip_angle_rad = real_atan(out->slip_lat * axle->tyre.lateral.peak_slip);
        work->force_long_n = out->long_n;
        work->force_lat_n = out->lat_n;
        work->friction = step->friction[w];
        work->grounded = step->load_n[w] > R(0.0);
        work->sliding = out->slip > R(1.0);
        real share = axle->load_share / (real)axle->wheel_count;
        real still_n = share * step->mass_kg * step->world->gravity_mps2;
        real travel = (step->load_n[w] - still_n) / axle->wheel_rate_n_per_m;
        wheel->travel_mps = (travel - wheel->travel_m) / step->h_s;
        wheel->travel_m = travel;
    }
}

// Adds the forces to the velocity, in world axes; gravity pulls down whatever the ground's tilt.
static void accelerate(physics_car_step *step, const force_sum *sum) {
    physics_car *car = step->car;
    real h = step->h_s, per_mass = R(1.0) / step->mass_kg;
    real square = step->speed_x_mps * step->speed_x_mps + step->speed_y_mps * step->speed_y_mps;
    real drag_per_mps = square > R(0.0) ? step->drag_n / real_sqrt(square) : R(0.0);
    real ax = (sum->x_n - drag_per_mps * step->speed_x_mps) * per_mass;
    real ay = (sum->y_n - drag_per_mps * step->speed_y_mps) * per_mass;
    real az = (step->carried_n + step->lift_n) * per_mass;
    for (uint32_t i = 0; i < 3; i++) {
        car->velocity_mps[i] +=
            h * (step->forward[i] * ax + step->left[i] * ay + step->normal[i] * az);
    }
    car->velocity_mps[2] -= h * step->world->gravity_mps2;
    real share = h / (TRANSFER_S + h);
    car->acceleration_mps2[0] += (sum->x_n * per_mass - car->acceleration_mps2[0]) * share;
    car->acceleration_mps2[1] += (sum->y_n * per_mass - car->acceleration_mps2[1]) * share;
    step->work->acceleration_mps2[0] = ax;
    step->work->acceleration_mps2[1] = ay;
    step->work->acceleration_mps2[2] = az;
}

// A motorcycle leans until gravity and cornering balance: tan(lean) = a_y / g, to the right
// positive as ISO roll is.
static void lean(physics_car_step *step) {
    physics_car *car = step->car;
    if (step->type->def.model != APEX_CAR_MOTORCYCLE) {
        return;
    }
    real target = -real_atan(car->acceleration_mps2[1] / step->world->gravity_mps2);
    real spring = LEAN_PER_S * LEAN_PER_S * (target - car->lean_rad);
    car->lean_radps += step->h_s * (spring - R(2.0) * LEAN_PER_S * car->lean_radps);
    car->lean_rad += step->h_s * car->lean_radps;
}

static void prepare_body(const physics_car_step *step) {
    const physics_type *type = step->type;
    const physics_car *car = step->car;
    physics_body *body = &step->world->bodies[step->slot];
    double x[3], y[3], z[3];
    physics_quaternion_axes(car->orientation, x, y, z);
    double flat = sqrt(x[0] * x[0] + x[1] * x[1]);
    *body = (physics_body){
        .x_m = car->position_m[0],
        .y_m = car->position_m[1],
        .cos_yaw = flat > 1e-9 ? (real)(x[0] / flat) : R(1.0),
        .sin_yaw = flat > 1e-9 ? (real)(x[1] / flat) : R(0.0),
        .velocity_x_mps = car->velocity_mps[0],
        .velocity_y_mps = car->velocity_mps[1],
        .yaw_radps = step->yaw_radps,
        .inverse_mass = car->held ? R(0.0) : R(1.0) / step->mass_kg,
        .inverse_inertia = car->held ? R(0.0) : R(1.0) / type->inertia_yaw_kgm2,
        .hull_x_m = type->hull_x_m,
        .hull_y_m = type->hull_y_m,
        .half_length_m = type->hull_half_length_m,
        .half_width_m = type->hull_half_width_m,
        .radius_m = type->hull_radius_m,
        .bottom_m = (real)car->position_m[2] + type->hull_z_m - type->hull_half_height_m,
        .top_m = (real)car->position_m[2] + type->hull_z_m + type->hull_half_height_m,
        .restitution = type->restitution,
        .friction = type->friction,
        .is_live = true,
        .is_ghost = car->ghost,
    };
    physics_body_set_reach(body, step->h_s);
}

// A held car stands; its engine turns free, so that a start can be heard coming.
static void hold(physics_car_step *step) {
    physics_car *car = step->car;
    for (uint32_t i = 0; i < 3; i++) {
        car->velocity_mps[i] = R(0.0);
        car->angular_radps[i] = R(0.0);
    }
    for (uint32_t w = 0; w < step->type->wheel_count; w++) {
        car->wheels[w].spin_radps = R(0.0);
        car->wheels[w].deflection_long_m = R(0.0);
        car->wheels[w].deflection_lat_m = R(0.0);
    }
    car->acceleration_mps2[0] = R(0.0);
    car->acceleration_mps2[1] = R(0.0);
    step->yaw_radps = R(0.0);
    step->throttle = step->input->throttle;
    real torque = physics_engine_torque_nm(step);
    car->engine_radps += step->h_s * torque / step->type->engine.inertia_kgm2;
    physics_engine_after(step, torque);
    step->work->engine_nm = torque;
    step->work->throttle = step->throttle;
    step->work->brake = step->input->brake;
}

static void drive(physics_car_step *step) {
    physics_aero_forces(step);
    physics_stance_loads(step);
    physics_aids_apply(step);
    predict_tyres(step);
    physics_driveline_step(step);
    force_sum sum = sum_tyres(step);
    accelerate(step, &sum);
    step->yaw_radps += step->h_s * sum.yaw_nm / step->type->inertia_yaw_kgm2;
    lean(step);
    physics_tyres_age(step);
    report_wheels(step);
}

static bool is_sane(const physics_car *car) {
    real sum = R(0.0);
    for (uint32_t i = 0; i < 3; i++) {
        sum += car->velocity_mps[i] + car->angular_radps[i];
    }
    for (uint32_t w = 0; w < APEX_WHEELS_MAX; w++) {
        sum += car->wheels[w].spin_radps + car->wheels[w].deflection_long_m +
               car->wheels[w].deflection_lat_m;
    }
    sum += car->engine_radps + car->steer_rad + car->lean_rad + car->fuel_kg;
    const double LIMIT_M = 1e7, LIMIT_MPS = 1000.0, LIMIT_RADPS = 1000.0;
    bool is_near = true;
    for (uint32_t i = 0; i < 3; i++) {
        is_near = is_near && fabs(car->position_m[i]) < LIMIT_M &&
                  fabs((double)car->velocity_mps[i]) < LIMIT_MPS &&
                  fabs((double)car->angular_radps[i]) < LIMIT_RADPS;
    }
    return is_near && real_is_finite(sum);
}

static double within_the_world_m(double position_m) {
    return fabs(position_m) < 1e7 ? position_m : 0.0; // no for a NaN, too
}

// Nothing may spread from a car whose numbers have left the range: it stands where it last was.
static void stop_bad_car(apex_world *world, uint32_t slot, const double last_position_m[3]) {
    const physics_car *car = &world->cars[slot];
    double q[4] = {car->orientation[0], car->orientation[1], car->orientation[2],
                   car->orientation[3]};
    double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    double x[3] = {1.0, 0.0, 0.0}, y[3], z[3];
    if (fabs(norm - 1.0) < 1e-3) {
        physics_quaternion_axes(q, x, y, z);
    }
    apex_placement at = {.x_m = within_the_world_m(last_position_m[0]),
                         .y_m = within_the_world_m(last_position_m[1]),
                         .z_m = within_the_world_m(last_position_m[2])};
    physics_car_place(world, slot, &at);
    physics_car_face(&world->cars[slot], x[0], x[1]);
    physics_event_raise(world, slot, APEX_CAR_STOPPED_BAD, (double)slot);
}

void physics_car_forces(apex_world *world, uint32_t slot) {
    physics_car *car = &world->cars[slot];
    physics_car_step step = {.world = world,
                             .slot = slot,
                             .type = &world->types[car->type],
                             .input = &world->inputs[slot],
                             .car = car,
                             .work = &world->works[slot],
                             .h_s = world->h_s};
    physics_stance_sample(&step);
    physics_steer(&step);
    physics_gearbox_step(&step);
    if (car->held) {
        hold(&step);
    } else if (step.type->def.model == APEX_CAR_KINEMATIC) {
        physics_kinematic_forces(&step);
    } else {
        drive(&step);
    }
    if (!is_sane(car) || !real_is_finite(step.yaw_radps)) {
        stop_bad_car(world, slot, car->position_m);
        step.yaw_radps = R(0.0);
    }
    prepare_body(&step);
}

// Where the body's up axis wants to be: along the ground's normal, dipped by the springs.
static void tilt_target(const physics_car *car, const physics_type *type, const real normal[3],
                        const double heading[2], double up[3]) {
    double pitch = (double)(type->pitch_rad_per_mps2 * car->acceleration_mps2[0]);
    double roll = (double)(type->roll_rad_per_mps2 * car->acceleration_mps2[1]), upright = 1.0;
    if (type->def.model == APEX_CAR_MOTORCYCLE) {
        roll = (double)real_sin(car->lean_rad);
        upright = (double)real_cos(car->lean_rad);
    }
    // Nose up moves the up axis backwards; ISO roll, left side up, moves it right.
    for (int32_t i = 0; i < 3; i++) {
        up[i] = upright * (double)normal[i];
    }
    up[0] += -pitch * heading[0] + roll * heading[1];
    up[1] += -pitch * heading[1] - roll * heading[0];
}

static void turn_body(apex_world *world, uint32_t slot, real yaw_radps) {
    physics_car *car = &world->cars[slot];
    const physics_type *type = &world->types[car->type];
    double x[3], y[3], up[3], target[3], next[3], h = (double)world->h_s;
    physics_quaternion_axes(car->orientation, x, y, up);
    double flat = sqrt(x[0] * x[0] + x[1] * x[1]);
    double heading[2] = {flat > 1e-9 ? x[0] / flat : 1.0, flat > 1e-9 ? x[1] / flat : 0.0};
    double turn = h * (double)yaw_radps;
    double turned[2] = {heading[0] - turn * heading[1], heading[1] + turn * heading[0]};
    tilt_target(car, type, world->works[slot].ground_normal, heading, target);
    double share = car->airborne ? 0.0 : h * (double)TILT_PER_S / (1.0 + h * (double)TILT_PER_S);
    for (int32_t i = 0; i < 3; i++) {
        next[i] = up[i] + (target[i] - up[i]) * share;
    }
    if (car->airborne) { // nothing turns it: it goes on tilting as it did
        const real *w = car->angular_radps;
        next[0] += h * ((double)w[1] * up[2] - (double)w[2] * up[1]) + turn * up[1];
        next[1] += h * ((double)w[2] * up[0] - (double)w[0] * up[2]) - turn * up[0];
        next[2] += h * ((double)w[0] * up[1] - (double)w[1] * up[0]);
        next[2] = next[2] > 0.1 ? next[2] : 0.1;
    }
    double length = sqrt(next[0] * next[0] + next[1] * next[1] + next[2] * next[2]);
    for (int32_t i = 0; i < 3; i++) {
        next[i] /= length;
        car->angular_radps[i] = yaw_radps * (real)next[i];
    }
    car->angular_radps[0] += (real)((up[1] * next[2] - up[2] * next[1]) / h);
    car->angular_radps[1] += (real)((up[2] * next[0] - up[0] * next[2]) / h);
    car->angular_radps[2] += (real)((up[0] * next[1] - up[1] * next[0]) / h);
    physics_car_orient(car, turned, next);
}

void physics_car_orient(physics_car *car, const double heading[2], const double up[3]) {
    double rise = -(up[0] * heading[0] + up[1] * heading[1]) / up[2];
    double length = sqrt(heading[0] * heading[0] + heading[1] * heading[1] + rise * rise);
    double x[3] = {heading[0] / length, heading[1] / length, rise / length};
    double y[3] = {up[1] * x[2] - up[2] * x[1], up[2] * x[0] - up[0] * x[2],
                   up[0] * x[1] - up[1] * x[0]};
    quaternion_from_axes(x, y, up, car->orientation);
}

void physics_car_face(physics_car *car, double heading_x, double heading_y) {
    const double heading[2] = {heading_x, heading_y}, up[3] = {0.0, 0.0, 1.0};
    if (heading_x * heading_x + heading_y * heading_y > 1e-12) {
        physics_car_orient(car, heading, up);
    }
}

static void note_flight(apex_world *world, uint32_t slot) {
    physics_car *car = &world->cars[slot];
    const physics_type *type = &world->types[car->type];
    const physics_work *work = &world->works[slot];
    real hang = -(work->ground_height_m * work->ground_normal[2]);
    bool is_off = hang > type->travel_rebound_m + R(0.05);
    bool is_down = hang < type->travel_rebound_m;
    if (!car->airborne && is_off) {
        car->airborne = true;
        const real *v = car->velocity_mps;
        physics_event_raise(world, slot, APEX_CAR_TOOK_OFF,
                            (double)real_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    } else if (car->airborne && is_down) {
        car->airborne = false;
        physics_event_raise(world, slot, APEX_CAR_LANDED, (double)car->velocity_mps[2]);
    }
}

void physics_car_move(apex_world *world, uint32_t slot) {
    physics_car *car = &world->cars[slot];
    const physics_body *body = &world->bodies[slot];
    if (car->held) {
        return;
    }
    const double last[3] = {car->position_m[0], car->position_m[1], car->position_m[2]};
    double h = (double)world->h_s;
    if (world->types[car->type].def.model == APEX_CAR_KINEMATIC) {
        physics_kinematic_hit(car, &world->types[car->type], body);
    }
    car->velocity_mps[0] = body->velocity_x_mps;
    car->velocity_mps[1] = body->velocity_y_mps;
    car->position_m[0] += h * (double)body->velocity_x_mps + (double)body->push_x_m;
    car->position_m[1] += h * (double)body->velocity_y_mps + (double)body->push_y_m;
    car->position_m[2] += h * (double)car->velocity_mps[2];
    turn_body(world, slot, body->yaw_radps);
    note_flight(world, slot);
    if (!is_sane(car)) {
        stop_bad_car(world, slot, last);
    }
}
