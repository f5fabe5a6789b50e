// Tests on a circle: how fast a car goes round, and with how much steering.
#include "proving/manoeuvres/circle.h"

#include <math.h>

#include "base/trig.h"
#include "proving/manoeuvres/fitted_line.h"
#include "proving/rig/rig.h"
#include "proving/rig/units.h"
#include "proving/test_driver/feet.h"
#include "proving/test_driver/hands.h"
#include "proving/test_driver/path.h"

// A circle is cut into marks; sums between neighbouring marks make any whole circle's mean.
enum { MARKS = 36 };

static const double HELD_M = 0.5; ///< off the circle at most, to either side
static const double AY_MPS2_MAX = 60.0;

typedef struct circle_stretch {
    double distance_m, time_s;
    double steer, slip, roll; ///< sums over time
    double off_m;
} circle_stretch;

typedef struct circle_log {
    circle_stretch ring[MARKS];
    circle_stretch now;
    uint32_t complete;
    double angle_rad; ///< since the last mark
    double from_centre_m[2];
} circle_log;

static void log_mean(const circle_log *log, proving_circle *best) {
    circle_stretch sum = {0};
    double off = 0.0;
    for (uint32_t m = 0; m < MARKS; m++) {
        const circle_stretch *stretch = &log->ring[m];
        sum.distance_m += stretch->distance_m;
        sum.time_s += stretch->time_s;
        sum.steer += stretch->steer;
        sum.slip += stretch->slip;
        sum.roll += stretch->roll;
        off = fmax(off, stretch->off_m);
    }
    double ay = 2.0 * APEX_PI * sum.distance_m / (sum.time_s * sum.time_s);
    if (off <= HELD_M && (isnan(best->ay_mps2) || ay > best->ay_mps2)) {
        best->ay_mps2 = ay;
        best->speed_mps = sum.distance_m / sum.time_s;
        best->steer_rad = sum.steer / sum.time_s;
        best->slip_angle_rad = sum.slip / sum.time_s;
        best->roll_rad = sum.roll / sum.time_s;
    }
}

static void log_tick(circle_log *log, const proving_rig *rig, const proving_path *path,
                     proving_circle *best) {
    const double MARK_RAD = 2.0 * APEX_PI / MARKS;
    double x = rig->pose.position_m[0], y = rig->pose.position_m[1] - path->radius_m;
    double cross = log->from_centre_m[0] * y - log->from_centre_m[1] * x;
    double dot = log->from_centre_m[0] * x + log->from_centre_m[1] * y;
    double turned = apex_atan2(cross, dot);
    log->from_centre_m[0] = x;
    log->from_centre_m[1] = y;
    log->angle_rad += path->radius_m > 0.0 ? turned : -turned;
    circle_stretch *now = &log->now;
    now->distance_m += rig->speed_mps * PROVING_TICK_S;
    now->time_s += PROVING_TICK_S;
    now->steer += rig->pose.steer_rad * PROVING_TICK_S;
    now->slip += rig->slip_angle_rad * PROVING_TICK_S;
    now->roll += rig->pose.roll_rad * PROVING_TICK_S;
    double off = proving_path_offset_m(path, rig->pose.position_m);
    now->off_m = fmax(now->off_m, fabs(off));
    if (log->angle_rad < MARK_RAD) {
        return;
    }
    log->angle_rad -= MARK_RAD;
    log->ring[log->complete % MARKS] = *now;
    log->complete++;
    *now = (circle_stretch){0};
    if (log->complete >= MARKS) {
        log_mean(log, best);
    }
}

typedef enum circle_end {
    CIRCLE_LEFT,    ///< slid off, or fell
    CIRCLE_NO_MORE, ///< speed does not rise any more
} circle_end;

typedef struct circle_climb {
    const proving_path *path;
    double from_mps, per_s;
} circle_climb;

