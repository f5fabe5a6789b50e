// A car as its driver knows it: how much it can corner, pull and brake.
#include "driver_private.h"

#include "base/trig.h"

#include <math.h>

static const double GRAVITY_MPS2 = 9.81;
static const double AIR_KG_PER_M3 = 1.225;
static const double RPM_PER_RADPS = 30.0 / APEX_PI;
static const double KINEMATIC_SIDE_G = 0.8; // such a car does not slide, but looks absurd beyond

// Axles before and behind the centre of mass, taken together.
typedef struct axle_group {
    uint32_t axles, wheels;
    double x_m, track_width_m;
    double brake_nm, lock_brake_n;
    double d_lat, d_long, load_nominal_n, load_sensitivity;
} axle_group;

static axle_group group_of(const apex_car_def *def, bool front) {
    axle_group group = {0};
    for (uint32_t i = 0; i < def->axle_count; i++) {
        const apex_axle_def *axle = &def->axles[i];
        if ((axle->x_m > 0.0) != front) {
            continue;
        }
        uint32_t wheels = axle->track_width_m > 0.0 ? 2 : 1;
        group.axles++;
        group.wheels += wheels;
        group.x_m += axle->x_m;
        group.track_width_m += axle->track_width_m;
        group.brake_nm += wheels * axle->brake.torque_nm_max;
        group.lock_brake_n += wheels * axle->brake.torque_nm_max / axle->tyre.radius_m;
        group.d_lat += axle->tyre.lateral.d;
        group.d_long += axle->tyre.longitudinal.d;
        group.load_nominal_n += axle->tyre.load_nominal_n;
        group.load_sensitivity += axle->tyre.load_sensitivity;
    }
    double share = group.axles > 0 ? 1.0 / group.axles : 0.0;
    group.x_m *= share;
    group.track_width_m *= share;
    group.d_lat *= share;
    group.d_long *= share;
    group.load_nominal_n *= share;
    group.load_sensitivity *= share;
    return group;
}

// Friction falls with load, so a pair that shares its load as (1 + t) and (1 - t) has on average
// what one wheel at load (1 + t^2) has.
static double load_factor(const axle_group *group, double load_n, double transfer) {
    if (group->wheels == 0 || group->load_nominal_n <= 0.0) {
        return 1.0;
    }
    double wheel_n = load_n / group->wheels * (1.0 + transfer * transfer);
    double factor = 1.0 - group->load_sensitivity * (wheel_n / group->load_nominal_n - 1.0);
    return factor < 0.3 ? 0.3 : factor > 1.5 ? 1.5 : factor;
}

static double transfer_of(const axle_group *group, double com_height_m, double side_g) {
    if (group->track_width_m <= 0.0) {
        return 0.0;
    }
    double transfer = 2.0 * com_height_m * side_g / group->track_width_m;
    return transfer < 1.0 ? transfer : 1.0;
}

static double lesser(double a, double b) {
    return a < b ? a : b;
}

// Slip at which the curve peaks: for the magic formula where B s - E (B s - atan B s) = tan(pi /
// 2C), found by walking; sizes of slip beyond 0.4 are no use to a driver.
static double peak_slip(const apex_tyre_def *tyre) {
    enum { STEPS = 195 };
    const apex_tyre_axis *axis = &tyre->lateral;
    double best = 0.4;
    if (tyre->model == APEX_TYRE_MAGIC) {
        double highest = -1.0;
        for (int step = 0; step <= STEPS; step++) {
            double slip = 0.01 + 0.002 * step;
            double bs = axis->b * slip;
            double force = apex_sin(axis->c * apex_atan(bs - axis->e * (bs - apex_atan(bs))));
            if (force > highest) {
                highest = force;
                best = slip;
            }
        }
    } else if (axis->stiffness > 0.0) {
        best = (tyre->model == APEX_TYRE_BRUSH ? 3.0 : 1.0) * axis->d / axis->stiffness;
    }
    return best < 0.03 ? 0.03 : best > 0.4 ? 0.4 : best;
}

