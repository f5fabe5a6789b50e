// Feet: speed, full throttle, full brake, and the gears of cars that do not shift by themselves.
#include "proving/test_driver/feet.h"

#include <math.h>

#include "base/trig.h"
#include "proving/rig/rig.h"
#include "proving/rig/units.h"
#include "proving/test_driver/driver_state.h"

static double driven_radius_m(const apex_car_def *car) {
    double sum = 0.0;
    for (uint32_t a = 0; a < car->axle_count; a++) {
        sum += car->axles[a].drive_share * car->axles[a].tyre.radius_m;
    }
    return sum > 0.0 ? sum : car->axles[0].tyre.radius_m;
}

static double rpm_in_gear(const proving_rig *rig, int32_t gear, double speed_mps) {
    const apex_gearbox_def *box = &rig->car->gearbox;
    double ratio = box->ratio[gear - 1] * box->final_drive;
    return speed_mps / driven_radius_m(rig->car) * ratio / PROVING_RPM;
}

static int8_t gear_by_hand(proving_driver *driver, const proving_rig *rig) {
    const double PAUSE_S = 0.3, ROOM = 0.9;
    const apex_gearbox_def *box = &rig->car->gearbox;
    int32_t gear = rig->pose.gear;
    driver->shifted_s += PROVING_TICK_S;
    if (gear < 1) {
        gear = 1;
        while (gear < (int32_t)box->gear_count &&
               rpm_in_gear(rig, gear, rig->speed_mps) > ROOM * box->shift_up_rpm) {
            gear++;
        }
    } else if (driver->shifted_s < box->shift_time_s + PAUSE_S) {
        return (int8_t)gear;
    } else if (gear < (int32_t)box->gear_count && proving_rig_rpm(rig) > box->shift_up_rpm &&
               rpm_in_gear(rig, gear, rig->speed_mps) > ROOM * box->shift_up_rpm) {
        gear++;
    } else if (gear > 1 && rpm_in_gear(rig, gear, rig->speed_mps) < box->shift_down_rpm &&
               rpm_in_gear(rig, gear - 1, rig->speed_mps) < ROOM * box->shift_up_rpm) {
        gear--;
    }
    driver->shifted_s = gear == rig->pose.gear ? driver->shifted_s : 0.0;
    return (int8_t)gear;
}

// Up as the engine rises, so that it neither stalls nor howls; down before it stalls.
static double clutch_by_foot(const proving_rig *rig) {
    const double UP_SHARE = 0.3, IN_STEP = 0.95;
    const apex_engine_def *engine = &rig->car->engine;
    int32_t gear = rig->pose.gear > 0 ? rig->pose.gear : 1;
    double road_rpm = rpm_in_gear(rig, gear, rig->speed_mps), rpm = proving_rig_rpm(rig);
    if (rig->demand.throttle <= 0.0) {
        return road_rpm < 1.2 * engine->idle_rpm ? 1.0 : 0.0;
    }
    double band_rpm = UP_SHARE * (engine->limiter_rpm - engine->idle_rpm);
    if (road_rpm > IN_STEP * rpm || road_rpm > engine->idle_rpm + band_rpm) {
        return 0.0;
    }
    return 1.0 - proving_clamp((rpm - engine->idle_rpm) / band_rpm, 0.0, 1.0);
}

void proving_driver_shift(proving_driver *driver, proving_rig *rig) {
    const apex_car_def *car = rig->car;
    rig->demand.gear = driver->gear;
    if (car->model == APEX_CAR_KINEMATIC) {
        return;
    }
    if (driver->gear == APEX_GEAR_AUTOMATIC && !car->gearbox.automatic) {
        rig->demand.gear = gear_by_hand(driver, rig);
    }
    if (!car->aids.automatic_clutch) {
        rig->demand.clutch = clutch_by_foot(rig);
    }
}

