// The wheel: along the line by where the line bends ahead, where the car is beside it and which way
// it moves; and by the way that the axles really move, so that a slide is met as it begins.
//
// The wheel follows the way that the front axle moves, and to that comes the slip which gives the
// side force wanted. The geometric angle (curvature times wheelbase) with a correction for yaw rate
// was tried for long: under braking in a bend it turns a tail that has begun to go out further
// round, since it does not know of it. So does an understeer gradient, which holds for a steady
// bend only. Motorcycles and kinematic cars keep the geometric angle: they turn as the wheel says
// (DECISIONS 24).
#include "driver/drive/steer.h"

#include <math.h>

#include "base/trig.h"
#include "driver/clamp.h"
#include "driver/plan/axle_load.h"
#include "driver/plan/car_model.h"
#include "driver/plan/driver_plan.h"

static const double CORRECT_SHARE = 0.3;  // of what presses the car down
static const double RETURN_SHARE = 0.8;   // from beside the road, slowly
static const double FOLLOW_LENGTH = 0.85; // of the look ahead
static const double BRAKING_LENGTH = 0.6;
static const double LEAN_LENGTH = 1.8;       // leaning comes before turning: more patience
static const double LONG_CAR_S_PER_M = 0.13; // a truck answers later still, and would weave
static const double ACROSS_MAX = 0.22;       // metres across for each metre ahead
static const double YAW_DAMP_S_MAX = 0.12;
static const double YAW_DAMP_M = 2.0;
static const double SLIP_MPS = 6.0; // slip angles say little below, all from twice this speed
static const double USE_MAX = 0.95; // of the front tyres' side force
// Of the rear tyres' usable slip: so much is no slide; what goes beyond is caught.
static const double TAIL_FREE = 0.7;
static const double TAIL_GAIN = 1.5;
static const double SLIP_USE_MAX = 1.15; // past the peak a front tyre only scrubs

// Angle from the line's direction to the way the car moves, or to its nose when it hardly moves.
static double course_rad(const driver_now *now) {
    const apex_driver_view *view = now->view;
    double along = 1.0;
    double across = 0.0;
    if (view->speed_mps > 5.0) {
        along = view->speed_mps;
        across = view->sideways_mps;
    }
    double x = along * now->heading[0] - across * now->heading[1];
    double y = along * now->heading[1] + across * now->heading[0];
    double tangent_x = now->here.tangent_x;
    double tangent_y = now->here.tangent_y;
    return apex_atan2(y * tangent_x - x * tangent_y, x * tangent_x + y * tangent_y);
}

// Angle from the road's direction to the line's.
static double line_rad(const driver_now *now) {
    double step_m = now->plan->step_m;
    double from_m = driver_plan_at(now->plan, now->place.s_m - step_m).offset_m;
    double to_m = driver_plan_at(now->plan, now->place.s_m + step_m).offset_m;
    return apex_atan((to_m - from_m) / (2.0 * step_m));
}

// The wheels point along the way that the front axle moves, and to that comes the slip which turns
// the car as wanted. So a tail that goes out is steered against as it goes; the angle that turns a
// car whose tyres do not slip would drive it further round.
static double steer_for(const driver_now *now, double curvature_per_m) {
    const apex_driver_view *view = now->view;
    const driver_car *car = &now->plan->car;
    double rolling_rad = apex_atan(car->wheelbase_m * curvature_per_m);
    double share = driver_clamped((view->speed_mps - SLIP_MPS) / SLIP_MPS, 0.0, 1.0);
    if (car->kinematic || car->leans || share <= 0.0) { // turns as the wheel says, sooner or later
        return rolling_rad;
    }
    double bend_mps2 = curvature_per_m * view->speed_mps * view->speed_mps;
    driver_load load = driver_axles_load(car, &now->here, view->speed_mps, bend_mps2);
    double grip_mps2 = car->axles[0].grip_lat * load.friction * load.pressed_mps2;
    double use = driver_clamped(load.side_mps2 / fmax(grip_mps2, 0.1), -USE_MAX, USE_MAX);
    double turn_radps = bend_mps2 / view->speed_mps;
    double damp_s = fmin(YAW_DAMP_S_MAX, YAW_DAMP_M / view->speed_mps);
    double across_mps = view->sideways_mps + car->front_m * view->yaw_rate_radps;
    double slip_rad = apex_atan2(across_mps, view->speed_mps) + driver_car_slip_rad(car, use) +
                      damp_s * (turn_radps - view->yaw_rate_radps);
    return rolling_rad + share * (slip_rad - rolling_rad);
}