static void read_geometry(driver_car *car, const axle_group *front, const axle_group *rear) {
    const apex_car_def *def = car->def;
    car->wheelbase_m = front->x_m - rear->x_m;
    if (car->wheelbase_m < 0.3) {
        car->wheelbase_m = 0.3;
    }
    car->front_m = front->x_m;
    car->rear_m = -rear->x_m;
    car->half_width_m = 0.5 * def->hull.width_m;
    car->half_length_m = 0.5 * def->hull.length_m;
    double angle_rad = def->steering.angle_rad_max;
    car->steer_rad_max = angle_rad > 0.01 ? angle_rad : 0.01;
    car->slip_peak_rad = peak_slip(&def->axles[0].tyre);
}

// A motorcycle leans no further than its rider dares, and pulls and brakes no harder than would
// lift a wheel (g c / h, g b / h).
static void read_balance(driver_car *car) {
    const double LEAN_SHARE = 0.72, BALANCE_SHARE = 0.85;
    double height_m = car->def->com_height_m;
    double pull = car->rear_m / height_m, brake = car->front_m / height_m;
    car->grip_lat *= LEAN_SHARE;
    car->grip_long = lesser(car->grip_long, BALANCE_SHARE * lesser(pull, brake));
    car->drive_grip = 1.0; // all of the weight is on the driven wheel before the front one lifts
}

static void read_grip(driver_car *car, const axle_group *front, const axle_group *rear) {
    const apex_car_def *def = car->def;
    double weight_n = car->mass_kg * GRAVITY_MPS2;
    double front_n = weight_n * -rear->x_m / car->wheelbase_m;
    double front_t = transfer_of(front, def->com_height_m, front->d_lat);
    double rear_t = transfer_of(rear, def->com_height_m, rear->d_lat);
    double front_factor = load_factor(front, front_n, 0.0);
    double rear_factor = load_factor(rear, weight_n - front_n, 0.0);
    car->grip_lat = lesser(front->d_lat * load_factor(front, front_n, front_t),
                           rear->d_lat * load_factor(rear, weight_n - front_n, rear_t));
    car->grip_long = lesser(front->d_long * front_factor, rear->d_long * rear_factor);
    double front_share = 0.0;
    for (uint32_t i = 0; i < def->axle_count; i++) {
        front_share += def->axles[i].x_m > 0.0 ? def->axles[i].drive_share : 0.0;
    }
    double load_front = front_n / weight_n;
    car->drive_grip = front_share > 0.99 ? load_front : front_share < 0.01 ? 1.0 - load_front : 1.0;
    if (car->leans) {
        read_balance(car);
    }
}

// The pedal at which the first axle would lock: braking moves load forward by h a / L.
static void read_brakes(driver_car *car, const axle_group *front, const axle_group *rear) {
    const apex_car_def *def = car->def;
    double mass_kg = car->mass_kg;
    double full_mps2 = (front->lock_brake_n + rear->lock_brake_n) / mass_kg;
    double grip = car->grip_long;
    double base_m = car->wheelbase_m;
    double moved = grip * full_mps2 * def->com_height_m / base_m;
    double front_left = front->lock_brake_n / mass_kg - moved;
    double front_pedal =
        front_left > 0.0 ? grip * GRAVITY_MPS2 * -rear->x_m / base_m / front_left : 1.0;
    double rear_pedal =
        grip * GRAVITY_MPS2 * front->x_m / base_m / (rear->lock_brake_n / mass_kg + moved + 1e-9);
    double pedal =
        def->aids.abs >= 0.5 ? grip * GRAVITY_MPS2 / full_mps2 : lesser(front_pedal, rear_pedal);
    car->brake_mps2_full = full_mps2;
    car->brake_pedal_max = pedal > 1.0 ? 1.0 : pedal < 0.05 ? 0.05 : pedal;
}

