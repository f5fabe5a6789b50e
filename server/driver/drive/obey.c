// Wheel and pedals for what a driver wants, and what he does when the car stands or is stuck.
#include "driver/drive/obey.h"

#include <math.h>

#include "base/assert.h"
#include "base/trig.h"
#include "driver/clamp.h"
#include "driver/drive/pedals.h"
#include "driver/drive/steer.h"

static const double ROLL_OUT_MPS = 2.0; // below the speed of the moment, always
static const double ROLL_BACK_MPS = -1.0;
static const double STUCK_MPS = 0.7;
static const double STUCK_S = 2.0;
static const double REVERSE_S = 1.8;
static const double GIVE_UP_S = 9.0;

// Up to something: back out of it with the wheels turned the other way; when that fails again and
// again, ask the marshals.
static void back_out(apex_driver *driver, const driver_now *now, apex_controls *controls) {
    driver->reverse_left_s -= now->view->dt_s;
    controls->gear = APEX_GEAR_REVERSE;
    controls->throttle = now->view->gear < 0 ? 140 : 0;
    controls->brake = now->view->gear < 0 ? 0 : 120;
    driver->steer = now->steer_rad > 0.0 ? -0.8 : 0.8;
}

static void watch_stuck(apex_driver *driver, const driver_now *now, const apex_controls *controls) {
    double dt_s = now->view->dt_s;
    bool pushing = controls->throttle > 20;
    if (now->view->speed_mps > 3.0) { // not at once: it may be the run-up to the same wall
        driver->stuck_s = fmax(driver->stuck_s - dt_s, 0.0);
    } else if (pushing && fabs(now->view->speed_mps) < STUCK_MPS) {
        double before_s = driver->stuck_s;
        driver->stuck_s += dt_s;
        double tries = floor(driver->stuck_s / STUCK_S);
        if (tries > floor(before_s / STUCK_S)) {
            driver->reverse_left_s = REVERSE_S;
        }
    }
    if (driver->stuck_s >= GIVE_UP_S) {
        driver->stuck_s = 0.0;
        driver->reverse_left_s = 0.0;
        driver->resets++;
    }
}

// Before the start, and after the finish: roll out along the line, then stand.
static void stand_or_stop(driver_now *now, double skill, apex_controls *controls) {
    double speed_mps = now->view->speed_mps;
    if (speed_mps < 3.0) {
        controls->brake = 255;
        return;
    }
    now->room.speed_mps = fmin(now->room.speed_mps, speed_mps - ROLL_OUT_MPS);
    driver_pedals_hold(now, skill, controls);
    controls->throttle = 0;
}

apex_controls driver_act(apex_driver *driver, driver_now *now) {
    apex_controls controls = {.gear = driver_pedals_gear(now), .aids_off = APEX_AID_STEERING};
    driver->steer = now->steer_rad / now->plan->car.steer_rad_max;
    if (!now->view->may_go) {
        stand_or_stop(now, driver->skill, &controls);
        driver->stuck_s = driver->reverse_left_s = 0.0;
    } else if (now->stands) {
        controls.brake = 255;
        driver->stuck_s = driver->reverse_left_s = 0.0;
    } else if (driver->reverse_left_s > 0.0) {
        back_out(driver, now, &controls);
    } else if (now->view->speed_mps < ROLL_BACK_MPS) {
        controls.brake = 255; // no gear ahead goes in before it stands
    } else {
        driver_pedals_hold(now, driver->skill, &controls);
        watch_stuck(driver, now, &controls);
    }
    controls.reset_count = (uint8_t)driver->resets;
    controls.steer = (int16_t)(driver_clamped(driver->steer, -1.0, 1.0) * APEX_STEER_MAX);
    return controls;
}

static double friction_under(const apex_driver_plan *plan, const apex_driver_view *view) {
    const apex_ground *ground = apex_track_ground(plan->track);
    apex_ground_sample sample = apex_ground_at(ground, view->x_m, view->y_m, view->z_m);
    APEX_ASSERT(sample.surface < ground->surface_count);
    return ground->surfaces[sample.surface].friction;
}

apex_controls driver_obey(apex_driver *driver, const apex_driver_plan *plan,
                          const apex_driver_view *view, driver_order order) {
    driver_now now = {.plan = plan, .view = view};
    apex_sincos(view->yaw_rad, &now.heading[1], &now.heading[0]);
    now.here.friction = friction_under(plan, view);
    now.room.speed_mps = order.speed_mps;
    now.tail_slip = driver_steer_tail_slip(view, &plan->car);
    now.steer_rad = driver_steer_usable_rad(&now, order.steer_rad);
    return driver_act(driver, &now);
}
