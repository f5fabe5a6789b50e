// Hands: along a path, then a loop on the curvature that results.
//
// Two loops in a row, because the second makes the first independent of what is being driven. The
// outer one asks for the curvature of the path a moment ahead and takes back errors of place and of
// direction of travel; not of heading, so that a car which slides or a motorcycle which leans has
// no lasting error on a circle. The inner one begins with the angle that geometry asks (the
// bicycle's) and adds what the yaw rate shows to be missing.
#include "proving/test_driver/hands.h"

#include <math.h>

#include "base/trig.h"
#include "proving/rig/rig.h"
#include "proving/rig/units.h"
#include "proving/test_driver/feet.h"
#include "proving/test_driver/path.h"

// A tester does not turn the wheel on into sliding front tyres.
static const double FRONT_SLIP_RAD_MAX = 0.25;

proving_driver proving_driver_for(const apex_car_def *car) {
    // A motorcycle has to lean before it turns, and answers later.
    bool leans = car->model == APEX_CAR_MOTORCYCLE;
    return (proving_driver){
        .lead_s = leans ? 0.3 : 0.15,
        .return_s = leans ? 0.9 : 0.4,
        .turn_gain = leans ? 0.0 : 0.4,
        .turn_gain_per_s = leans ? 1.5 : 4.0,
        .turn_scale = 1.0,
        .throttle_limit = 1.0,
        .brake_limit = 1.0,
        .wheelie = {leans ? 0.7 : 1.0, 0.5}, // a hand that opens up as it feels what happens
        .stoppie = {leans ? 0.6 : 1.0, 0.5},
        .gear = APEX_GEAR_AUTOMATIC,
        .shifted_s = 1.0,
    };
}

static double front_slip_rad(const proving_rig *rig) {
    double worst = 0.0;
    uint32_t count = rig->car->axles[0].track_width_m > 0.0 ? 2 : 1;
    for (uint32_t w = 0; w < count; w++) {
        worst = fmax(worst, fabs(rig->work.wheels[w].slip_angle_rad));
    }
    return worst;
}

void proving_driver_turn(proving_driver *driver, proving_rig *rig, double curvature_per_m) {
    const double SPEED_MIN_MPS = 2.0;
    double per_lock = 1.0 / rig->lock_rad;
    double speed = fmax(rig->speed_mps, SPEED_MIN_MPS);
    double error = curvature_per_m - rig->yaw_rate_radps / speed;
    double error_share = error * rig->wheelbase_m * per_lock;
    double asked = apex_atan(rig->wheelbase_m * curvature_per_m) * per_lock * driver->turn_scale;
    double steer = asked + driver->turn_memory + driver->turn_gain * error_share;
    bool is_more = steer * error > 0.0;
    bool is_useless = fabs(steer) >= 1.0 || front_slip_rad(rig) > FRONT_SLIP_RAD_MAX;
    if (!(is_more && is_useless) && rig->speed_mps > SPEED_MIN_MPS) {
        driver->turn_memory += driver->turn_gain_per_s * error_share * PROVING_TICK_S;
        driver->turn_memory = proving_clamp(driver->turn_memory, -1.0, 1.0);
    }
    rig->demand.steer = proving_clamp(steer, -1.0, 1.0);
}

void proving_driver_follow(proving_driver *driver, proving_rig *rig, const proving_path *path) {
    const double NEAREST_M = 2.0, NEAREST_WHEELBASES = 1.5, DAMPING = 0.8;
    double nearest_m = fmax(NEAREST_M, NEAREST_WHEELBASES * rig->wheelbase_m);
    double within_m = fmax(driver->return_s * rig->speed_mps, nearest_m);
    proving_beside at =
        proving_path_beside(path, rig->pose.position_m, driver->lead_s * rig->speed_mps);
    // A velocity is the chord of the tick it led through; the car has turned half a tick more.
    double travel_rad = rig->pose.yaw_rad + rig->slip_angle_rad;
    travel_rad += 0.5 * PROVING_TICK_S * rig->yaw_rate_radps;
    double s, c;
    apex_sincos(travel_rad, &s, &c);
    double astray = at.along[0] * s - at.along[1] * c; // sine of the angle between them
    // Far off it is met at an angle of some 30 degrees, not head on.
    double off_m = proving_clamp(at.off_m, -within_m, within_m);
    double back = off_m / (within_m * within_m) + 2.0 * DAMPING * astray / within_m;
    proving_driver_turn(driver, rig, at.curvature_per_m - back);
}

void proving_driver_learn(proving_driver *driver, proving_rig *rig, double speed_mps) {
    const double LATERAL_MPS2 = 3.0, TIME_S = 5.0, LAST_S = 1.0;
    const proving_path circle = proving_path_circle(speed_mps * speed_mps / LATERAL_MPS2);
    proving_driver pupil = *driver;
    proving_rig_place(rig, &(apex_placement){.speed_mps = speed_mps});
    proving_driver_cruise(&pupil, rig, &circle, (const double[2]){speed_mps, TIME_S});
    double steer = 0.0, turned = 0.0;
    for (uint32_t i = 0; i < (uint32_t)(LAST_S * APEX_PROVING_HZ); i++) {
        proving_driver_cruise(&pupil, rig, &circle, (const double[2]){speed_mps, PROVING_TICK_S});
        steer += rig->demand.steer;
        turned += rig->yaw_rate_radps / fmax(rig->speed_mps, 1.0);
    }
    double asked = turned * rig->wheelbase_m / rig->lock_rad;
    bool has_learnt = asked > 0.0 && proving_rig_is_in_hand(rig);
    driver->speed_memory = pupil.speed_memory;
    driver->turn_scale = has_learnt ? proving_clamp(steer / asked, 0.2, 5.0) : 1.0;
}

void proving_driver_cruise(proving_driver *driver, proving_rig *rig, const proving_path *path,
                           const double speed_and_time[2]) {
    uint32_t ticks = (uint32_t)(speed_and_time[1] * APEX_PROVING_HZ + 0.5);
    for (uint32_t i = 0; i < ticks; i++) {
        proving_driver_follow(driver, rig, path);
        proving_driver_hold_speed(driver, rig, speed_and_time[0]);
        proving_rig_step(rig);
    }
}
