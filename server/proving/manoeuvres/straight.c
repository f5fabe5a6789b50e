// Tests straight ahead: standing start, top speed, stopping.
#include "proving/manoeuvres/straight.h"

#include <math.h>

#include "proving/rig/rig.h"
#include "proving/rig/units.h"
#include "proving/test_driver/feet.h"
#include "proving/test_driver/hands.h"
#include "proving/test_driver/path.h"

static const double SETTLE_S = 1.0;

// Notes the time, between this tick and the one before, at which a rising value met its mark.
static void note_crossing(double *when_s, const proving_rig *rig, double before, double mark) {
    double now = rig->speed_mps;
    if (isnan(*when_s) && now >= mark) {
        double share = now > before ? (now - mark) / (now - before) : 0.0;
        *when_s = proving_rig_time_s(rig) - share * PROVING_TICK_S;
    }
}

static void note_quarter_mile(proving_sprint *sprint, const proving_rig *rig, double before_m) {
    const double QUARTER_MILE_M = 402.336;
    double now_m = rig->distance_m;
    if (isnan(sprint->quarter_mile_s) && now_m >= QUARTER_MILE_M) {
        double share = now_m > before_m ? (now_m - QUARTER_MILE_M) / (now_m - before_m) : 0.0;
        sprint->quarter_mile_s = proving_rig_time_s(rig) - share * PROVING_TICK_S;
        sprint->quarter_mile_mps = rig->speed_mps - share * PROVING_TICK_S * rig->ax_mps2;
    }
}

static void stand(proving_rig *rig, proving_driver *driver) {
    const apex_placement origin = {0};
    proving_rig_place(rig, &origin);
    for (int32_t i = 0; i < (int32_t)(SETTLE_S * APEX_PROVING_HZ); i++) {
        proving_driver_coast(driver, rig);
        rig->demand.brake = 1.0;
        proving_rig_step(rig);
    }
}

proving_sprint proving_sprint_run(proving_rig *rig) {
    const double TIME_S_MAX = 90.0, STALE_S = 10.0, PEAK_PER_S = 10.0;
    const double none = proving_nothing();
    proving_sprint sprint = {none, none, none, none, none, none, 0.0, 0.0};
    proving_driver driver = proving_driver_for(rig->car);
    const proving_path path = proving_path_straight();
    stand(rig, &driver);
    proving_rig_start_clock(rig);
    proving_rig_record(rig);
    double ax = 0.0, fastest = 0.0, faster_at_s = 0.0;
    while ((isnan(sprint.to_200kmh_s) || isnan(sprint.quarter_mile_s)) &&
           proving_rig_time_s(rig) < TIME_S_MAX &&
           proving_rig_time_s(rig) < faster_at_s + STALE_S) {
        double speed = rig->speed_mps, distance = rig->distance_m;
        proving_driver_follow(&driver, rig, &path);
        proving_driver_accelerate(&driver, rig);
        proving_rig_step(rig);
        note_crossing(&sprint.to_60mph_s, rig, speed, 60.0 * PROVING_MPH);
        note_crossing(&sprint.to_100kmh_s, rig, speed, 100.0 * PROVING_KMH);
        note_crossing(&sprint.to_160kmh_s, rig, speed, 160.0 * PROVING_KMH);
        note_crossing(&sprint.to_200kmh_s, rig, speed, 200.0 * PROVING_KMH);
        note_quarter_mile(&sprint, rig, distance);
        ax += (rig->ax_mps2 - ax) * PEAK_PER_S * PROVING_TICK_S;
        sprint.ax_mps2_max = fmax(sprint.ax_mps2_max, ax);
        if (rig->speed_mps > fastest + 0.05) {
            fastest = rig->speed_mps;
            faster_at_s = proving_rig_time_s(rig);
        }
    }
    sprint.end_mps = rig->speed_mps;
    return sprint;
}

