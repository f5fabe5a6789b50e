// The pedals and the gear: the planned acceleration and a share of what the speed is off, as far as
// the tyres can bear it beside what they give to the bend.
//
// The pedals: the limit of braking in a bend is found for both axles, with load transfer and the
// engine's own braking. One ellipse for the whole car was tried: whatever share of it is used, it
// either leaves the rear axle nothing or brakes too early on the straight (DECISIONS 24).
#include "driver/drive/pedals.h"

#include <math.h>

#include "driver/clamp.h"
#include "driver/plan/axle_load.h"
#include "driver/plan/car_model.h"

static const double SPEED_GAIN_PER_S = 1.5;
static const double NEAR_MPS = 4.0;
static const double PULL_SHARE = 0.95; // of the driven wheels' grip
static const double SIDE_USE_MAX = 0.87;
// Of the rear tyres' usable slip: up to the first no care, at the second feet off both pedals.
static const double TAIL_FREE = 0.7;
static const double TAIL_LOST = 1.3;
static const double SHIFT_DOWN_SHARE = 0.62;

static uint8_t pedal(double share) {
    return (uint8_t)(driver_clamped(share, 0.0, 1.0) * 255.0 + 0.5);
}

// The gear by road speed, so that spinning wheels do not shift. Changing down leaves the engine
// well below where it would have to change up again.
int8_t driver_pedals_gear(const driver_now *now) {
    const driver_car *car = &now->plan->car;
    const apex_gearbox_def *box = &car->def->gearbox;
    int8_t gear = now->view->gear > 0 ? now->view->gear : 1;
    if (car->kinematic || now->view->gear < 0 || now->view->speed_mps < 0.5) {
        return car->kinematic ? (int8_t)APEX_GEAR_AUTOMATIC : 1;
    }
    double speed_mps = now->view->speed_mps;
    if ((uint32_t)gear < box->gear_count &&
        driver_car_rpm(car, (uint32_t)gear, speed_mps) > box->shift_up_rpm) {
        return (int8_t)(gear + 1);
    }
    if (gear > 1 &&
        driver_car_rpm(car, (uint32_t)gear - 1, speed_mps) < SHIFT_DOWN_SHARE * box->shift_up_rpm) {
        return (int8_t)(gear - 1);
    }
    return gear;
}

static driver_load load_of(const driver_now *now) {
    const apex_driver_view *view = now->view;
    double bend_mps2 = view->speed_mps * view->yaw_rate_radps;
    return driver_axles_load(&now->plan->car, &now->here, view->speed_mps, bend_mps2);
}

static double tail_left(const driver_now *now) {
    double tail = fabs(now->tail_slip);
    return driver_clamped((TAIL_LOST - tail) / (TAIL_LOST - TAIL_FREE), 0.0, 1.0);
}

// The engine pushes by as much more as it brakes with the throttle closed.
static void pull(const driver_now *now, double wanted_mps2, double engine_mps2,
                 apex_controls *controls) {
    const driver_car *car = &now->plan->car;
    uint32_t gear = now->view->gear > 0 ? (uint32_t)now->view->gear : 1;
    double full_mps2 = driver_car_gear_force_n(car, gear, now->view->speed_mps) / car->mass_kg;
    full_mps2 = fmax(full_mps2, 0.2);
    driver_load load = load_of(now);
    double grip_mps2 = load.friction * load.pressed_mps2;
    double used = fabs(load.side_mps2) / fmax(car->grip_lat * grip_mps2, 0.1);
    used = fmin(used, SIDE_USE_MAX);
    double limit_mps2 = PULL_SHARE * car->grip_long * car->drive_grip * grip_mps2 *
                        (1.0 - used * used) * tail_left(now);
    limit_mps2 = car->kinematic ? full_mps2 : limit_mps2;
    controls->throttle =
        pedal((fmin(wanted_mps2, limit_mps2) + engine_mps2) / (full_mps2 + engine_mps2));
}

static void brake(const driver_now *now, double wanted_mps2, double engine_mps2,
                  apex_controls *controls) {
    const driver_car *car = &now->plan->car;
    driver_load load = load_of(now);
    load.engine_mps2 = engine_mps2;
    double limit_mps2 = car->kinematic ? car->brake_mps2_full : driver_axles_brake_mps2(car, &load);
    if (car->leans) { // or he would stand on his nose
        limit_mps2 = fmin(limit_mps2, car->grip_long * load.friction * car->gravity_mps2);
    }
    double brakes_mps2 = fmin(wanted_mps2, limit_mps2 * tail_left(now));
    controls->brake = pedal(brakes_mps2 / fmax(car->brake_mps2_full, 0.1));
}

void driver_pedals_hold(const driver_now *now, double skill, apex_controls *controls) {
    const driver_car *car = &now->plan->car;
    double speed_mps = now->view->speed_mps;
    double planned_mps2 = skill * skill * now->here.acceleration_mps2;
    double error_mps = now->room.speed_mps - speed_mps;
    // The plan's own acceleration is right only near the plan's speed; but a car too fast where
    // the plan brakes must brake no less.
    bool is_near = fabs(error_mps) < NEAR_MPS || (error_mps < 0.0 && planned_mps2 < 0.0);
    double feed_mps2 = is_near ? planned_mps2 : 0.0;
    double wanted_mps2 = feed_mps2 + SPEED_GAIN_PER_S * error_mps;
    double resistance_mps2 =
        car->drag_n_per_mps2 * speed_mps * speed_mps / car->mass_kg + car->rolling_mps2;
    double push_mps2 = wanted_mps2 + resistance_mps2 + now->here.climb_mps2;
    uint32_t gear = now->view->gear > 0 ? (uint32_t)now->view->gear : 0;
    double engine_mps2 = driver_car_engine_mps2(car, gear, speed_mps);
    if (push_mps2 >= -engine_mps2) {
        pull(now, push_mps2, engine_mps2, controls);
    } else {
        brake(now, -push_mps2 - engine_mps2, engine_mps2, controls);
    }
}