void proving_driver_choose_gear(proving_driver *driver, const proving_rig *rig, double speed_mps) {
    const double CALM = 0.33;
    const apex_car_def *car = rig->car;
    if (car->model == APEX_CAR_KINEMATIC) {
        return;
    }
    double calm_rpm = fmax(CALM * car->engine.limiter_rpm, 1.3 * car->engine.idle_rpm);
    int32_t gear = (int32_t)car->gearbox.gear_count;
    while (gear > 1 && rpm_in_gear(rig, gear, speed_mps) < calm_rpm) {
        gear--;
    }
    driver->gear = (int8_t)gear;
}

void proving_driver_hold_speed(proving_driver *driver, proving_rig *rig, double speed_mps) {
    const double PER_MPS = 0.4, PER_M = 0.3, BRAKE_PER_MPS = 0.15, BRAKE_FROM_MPS = 1.0;
    double error = speed_mps - rig->forward_mps;
    double wanted = PER_MPS * error + driver->speed_memory;
    if ((wanted > 0.0 || error > 0.0) && (wanted < 1.0 || error < 0.0)) {
        driver->speed_memory += PER_M * error * PROVING_TICK_S;
        driver->speed_memory = proving_clamp(driver->speed_memory, -0.2, 1.0);
    }
    rig->demand.throttle = proving_clamp(wanted, 0.0, 1.0);
    rig->demand.brake = proving_clamp(BRAKE_PER_MPS * (-error - BRAKE_FROM_MPS), 0.0, 1.0);
    proving_driver_shift(driver, rig);
}

void proving_driver_coast(proving_driver *driver, proving_rig *rig) {
    rig->demand.throttle = 0.0;
    rig->demand.brake = 0.0;
    proving_driver_shift(driver, rig);
}

// An aid that acts at least so strongly is left to do its work.
static const double AID_ENOUGH = 0.5;

// @return the most by which the treads of some wheels run faster (or slower, for sign -1) than the
// road, in shares of the speed. At walking speed a share means nothing: some slip speed is always
// allowed. A wheel with next to no load may slip as it likes.
static double worst_slip(const proving_rig *rig, bool driven_only, double sign) {
    const double SPEED_MIN_MPS = 6.0, BEARING = 0.35;
    double least_n = BEARING * proving_rig_weight_n(rig) / rig->pose.wheel_count;
    double worst = 0.0;
    uint32_t wheel = 0;
    for (uint32_t a = 0; a < rig->car->axle_count; a++) {
        const apex_axle_def *axle = &rig->car->axles[a];
        uint32_t count = axle->track_width_m > 0.0 ? 2 : 1;
        for (uint32_t w = wheel; w < wheel + count; w++) {
            double slip = rig->state.wheels[w].spin_radps * axle->tyre.radius_m - rig->forward_mps;
            bool counts =
                (!driven_only || axle->drive_share > 0.0) && rig->work.wheels[w].load_n > least_n;
            worst = counts ? fmax(worst, sign * slip) : worst;
        }
        wheel += count;
    }
    return worst / fmax(rig->forward_mps, SPEED_MIN_MPS);
}

// @return the pedal while something nears its target: all of it up to START, none of it at END.
// `share` is 1 at the target. A foot is not instantaneous.
static double ease(double limit, double share) {
    const double START = 0.7, END = 1.5, PER_S = 20.0, LEAST = 0.02;
    double wanted = proving_clamp((END - share) / (END - START), LEAST, 1.0);
    return limit + (wanted - limit) * PER_S * PROVING_TICK_S;
}

