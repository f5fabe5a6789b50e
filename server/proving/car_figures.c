// The figures of a car: what its definition says, what stands on the scales, what driving shows.
#include "proving/car_figures.h"

#include <math.h>

#include "proving/manoeuvres/circle.h"
#include "proving/manoeuvres/straight.h"
#include "proving/rig/rig.h"
#include "proving/rig/units.h"

static const double CURVE_STEP_RPM = 250.0;

apex_car_def apex_car_unfitted(const apex_car_def *car) {
    apex_car_def plain = *car;
    plain.gearbox.efficiency = 1.0;
    for (uint32_t a = 0; a < plain.axle_count && a < APEX_AXLES_MAX; a++) {
        plain.axles[a].tyre.longitudinal.d = 1.0;
        plain.axles[a].tyre.lateral.d = 1.0;
    }
    return plain;
}

// Straight lines between points, level beyond the ends: the curve the engine runs on.
static double torque_nm(const apex_engine_def *engine, double rpm) {
    if (rpm <= engine->torque_rpm[0]) {
        return engine->torque_nm[0];
    }
    for (uint32_t i = 1; i < engine->torque_count; i++) {
        if (rpm <= engine->torque_rpm[i]) {
            double span = engine->torque_rpm[i] - engine->torque_rpm[i - 1];
            double share = (rpm - engine->torque_rpm[i - 1]) / span;
            return engine->torque_nm[i - 1] +
                   share * (engine->torque_nm[i] - engine->torque_nm[i - 1]);
        }
    }
    return engine->torque_nm[engine->torque_count - 1];
}

static void note_peaks(apex_car_figures *out, const apex_engine_def *engine, double rpm) {
    if (!(rpm >= engine->idle_rpm && rpm <= engine->limiter_rpm)) {
        return;
    }
    double torque = torque_nm(engine, rpm), power = torque * rpm * PROVING_RPM;
    if (!(torque <= out->torque_peak_nm)) {
        out->torque_peak_nm = torque;
        out->torque_peak_rpm = rpm;
    }
    if (!(power <= out->power_peak_w)) {
        out->power_peak_w = power;
        out->power_peak_rpm = rpm;
    }
}

// Along a straight piece T = a + b n of falling torque, T n is greatest at n = -a / 2b.
static void find_peaks(apex_car_figures *out, const apex_engine_def *engine) {
    note_peaks(out, engine, engine->idle_rpm);
    for (uint32_t i = 0; i < engine->torque_count; i++) {
        note_peaks(out, engine, engine->torque_rpm[i]);
        if (i == 0) {
            continue;
        }
        double low = engine->torque_rpm[i - 1], high = engine->torque_rpm[i];
        double slope = (engine->torque_nm[i] - engine->torque_nm[i - 1]) / (high - low);
        double start = engine->torque_nm[i - 1] - slope * low;
        double best = -0.5 * start / slope;
        if (slope < 0.0 && best > low && best < high) {
            note_peaks(out, engine, best);
        }
    }
    note_peaks(out, engine, engine->limiter_rpm);
}

static void fill_engine(apex_car_figures *out, const apex_engine_def *engine) {
    double first = CURVE_STEP_RPM * ceil(engine->idle_rpm / CURVE_STEP_RPM);
    // An engine that turns past what fits has a coarser table, not a cut one.
    double step = CURVE_STEP_RPM;
    while ((engine->limiter_rpm - first) / step >= APEX_ENGINE_POINTS_MAX) {
        step *= 2.0;
    }
    // An engine that never turns a round number of times has no table.
    uint32_t count = 0;
    if (first <= engine->limiter_rpm) {
        count = (uint32_t)((engine->limiter_rpm - first) / step) + 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        double rpm = first + step * i, torque = torque_nm(engine, rpm);
        out->engine[out->engine_count++] =
            (apex_engine_point){rpm, torque, torque * rpm * PROVING_RPM};
    }
    find_peaks(out, engine);
}

static void fill_gears(apex_car_figures *out, const apex_car_def *car) {
    const apex_gearbox_def *box = &car->gearbox;
    double radius = 0.0;
    for (uint32_t a = 0; a < car->axle_count; a++) {
        radius += car->axles[a].drive_share * car->axles[a].tyre.radius_m;
    }
    double shaft = car->engine.limiter_rpm * PROVING_RPM * radius / box->final_drive;
    out->gear_count = box->gear_count;
    for (uint32_t g = 0; g < box->gear_count; g++) {
        out->gear_speed_mps[g] = shaft / box->ratio[g];
    }
    out->reverse_speed_mps = shaft / box->reverse_ratio;
}