// From a speed upwards until the car leaves the circle. @return the speed at the end in *best too
static circle_end climb(proving_rig *rig, const circle_climb *how, proving_circle *best) {
    const double LAP_FIRST = 1.1, SLOW_MPS = 1.5, SLOW_S = 5.0;
    proving_driver driver = proving_driver_for(rig->car);
    const apex_placement at = {.speed_mps = how->from_mps};
    const double length = 2.0 * APEX_PI * fabs(how->path->radius_m);
    proving_rig_place(rig, &at);
    proving_driver_choose_gear(&driver, rig, how->from_mps);
    double lap_s = LAP_FIRST * length / how->from_mps;
    proving_driver_cruise(&driver, rig, how->path, (const double[2]){how->from_mps, lap_s});
    proving_rig_start_clock(rig);
    proving_rig_record(rig);
    circle_log log = {
        .from_centre_m = {rig->pose.position_m[0], rig->pose.position_m[1] - how->path->radius_m}};
    double wanted = how->from_mps, slow_s = 0.0;
    for (;;) {
        wanted += how->per_s * PROVING_TICK_S;
        proving_driver_follow(&driver, rig, how->path);
        proving_driver_hold_speed(&driver, rig, wanted);
        proving_rig_step(rig);
        log_tick(&log, rig, how->path, best);
        double off = proving_path_offset_m(how->path, rig->pose.position_m);
        if (fabs(off) > 2.0 * HELD_M || !proving_rig_is_in_hand(rig)) {
            return CIRCLE_LEFT;
        }
        slow_s = rig->speed_mps < wanted - SLOW_MPS ? slow_s + PROVING_TICK_S : 0.0;
        double ay = rig->speed_mps * rig->speed_mps / fabs(how->path->radius_m);
        if (slow_s > SLOW_S || ay > AY_MPS2_MAX) {
            return CIRCLE_NO_MORE;
        }
    }
}

// Quickly first, to see where the limit is, then slowly from a little below it.
proving_circle proving_skidpad_run(proving_rig *rig, double radius_m) {
    const double START_MPS2 = 2.0, QUICK_MPS2 = 0.3, SLOW_MPS2 = 0.012, BELOW_MPS = 0.9;
    const double none = proving_nothing();
    const proving_path path = proving_path_circle(radius_m);
    double start = sqrt(START_MPS2 * fabs(radius_m));
    proving_circle rough = {none, none, none, none, none, false};
    climb(rig, &(circle_climb){&path, start, QUICK_MPS2}, &rough);
    double left_at = fmax(rig->speed_mps - BELOW_MPS, 0.5 * start);
    proving_circle best = {none, none, none, none, none, false};
    for (int32_t attempt = 0; attempt < 4 && isnan(best.ay_mps2); attempt++) {
        circle_climb slow = {&path, left_at, SLOW_MPS2};
        best.is_limit = climb(rig, &slow, &best) == CIRCLE_LEFT;
        left_at = 0.93 * left_at;
    }
    return best;
}

proving_gradient proving_gradient_run(proving_rig *rig, double radius_m, double ay_mps2) {
    const double START_MPS2 = 0.3, FIT_FROM_MPS2 = 0.5, PER_S = 0.1, TIME_S_MAX = 400.0;
    const proving_path path = proving_path_circle(radius_m);
    double side = radius_m > 0.0 ? 1.0 : -1.0;
    proving_driver driver = proving_driver_for(rig->car);
    double ay = START_MPS2;
    const apex_placement at = {.speed_mps = sqrt(ay * fabs(radius_m))};
    proving_rig_place(rig, &at);
    proving_driver_cruise(&driver, rig, &path, (const double[2]){at.speed_mps, 10.0});
    proving_rig_start_clock(rig);
    proving_rig_record(rig);
    proving_line understeer = {0}, slip = {0}, roll = {0};
    proving_gradient found = {0};
    while (ay < ay_mps2 && proving_rig_time_s(rig) < TIME_S_MAX) {
        ay += PER_S * PROVING_TICK_S;
        proving_driver_follow(&driver, rig, &path);
        proving_driver_hold_speed(&driver, rig, sqrt(ay * fabs(radius_m)));
        proving_rig_step(rig);
        double off = proving_path_offset_m(&path, rig->pose.position_m);
        if (fabs(off) > 2.0 || !proving_rig_is_in_hand(rig)) {
            break;
        }
        double curvature = rig->yaw_rate_radps / fmax(rig->speed_mps, 1.0);
        double real_ay = side * curvature * rig->speed_mps * rig->speed_mps;
        found.ay_mps2_max = fmax(found.ay_mps2_max, real_ay);
        if (real_ay > FIT_FROM_MPS2 && real_ay < ay_mps2) {
            double geometry = apex_atan(rig->wheelbase_m * curvature);
            proving_line_add(&understeer, real_ay, side * (rig->pose.steer_rad - geometry));
            proving_line_add(&slip, real_ay, side * rig->slip_angle_rad);
            proving_line_add(&roll, real_ay, side * rig->pose.roll_rad);
        }
    }
    found.understeer_rad = proving_line_slope(&understeer);
    found.slip_angle_rad = proving_line_slope(&slip);
    found.roll_rad = proving_line_slope(&roll);
    return found;
}
