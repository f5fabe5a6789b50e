// Textbook formulas of wheel loads, their limits, and a car's turning.

#include "proving/paper/textbook.h"

#include "base/assert.h"
#include "base/trig.h"

#include <math.h>

static double wheels_of(const apex_axle_def *axle) {
    return axle->track_width_m > 0.0 ? 2.0 : 1.0;
}

/// A car full of fuel, seen from where its mass then is.
typedef struct chassis {
    double mass_kg;
    double x_m[APEX_AXLES_MAX];
    uint32_t last;
} chassis;

static chassis chassis_of(const apex_car_def *def) {
    chassis car = {.mass_kg = def->mass_kg + def->fuel_kg_max, .last = def->axle_count - 1};
    double shift = def->fuel_kg_max * def->fuel_x_m / car.mass_kg;
    APEX_ASSERT(def->axle_count >= 2 && def->axle_count <= APEX_AXLES_MAX);
    for (uint32_t a = 0; a < def->axle_count; a++) {
        car.x_m[a] = def->axles[a].x_m - shift;
    }
    return car;
}

static double in_series(double a, double b) {
    return a * b / (a + b);
}

// A rigid body on the axles' springs, which for two axles is the lever rule, whatever they are:
// load = rate (k2 - k1 x) / (k0 k2 - k1^2) W, and a moment tilts it.
void apex_textbook_axle_loads(const apex_car_def *def, double gravity_mps2, double forward_mps2,
                              double out_n[APEX_AXLES_MAX]) {
    const chassis car = chassis_of(def);
    double weight = car.mass_kg * gravity_mps2;
    double moment = def->com_height_m * car.mass_kg * forward_mps2; // lifts the nose
    double rate[APEX_AXLES_MAX], k0 = 0.0, k1 = 0.0, k2 = 0.0;
    for (uint32_t a = 0; a <= car.last; a++) {
        const apex_axle_def *axle = &def->axles[a];
        rate[a] = wheels_of(axle) *
                  in_series(axle->suspension.spring_n_per_m, axle->tyre.vertical_stiffness_n_per_m);
        k0 += rate[a];
        k1 += rate[a] * car.x_m[a];
        k2 += rate[a] * car.x_m[a] * car.x_m[a];
        out_n[a] = 0.0;
    }
    if (car.last == 1) {
        double wheelbase = car.x_m[0] - car.x_m[1];
        out_n[0] = -car.x_m[1] / wheelbase * weight - moment / wheelbase;
        out_n[1] = weight - out_n[0];
        return;
    }
    double per = 1.0 / (k0 * k2 - k1 * k1);
    for (uint32_t a = 0; a <= car.last; a++) {
        double x = car.x_m[a];
        out_n[a] = rate[a] * per * (weight * (k2 - k1 * x) - moment * (k0 * x - k1));
    }
}

/// The part of an axle in holding the body up in a bend.
typedef struct axle_roll {
    double kg;           ///< of the mass, that it leads round the bend
    double stiffness_nm; ///< for each radian: springs and bar on top of the tyres
    double centre_m;     ///< lever that its links take from the springs
} axle_roll;

typedef struct roll_balance {
    axle_roll axles[APEX_AXLES_MAX];
    double stiffness_nm;
    double moment_kgm; ///< that leans the body, for each m/s2
} roll_balance;

// Links lead the force past the springs, but not past the tyres: a roll centre counts by the
// tyres' share of what gives.
static void hold(const apex_axle_def *axle, axle_roll *out) {
    const apex_suspension_def *from = &axle->suspension;
    double spring = from->spring_n_per_m + 2.0 * from->anti_roll_n_per_m;
    double tyre = axle->tyre.vertical_stiffness_n_per_m;
    double square = axle->track_width_m * axle->track_width_m;
    out->stiffness_nm = 0.5 * in_series(spring, tyre) * square;
    out->centre_m = square > 0.0 ? from->roll_centre_height_m * tyre / (spring + tyre) : 0.0;
}

static roll_balance roll_balance_of(const apex_car_def *def) {
    roll_balance roll = {.stiffness_nm = 0.0};
    double kg[APEX_AXLES_MAX];
    apex_textbook_axle_loads(def, 1.0, 0.0, kg);
    for (uint32_t a = 0; a < def->axle_count; a++) {
        axle_roll *axle = &roll.axles[a];
        axle->kg = kg[a];
        hold(&def->axles[a], axle);
        roll.stiffness_nm += axle->stiffness_nm;
        roll.moment_kgm += axle->kg * (def->com_height_m - axle->centre_m);
    }
    return roll;
}