// Runs at full throttle until speed has not changed for a while. @return the mean over that while
static double steady_speed_mps(proving_rig *rig, proving_driver *driver, double from_mps) {
    const double WINDOW_S = 10.0, TIME_S_MAX = 400.0, CHANGE_MPS = 0.01;
    const apex_placement at = {.speed_mps = from_mps};
    const proving_path path = proving_path_straight();
    proving_rig_place(rig, &at);
    proving_driver_cruise(driver, rig, &path, (const double[2]){from_mps, SETTLE_S});
    proving_rig_start_clock(rig);
    double before = -1.0, mean = from_mps;
    while (fabs(mean - before) > CHANGE_MPS && proving_rig_time_s(rig) < TIME_S_MAX) {
        before = mean;
        double start_m = rig->distance_m;
        for (int32_t i = 0; i < (int32_t)(WINDOW_S * APEX_PROVING_HZ); i++) {
            proving_driver_follow(driver, rig, &path);
            proving_driver_accelerate(driver, rig);
            proving_rig_step(rig);
        }
        mean = (rig->distance_m - start_m) / WINDOW_S;
    }
    return mean;
}

proving_top_speed proving_top_speed_run(proving_rig *rig, double from_mps) {
    proving_driver driver = proving_driver_for(rig->car);
    double by_itself = steady_speed_mps(rig, &driver, from_mps);
    proving_top_speed top = {by_itself, proving_rig_rpm(rig), rig->pose.gear};
    if (rig->car->model == APEX_CAR_KINEMATIC) {
        return (proving_top_speed){by_itself, proving_nothing(), 0};
    }
    // A gearbox may shift past the best gear, or to and fro: the neighbours are tried by hand.
    double rpm_per_mps = proving_rig_rpm(rig) / fmax(rig->speed_mps, 1.0);
    double ratio = rig->car->gearbox.ratio[top.gear > 0 ? top.gear - 1 : 0];
    for (int32_t gear = top.gear - 1, last = top.gear + 1; gear <= last; gear++) {
        if (gear < 1 || gear > (int32_t)rig->car->gearbox.gear_count) {
            continue;
        }
        double rpm = by_itself * rpm_per_mps * rig->car->gearbox.ratio[gear - 1] / ratio;
        if (rpm > 1.01 * rig->car->engine.limiter_rpm) {
            continue;
        }
        driver = proving_driver_for(rig->car);
        driver.gear = (int8_t)gear;
        double speed = steady_speed_mps(rig, &driver, by_itself);
        if (speed > top.speed_mps - 0.01) {
            top = (proving_top_speed){speed, proving_rig_rpm(rig), gear};
        }
    }
    return top;
}

proving_stop proving_stop_run(proving_rig *rig, double speed_mps) {
    const double STOPPED_MPS = 0.05, TIME_S_MAX = 60.0, APPROACH_S = 4.0;
    proving_driver driver = proving_driver_for(rig->car);
    const apex_placement at = {.speed_mps = speed_mps};
    const proving_path path = proving_path_straight();
    proving_rig_place(rig, &at);
    proving_driver_cruise(&driver, rig, &path, (const double[2]){speed_mps, APPROACH_S});
    double start_mps = rig->speed_mps, start_y_m = rig->pose.position_m[1];
    proving_rig_start_clock(rig);
    proving_rig_record(rig);
    while (rig->forward_mps > STOPPED_MPS && proving_rig_time_s(rig) < TIME_S_MAX) {
        proving_driver_follow(&driver, rig, &path);
        proving_driver_brake(&driver, rig);
        proving_rig_step(rig);
    }
    double scale = start_mps > 0.0 ? speed_mps / start_mps : 1.0;
    bool has_stopped = rig->forward_mps <= STOPPED_MPS && proving_rig_is_in_hand(rig);
    double distance = has_stopped ? rig->distance_m * scale * scale : proving_nothing();
    return (proving_stop){
        .distance_m = distance,
        .time_s = has_stopped ? proving_rig_time_s(rig) * scale : proving_nothing(),
        .drift_m = rig->pose.position_m[1] - start_y_m,
        .deceleration_mps2 = 0.5 * speed_mps * speed_mps / distance,
    };
}
