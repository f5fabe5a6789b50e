// Tests off the level: a car parked on a slope, and one that jumps from a ramp.
#include "proving/manoeuvres/hill_and_jump.h"

#include <math.h>

#include "proving/rig/practice_ground.h"
#include "proving/rig/rig.h"
#include "proving/rig/run.h"
#include "proving/rig/units.h"
#include "proving/test_driver/feet.h"
#include "proving/test_driver/hands.h"
#include "proving/test_driver/path.h"

static double creep_m(proving_rig *rig) {
    const double SETTLE_S = 10.0, WATCH_S = 60.0;
    const apex_placement origin = {0};
    proving_rig_place(rig, &origin);
    rig->demand.gear = APEX_GEAR_NEUTRAL;
    rig->demand.brake = 1.0;
    for (uint32_t i = 0; i < (uint32_t)(SETTLE_S * APEX_PROVING_HZ); i++) {
        proving_rig_step(rig);
    }
    const apex_car_pose settled = rig->pose;
    proving_rig_start_clock(rig);
    proving_rig_record(rig);
    for (uint32_t i = 0; i < (uint32_t)(WATCH_S * APEX_PROVING_HZ); i++) {
        proving_rig_step(rig);
    }
    double sum = 0.0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        double way = rig->pose.position_m[axis] - settled.position_m[axis];
        sum += way * way;
    }
    return sqrt(sum);
}

// Nose uphill, as run->rig stands; the other slope is a rig of its own.
void proving_manoeuvre_hill_hold(const proving_run *run) {
    const double HELD_M = 0.001;
    double uphill = creep_m(run->rig);
    proving_rig beside;
    const proving_site site = {PROVING_GROUND_ACROSS, run->def->friction, run->def->grade};
    double across = proving_nothing();
    if (proving_rig_open(&beside, run->rig->car, &site) == APEX_OK) {
        across = creep_m(&beside);
        proving_rig_close(&beside);
    }
    run->result->verdict =
        uphill < HELD_M && across < HELD_M ? APEX_VERDICT_PASS : APEX_VERDICT_FAIL;
    if (run->result->verdict == APEX_VERDICT_FAIL) {
        snprintf(run->result->remark, sizeof run->result->remark,
                 "moved more than %.0f mm in 60 s %s", 1000.0 * HELD_M,
                 uphill < HELD_M ? "across the slope" : "up the slope");
    }
    proving_run_add(run, "grade", "%", 100.0 * run->def->grade);
    proving_run_add(run, "creep_uphill", "mm", 1000.0 * uphill);
    proving_run_add(run, "creep_across", "mm", 1000.0 * across);
}

typedef struct jump_log {
    bool flew, landed;
    double take_off_s, take_off_mps, take_off_x_m, take_off_z_m;
    double height_m; ///< highest of the centre of mass above take-off
    double land_s, land_x_m, land_fall_mps, land_pitch_rad;
    double load_share_max; ///< after landing, of the weight
    double fall_mps;       ///< now
} jump_log;

// The share of its weight on its wheels below which a car counts as flying.
static const double FLYING_SHARE = 0.02;

static bool is_flying(const proving_rig *rig) {
    double share = proving_rig_load_n(rig, APEX_AXLES_MAX) / proving_rig_weight_n(rig);
    return rig->pose.airborne || share < FLYING_SHARE;
}

static void log_jump(jump_log *log, const proving_rig *rig) {
    const double *at = rig->pose.position_m;
    bool flies = is_flying(rig);
    if (!log->flew && flies) {
        log->flew = true;
        log->take_off_s = proving_rig_time_s(rig);
        log->take_off_mps = rig->speed_mps;
        log->take_off_x_m = at[0];
        log->take_off_z_m = at[2];
    }
    // A touch in passing over the edge is no landing: that is on the flat behind it.
    if (log->flew && !log->landed && !flies && at[0] > PROVING_RAMP_M) {
        log->landed = true;
        log->land_s = proving_rig_time_s(rig);
        log->land_x_m = at[0];
        log->land_fall_mps = log->fall_mps;
        log->land_pitch_rad = rig->pose.pitch_rad;
    }
    if (log->flew && !log->landed) {
        log->height_m = fmax(log->height_m, at[2] - log->take_off_z_m);
    }
    if (log->landed) {
        double load = proving_rig_load_n(rig, APEX_AXLES_MAX);
        log->load_share_max = fmax(log->load_share_max, load / proving_rig_weight_n(rig));
    }
    log->fall_mps = -rig->pose.velocity_mps[2];
}

void proving_manoeuvre_jump(const proving_run *run) {
    const double RUN_UP_S = 3.0, AFTER_S = 3.0, TIME_S_MAX = 30.0;
    const double none = proving_nothing();
    proving_rig *rig = run->rig;
    const proving_path path = proving_path_straight();
    const double nose_m = rig->car->hull.centre_x_m + 0.5 * rig->car->hull.length_m;
    const apex_placement at = {.x_m = -RUN_UP_S * run->def->speed_mps - nose_m,
                               .speed_mps = run->def->speed_mps};
    proving_driver driver = proving_driver_for(rig->car);
    proving_rig_place(rig, &at);
    proving_rig_record(rig);
    jump_log log = {0};
    while (proving_rig_time_s(rig) < TIME_S_MAX &&
           !(log.landed && proving_rig_time_s(rig) > log.land_s + AFTER_S)) {
        if (log.flew) {
            proving_driver_coast(&driver, rig);
            rig->demand.steer = 0.0;
        } else {
            proving_driver_follow(&driver, rig, &path);
            proving_driver_hold_speed(&driver, rig, run->def->speed_mps);
        }
        proving_rig_step(rig);
        log_jump(&log, rig);
    }
    bool is_well = log.landed && proving_rig_is_in_hand(rig);
    run->result->verdict = is_well ? APEX_VERDICT_PASS : APEX_VERDICT_FAIL;
    if (!is_well) {
        snprintf(run->result->remark, sizeof run->result->remark, "%s",
                 log.landed ? "it did not land on its wheels and roll on"
                 : log.flew ? "it did not come down"
                            : "it did not leave the ground");
    }
    proving_run_add(run, "ramp_height", "m", proving_ramp_height_m(run->def->grade));
    proving_run_add(run, "take_off_speed", "km/h",
                    log.flew ? log.take_off_mps / PROVING_KMH : none);
    proving_run_add(run, "air_time", "s", log.landed ? log.land_s - log.take_off_s : none);
    proving_run_add(run, "flight", "m", log.landed ? log.land_x_m - log.take_off_x_m : none);
    proving_run_add(run, "height", "m", log.flew ? log.height_m : none);
    proving_run_add(run, "landing_speed_down", "m/s", log.landed ? log.land_fall_mps : none);
    proving_run_add(run, "landing_pitch", "deg",
                    log.landed ? proving_degrees(log.land_pitch_rad) : none);
    proving_run_add(run, "landing_load", "weights", log.landed ? log.load_share_max : none);
}
