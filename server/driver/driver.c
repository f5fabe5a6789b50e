// Driving: steer for a point of the line ahead (pure pursuit: the circle through it that is tangent
// to the car), correct by what the car turns too little or too much, keep the front tyres inside
// the slip they can use, and hold the planned speed by feed-forward and a proportional rest.
#include "driver_private.h"

#include "base/assert.h"
#include "base/trig.h"

#include <math.h>

static const double GRAVITY_MPS2 = 9.81;
static const double LOOK_S = 0.40;
static const double LOOK_M_MIN = 6.0;
static const double LOOK_M_MAX = 38.0;
static const double CORRECT_MPS2 = 3.0;
static const double ASIDE_FREE_M = 0.8;   // so far off the line its speed still holds
static const double ASIDE_M = 1.6;        // and so much further the road's own speed does
static const double FOLLOW_LENGTH = 0.85; // of the look ahead
static const double BRAKING_LENGTH = 0.6;
static const double PREVIEW_S = 0.18;        // until the car turns as it was steered
static const double LEAN_PREVIEW_S = 0.40;   // or leans
static const double LEAN_LENGTH = 1.8;       // and so much more patience it takes
static const double LONG_CAR_S_PER_M = 0.13; // a truck answers later still, and would weave
static const double ACROSS_MAX = 0.22;       // metres across for each metre ahead
static const double YAW_DAMP_S_MAX = 0.12;
static const double YAW_DAMP_M = 2.0;
static const double SPEED_GAIN_PER_S = 1.5;
static const double REACTION_S = 0.12;
static const double OFF_ROAD_MPS = 12.0;
static const double SPIN_RAD = 0.55;
// Of the rear tyres' usable slip: up to the first no care, at the second feet off both pedals.
static const double SIDE_USE_MAX = 0.87;
static const double TAIL_FREE = 0.7;
static const double TAIL_LOST = 1.3;
static const double TAIL_GAIN = 1.5;
static const double SHIFT_DOWN_SHARE = 0.62;
static const double ROLL_OUT_MPS = 2.0; // below the speed of the moment, always
static const double ROLL_BACK_MPS = -1.0;
static const double STUCK_MPS = 0.7;
static const double STUCK_S = 2.0;
static const double REVERSE_S = 1.8;
static const double GIVE_UP_S = 9.0;

typedef struct situation {
    const apex_driver_plan *plan;
    const apex_driver_view *view;
    double heading[2];
    apex_track_place place;
    driver_point here, soon, preview, ahead;
    double look_m;
    driver_room room;
    double tail_slip;
    double steer_rad;
} situation;