void apex_textbook_wheel_loads(const apex_car_def *def, double gravity_mps2,
                               const double forward_left_mps2[2], double out_n[APEX_WHEELS_MAX]) {
    double axle_n[APEX_AXLES_MAX];
    const roll_balance roll = roll_balance_of(def);
    uint32_t wheel = 0;
    apex_textbook_axle_loads(def, gravity_mps2, forward_left_mps2[0], axle_n);
    for (uint32_t a = 0; a < def->axle_count; a++) {
        const axle_roll *axle = &roll.axles[a];
        double track_m = def->axles[a].track_width_m;
        if (track_m <= 0.0) {
            out_n[wheel++] = axle_n[a];
            continue;
        }
        double moment =
            axle->kg * axle->centre_m + axle->stiffness_nm / roll.stiffness_nm * roll.moment_kgm;
        double moved = forward_left_mps2[1] * moment / track_m;
        out_n[wheel++] = 0.5 * axle_n[a] - moved;
        out_n[wheel++] = 0.5 * axle_n[a] + moved;
    }
}

double apex_textbook_roll_rad_per_mps2(const apex_car_def *def, double gravity_mps2) {
    const roll_balance roll = roll_balance_of(def);
    // Leaning, the mass moves outwards and leans it more.
    double holds = roll.stiffness_nm - roll.moment_kgm * gravity_mps2;
    return holds > 0.0 ? roll.moment_kgm / holds : 0.0;
}

static const double UNLIMITED_MPS2 = 1e9;

// Until this axle's wheels spin: mu N = share m a with N = N0 + shift a.
static double axle_limit(double friction, double load_n, double shift_kg, double pulls_kg) {
    double against = pulls_kg - friction * shift_kg;
    return against > 0.0 ? friction * load_n / against : UNLIMITED_MPS2;
}

double apex_textbook_traction_mps2(const apex_car_def *def, double friction, double gravity_mps2) {
    double rest[APEX_AXLES_MAX], pulled[APEX_AXLES_MAX];
    double mass = def->mass_kg + def->fuel_kg_max, limit = UNLIMITED_MPS2;
    double load = 0.0, shift = 0.0, share = 0.0;
    bool is_open = def->centre_differential.kind == APEX_DIFFERENTIAL_OPEN;
    apex_textbook_axle_loads(def, gravity_mps2, 0.0, rest);
    apex_textbook_axle_loads(def, gravity_mps2, 1.0, pulled);
    for (uint32_t a = 0; a < def->axle_count; a++) {
        double part = def->axles[a].drive_share;
        if (part <= 0.0) {
            continue;
        }
        double moved = pulled[a] - rest[a];
        double own = axle_limit(friction, rest[a], moved, part * mass);
        limit = is_open && own < limit ? own : limit;
        load += rest[a];
        shift += moved;
        share += part;
    }
    double all = share > 0.0 ? axle_limit(friction, load, shift, mass) : 0.0;
    limit = all < limit ? all : limit;
    return limit < friction * gravity_mps2 ? limit : friction * gravity_mps2;
}

double apex_textbook_wheelie_mps2(const apex_car_def *def, double gravity_mps2) {
    const chassis car = chassis_of(def);
    return gravity_mps2 * -car.x_m[car.last] / def->com_height_m;
}

double apex_textbook_stoppie_mps2(const apex_car_def *def, double gravity_mps2) {
    return gravity_mps2 * chassis_of(def).x_m[0] / def->com_height_m;
}

double apex_textbook_rollover_mps2(const apex_car_def *def, double gravity_mps2) {
    double load[APEX_AXLES_MAX], weight = 0.0, moment = 0.0;
    apex_textbook_axle_loads(def, gravity_mps2, 0.0, load);
    for (uint32_t a = 0; a < def->axle_count; a++) {
        weight += load[a];
        moment += 0.5 * load[a] * def->axles[a].track_width_m;
    }
    return gravity_mps2 * moment / (weight * def->com_height_m);
}

double apex_textbook_corner_mps(double friction, double radius_m, double gravity_mps2) {
    return sqrt(friction * gravity_mps2 * radius_m);
}

double apex_textbook_corner_radius_m(double speed_mps, double lateral_mps2) {
    return speed_mps * speed_mps / lateral_mps2;
}

double apex_textbook_total_mps2(double forward_mps2, double speed_mps, double radius_m) {
    double lateral = speed_mps * speed_mps / radius_m;
    return sqrt(forward_mps2 * forward_mps2 + lateral * lateral);
}

