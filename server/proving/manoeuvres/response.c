// A car's response to the steering wheel: slow ramp, step and sine (ISO 7401), at constant speed.
#include "proving/manoeuvres/response.h"

#include <math.h>

#include "base/trig.h"
#include "proving/manoeuvres/fitted_line.h"
#include "proving/rig/rig.h"
#include "proving/rig/run.h"
#include "proving/rig/units.h"
#include "proving/test_driver/feet.h"
#include "proving/test_driver/hands.h"
#include "proving/test_driver/path.h"

static const double APPROACH_S = 3.0;

// Straight ahead at the test's speed, in the gear that belongs to it. @return throttle that holds
// it
static double approach(const proving_run *run, proving_driver *driver) {
    const double LAST_S = 1.0;
    const apex_placement at = {.speed_mps = run->def->speed_mps};
    const proving_path path = proving_path_straight();
    proving_rig *rig = run->rig;
    *driver = proving_driver_for(rig->car);
    proving_rig_place(rig, &at);
    proving_driver_choose_gear(driver, rig, at.speed_mps);
    proving_driver_cruise(driver, rig, &path, (const double[2]){at.speed_mps, APPROACH_S});
    double sum = 0.0;
    uint32_t ticks = (uint32_t)(LAST_S * APEX_PROVING_HZ);
    for (uint32_t i = 0; i < ticks; i++) {
        proving_driver_follow(driver, rig, &path);
        proving_driver_hold_speed(driver, rig, at.speed_mps);
        sum += rig->demand.throttle;
        proving_rig_step(rig);
    }
    proving_rig_start_clock(rig);
    return sum / ticks;
}

// The wheel that geometry asks for a lateral acceleration: where a search begins.
static double steer_by_geometry(const proving_run *run) {
    double curvature = run->def->lateral_mps2 / (run->def->speed_mps * run->def->speed_mps);
    return apex_atan(run->rig->wheelbase_m * curvature) / run->rig->lock_rad;
}

typedef struct ramp_log {
    proving_line understeer, roll;
    double ay_mps2; ///< smoothed
    double best_mps2, steer_rad, slip_angle_rad, speed_mps;
} ramp_log;

static void log_ramp(ramp_log *log, const proving_rig *rig, double side) {
    const double SMOOTH_PER_S = 5.0, FIT_FROM_MPS2 = 0.5, FIT_TO_MPS2 = 4.0;
    double speed = fmax(rig->speed_mps, 1.0);
    double curvature = side * rig->yaw_rate_radps / speed;
    log->ay_mps2 += (side * rig->ay_mps2 - log->ay_mps2) * SMOOTH_PER_S * PROVING_TICK_S;
    if (log->ay_mps2 > FIT_FROM_MPS2 && log->ay_mps2 < FIT_TO_MPS2 &&
        log->best_mps2 < FIT_TO_MPS2) {
        double geometry = apex_atan(rig->wheelbase_m * curvature);
        proving_line_add(&log->understeer, log->ay_mps2, side * rig->pose.steer_rad - geometry);
        proving_line_add(&log->roll, log->ay_mps2, side * rig->pose.roll_rad);
    }
    if (log->ay_mps2 > log->best_mps2) {
        log->best_mps2 = log->ay_mps2;
        log->steer_rad = side * rig->pose.steer_rad;
        log->slip_angle_rad = side * rig->slip_angle_rad;
        log->speed_mps = rig->speed_mps;
    }
}

void proving_manoeuvre_ramp_steer(const proving_run *run) {
    const double TURN_RADPS = 0.008, PAST = 0.9, TIME_S_MAX = 90.0;
    proving_rig *rig = run->rig;
    proving_driver driver;
    approach(run, &driver);
    proving_rig_record(rig);
    ramp_log log = {0};
    double side = proving_run_side(run), steer = 0.0;
    while (proving_rig_time_s(rig) < TIME_S_MAX && steer < 1.0 && proving_rig_is_in_hand(rig) &&
           (log.ay_mps2 > PAST * log.best_mps2 || log.best_mps2 < 1.0)) {
        steer += TURN_RADPS / rig->lock_rad * PROVING_TICK_S;
        proving_driver_hold_speed(&driver, rig, run->def->speed_mps);
        rig->demand.steer = side * steer;
        proving_rig_step(rig);
        log_ramp(&log, rig, side);
    }
    double per_g = APEX_EARTH_MPS2;
    proving_run_add(run, "lateral_peak", "g", log.best_mps2 / APEX_EARTH_MPS2);
    proving_run_add(run, "steer_at_peak", "deg", proving_degrees(log.steer_rad));
    proving_run_add(run, "slip_angle_at_peak", "deg", proving_degrees(log.slip_angle_rad));
    proving_run_add(run, "speed_at_peak", "km/h", log.speed_mps / PROVING_KMH);
    proving_run_add(run, "understeer", "deg/g",
                    per_g * proving_degrees(proving_line_slope(&log.understeer)));
    proving_run_add(run, "roll", "deg/g", per_g * proving_degrees(proving_line_slope(&log.roll)));
}