static double clamped(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

apex_driver apex_driver_create(double skill, double lane_m) {
    // What is not a number compares false and becomes the default.
    return (apex_driver){
        .skill = skill >= 0.5  ? fmin(skill, 1.0)
                 : skill < 0.5 ? 0.5
                               : 1.0,
        .lane_m = lane_m >= -25.0 && lane_m <= 25.0 ? lane_m : 0.0,
    };
}

static void find_place(apex_driver *driver, situation *now) {
    const apex_driver_view *view = now->view;
    const apex_track *track = now->plan->track;
    if (driver->placed) {
        now->place = apex_track_project(track, view->x_m, view->y_m, driver->s_m);
    } else {
        now->place = apex_track_find(track, view->x_m, view->y_m, view->z_m);
        driver->placed = true;
        if (!now->plan->closed) { // down a strip everybody keeps the lane he stands in
            driver->lane_m = now->place.offset_m;
        }
    }
    driver->s_m = now->place.s_m;
}

// What the driver would do alone on the track.
static driver_room wish_of(const apex_driver *driver, const situation *now) {
    const driver_point *ahead = &now->ahead;
    return (driver_room){
        .offset_m_min = ahead->offset_m_min,
        .offset_m_max = ahead->offset_m_max,
        .offset_m =
            clamped(ahead->offset_m + driver->lane_m, ahead->offset_m_min, ahead->offset_m_max),
        .speed_mps = driver->skill * now->soon.speed_mps,
    };
}

// Off the line a bend is as tight as the road itself: the plan's speed holds on the line only.
static double place_mps(const apex_driver *driver, const situation *now) {
    const driver_point *soon = &now->soon;
    double here_m = now->place.offset_m - now->here.offset_m;
    double there_m = now->room.offset_m - now->ahead.offset_m;
    double aside_m = fmax(fabs(here_m), fabs(there_m));
    double line_inside = soon->curvature_per_m * here_m;
    double line_mps = soon->speed_mps * sqrt(clamped(1.0 - line_inside, 0.5, 1.0));
    double road_inside = soon->middle_curvature_per_m * now->place.offset_m;
    double road_mps = soon->middle_mps * sqrt(clamped(1.0 - road_inside, 0.5, 1.0));
    double share = clamped((aside_m - ASIDE_FREE_M) / ASIDE_M, 0.0, 1.0);
    double speed_mps = line_mps + share * fmin(road_mps - line_mps, 0.0);
    if (!now->place.on_road) {
        speed_mps = fmin(speed_mps, OFF_ROAD_MPS);
    }
    return driver->skill * speed_mps;
}

// Angle from the line's direction to the way the car moves, or to its nose when it hardly moves.
static double course_rad(const situation *now) {
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

// Along the way, a car d beside its line and at an angle p to it has d' = p and p' = k - k_line.
// With k = k_line - d / l^2 - 2 p / l that decays without overshoot over the length l.
static double follow_rad(const situation *now) {
    const apex_driver_view *view = now->view;
    const driver_car *car = &now->plan->car;
    double speed_mps = fabs(view->speed_mps);
    double aside_m = now->place.offset_m - now->here.offset_m;
    double wanted_m = now->room.offset_m - now->ahead.offset_m;
    // Braking unloads the rear axle: be gentler with it.
    double braking = clamped(-now->here.acceleration_mps2 / GRAVITY_MPS2, 0.0, 1.0);
    double length_m = now->look_m * (FOLLOW_LENGTH + BRAKING_LENGTH * braking);
    length_m *= car->leans ? LEAN_LENGTH : 1.0;
    length_m = fmax(length_m, LONG_CAR_S_PER_M * car->wheelbase_m * speed_mps);
    // Nobody changes lane harder than the tyres can spare.
    double most_m = CORRECT_MPS2 * length_m * length_m / fmax(speed_mps * speed_mps, 1.0);
    most_m = fmin(most_m, ACROSS_MAX * 2.0 * length_m);
    double error_m = clamped(aside_m - wanted_m, -most_m, most_m);
    double course = course_rad(now);
    double curvature =
        now->preview.curvature_per_m - error_m / (length_m * length_m) - 2.0 * course / length_m;
    double damp_s = fmin(YAW_DAMP_S_MAX, YAW_DAMP_M / fmax(speed_mps, 1.0));
    double turn = curvature * view->speed_mps - view->yaw_rate_radps;
    bool is_led = car->kinematic || car->leans; // turns as the wheel says, sooner or later
    return apex_atan(car->wheelbase_m * curvature) + (is_led ? 0.0 : damp_s * turn);
}

// How far the rear tyres slip, as a share of what they can use; the way the tail goes has the sign
// of the steering that catches it.
static double tail_slip(const apex_driver_view *view, const driver_car *car) {
    if (view->speed_mps < 6.0 || car->kinematic) {
        return 0.0;
    }
    double axle_mps = view->sideways_mps - car->rear_m * view->yaw_rate_radps;
    return apex_atan2(axle_mps, view->speed_mps) / car->slip_peak_rad;
}

static double catch_rad(const situation *now) {
    double slip = now->tail_slip;
    double excess = slip - clamped(slip, -TAIL_FREE, TAIL_FREE);
    return TAIL_GAIN * excess * now->plan->car.slip_peak_rad;
}

// Past the peak a front tyre only scrubs; and in a slide the same limit is what steers against it,
// because it goes by the way the axle really moves.
static double usable_rad(const situation *now, double steer_rad) {
    const apex_driver_view *view = now->view;
    const driver_car *car = &now->plan->car;
    if (view->speed_mps > 6.0 && !car->kinematic) {
        double axle_mps = view->sideways_mps + car->front_m * view->yaw_rate_radps;
        double moves_rad = apex_atan2(axle_mps, view->speed_mps);
        steer_rad = clamped(steer_rad, moves_rad - 1.15 * car->slip_peak_rad,
                            moves_rad + 1.15 * car->slip_peak_rad);
    }
    return clamped(steer_rad, -car->steer_rad_max, car->steer_rad_max);
}

static uint8_t pedal(double share) {
    return (uint8_t)(clamped(share, 0.0, 1.0) * 255.0 + 0.5);
}

// The gear by road speed, so that spinning wheels do not shift. Changing down leaves the engine
// well below where it would have to change up again.
static int8_t choose_gear(const situation *now) {
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

// Share of a pedal that cornering leaves, as `used` of the grip goes sideways, and a sliding tail.
static double side_use(const situation *now) {
    const apex_driver_view *view = now->view;
    // A road that leans into the bend carries its share (tan a, nearly a); where it leans and the
    // car goes straight, that share is what the tyres carry.
    double turning_mps2 = view->speed_mps * view->yaw_rate_radps;
    double side_mps2 = fabs(turning_mps2 + GRAVITY_MPS2 * now->here.banking_rad);
    double grip = now->plan->car.grip_lat * now->here.friction;
    double used = side_mps2 / fmax(grip * GRAVITY_MPS2, 0.1);
    return clamped(used, 0.0, SIDE_USE_MAX);
}

static double tail_left(const situation *now) {
    double tail = fabs(now->tail_slip);
    return clamped((TAIL_LOST - tail) / (TAIL_LOST - TAIL_FREE), 0.0, 1.0);
}

static void pull(const situation *now, double wanted_mps2, apex_controls *controls) {
    const driver_car *car = &now->plan->car;
    uint32_t gear = now->view->gear > 0 ? (uint32_t)now->view->gear : 1;
    double full_mps2 = driver_car_gear_force_n(car, gear, now->view->speed_mps) / car->mass_kg;
    full_mps2 = fmax(full_mps2, 0.2);
    double grip_mps2 = 0.95 * car->grip_long * car->drive_grip * now->here.friction * GRAVITY_MPS2 *
                       (1.0 - side_use(now) * side_use(now)) * tail_left(now);
    double limit_mps2 = car->kinematic ? full_mps2 : grip_mps2;
    controls->throttle = pedal(fmin(wanted_mps2, limit_mps2) / full_mps2);
}

static void hold_speed(const situation *now, double skill, apex_controls *controls) {
    const driver_car *car = &now->plan->car;
    double speed_mps = now->view->speed_mps;
    double planned_mps2 = skill * skill * now->here.acceleration_mps2;
    double error_mps = now->room.speed_mps - speed_mps;
    // The plan's own acceleration is right only near the plan's speed.
    double feed_mps2 = fabs(error_mps) < 4.0 ? planned_mps2 : 0.0;
    double wanted_mps2 = feed_mps2 + SPEED_GAIN_PER_S * error_mps;
    double resistance_mps2 =
        car->drag_n_per_mps2 * speed_mps * speed_mps / car->mass_kg + car->rolling_mps2;
    double push_mps2 = wanted_mps2 + resistance_mps2 + now->here.climb_mps2;
    if (push_mps2 >= 0.0) {
        pull(now, push_mps2, controls);
    } else if (push_mps2 < -0.6 && car->brake_mps2_full > 0.0) { // lifting off does the rest
        double limit = car->brake_pedal_max * fmin(now->here.friction, 1.0) *
                       sqrt(1.0 - side_use(now) * side_use(now)) * tail_left(now);
        controls->brake = pedal(fmin(-push_mps2 / car->brake_mps2_full, limit));
    }
}

// Up to something: back out of it with the wheels turned the other way; when that fails again and
// again, ask the marshals.
static void back_out(apex_driver *driver, const situation *now, apex_controls *controls) {
    driver->reverse_left_s -= now->view->dt_s;
    controls->gear = APEX_GEAR_REVERSE;
    controls->throttle = now->view->gear < 0 ? 140 : 0;
    controls->brake = now->view->gear < 0 ? 0 : 120;
    driver->steer = now->steer_rad > 0.0 ? -0.8 : 0.8;
}

static void watch_stuck(apex_driver *driver, const situation *now, const apex_controls *controls) {
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
static void stand_or_stop(situation *now, double skill, apex_controls *controls) {
    double speed_mps = now->view->speed_mps;
    if (speed_mps < 3.0) {
        controls->brake = 255;
        return;
    }
    now->room.speed_mps = fmin(now->room.speed_mps, speed_mps - ROLL_OUT_MPS);
    hold_speed(now, skill, controls);
    controls->throttle = 0;
}

static situation look(apex_driver *driver, const apex_driver_plan *plan,
                      const apex_driver_view *view) {
    situation now = {.plan = plan, .view = view};
    apex_sincos(view->yaw_rad, &now.heading[1], &now.heading[0]);
    find_place(driver, &now);
    now.look_m = clamped(LOOK_S * view->speed_mps + 4.0, LOOK_M_MIN, LOOK_M_MAX);
    now.here = driver_plan_at(plan, now.place.s_m);
    now.soon = driver_plan_at(plan, now.place.s_m + REACTION_S * fabs(view->speed_mps));
    double preview_s = plan->car.leans ? LEAN_PREVIEW_S : PREVIEW_S;
    now.preview = driver_plan_at(plan, now.place.s_m + preview_s * fabs(view->speed_mps));
    now.ahead = driver_plan_at(plan, now.place.s_m + now.look_m);
    driver_room wish = wish_of(driver, &now);
    now.room = driver_traffic(plan, view, &now.place, now.heading, wish);
    now.room.speed_mps = fmin(now.room.speed_mps, place_mps(driver, &now));
    now.tail_slip = tail_slip(view, &plan->car);
    now.steer_rad = usable_rad(&now, follow_rad(&now) + catch_rad(&now));
    double slide_rad = apex_atan2(fabs(view->sideways_mps), fabs(view->speed_mps));
    if (slide_rad > SPIN_RAD && fabs(view->sideways_mps) > 3.0) {
        now.room.speed_mps = 0.6 * fabs(view->speed_mps);
    }
    return now;
}

static apex_controls act(apex_driver *driver, situation *now) {
    apex_controls controls = {.gear = choose_gear(now), .aids_off = APEX_AID_STEERING};
    driver->steer = now->steer_rad / now->plan->car.steer_rad_max;
    if (!now->view->may_go) {
        stand_or_stop(now, driver->skill, &controls);
        driver->stuck_s = driver->reverse_left_s = 0.0;
    } else if (driver->reverse_left_s > 0.0) {
        back_out(driver, now, &controls);
    } else if (now->view->speed_mps < ROLL_BACK_MPS) {
        controls.brake = 255; // no gear ahead goes in before it stands
    } else {
        hold_speed(now, driver->skill, &controls);
        watch_stuck(driver, now, &controls);
    }
    controls.reset_count = (uint8_t)driver->resets;
    controls.steer = (int16_t)(clamped(driver->steer, -1.0, 1.0) * APEX_STEER_MAX);
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
    situation now = {.plan = plan, .view = view};
    apex_sincos(view->yaw_rad, &now.heading[1], &now.heading[0]);
    now.here.friction = friction_under(plan, view);
    now.room.speed_mps = order.speed_mps;
    now.tail_slip = tail_slip(view, &plan->car);
    now.steer_rad = usable_rad(&now, order.steer_rad + catch_rad(&now));
    return act(driver, &now);
}

apex_controls apex_driver_drive(apex_driver *driver, const apex_driver_plan *plan,
                                const apex_driver_view *view) {
    APEX_ASSERT(driver != NULL && plan != NULL && view != NULL);
    if (!apex_track_has_lap(plan->track)) {
        return driver_wander(driver, plan, view);
    }
    situation now = look(driver, plan, view);
    return act(driver, &now);
}