double apex_textbook_slide_mps2(double friction, double gravity_mps2, double speed_mps,
                                double radius_m) {
    double lacking = speed_mps * speed_mps / radius_m - friction * gravity_mps2;
    return lacking > 0.0 ? lacking : 0.0;
}

double apex_textbook_lean_rad(double speed_mps, double radius_m, double gravity_mps2) {
    return apex_atan2(speed_mps * speed_mps, gravity_mps2 * radius_m);
}

apex_textbook_turn apex_textbook_turn_of(double wheelbase_m, double steer_rad, double speed_mps) {
    double s, c;
    apex_sincos(steer_rad, &s, &c);
    double yaw = speed_mps * s / wheelbase_m;
    return (apex_textbook_turn){
        .radius_m = wheelbase_m / s,
        .rear_radius_m = wheelbase_m * c / s,
        .yaw_radps = yaw,
        .quarter_s = 0.5 * APEX_PI / yaw,
    };
}

double apex_textbook_slip_angle_rad(const apex_textbook_motion *motion, double x_m,
                                    double steer_rad) {
    double forward = motion->forward_mps, left = motion->left_mps + motion->yaw_radps * x_m;
    if (forward == 0.0 && left == 0.0) {
        return 0.0;
    }
    return apex_atan2(left, fabs(forward)) - (forward < 0.0 ? -steer_rad : steer_rad);
}

/// Sums over axles of stiffness times 1, x and x^2, and of what steering makes of it.
typedef struct single_track {
    double mass_kg;
    double c0, c1, c2; ///< N/rad, N m/rad, N m2/rad
    double s0, s1;
} single_track;

// Force for each radian of slip, per load and friction.
static double tyre_slope(const apex_tyre_def *tyre) {
    const apex_tyre_axis *axis = &tyre->lateral;
    return tyre->model == APEX_TYRE_MAGIC ? axis->b * axis->c * axis->d : axis->stiffness;
}

static single_track single_track_of(const apex_car_def *def, double gravity_mps2) {
    const chassis car = chassis_of(def);
    single_track track = {.mass_kg = car.mass_kg};
    double load[APEX_AXLES_MAX] = {0.0};
    apex_textbook_axle_loads(def, gravity_mps2, 0.0, load);
    for (uint32_t a = 0; a <= car.last; a++) {
        const apex_tyre_def *tyre = &def->axles[a].tyre;
        double excess = load[a] / wheels_of(&def->axles[a]) / tyre->load_nominal_n - 1.0;
        double c = load[a] * (1.0 - tyre->load_sensitivity * excess) * tyre_slope(tyre);
        track.c0 += c;
        track.c1 += c * car.x_m[a];
        track.c2 += c * car.x_m[a] * car.x_m[a];
        track.s0 += c * def->axles[a].steer_share;
        track.s1 += c * def->axles[a].steer_share * car.x_m[a];
    }
    return track;
}

// With forces C (delta s - beta - x r / v): r / delta = v / (L + K v^2), for any number of axles.
apex_textbook_handling apex_textbook_handling_of(const apex_car_def *def, double gravity_mps2) {
    const single_track track = single_track_of(def, gravity_mps2);
    double steers = track.c0 * track.s1 - track.c1 * track.s0;
    apex_textbook_handling handling = {
        .wheelbase_m = (track.c0 * track.c2 - track.c1 * track.c1) / steers,
        .understeer_rad_per_mps2 = -track.c1 * track.mass_kg / steers,
    };
    if (handling.understeer_rad_per_mps2 > 0.0) {
        handling.characteristic_mps = sqrt(handling.wheelbase_m / handling.understeer_rad_per_mps2);
    } else if (handling.understeer_rad_per_mps2 < 0.0) {
        handling.critical_mps = sqrt(-handling.wheelbase_m / handling.understeer_rad_per_mps2);
    }
    return handling;
}

apex_textbook_gains apex_textbook_gains_at(const apex_car_def *def, double gravity_mps2,
                                           double speed_mps) {
    const single_track track = single_track_of(def, gravity_mps2);
    const apex_textbook_handling handling = apex_textbook_handling_of(def, gravity_mps2);
    double yaw = speed_mps /
                 (handling.wheelbase_m + handling.understeer_rad_per_mps2 * speed_mps * speed_mps);
    double leads = track.c1 / speed_mps + track.mass_kg * speed_mps;
    return (apex_textbook_gains){
        .yaw_per_s = yaw,
        .lateral_mps2 = speed_mps * yaw,
        .sideslip = (track.s0 - leads * yaw) / track.c0,
    };
}