static const double STEP_S = 4.0, STEADY_FROM_S = 2.5;

typedef struct step_steady {
    double steer_rad, yaw_rate_radps, ay_mps2, slip_angle_rad, roll_rad, speed_mps;
    bool in_hand;
} step_steady;

typedef struct step_answer {
    double half_steer_s; ///< ISO 7401's time zero
    double yaw_90_s, ay_90_s;
    double yaw_peak_radps, yaw_peak_s;
} step_answer;

static void note_when(double *when_s, double time_s, bool is_there) {
    if (isnan(*when_s) && is_there) {
        *when_s = time_s;
    }
}

static void log_answer(step_answer *answer, const proving_rig *rig, const step_steady *steady) {
    double sign = steady->yaw_rate_radps < 0.0 ? -1.0 : 1.0;
    double now = proving_rig_time_s(rig), yaw = sign * rig->yaw_rate_radps;
    note_when(&answer->half_steer_s, now,
              fabs(rig->pose.steer_rad) >= 0.5 * fabs(steady->steer_rad));
    note_when(&answer->yaw_90_s, now, yaw >= 0.9 * fabs(steady->yaw_rate_radps));
    note_when(&answer->ay_90_s, now, sign * rig->ay_mps2 >= 0.9 * fabs(steady->ay_mps2));
    if (yaw > answer->yaw_peak_radps && now < STEADY_FROM_S) {
        answer->yaw_peak_radps = yaw;
        answer->yaw_peak_s = now;
    }
}

// Turns the wheel at once and keeps it and the throttle. @param answer NULL, or what is looked for
// in the light of `steady` from a run before.
static void run_step(const proving_run *run, double steer, step_steady *steady,
                     step_answer *answer) {
    proving_rig *rig = run->rig;
    proving_driver driver;
    double throttle = approach(run, &driver);
    if (answer != NULL) {
        proving_rig_record(rig);
    }
    step_steady mean = {.in_hand = true};
    double weight = 0.0;
    while (proving_rig_time_s(rig) < STEP_S && mean.in_hand) {
        proving_driver_coast(&driver, rig);
        rig->demand.throttle = throttle;
        rig->demand.steer = steer;
        proving_rig_step(rig);
        mean.in_hand = proving_rig_is_in_hand(rig);
        if (answer != NULL) {
            log_answer(answer, rig, steady);
        }
        if (proving_rig_time_s(rig) > STEADY_FROM_S) {
            weight += 1.0;
            mean.steer_rad += rig->pose.steer_rad;
            mean.yaw_rate_radps += rig->yaw_rate_radps;
            mean.ay_mps2 += rig->ay_mps2;
            mean.slip_angle_rad += rig->slip_angle_rad;
            mean.roll_rad += rig->pose.roll_rad;
            mean.speed_mps += rig->speed_mps;
        }
    }
    double share = weight > 0.0 ? 1.0 / weight : 0.0;
    *steady = (step_steady){
        .steer_rad = mean.steer_rad * share,
        .yaw_rate_radps = mean.yaw_rate_radps * share,
        .ay_mps2 = mean.ay_mps2 * share,
        .slip_angle_rad = mean.slip_angle_rad * share,
        .roll_rad = mean.roll_rad * share,
        .speed_mps = mean.speed_mps * share,
        .in_hand = mean.in_hand,
    };
}

// The turn of the wheel that settles at the wanted lateral acceleration. Each try scales the last
// by what was missing; past the limit of the tyres that runs away and is stopped.
static double find_step(const proving_run *run, step_steady *steady) {
    const double CLOSE = 0.005, FACTOR_MAX = 2.0;
    double side = proving_run_side(run), wanted = run->def->lateral_mps2;
    double steer = fmin(steer_by_geometry(run), 1.0);
    for (int32_t attempt = 0; attempt < 12; attempt++) {
        run_step(run, side * steer, steady, NULL);
        double got = steady->in_hand ? side * steady->ay_mps2 : 2.0 * wanted;
        if (fabs(got - wanted) < CLOSE * wanted) {
            break;
        }
        double factor = got > 0.0 ? wanted / got : FACTOR_MAX;
        steer = fmin(steer * proving_clamp(factor, 1.0 / FACTOR_MAX, FACTOR_MAX), 1.0);
    }
    return side * steer;
}