// Along the way, a car d beside its line and at an angle p to it has d' = p and p' = k - k_line.
// With k = k_line - d / l^2 - 2 p / l that decays without overshoot over the length l.
double driver_steer_follow_rad(const driver_now *now) {
    const apex_driver_view *view = now->view;
    const driver_car *car = &now->plan->car;
    double speed_mps = fabs(view->speed_mps);
    double aside_m = now->place.offset_m - now->here.offset_m;
    double wanted_m = now->room.offset_m - now->ahead.offset_m;
    double bend_per_m = now->preview.curvature_per_m;
    double course = course_rad(now);
    if (now->room.along_road) {
        aside_m = now->place.offset_m;
        wanted_m = now->room.offset_m;
        bend_per_m = now->preview.middle_curvature_per_m;
        course += line_rad(now);
    }
    // Braking unloads the rear axle: be gentler with it.
    double braking = driver_clamped(-now->here.acceleration_mps2 / car->gravity_mps2, 0.0, 1.0);
    double length_m = now->look_m * (FOLLOW_LENGTH + BRAKING_LENGTH * braking);
    length_m *= car->leans ? LEAN_LENGTH : 1.0;
    length_m = fmax(length_m, LONG_CAR_S_PER_M * car->wheelbase_m * speed_mps);
    // Nobody changes lane harder than the tyres can spare.
    driver_load load = driver_axles_load(car, &now->here, speed_mps, 0.0);
    double spare_mps2 = (now->place.on_road ? CORRECT_SHARE : RETURN_SHARE) * load.pressed_mps2;
    double most_m = spare_mps2 * length_m * length_m / fmax(speed_mps * speed_mps, 1.0);
    most_m = fmin(most_m, ACROSS_MAX * 2.0 * length_m);
    double error_m = driver_clamped(aside_m - wanted_m, -most_m, most_m);
    double curvature = bend_per_m - error_m / (length_m * length_m) - 2.0 * course / length_m;
    return steer_for(now, curvature);
}

double driver_steer_tail_slip(const apex_driver_view *view, const driver_car *car) {
    if (view->speed_mps < 6.0 || car->kinematic) {
        return 0.0;
    }
    double axle_mps = view->sideways_mps - car->rear_m * view->yaw_rate_radps;
    return apex_atan2(axle_mps, view->speed_mps) / car->slip_peak_rad;
}

static double catch_rad(const driver_now *now) {
    double slip = now->tail_slip;
    double excess = slip - driver_clamped(slip, -TAIL_FREE, TAIL_FREE);
    return TAIL_GAIN * excess * now->plan->car.slip_peak_rad;
}

// In a slide the limit too steers against it, because it goes by the way the axle really moves.
double driver_steer_usable_rad(const driver_now *now, double steer_rad) {
    const apex_driver_view *view = now->view;
    const driver_car *car = &now->plan->car;
    steer_rad += catch_rad(now);
    if (view->speed_mps > 6.0 && !car->kinematic) {
        double axle_mps = view->sideways_mps + car->front_m * view->yaw_rate_radps;
        double moves_rad = apex_atan2(axle_mps, view->speed_mps);
        steer_rad = driver_clamped(steer_rad, moves_rad - SLIP_USE_MAX * car->slip_peak_rad,
                                   moves_rad + SLIP_USE_MAX * car->slip_peak_rad);
    }
    return driver_clamped(steer_rad, -car->steer_rad_max, car->steer_rad_max);
}
