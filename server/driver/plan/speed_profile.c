// The speed at every station: first what each bend allows by itself, then what braking for the next
// one and pulling out of the last one leave of it.
#include "driver/plan/speed_profile.h"

#include <math.h>

#include "driver/plan/axle_load.h"
#include "driver/plan/car_model.h"
#include "driver/plan/racing_line.h"

static const double CORNER_SHARE = 0.9; // of the grip; what is left catches mistakes
static const double LEAN_SHARE = 0.6;   // of the banking: cars that understeer run wide on it
static const double BRAKE_SHARE = 0.88;
static const double SIDE_SPARE_MPS2 = 1.0; // never counted on while braking
static const double DRIVE_SHARE = 0.85;
static const double STRAIGHT_PER_M = 1.0 / 2000.0; // no car needs its tyres there

static double least(double a, double b) {
    return a < b ? a : b;
}

static double most(double a, double b) {
    return a > b ? a : b;
}

// From m v^2 k = mu (m g + d v^2 + m c v^2), tilted by the banking: d downforce, c the road's
// vertical curvature. Banking helps when the road leans into the bend.
static double corner_mps(const driver_car *car, const driver_station *station) {
    double bend = fabs(station->curvature_per_m);
    double lean = station->curvature_per_m > 0.0 ? -station->banking_rad : station->banking_rad;
    if (car->leans) {
        lean = least(lean, 0.0); // a rider leans from the vertical, however the road lies
    }
    double grip = CORNER_SHARE * car->grip_lat * station->friction;
    double tilted = (grip + LEAN_SHARE * lean) / most(1.0 - grip * lean, 0.2);
    double pressed = car->downforce_n_per_mps2 / car->mass_kg + station->crest_per_m;
    double left = bend - most(tilted, 0.05) * least(pressed, 0.5 * bend);
    // A car may leave a road that hardly bends, as far as leap_mps lets it.
    bool straight = bend < STRAIGHT_PER_M && station->crest_per_m < 0.0;
    if (left < 1e-6 || straight) {
        return station->leap_mps;
    }
    return least(sqrt(most(tilted, 0.05) * car->gravity_mps2 / left), station->leap_mps);
}

// @return the load of the car on the road, for each kilogram of it: less over a crest, more in a
// dip.
static double pressed_mps2(const driver_car *car, const driver_station *station, double speed_mps) {
    double per_m = car->downforce_n_per_mps2 / car->mass_kg + station->crest_per_m;
    return most(car->gravity_mps2 + per_m * speed_mps * speed_mps, 0.1 * car->gravity_mps2);
}

// Share of the grip that cornering leaves for braking or pulling: less than the circle's
// sqrt(1 - u^2), since braking unloads the rear axle and pulling the front one.
static double grip_left(const driver_car *car, const driver_station *station, double speed_mps) {
    // A banking is not counted on where it helps (trucks slid), but where a car must be held on it.
    double pressed = least(pressed_mps2(car, station, speed_mps), car->gravity_mps2);
    double limit_mps2 = car->grip_lat * station->friction * pressed;
    double bend_mps2 = station->curvature_per_m * speed_mps * speed_mps;
    double banked_mps2 = bend_mps2 + car->gravity_mps2 * station->banking_rad;
    double used = fabs(bend_mps2) / most(limit_mps2, 0.1);
    double held = least(fabs(banked_mps2) / most(limit_mps2, 0.1), 1.0);
    return most(least(1.0 - used, sqrt(1.0 - held * held)), 0.1);
}

static double resistance_mps2(const driver_car *car, double speed_mps) {
    return car->drag_n_per_mps2 * speed_mps * speed_mps / car->mass_kg + car->rolling_mps2;
}

static double braking_mps2(const driver_car *car, const driver_station *station, double speed_mps) {
    double bend_mps2 = station->curvature_per_m * speed_mps * speed_mps;
    double held_mps2 = fabs(bend_mps2 + car->gravity_mps2 * station->banking_rad);
    driver_load load = {
        .pressed_mps2 = pressed_mps2(car, station, speed_mps),
        .side_mps2 = SIDE_SPARE_MPS2 + most(fabs(bend_mps2), held_mps2) / CORNER_SHARE,
        .engine_mps2 = driver_car_engine_mps2(car, driver_car_low_gear(car, speed_mps), speed_mps),
        .friction = station->friction,
    };
    double brakes_mps2 =
        car->kinematic ? car->brake_mps2_full : driver_axles_brake_mps2(car, &load);
    if (car->leans) { // a rider who leans brakes less than his tyres would let him
        double balance_mps2 = car->grip_long * station->friction * load.pressed_mps2;
        brakes_mps2 = least(brakes_mps2, balance_mps2) * grip_left(car, station, speed_mps);
    }
    return BRAKE_SHARE * (brakes_mps2 + load.engine_mps2) + resistance_mps2(car, speed_mps) +
           car->gravity_mps2 * station->slope_rad;
}