static void weigh(proving_rig *rig, apex_car_figures *out) {
    const double SETTLE_S = 3.0;
    const apex_placement origin = {0};
    proving_rig_place(rig, &origin);
    rig->demand.gear = APEX_GEAR_NEUTRAL;
    rig->demand.brake = 1.0;
    for (int32_t i = 0; i < (int32_t)(SETTLE_S * APEX_PROVING_HZ); i++) {
        proving_rig_step(rig);
    }
    const apex_car_def *car = rig->car;
    double sum = proving_rig_load_n(rig, APEX_AXLES_MAX), moment = 0.0, track = 0.0;
    for (uint32_t a = 0; a < car->axle_count; a++) {
        double load = proving_rig_load_n(rig, a);
        out->axle_load_n[a] = load;
        moment += load * car->axles[a].x_m;
        track += load * car->axles[a].track_width_m;
    }
    for (uint32_t w = 0; w < out->wheel_count; w++) {
        out->wheel_load_n[w] = rig->work.wheels[w].load_n;
    }
    // The centre of mass as the loads show it, between first and last axle.
    double centre = moment / sum;
    double front = car->axles[0].x_m, rear = car->axles[car->axle_count - 1].x_m;
    double height = rig->pose.position_m[2];
    out->mass_kg = sum / APEX_EARTH_MPS2;
    out->front_share = (centre - rear) / (front - rear);
    if (car->model == APEX_CAR_MOTORCYCLE) {
        out->wheelie_g = (centre - rear) / height;
        out->stoppie_g = (front - centre) / height;
    }
    if (track > 0.0) {
        out->rollover_g = 0.5 * track / sum / height;
    }
}

static void drive_straight(proving_rig *rig, uint32_t what, apex_car_figures *out) {
    double from_mps = 0.0;
    if (what & APEX_MEASURE_SPRINT) {
        proving_sprint sprint = proving_sprint_run(rig);
        out->to_60mph_s = sprint.to_60mph_s;
        out->to_100kmh_s = sprint.to_100kmh_s;
        out->to_160kmh_s = sprint.to_160kmh_s;
        out->to_200kmh_s = sprint.to_200kmh_s;
        out->quarter_mile_s = sprint.quarter_mile_s;
        out->quarter_mile_mps = sprint.quarter_mile_mps;
        from_mps = sprint.end_mps;
    }
    if (what & APEX_MEASURE_TOP_SPEED) {
        proving_top_speed top = proving_top_speed_run(rig, from_mps);
        out->top_speed_mps = top.speed_mps;
        out->top_speed_rpm = top.rpm;
        out->top_speed_gear = top.gear;
    }
    if (what & APEX_MEASURE_BRAKES) {
        out->from_100kmh_m = proving_stop_run(rig, 100.0 * PROVING_KMH).distance_m;
        out->from_60mph_m = proving_stop_run(rig, 60.0 * PROVING_MPH).distance_m;
    }
}

static void drive_round(proving_rig *rig, uint32_t what, apex_car_figures *out) {
    const double SKIDPAD_M = 30.48, CIRCLE_M = 100.0, LINEAR_G = 0.4;
    // Without tyres there is no grip to run out.
    if ((what & APEX_MEASURE_SKIDPAD) && rig->car->model != APEX_CAR_KINEMATIC) {
        out->skidpad_left_g = proving_skidpad_run(rig, SKIDPAD_M).ay_mps2 / APEX_EARTH_MPS2;
        out->skidpad_right_g = proving_skidpad_run(rig, -SKIDPAD_M).ay_mps2 / APEX_EARTH_MPS2;
        out->skidpad_g = 0.5 * (out->skidpad_left_g + out->skidpad_right_g);
    }
    if (what & APEX_MEASURE_UNDERSTEER) {
        out->understeer_rad_per_mps2 =
            proving_gradient_run(rig, CIRCLE_M, LINEAR_G * APEX_EARTH_MPS2).understeer_rad;
    }
}

apex_car_figures proving_nothing_known(const apex_car_def *car) {
    const double none = proving_nothing();
    apex_car_figures out = {
        .mass_kg = none,
        .axle_count = car->axle_count,
        .wheel_count = apex_car_def_wheel_count(car),
        .front_share = none,
        .wheelie_g = none,
        .stoppie_g = none,
        .rollover_g = none,
        .torque_peak_nm = none,
        .torque_peak_rpm = none,
        .power_peak_w = none,
        .power_peak_rpm = none,
        .reverse_speed_mps = none,
        .top_speed_mps = none,
        .top_speed_rpm = none,
        .to_60mph_s = none,
        .to_100kmh_s = none,
        .to_160kmh_s = none,
        .to_200kmh_s = none,
        .quarter_mile_s = none,
        .quarter_mile_mps = none,
        .from_100kmh_m = none,
        .from_60mph_m = none,
        .skidpad_left_g = none,
        .skidpad_right_g = none,
        .skidpad_g = none,
        .understeer_rad_per_mps2 = none,
    };
    for (uint32_t i = 0; i < APEX_WHEELS_MAX; i++) {
        out.wheel_load_n[i] = none;
        out.axle_load_n[i % APEX_AXLES_MAX] = none;
    }
    return out;
}

