// Textbook formulas of sizes, engine, gears, and a car that drives straight on.

#include "proving/paper/textbook.h"

#include "base/assert.h"
#include "base/trig.h"

#include <math.h>
#include <string.h>

static const double M_PER_INCH = 0.0254;

// Digits only: the C library's readers follow the locale.
static bool read_number(const char **text, double low, double high, double *out) {
    *out = 0.0;
    for (uint32_t digits = 0; **text >= '0' && **text <= '9' && digits < 4; digits++) {
        *out = 10.0 * *out + (double)(*(*text)++ - '0');
    }
    return *out >= low && *out <= high;
}

bool apex_textbook_tyre_size(const char *code, apex_textbook_tyre *out) {
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

double apex_textbook_disc_kgm2(double mass_kg, double radius_m) {
    return 0.5 * mass_kg * radius_m * radius_m;
}

double apex_textbook_frontal_area_m2(double width_m, double height_m) {
    return 0.85 * width_m * height_m;
}

const apex_textbook_drag_range *apex_textbook_drag_ranges(size_t *count) {
    static const apex_textbook_drag_range RANGES[] = {
        {"sports car", 0.27, 0.38}, {"muscle car", 0.38, 0.5},     {"sedan", 0.34, 0.5},
        {"truck", 0.6, 1.0},        {"tractor-trailer", 0.6, 1.2}, {"motorcycle", 0.5, 1.0},
    };
    *count = sizeof RANGES / sizeof *RANGES;
    return RANGES;
}

/// Torque as b rpm + d.
typedef struct torque_line {
    double nm_per_rpm, nm;
} torque_line;

static torque_line line_between(const apex_engine_def *engine, uint32_t i) {
    double slope = (engine->torque_nm[i + 1] - engine->torque_nm[i]) /
                   (engine->torque_rpm[i + 1] - engine->torque_rpm[i]);
    return (torque_line){slope, engine->torque_nm[i] - slope * engine->torque_rpm[i]};
}

double apex_textbook_torque_nm(const apex_car_def *def, double rpm) {
    const apex_engine_def *engine = &def->engine;
    uint32_t last = engine->torque_count - 1, i = 0;
    if (rpm <= engine->torque_rpm[0]) {
        return engine->torque_nm[0];
    }
    if (rpm >= engine->torque_rpm[last]) {
        return engine->torque_nm[last];
    }
    while (rpm >= engine->torque_rpm[i + 1]) {
        i++;
    }
    torque_line line = line_between(engine, i);
    return engine->torque_nm[i] + line.nm_per_rpm * (rpm - engine->torque_rpm[i]);
}

double apex_textbook_power_w(double torque_nm, double rpm) {
    return torque_nm * rpm * APEX_RADPS_PER_RPM;
}

static void consider_peak(const apex_car_def *def, double rpm, apex_textbook_peaks *peaks) {
    double torque = apex_textbook_torque_nm(def, rpm), power = apex_textbook_power_w(torque, rpm);
    if (torque > peaks->torque_nm) {
        peaks->torque_nm = torque;
        peaks->torque_rpm = rpm;
    }
    if (power > peaks->power_w) {
        peaks->power_w = power;
        peaks->power_rpm = rpm;
    }
}

apex_textbook_peaks apex_textbook_engine_peaks(const apex_car_def *def) {
    const apex_engine_def *engine = &def->engine;
    apex_textbook_peaks peaks = {0};
    for (uint32_t i = 0; i < engine->torque_count; i++) {
        if (engine->torque_rpm[i] <= engine->limiter_rpm) {
            consider_peak(def, engine->torque_rpm[i], &peaks);
        }
        if (i + 1 == engine->torque_count) {
            break;
        }
        // As torque falls along a line, power is a parabola: its top may lie between points.
        torque_line line = line_between(engine, i);
        double top = line.nm_per_rpm < 0.0 ? -0.5 * line.nm / line.nm_per_rpm : 0.0;
        if (top > engine->torque_rpm[i] && top < engine->torque_rpm[i + 1] &&
            top <= engine->limiter_rpm) {
            consider_peak(def, top, &peaks);
        }
    }
    consider_peak(def, engine->limiter_rpm, &peaks);
    return peaks;
}

double apex_textbook_ratio(const apex_car_def *def, int gear) {
    const apex_gearbox_def *box = &def->gearbox;
    APEX_ASSERT(gear == -1 || (gear >= 1 && gear <= (int)box->gear_count));
    return (gear < 0 ? box->reverse_ratio : box->ratio[gear - 1]) * box->final_drive;
}

double apex_textbook_driven_radius_m(const apex_car_def *def) {
    double radius = 0.0, share = 0.0;
    for (uint32_t a = 0; a < def->axle_count; a++) {
        radius += def->axles[a].drive_share * def->axles[a].tyre.radius_m;
        share += def->axles[a].drive_share;
    }
    return share > 0.0 ? radius / share : def->axles[0].tyre.radius_m;
}

double apex_textbook_leverage_n_per_nm(const apex_car_def *def, int gear) {
    return apex_textbook_ratio(def, gear) * def->gearbox.efficiency /
           apex_textbook_driven_radius_m(def);
}

double apex_textbook_gear_mps(const apex_car_def *def, int gear, double rpm) {
    return rpm * APEX_RADPS_PER_RPM / apex_textbook_ratio(def, gear) *
           apex_textbook_driven_radius_m(def);
}

static double shaft_rpm(const apex_car_def *def, int gear, double speed_mps) {
    return speed_mps / apex_textbook_driven_radius_m(def) * apex_textbook_ratio(def, gear) /
           APEX_RADPS_PER_RPM;
}

double apex_textbook_engine_rpm(const apex_car_def *def, int gear, double speed_mps) {
    double rpm = shaft_rpm(def, gear, speed_mps);
    return rpm > def->engine.idle_rpm ? rpm : def->engine.idle_rpm;
}

double apex_textbook_shifted_rpm(const apex_car_def *def, int from, int to, double rpm) {
    return rpm * apex_textbook_ratio(def, to) / apex_textbook_ratio(def, from);
}

static double mass_of(const apex_car_def *def) {
    return def->mass_kg + def->fuel_kg_max;
}

static double drag_n_per_mps2(const apex_car_def *def, const apex_textbook_place *place) {
    return 0.5 * place->air_density_kg_per_m3 * def->aero.drag_coefficient *
           def->aero.frontal_area_m2;
}

/// Rolling resistance per load: a constant part and one that grows with speed.
typedef struct rolling_line {
    double constant, s_per_m;
} rolling_line;

static rolling_line rolling_of(const apex_car_def *def) {
    double load[APEX_AXLES_MAX], sum = 0.0;
    rolling_line mean = {0.0, 0.0};
    apex_textbook_axle_loads(def, 1.0, 0.0, load);
    for (uint32_t a = 0; a < def->axle_count; a++) {
        sum += load[a];
    }
    for (uint32_t a = 0; a < def->axle_count; a++) {
        mean.constant += load[a] / sum * def->axles[a].tyre.rolling_coefficient;
        mean.s_per_m += load[a] / sum * def->axles[a].tyre.rolling_coefficient_s_per_m;
    }
    return mean;
}

apex_textbook_forces apex_textbook_forces_at(const apex_car_def *def,
                                             const apex_textbook_place *place,
                                             const apex_textbook_drive *drive) {
    double speed = drive->speed_mps, s, c;
    double weight = mass_of(def) * place->gravity_mps2;
    rolling_line rolling = rolling_of(def);
    apex_sincos(drive->grade_rad, &s, &c);
    double rpm = apex_textbook_engine_rpm(def, drive->gear, speed);
    apex_textbook_forces forces = {
        .drive_n =
            apex_textbook_torque_nm(def, rpm) * apex_textbook_leverage_n_per_nm(def, drive->gear),
        .drag_n = drag_n_per_mps2(def, place) * speed * speed,
        .rolling_n = weight * c * (rolling.constant + rolling.s_per_m * speed),
        .slope_n = weight * s,
    };
    forces.acceleration_mps2 =
        (forces.drive_n - forces.drag_n - forces.rolling_n - forces.slope_n) / mass_of(def);
    return forces;
}

// From a line of torque to the balance it gives in a gear.
static apex_textbook_balance balance_of_line(const apex_car_def *def,
                                             const apex_textbook_place *place, int gear,
                                             torque_line line) {
    double mass = mass_of(def), leverage = apex_textbook_leverage_n_per_nm(def, gear);
    rolling_line rolling = rolling_of(def);
    return (apex_textbook_balance){
        .c1_per_m = -drag_n_per_mps2(def, place) / mass,
        .c2_per_s = leverage * line.nm_per_rpm * shaft_rpm(def, gear, 1.0) / mass -
                    rolling.s_per_m * place->gravity_mps2,
        .c3_mps2 = leverage * line.nm / mass - rolling.constant * place->gravity_mps2,
    };
}

apex_textbook_balance apex_textbook_balance_of(const apex_car_def *def,
                                               const apex_textbook_place *place, int gear,
                                               uint32_t piece) {
    APEX_ASSERT(piece + 1 < def->engine.torque_count);
    return balance_of_line(def, place, gear, line_between(&def->engine, piece));
}

double apex_textbook_even_mps(const apex_textbook_balance *balance) {
    double a = balance->c1_per_m, b = balance->c2_per_s, c = balance->c3_mps2;
    if (a >= 0.0) {
        return b < 0.0 ? -c / b : -1.0;
    }
    double root = b * b - 4.0 * a * c;
    // With drag the parabola opens downwards: its greater root is the one with the minus.
    return root >= 0.0 ? (-b - sqrt(root)) / (2.0 * a) : -1.0;
}

// The fastest that a gear holds between two engine speeds; < 0 if nowhere there.
static double even_between(const apex_car_def *def, const apex_textbook_place *place,
                           const apex_textbook_top *at, double from_rpm, double to_rpm) {
    double middle = 0.5 * (from_rpm + to_rpm);
    double rise =
        to_rpm > from_rpm
            ? (apex_textbook_torque_nm(def, to_rpm) - apex_textbook_torque_nm(def, from_rpm)) /
                  (to_rpm - from_rpm)
            : 0.0;
    torque_line line = {rise, apex_textbook_torque_nm(def, middle) - rise * middle};
    apex_textbook_balance balance = balance_of_line(def, place, at->gear, line);
    double even = apex_textbook_even_mps(&balance);
    bool is_inside = even >= apex_textbook_gear_mps(def, at->gear, from_rpm) &&
                     even <= apex_textbook_gear_mps(def, at->gear, to_rpm);
    return is_inside ? even : -1.0;
}

static apex_textbook_top top_in_gear(const apex_car_def *def, const apex_textbook_place *place,
                                     int gear) {
    const apex_engine_def *engine = &def->engine;
    apex_textbook_top top = {.gear = gear, .speed_mps = -1.0};
    double limit = apex_textbook_gear_mps(def, gear, engine->limiter_rpm);
    const apex_textbook_drive at_limit = {.gear = gear, .speed_mps = limit};
    if (apex_textbook_forces_at(def, place, &at_limit).acceleration_mps2 >= 0.0) {
        top.speed_mps = limit;
        top.is_limited = true;
    }
    // Piece by piece from the limiter down to idle; the first even speed is the fastest.
    double to = engine->limiter_rpm;
    for (uint32_t i = engine->torque_count + 1; i-- > 0 && top.speed_mps < 0.0;) {
        double from = i > 0 ? engine->torque_rpm[i - 1] : engine->idle_rpm;
        from = from > engine->idle_rpm ? from : engine->idle_rpm;
        if (from < to) {
            top.speed_mps = even_between(def, place, &top, from, to);
            to = from;
        }
    }
    top.rpm = top.speed_mps < 0.0 ? 0.0 : shaft_rpm(def, gear, top.speed_mps);
    return top;
}

apex_textbook_top apex_textbook_top_speed(const apex_car_def *def,
                                          const apex_textbook_place *place) {
    apex_textbook_top best = {0};
    for (int gear = 1; gear <= (int)def->gearbox.gear_count; gear++) {
        apex_textbook_top top = top_in_gear(def, place, gear);
        if (top.speed_mps > best.speed_mps) {
            best = top;
        }
    }
    return best;
}

double apex_textbook_crossover_mps(const apex_car_def *def, const apex_textbook_place *place) {
    double drag = drag_n_per_mps2(def, place);
    double weight = mass_of(def) * place->gravity_mps2;
    rolling_line rolling = rolling_of(def);
    if (drag <= 0.0) {
        return 0.0;
    }
    double linear = weight * rolling.s_per_m, constant = weight * rolling.constant;
    return (linear + sqrt(linear * linear + 4.0 * drag * constant)) / (2.0 * drag);
}

double apex_textbook_engine_brake_mps2(const apex_car_def *def, int gear, double rpm) {
    double torque_nm = def->engine.brake_nm_per_rps * rpm / 60.0;
    return torque_nm * apex_textbook_ratio(def, gear) /
           (apex_textbook_driven_radius_m(def) * mass_of(def));
}

double apex_textbook_braking_mps2(double speed_mps, double distance_m) {
    return 0.5 * speed_mps * speed_mps / distance_m;
}

apex_textbook_stop apex_textbook_stop_from(double speed_mps, double deceleration_mps2) {
    return (apex_textbook_stop){
        .time_s = speed_mps / deceleration_mps2,
        .distance_m = 0.5 * speed_mps * speed_mps / deceleration_mps2,
    };
}