static double pulling_mps2(const driver_car *car, const driver_station *station, double speed_mps) {
    double engine_mps2 = driver_car_force_n(car, speed_mps) / car->mass_kg;
    double pressed = least(pressed_mps2(car, station, speed_mps), car->gravity_mps2);
    double grip_mps2 = car->grip_long * car->drive_grip * station->friction * pressed;
    double left = grip_left(car, station, speed_mps);
    // Traction holds a car on more of the circle; a rider who pulls while he leans runs wide.
    grip_mps2 *= DRIVE_SHARE * left * (car->leans ? 1.0 : 2.0 - left);
    double pull_mps2 = car->kinematic ? engine_mps2 : least(engine_mps2, grip_mps2);
    return pull_mps2 - resistance_mps2(car, speed_mps) - car->gravity_mps2 * station->slope_rad;
}

static double distance_m(const driver_station *a, const driver_station *b) {
    double x_m = b->x_m - a->x_m;
    double y_m = b->y_m - a->y_m;
    return sqrt(x_m * x_m + y_m * y_m);
}

// Through three points: twice the turning of the chords over the way between.
static double curvature_at(const apex_driver_plan *plan, uint32_t index, int64_t reach) {
    const driver_station *before = &plan->stations[driver_line_index(plan, index, -reach)];
    const driver_station *here = &plan->stations[index];
    const driver_station *after = &plan->stations[driver_line_index(plan, index, reach)];
    double a_m = distance_m(before, here);
    double b_m = distance_m(here, after);
    double c_m = distance_m(before, after);
    double cross = (here->x_m - before->x_m) * (after->y_m - here->y_m) -
                   (here->y_m - before->y_m) * (after->x_m - here->x_m);
    return 2.0 * cross / most(a_m * b_m * c_m, 1e-6);
}

static void read_tangent(apex_driver_plan *plan, uint32_t index) {
    const driver_station *before = &plan->stations[driver_line_index(plan, index, -1)];
    const driver_station *after = &plan->stations[driver_line_index(plan, index, 1)];
    double length_m = most(distance_m(before, after), 1e-6);
    plan->stations[index].tangent_x = (after->x_m - before->x_m) / length_m;
    plan->stations[index].tangent_y = (after->y_m - before->y_m) / length_m;
}

static void limit_by(apex_driver_plan *plan, uint32_t from, uint32_t to, bool braking) {
    const driver_station *before = &plan->stations[from];
    driver_station *here = &plan->stations[to];
    double speed_mps = before->speed_mps;
    double change_mps2 = braking ? braking_mps2(&plan->car, here, speed_mps)
                                 : pulling_mps2(&plan->car, before, speed_mps);
    double square = speed_mps * speed_mps + 2.0 * change_mps2 * distance_m(before, here);
    here->speed_mps = least(here->speed_mps, sqrt(most(square, 1.0)));
}

void driver_set_speeds(apex_driver_plan *plan) {
    for (uint32_t i = 0; i < plan->count; i++) {
        driver_station *station = &plan->stations[i];
        station->curvature_per_m = curvature_at(plan, i, 2);
        station->speed_mps = corner_mps(&plan->car, station);
        read_tangent(plan, i);
    }
    uint32_t last = plan->count - 1;
    if (!plan->closed) {
        plan->stations[last].speed_mps = 1.0; // the tarmac ends here
    }
    uint32_t rounds = plan->closed ? 2 : 1; // the second round starts from what the first found
    for (uint32_t i = 0; i < rounds * plan->count; i++) {
        uint32_t from = last - i % plan->count;
        if (plan->closed || from > 0) {
            limit_by(plan, from, driver_line_index(plan, from, -1), true);
        }
    }
    for (uint32_t i = 0; plan->closed && i < rounds * plan->count; i++) {
        uint32_t from = i % plan->count;
        limit_by(plan, from, driver_line_index(plan, from, 1), false);
    }
}