void proving_manoeuvre_step_steer(const proving_run *run) {
    const double none = proving_nothing(), PEAK_LEAST = 0.005;
    step_steady steady;
    double steer = find_step(run, &steady);
    step_answer answer = {none, none, none, 0.0, none};
    run_step(run, steer, &steady, &answer);
    double yaw = steady.yaw_rate_radps, zero_s = answer.half_steer_s;
    double overshoot = answer.yaw_peak_radps / fabs(yaw) - 1.0;
    // A car that glides to its steady state has no peak.
    double peak_s = overshoot > PEAK_LEAST ? answer.yaw_peak_s - zero_s : none;
    proving_run_add(run, "steer", "deg", proving_degrees(steady.steer_rad));
    proving_run_add(run, "lateral_steady", "m/s2", steady.ay_mps2);
    proving_run_add(run, "yaw_rate_steady", "deg/s", proving_degrees(yaw));
    proving_run_add(run, "speed_steady", "km/h", steady.speed_mps / PROVING_KMH);
    proving_run_add(run, "yaw_gain", "1/s", yaw / steady.steer_rad);
    proving_run_add(run, "lateral_gain", "m/s2/deg",
                    steady.ay_mps2 / proving_degrees(steady.steer_rad));
    proving_run_add(run, "yaw_response_time", "s", answer.yaw_90_s - zero_s);
    proving_run_add(run, "yaw_peak_time", "s", peak_s);
    proving_run_add(run, "yaw_overshoot", "%", 100.0 * fmax(overshoot, 0.0));
    proving_run_add(run, "lateral_response_time", "s", answer.ay_90_s - zero_s);
    proving_run_add(run, "slip_angle_steady", "deg", proving_degrees(steady.slip_angle_rad));
    proving_run_add(run, "roll_steady", "deg", proving_degrees(steady.roll_rad));
    proving_run_add(run, "tb_factor", "deg s",
                    fabs(proving_degrees(steady.slip_angle_rad)) * peak_s);
}

typedef struct sine_name {
    double hz;
    const char *yaw_gain, *yaw_phase, *lateral_gain, *lateral_phase;
} sine_name;

#define SINE(hz, text)                                                                \
    {                                                                                 \
        hz, "yaw_gain_" text "hz", "yaw_phase_" text "hz", "lateral_gain_" text "hz", \
            "lateral_phase_" text "hz"                                                \
    }

static const sine_name SINES[] = {
    SINE(0.2, "0_2"), SINE(0.5, "0_5"), SINE(1.0, "1"), SINE(1.5, "1_5"),
    SINE(2.0, "2"),   SINE(3.0, "3"),   SINE(4.0, "4"),
};

enum { SINE_COUNT = sizeof SINES / sizeof SINES[0] };

// The part of a signal that swings with the wheel's motion: sums against sine and cosine over whole
// periods.
typedef struct swing {
    double sine, cosine;
} swing;

static void swing_add(swing *sum, double value, double phase_rad) {
    double s, c;
    apex_sincos(phase_rad, &s, &c);
    sum->sine += value * s;
    sum->cosine += value * c;
}

static double swing_size(const swing *of) {
    return sqrt(of->sine * of->sine + of->cosine * of->cosine);
}

static double swing_phase_rad(const swing *of, const swing *against) {
    return apex_wrap_angle(apex_atan2(of->cosine, of->sine) -
                           apex_atan2(against->cosine, against->sine));
}

static void run_sine(const proving_run *run, proving_driver *driver, double steer,
                     const sine_name *sine) {
    const double SETTLE_S = 3.0, MEASURE_S = 5.0;
    proving_rig *rig = run->rig;
    // Whole periods, however long they are; every frequency's period is a whole number of ticks.
    double settle = ceil(SETTLE_S * sine->hz), measure = ceil(MEASURE_S * sine->hz);
    uint32_t skipped = (uint32_t)(settle / sine->hz * APEX_PROVING_HZ + 0.5);
    uint32_t ticks = skipped + (uint32_t)(measure / sine->hz * APEX_PROVING_HZ + 0.5);
    swing wheel = {0}, yaw = {0}, lateral = {0};
    for (uint32_t i = 0; i < ticks; i++) {
        double phase = 2.0 * APEX_PI * sine->hz * i / APEX_PROVING_HZ;
        proving_driver_hold_speed(driver, rig, run->def->speed_mps);
        rig->demand.steer = steer * apex_sin(phase);
        proving_rig_step(rig);
        if (i >= skipped) {
            swing_add(&wheel, rig->pose.steer_rad, phase);
            swing_add(&yaw, rig->yaw_rate_radps, phase);
            swing_add(&lateral, rig->ay_mps2, phase);
        }
    }
    double size = swing_size(&wheel);
    proving_run_add(run, sine->yaw_gain, "1/s", swing_size(&yaw) / size);
    proving_run_add(run, sine->yaw_phase, "deg", proving_degrees(swing_phase_rad(&yaw, &wheel)));
    proving_run_add(run, sine->lateral_gain, "m/s2/deg",
                    swing_size(&lateral) / proving_degrees(size));
    proving_run_add(run, sine->lateral_phase, "deg",
                    proving_degrees(swing_phase_rad(&lateral, &wheel)));
}

