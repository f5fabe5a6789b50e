// The texts' formulas that no figure of a car shows.
#include "support/physics/textbook_rest.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/trig.h"

static double mass_of(const apex_car_def *def) {
    return def->mass_kg + def->fuel_kg_max;
}

static const double M_PER_INCH = 0.0254;

// Digits only: the C library's readers follow the locale.
static bool read_number(const char **text, double low, double high, double *out) {
    *out = 0.0;
    for (uint32_t digits = 0; **text >= '0' && **text <= '9' && digits < 4; digits++) {
        *out = 10.0 * *out + (double)(*(*text)++ - '0');
    }
    return *out >= low && *out <= high;
}

bool textbook_tyre_size(const char *code, textbook_tyre *out) {
    double width_mm, percent, rim_inches;
    if (!read_number(&code, 20.0, 900.0, &width_mm) || *code++ != '/' ||
        !read_number(&code, 10.0, 120.0, &percent)) {
        return false;
    }
    size_t between = strspn(code, " -ZR"); // the letters say how it is built and how fast it may go
    if (between == 0) {
        return false;
    }
    code += between;
    if (!read_number(&code, 5.0, 40.0, &rim_inches) || *code != '\0') {
        return false;
    }
    out->width_m = 1e-3 * width_mm;
    out->aspect = 1e-2 * percent;
    out->rim_m = M_PER_INCH * rim_inches;
    out->radius_m = out->width_m * out->aspect + 0.5 * out->rim_m;
    return true;
}

double textbook_disc_kgm2(double mass_kg, double radius_m) {
    return 0.5 * mass_kg * radius_m * radius_m;
}

double textbook_frontal_area_m2(double width_m, double height_m) {
    return 0.85 * width_m * height_m;
}

const textbook_drag_range *textbook_drag_ranges(size_t *count) {
    static const textbook_drag_range RANGES[] = {
        {"sports car", 0.27, 0.38}, {"muscle car", 0.38, 0.5},     {"sedan", 0.34, 0.5},
        {"truck", 0.6, 1.0},        {"tractor-trailer", 0.6, 1.2}, {"motorcycle", 0.5, 1.0},
    };
    *count = sizeof RANGES / sizeof *RANGES;
    return RANGES;
}

double textbook_shifted_rpm(const apex_car_def *def, int from, int to, double rpm) {
    return rpm * apex_textbook_ratio(def, to) / apex_textbook_ratio(def, from);
}

double textbook_crossover_mps(const apex_car_def *def, const apex_textbook_place *place) {
    const apex_textbook_drive still = {.gear = 1}, slow = {.gear = 1, .speed_mps = 1.0};
    const apex_textbook_forces at_rest = apex_textbook_forces_at(def, place, &still);
    const apex_textbook_forces at_one = apex_textbook_forces_at(def, place, &slow);
    double drag = at_one.drag_n, constant = at_rest.rolling_n;
    double linear = at_one.rolling_n - constant;
    return drag <= 0.0 ? 0.0
                       : (linear + sqrt(linear * linear + 4.0 * drag * constant)) / (2.0 * drag);
}

apex_textbook_balance textbook_balance_of(const apex_car_def *def, const apex_textbook_place *place,
                                          int gear, uint32_t piece) {
    const apex_engine_def *engine = &def->engine;
    APEX_ASSERT(piece + 1 < engine->torque_count);
    const apex_textbook_drive still = {.gear = 1}, slow = {.gear = 1, .speed_mps = 1.0};
    const apex_textbook_forces at_rest = apex_textbook_forces_at(def, place, &still);
    const apex_textbook_forces at_one = apex_textbook_forces_at(def, place, &slow);
    double nm_per_rpm = (engine->torque_nm[piece + 1] - engine->torque_nm[piece]) /
                        (engine->torque_rpm[piece + 1] - engine->torque_rpm[piece]);
    double nm_at_0 = engine->torque_nm[piece] - nm_per_rpm * engine->torque_rpm[piece];
    double mass = mass_of(def), leverage = apex_textbook_leverage_n_per_nm(def, gear);
    return (apex_textbook_balance){
        .c1_per_m = -at_one.drag_n / mass,
        .c2_per_s = (leverage * nm_per_rpm / apex_textbook_gear_mps(def, gear, 1.0) -
                     (at_one.rolling_n - at_rest.rolling_n)) /
                    mass,
        .c3_mps2 = (leverage * nm_at_0 - at_rest.rolling_n) / mass,
    };
}

double textbook_engine_brake_mps2(const apex_car_def *def, int gear, double rpm) {
    double torque_nm = def->engine.brake_nm_per_rps * rpm / 60.0;
    return torque_nm * apex_textbook_ratio(def, gear) /
           (apex_textbook_driven_radius_m(def) * mass_of(def));
}

double textbook_braking_mps2(double speed_mps, double distance_m) {
    return 0.5 * speed_mps * speed_mps / distance_m;
}

double textbook_corner_mps(double friction, double radius_m, double gravity_mps2) {
    return sqrt(friction * gravity_mps2 * radius_m);
}

double textbook_corner_radius_m(double speed_mps, double lateral_mps2) {
    return speed_mps * speed_mps / lateral_mps2;
}

double textbook_total_mps2(double forward_mps2, double speed_mps, double radius_m) {
    double lateral = speed_mps * speed_mps / radius_m;
    return sqrt(forward_mps2 * forward_mps2 + lateral * lateral);
}

double textbook_slide_mps2(double friction, double gravity_mps2, double speed_mps,
                           double radius_m) {
    double lacking = speed_mps * speed_mps / radius_m - friction * gravity_mps2;
    return lacking > 0.0 ? lacking : 0.0;
}

double textbook_lean_rad(double speed_mps, double radius_m, double gravity_mps2) {
    return apex_atan2(speed_mps * speed_mps, gravity_mps2 * radius_m);
}

textbook_turn textbook_turn_of(double wheelbase_m, double steer_rad, double speed_mps) {
    double s, c;
    apex_sincos(steer_rad, &s, &c);
    double yaw = speed_mps * s / wheelbase_m;
    return (textbook_turn){
        .radius_m = wheelbase_m / s,
        .rear_radius_m = wheelbase_m * c / s,
        .yaw_radps = yaw,
        .quarter_s = 0.5 * APEX_PI / yaw,
    };
}

double textbook_slip_angle_rad(const textbook_motion *motion, double x_m, double steer_rad) {
    double forward = motion->forward_mps, left = motion->left_mps + motion->yaw_radps * x_m;
    if (forward == 0.0 && left == 0.0) {
        return 0.0;
    }
    return apex_atan2(left, fabs(forward)) - (forward < 0.0 ? -steer_rad : steer_rad);
}