// Nobody rides on one axle. The pedal is moved slowly, so that the springs keep up, until the axle
// that gets lighter keeps a little load, and follows at once the load that is about to be. Should
// the axle lift all the same, the body's tilt counts, and what it is about to be.
static double balance(const proving_rig *rig, uint32_t axle, double tilt_rad, proving_balance *of) {
    const double KEPT = 0.03, PER_S = 6.0, AT_ONCE = 0.5, AHEAD_S = 0.15, RISE_PER_S = 1.2,
                 SMOOTH_PER_S = 30.0, SQUAT = 0.3;
    const double BARE = 0.02, TILT_RAD = 0.09, TILT_RAD_MAX = 0.3;
    double share = proving_rig_load_n(rig, axle) / proving_rig_weight_n(rig);
    double before = of->share;
    of->share += (share - of->share) * SMOOTH_PER_S * PROVING_TICK_S;
    double coming = of->share + AHEAD_S * (of->share - before) / PROVING_TICK_S;
    // A body that squats as it sets off is not about to lift.
    coming = fmax(coming, SQUAT * of->share);
    double rise = fmin(PER_S * (share - KEPT), RISE_PER_S);
    of->limit = proving_clamp(of->limit + rise * PROVING_TICK_S, 0.05, 1.0);
    double given = proving_clamp(of->limit + AT_ONCE * fmin(coming - KEPT, 0.0), 0.05, 1.0);
    if (share > BARE) {
        return given;
    }
    // Springs alone let it tilt a little.
    double far = (tilt_rad - TILT_RAD) / (TILT_RAD_MAX - TILT_RAD);
    return given * proving_clamp(1.0 - far, 0.0, 1.0);
}

// Nose down is positive. A wheelie grows by itself: its rate counts beside its angle.
static double tilt_rad(const proving_rig *rig) {
    const double AHEAD_S = 0.25;
    double s, c;
    apex_sincos(rig->pose.yaw_rad, &s, &c);
    double rate = rig->pose.angular_radps[1] * c - rig->pose.angular_radps[0] * s;
    return rig->pose.pitch_rad + AHEAD_S * rate;
}

// A motorcycle's rider keeps both wheels down by the aids of throttle and brake; a foot that does
// the same at its own speed would only work against the hands.
static bool rider_balances(const apex_car_def *car, bool has_aid) {
    return car->model == APEX_CAR_MOTORCYCLE && has_aid;
}

void proving_driver_accelerate(proving_driver *driver, proving_rig *rig) {
    const double SLIP = 0.15;
    rig->demand.throttle = 1.0;
    rig->demand.brake = 0.0;
    if (rig->car->model != APEX_CAR_KINEMATIC) {
        bool has_control = rig->car->aids.traction_control >= AID_ENOUGH;
        double share = has_control ? 0.0 : worst_slip(rig, true, 1.0) / SLIP;
        driver->throttle_limit = ease(driver->throttle_limit, share);
        rig->demand.throttle = driver->throttle_limit;
        if (!rider_balances(rig->car, has_control)) {
            double upright = balance(rig, 0, -tilt_rad(rig), &driver->wheelie);
            rig->demand.throttle = fmin(driver->throttle_limit, upright);
        }
    }
    proving_driver_shift(driver, rig);
}

void proving_driver_brake(proving_driver *driver, proving_rig *rig) {
    const double SLIP = 0.15, SPEED_MIN_MPS = 2.0;
    rig->demand.throttle = 0.0;
    rig->demand.brake = 1.0;
    if (rig->car->model != APEX_CAR_KINEMATIC) {
        bool has_abs = rig->car->aids.abs >= AID_ENOUGH;
        if (rig->forward_mps > SPEED_MIN_MPS) {
            double share = has_abs ? 0.0 : worst_slip(rig, false, -1.0) / SLIP;
            driver->brake_limit = ease(driver->brake_limit, share);
        }
        rig->demand.brake = driver->brake_limit;
        if (!rider_balances(rig->car, has_abs)) {
            uint32_t last = rig->car->axle_count - 1;
            double upright = balance(rig, last, tilt_rad(rig), &driver->stoppie);
            rig->demand.brake = fmin(driver->brake_limit, upright);
        }
    }
    proving_driver_shift(driver, rig);
}
