// A car as its driver knows it: how much it can corner, pull and brake.
#include "driver/plan/car_model.h"

#include <math.h>

#include "base/trig.h"

static const double AIR_KG_PER_M3 = 1.225;
static const double PRESSED_TIMES = 3.0;    // a car's weight, by the wings of the fastest
static const double KINEMATIC_SIDE_G = 0.8; // such a car does not slide, but looks absurd beyond

// Axles before and behind the centre of mass, taken together.
typedef struct axle_group {
    uint32_t axles, wheels;
    double x_m, track_width_m;
    double lock_brake_n, drive_share;
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
        group.drive_share += axle->drive_share;
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

// Side force at a slip, of the tyre's largest.
static double side_force(const apex_tyre_def *tyre, double slip) {
    const apex_tyre_axis *axis = &tyre->lateral;
    if (tyre->model == APEX_TYRE_MAGIC) {
        double bs = axis->b * slip;
        return apex_sin(axis->c * apex_atan(bs - axis->e * (bs - apex_atan(bs))));
    }
    double share = axis->d > 0.0 ? lesser(slip * axis->stiffness / axis->d, 3.0) : 3.0;
    if (tyre->model == APEX_TYRE_BRUSH) {
        double left = 1.0 - share / 3.0;
        return 1.0 - left * left * left;
    }
    return lesser(share, 1.0);
}

// Slips that give equal steps of force up to where the curve peaks, found by walking; slip beyond
// 0.4 is no use to a driver.
static void read_slips(driver_car *car, const apex_tyre_def *tyre) {
    enum { STEPS = 400 };
    const double STEP_RAD = 0.001, PEAK_MIN_RAD = 0.03;
    double highest = 0.0;
    for (int step = 1; step <= STEPS; step++) {
        double force = side_force(tyre, STEP_RAD * step);
        if (force > highest + 1e-6) {
            highest = force;
            car->slip_peak_rad = STEP_RAD * step;
        }
    }
    car->slip_peak_rad = car->slip_peak_rad < PEAK_MIN_RAD ? PEAK_MIN_RAD : car->slip_peak_rad;
    int next = 1;
    for (int step = 1; step <= STEPS && next < DRIVER_SLIPS; step++) {
        double share = side_force(tyre, STEP_RAD * step) / highest;
        while (next < DRIVER_SLIPS && share * (DRIVER_SLIPS - 1) >= next) {
            car->slip_rad[next++] = STEP_RAD * step;
        }
    }
    while (next < DRIVER_SLIPS) {
        car->slip_rad[next++] = car->slip_peak_rad;
    }
}

double driver_car_slip_rad(const driver_car *car, double share) {
    double size = lesser(fabs(share), 1.0) * (DRIVER_SLIPS - 1);
    int index = size < DRIVER_SLIPS - 2 ? (int)size : DRIVER_SLIPS - 2;
    const double *slip = &car->slip_rad[index];
    double slip_rad = slip[0] + (size - index) * (slip[1] - slip[0]);
    return share < 0.0 ? -slip_rad : slip_rad;
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
    read_slips(car, &def->axles[0].tyre);
}

// A motorcycle leans no further than its rider dares, and pulls and brakes no harder than would
// lift a wheel (g c / h, g b / h).
static void read_balance(driver_car *car) {
    const double LEAN_SHARE = 0.685, BALANCE_SHARE = 0.85;
    double height_m = car->def->com_height_m;
    double pull = car->rear_m / height_m, brake = car->front_m / height_m;
    car->grip_lat *= LEAN_SHARE;
    car->grip_long = lesser(car->grip_long, BALANCE_SHARE * lesser(pull, brake));
    car->drive_grip = 1.0; // all of the weight is on the driven wheel before the front one lifts
}

static void read_axles(driver_car *car, const axle_group *front, const axle_group *rear) {
    const axle_group *groups[2] = {front, rear};
    double lock_n = front->lock_brake_n + rear->lock_brake_n;
    double weight_n = car->mass_kg * car->gravity_mps2;
    car->com_height_m = car->def->com_height_m;
    car->brake_mps2_full = lock_n / car->mass_kg;
    for (int i = 0; i < 2; i++) {
        const axle_group *group = groups[i];
        driver_axle *axle = &car->axles[i];
        axle->gains = i == 0 ? 1.0 : -1.0;
        axle->weight_share = (i == 0 ? -rear->x_m : front->x_m) / car->wheelbase_m;
        axle->brake_share = lock_n > 0.0 ? group->lock_brake_n / lock_n : 0.0;
        axle->drive_share = group->drive_share;
        double load_n = axle->weight_share * weight_n;
        double transfer = transfer_of(group, car->com_height_m, group->d_lat);
        axle->grip_lat = group->d_lat * load_factor(group, load_n, transfer);
        axle->grip_long = group->d_long * load_factor(group, load_n, 0.0);
    }
}

static void read_grip(driver_car *car) {
    const driver_axle *front = &car->axles[0];
    const driver_axle *rear = &car->axles[1];
    car->grip_lat = lesser(front->grip_lat, rear->grip_lat);
    car->grip_long = lesser(front->grip_long, rear->grip_long);
    car->drive_grip = front->drive_share > 0.99   ? front->weight_share
                      : front->drive_share < 0.01 ? rear->weight_share
                                                  : 1.0;
    if (car->leans) {
        read_balance(car);
    }
}

static void read_resistance(driver_car *car) {
    const apex_car_def *def = car->def;
    car->drag_n_per_mps2 =
        0.5 * AIR_KG_PER_M3 * def->aero.drag_coefficient * def->aero.frontal_area_m2;
    double lift_m2 = def->aero.lift_front_m2 + def->aero.lift_rear_m2;
    // Tyres under more load grip less for each newton, so downforce counts for less than it is.
    double counts = 1.0 - PRESSED_TIMES * def->axles[0].tyre.load_sensitivity;
    car->downforce_n_per_mps2 = -0.5 * AIR_KG_PER_M3 * lift_m2 * (counts > 0.0 ? counts : 0.0);
    car->rolling_mps2 = def->axles[0].tyre.rolling_coefficient * car->gravity_mps2;
    car->driven_radius_m = def->axles[0].tyre.radius_m;
    for (uint32_t i = 0; i < def->axle_count; i++) {
        if (def->axles[i].drive_share > 0.0) {
            car->driven_radius_m = def->axles[i].tyre.radius_m;
        }
    }
}

driver_car driver_car_of(const apex_car_def *def, double gravity_mps2) {
    axle_group front = group_of(def, true);
    axle_group rear = group_of(def, false);
    driver_car car = {
        .def = def,
        .gravity_mps2 = gravity_mps2,
        .kinematic = def->model == APEX_CAR_KINEMATIC,
        .leans = def->model == APEX_CAR_MOTORCYCLE,
        .mass_kg = def->mass_kg + def->fuel_kg_max,
    };
    read_geometry(&car, &front, &rear);
    read_axles(&car, &front, &rear);
    read_grip(&car);
    read_resistance(&car);
    if (car.kinematic) {
        car.grip_lat = KINEMATIC_SIDE_G;
        car.brake_mps2_full = def->kinematic.braking_mps2_max;
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
           APEX_RPM_PER_RADPS;
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

uint32_t driver_car_low_gear(const driver_car *car, double speed_mps) {
    const apex_gearbox_def *box = &car->def->gearbox;
    uint32_t gear = 1;
    while (gear < box->gear_count && driver_car_rpm(car, gear, speed_mps) > box->shift_up_rpm) {
        gear++;
    }
    return gear;
}

double driver_car_engine_mps2(const driver_car *car, uint32_t gear, double speed_mps) {
    const apex_gearbox_def *box = &car->def->gearbox;
    if (car->kinematic || gear < 1 || gear > box->gear_count || speed_mps < 3.0) {
        return 0.0; // so slowly the clutch slips
    }
    double torque = car->def->engine.brake_nm_per_rps * driver_car_rpm(car, gear, speed_mps) / 60.0;
    double ratio = box->ratio[gear - 1] * box->final_drive;
    return torque * ratio / (car->driven_radius_m * car->mass_kg);
}