void proving_manoeuvre_sine_sweep(const proving_run *run) {
    step_steady steady;
    double steer = find_step(run, &steady);
    proving_driver driver;
    approach(run, &driver);
    proving_rig_record(run->rig);
    proving_run_add(run, "steer", "deg", fabs(proving_degrees(steady.steer_rad)));
    for (uint32_t i = 0; i < SINE_COUNT; i++) {
        run_sine(run, &driver, steer, &SINES[i]);
    }
}

typedef struct turn_log {
    double yaw_ratio_1s, off_1s_m, off_m_max, slip_angle_rad_max;
} turn_log;

static void log_turn(turn_log *log, const proving_rig *rig, const proving_path *path) {
    double off = proving_path_offset_m(path, rig->pose.position_m);
    // Positive to the inside, whichever way the circle goes.
    off = path->radius_m > 0.0 ? off : -off;
    log->off_m_max = fabs(off) > fabs(log->off_m_max) ? off : log->off_m_max;
    log->slip_angle_rad_max = fmax(log->slip_angle_rad_max, fabs(rig->slip_angle_rad));
    if (isnan(log->yaw_ratio_1s) && proving_rig_time_s(rig) >= 1.0) {
        double asked = rig->speed_mps / path->radius_m;
        log->yaw_ratio_1s = rig->yaw_rate_radps / asked;
        log->off_1s_m = off;
    }
}

void proving_manoeuvre_brake_in_turn(const proving_run *run) {
    const double SLOW_MPS = 4.0, TIME_S_MAX = 30.0, SMOOTH_PER_S = 20.0, PER_MPS2_S = 0.25;
    const double none = proving_nothing();
    proving_rig *rig = run->rig;
    double side = proving_run_side(run);
    const proving_path path = proving_path_circle(side * run->def->radius_m);
    const apex_placement at = {.speed_mps = sqrt(run->def->lateral_mps2 * run->def->radius_m)};
    proving_driver driver = proving_driver_for(rig->car);
    proving_rig_place(rig, &at);
    proving_driver_choose_gear(&driver, rig, at.speed_mps);
    proving_driver_cruise(&driver, rig, &path, (const double[2]){at.speed_mps, 15.0});
    proving_rig_start_clock(rig);
    proving_rig_record(rig);
    double steer = rig->demand.steer, start_mps = rig->speed_mps;
    double pedal = 0.0, slowing = 0.0;
    turn_log log = {none, none, 0.0, 0.0};
    while (rig->speed_mps > SLOW_MPS && proving_rig_time_s(rig) < TIME_S_MAX &&
           proving_rig_is_in_hand(rig)) {
        slowing += (-rig->ax_mps2 - slowing) * SMOOTH_PER_S * PROVING_TICK_S;
        pedal += (run->def->deceleration_mps2 - slowing) * PER_MPS2_S * PROVING_TICK_S;
        pedal = proving_clamp(pedal, 0.0, 1.0);
        proving_driver_coast(&driver, rig);
        rig->demand.brake = pedal;
        rig->demand.steer = steer;
        proving_rig_step(rig);
        log_turn(&log, rig, &path);
    }
    bool held = rig->speed_mps <= SLOW_MPS && proving_rig_is_in_hand(rig);
    double braked = start_mps * start_mps - rig->speed_mps * rig->speed_mps;
    proving_run_add(run, "speed", "km/h", start_mps / PROVING_KMH);
    proving_run_add(run, "deceleration", "m/s2", held ? 0.5 * braked / rig->distance_m : none);
    proving_run_add(run, "yaw_ratio_1s", "", log.yaw_ratio_1s);
    proving_run_add(run, "inward_1s", "m", log.off_1s_m);
    proving_run_add(run, "inward_most", "m", log.off_m_max);
    proving_run_add(run, "slip_angle_peak", "deg", proving_degrees(log.slip_angle_rad_max));
}