apex_err apex_car_figures_measure(const apex_car_def *car, uint32_t what, apex_car_figures *out) {
    const proving_site flat = {.kind = PROVING_GROUND_FLAT, .friction = 1.0};
    proving_rig rig;
    if (!apex_car_def_check(car, NULL)) {
        return APEX_ERR_INVALID;
    }
    apex_err err = proving_rig_open(&rig, car, &flat);
    if (err != APEX_OK) {
        return err;
    }
    *out = proving_nothing_known(car);
    if (car->model != APEX_CAR_KINEMATIC) {
        fill_engine(out, &car->engine);
        fill_gears(out, car);
    }
    if (what & APEX_MEASURE_REST) {
        weigh(&rig, out);
    }
    drive_straight(&rig, what, out);
    drive_round(&rig, what, out);
    proving_rig_close(&rig);
    return APEX_OK;
}

typedef struct figure_list {
    apex_figure *out;
    size_t count;
} figure_list;

static void add(figure_list *list, const char *name, const char *unit, double value) {
    list->out[list->count++] = (apex_figure){name, unit, value};
}

static void list_driven(const apex_car_figures *f, figure_list *list) {
    add(list, "top_speed", "km/h", f->top_speed_mps / PROVING_KMH);
    if (f->gear_count > 0) {
        add(list, "top_speed_rpm", "rpm", f->top_speed_rpm);
        add(list, "top_speed_gear", "",
            isnan(f->top_speed_mps) ? proving_nothing() : f->top_speed_gear);
    }
    add(list, "0_60_mph", "s", f->to_60mph_s);
    add(list, "0_100_kmh", "s", f->to_100kmh_s);
    add(list, "0_160_kmh", "s", f->to_160kmh_s);
    add(list, "0_200_kmh", "s", f->to_200kmh_s);
    add(list, "quarter_mile", "s", f->quarter_mile_s);
    add(list, "quarter_mile_speed", "km/h", f->quarter_mile_mps / PROVING_KMH);
    add(list, "100_0_kmh", "m", f->from_100kmh_m);
    add(list, "60_0_mph", "m", f->from_60mph_m);
    add(list, "skidpad", "g", f->skidpad_g);
    add(list, "skidpad_left", "g", f->skidpad_left_g);
    add(list, "skidpad_right", "g", f->skidpad_right_g);
    add(list, "understeer", "deg/g",
        f->understeer_rad_per_mps2 * APEX_EARTH_MPS2 * 180.0 / APEX_PI);
}

static void list_weights(const apex_car_figures *f, figure_list *list) {
    static const char *const axles[APEX_AXLES_MAX] = {"axle_1_load", "axle_2_load", "axle_3_load",
                                                      "axle_4_load"};
    static const char *const wheels[APEX_WHEELS_MAX] = {
        "wheel_1_load", "wheel_2_load", "wheel_3_load", "wheel_4_load",
        "wheel_5_load", "wheel_6_load", "wheel_7_load", "wheel_8_load"};
    add(list, "mass", "kg", f->mass_kg);
    add(list, "front_weight", "%", 100.0 * f->front_share);
    for (uint32_t a = 0; a < f->axle_count; a++) {
        add(list, axles[a], "N", f->axle_load_n[a]);
    }
    for (uint32_t w = 0; w < f->wheel_count; w++) {
        add(list, wheels[w], "N", f->wheel_load_n[w]);
    }
    if (f->wheel_count > f->axle_count) {
        add(list, "rollover", "g", f->rollover_g);
    } else {
        add(list, "wheelie", "g", f->wheelie_g);
        add(list, "stoppie", "g", f->stoppie_g);
    }
}

size_t apex_car_figures_list(const apex_car_figures *figures, apex_figure out[APEX_FIGURES_MAX]) {
    figure_list list = {out, 0};
    list_driven(figures, &list);
    if (figures->gear_count > 0) {
        add(&list, "power_peak", "kW", figures->power_peak_w / 1000.0);
        add(&list, "power_peak_rpm", "rpm", figures->power_peak_rpm);
        add(&list, "torque_peak", "Nm", figures->torque_peak_nm);
        add(&list, "torque_peak_rpm", "rpm", figures->torque_peak_rpm);
    }
    list_weights(figures, &list);
    return list.count;
}