static void read_resistance(driver_car *car) {
    const apex_car_def *def = car->def;
    car->drag_n_per_mps2 =
        0.5 * AIR_KG_PER_M3 * def->aero.drag_coefficient * def->aero.frontal_area_m2;
    double lift_m2 = def->aero.lift_front_m2 + def->aero.lift_rear_m2;
    car->downforce_n_per_mps2 = -0.5 * AIR_KG_PER_M3 * lift_m2;
    car->rolling_mps2 = def->axles[0].tyre.rolling_coefficient * GRAVITY_MPS2;
    car->driven_radius_m = def->axles[0].tyre.radius_m;
    for (uint32_t i = 0; i < def->axle_count; i++) {
        if (def->axles[i].drive_share > 0.0) {
            car->driven_radius_m = def->axles[i].tyre.radius_m;
        }
    }
}

driver_car driver_car_of(const apex_car_def *def) {
    axle_group front = group_of(def, true);
    axle_group rear = group_of(def, false);
    driver_car car = {
        .def = def,
        .kinematic = def->model == APEX_CAR_KINEMATIC,
        .leans = def->model == APEX_CAR_MOTORCYCLE,
        .mass_kg = def->mass_kg + def->fuel_kg_max,
    };
    read_geometry(&car, &front, &rear);
    read_grip(&car, &front, &rear);
    read_brakes(&car, &front, &rear);
    read_resistance(&car);
    if (car.kinematic) {
        car.grip_lat = KINEMATIC_SIDE_G;
        car.brake_mps2_full = def->kinematic.braking_mps2_max;
        car.brake_pedal_max = 1.0;
        car.drag_n_per_mps2 = car.downforce_n_per_mps2 = car.rolling_mps2 = 0.0;
    }
    return car;
}

static double torque_nm(const apex_engine_def *engine, double rpm) {
    uint32_t last = engine->torque_count - 1;
    if (rpm <= engine->torque_rpm[0]) {
        return engine->torque_nm[0];
    }
    for (uint32_t i = 1; i <= last; i++) {
        if (rpm < engine->torque_rpm[i]) {
            double share = (rpm - engine->torque_rpm[i - 1]) /
                           (engine->torque_rpm[i] - engine->torque_rpm[i - 1]);
            return engine->torque_nm[i - 1] +
                   share * (engine->torque_nm[i] - engine->torque_nm[i - 1]);
        }
    }
    return engine->torque_nm[last];
}

double driver_car_rpm(const driver_car *car, uint32_t gear, double speed_mps) {
    const apex_gearbox_def *box = &car->def->gearbox;
    return speed_mps / car->driven_radius_m * box->ratio[gear - 1] * box->final_drive *
           RPM_PER_RADPS;
}

double driver_car_gear_force_n(const driver_car *car, uint32_t gear, double speed_mps) {
    const apex_car_def *def = car->def;
    if (car->kinematic) {
        return speed_mps < def->kinematic.speed_mps_max
                   ? def->kinematic.acceleration_mps2_max * car->mass_kg
                   : 0.0;
    }
    if (gear < 1 || gear > def->gearbox.gear_count || def->engine.torque_count == 0) {
        return 0.0;
    }
    double ratio = def->gearbox.ratio[gear - 1] * def->gearbox.final_drive;
    double rpm = driver_car_rpm(car, gear, speed_mps);
    if (rpm > def->engine.limiter_rpm) {
        return 0.0;
    }
    return torque_nm(&def->engine, rpm) * ratio * def->gearbox.efficiency / car->driven_radius_m;
}

double driver_car_force_n(const driver_car *car, double speed_mps) {
    double best_n = 0.0;
    for (uint32_t gear = 1; gear == 1 || gear <= car->def->gearbox.gear_count; gear++) {
        double force_n = driver_car_gear_force_n(car, gear, speed_mps);
        best_n = force_n > best_n ? force_n : best_n;
    }
    return best_n;
}
