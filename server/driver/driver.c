// Driving: where on the road the car is, and what the line and the others there leave to want.
#include "driver/driver.h"

#include <math.h>

#include "base/assert.h"
#include "base/trig.h"
#include "driver/clamp.h"
#include "driver/drive/obey.h"
#include "driver/drive/pit_exit.h"
#include "driver/drive/pit_visit.h"
#include "driver/drive/steer.h"
#include "driver/drive/wander.h"
#include "driver/plan/driver_plan.h"

static const double SKILL_MIN = 0.5;
static const double LANE_M_MAX = 25.0;
static const double LOOK_S = 0.40;
static const double LOOK_M_MIN = 6.0;
static const double LOOK_M_MAX = 38.0;
static const double ASIDE_FREE_M = 0.8;    // so far off the line its speed still holds
static const double ASIDE_M = 1.6;         // and so much further the road's own speed does
static const double PREVIEW_S = 0.18;      // until the car turns as it was steered
static const double LEAN_PREVIEW_S = 0.40; // or leans
static const double REACTION_S = 0.12;
static const double HOLDS_UP_S_MAX = 60.0;
static const double LET_BY_S = 5.0;      // of straight road, to begin with it
static const double GIVE_WAY_S = 1.5;    // and to go on
static const double LET_BY_LATE_S = 1.0; // out of a bend, before he goes aside
static const double LET_BY_SHARE = 0.6;  // of the speed, meanwhile
static const double OFF_ROAD_MPS = 12.0;
static const double SLOW_DOWN_MPS = 2.7; // below the speed of the moment: 4 m/s2 of braking
static const double LIMITER_MPS = 1.0;
static const double SPIN_RAD = 0.55;

static bool is_lane(double lane_m) {
    return lane_m >= -LANE_M_MAX && lane_m <= LANE_M_MAX; // false for what is not a number, too
}

bool apex_driver_takes(double skill, double lane_m) {
    return skill >= SKILL_MIN && skill <= 1.0 && is_lane(lane_m);
}

apex_driver apex_driver_create(double skill, double lane_m) {
    // A NaN compares false and becomes the default.
    return (apex_driver){
        .skill = skill >= SKILL_MIN  ? fmin(skill, 1.0)
                 : skill < SKILL_MIN ? SKILL_MIN
                                     : 1.0,
        .lane_m = is_lane(lane_m) ? lane_m : 0.0,
    };
}

static void find_place(apex_driver *driver, driver_now *now) {
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

// A driver who has held up somebody for long lets him by where there is room to pass, at the right
// edge of the road. So a train sorts itself by speed, though nobody gains enough on a straight to
// go round somebody who is only a little slower.
static void let_by(apex_driver *driver, const driver_now *now, driver_room *wish) {
    double speed_mps = now->view->speed_mps;
    double s_m = now->place.s_m;
    bool wants = driver->patience_s > 0.0 && driver->holds_up_s >= driver->patience_s;
    if (!wants && !now->view->orders.gives_way) {
        driver->gives_way = false;
    } else if (driver->gives_way) {
        driver->gives_way = driver_traffic_passable(now->plan, s_m, GIVE_WAY_S * speed_mps);
    } else {
        double late_m = LET_BY_LATE_S * speed_mps;
        driver->gives_way = driver_traffic_passable(now->plan, s_m - late_m, LET_BY_S * speed_mps);
    }
    if (driver->gives_way) {
        wish->offset_m = wish->offset_m_min;
        wish->along_road = true;
        wish->speed_mps *= LET_BY_SHARE;
    }
}

static void count_patience(apex_driver *driver, const driver_now *now) {
    double dt_s = now->view->dt_s;
    double held_s = driver->holds_up_s + (now->room.holds_up ? dt_s : -dt_s);
    driver->holds_up_s = now->room.follows ? 0.0 : driver_clamped(held_s, 0.0, HOLDS_UP_S_MAX);
}

// The driver's wish, were he alone on the track.
static driver_room wish_of(const apex_driver *driver, const driver_now *now) {
    const driver_point *ahead = &now->ahead;
    return (driver_room){
        .offset_m_min = ahead->offset_m_min,
        .offset_m_max = ahead->offset_m_max,
        .offset_m = driver_clamped(ahead->offset_m + driver->lane_m, ahead->offset_m_min,
                                   ahead->offset_m_max),
        .speed_mps = driver->skill * now->soon.speed_mps,
    };
}

// Off the line a bend is as tight as the road itself: the plan's speed holds on the line only.
static double place_mps(const apex_driver *driver, const driver_now *now) {
    const driver_point *soon = &now->soon;
    double here_m = now->place.offset_m - now->here.offset_m;
    double there_m = now->room.offset_m - now->ahead.offset_m;
    double aside_m = fmax(fabs(here_m), fabs(there_m));
    double line_inside = soon->curvature_per_m * here_m;
    double line_mps = soon->speed_mps * sqrt(driver_clamped(1.0 - line_inside, 0.5, 1.0));
    double road_inside = soon->middle_curvature_per_m * now->place.offset_m;
    double road_mps = soon->middle_mps * sqrt(driver_clamped(1.0 - road_inside, 0.5, 1.0));
    double share = driver_clamped((aside_m - ASIDE_FREE_M) / ASIDE_M, 0.0, 1.0);
    double speed_mps = line_mps + share * fmin(road_mps - line_mps, 0.0);
    if (!now->place.on_road) {
        speed_mps = fmin(speed_mps, OFF_ROAD_MPS);
    }
    return driver->skill * speed_mps;
}

// Nobody stamps on the brakes because a flag is out: whoever follows has seen it no earlier.
static void obey_flags(driver_now *now, driver_room *wish) {
    const apex_driver_orders *orders = &now->view->orders;
    if (orders->pace_share > 0.0) {
        double share = fmin(orders->pace_share, 1.0);
        wish->speed_mps *= share;
        now->here.acceleration_mps2 *= share * share;
    }
    if (orders->limit_mps > 0.0) {
        double slower_mps = now->view->speed_mps - SLOW_DOWN_MPS;
        double limit_mps = fmax(orders->limit_mps, slower_mps);
        if (limit_mps < wish->speed_mps) {
            wish->speed_mps = limit_mps;
            now->here.acceleration_mps2 = 0.0;
        }
    }
}

static driver_now look(apex_driver *driver, const apex_driver_plan *plan,
                       const apex_driver_view *view) {
    driver_now now = {.plan = plan, .view = view};
    apex_sincos(view->yaw_rad, &now.heading[1], &now.heading[0]);
    find_place(driver, &now);
    now.look_m = driver_clamped(LOOK_S * view->speed_mps + 4.0, LOOK_M_MIN, LOOK_M_MAX);
    now.here = driver_plan_at(plan, now.place.s_m);
    now.soon = driver_plan_at(plan, now.place.s_m + REACTION_S * fabs(view->speed_mps));
    double preview_s = plan->car.leans ? LEAN_PREVIEW_S : PREVIEW_S;
    now.preview = driver_plan_at(plan, now.place.s_m + preview_s * fabs(view->speed_mps));
    now.ahead = driver_plan_at(plan, now.place.s_m + now.look_m);
    bool visits = driver_visit_follow(&now);
    bool in_pits = visits ? !now.place.on_road : driver_pits_follow(&now);
    driver_room wish = wish_of(driver, &now);
    obey_flags(&now, &wish);
    if (visits) {
        driver_visit_wish(driver->skill, &now, &wish);
    } else if (!in_pits) {
        let_by(driver, &now, &wish);
    }
    now.room = in_pits ? driver_pits_traffic(&now, wish)
                       : driver_traffic(plan, view, &now.place, now.heading, wish);
    if (!visits || !in_pits) { // the lane is paved, though it is off the road
        now.room.speed_mps = fmin(now.room.speed_mps, place_mps(driver, &now));
    }
    count_patience(driver, &now);
    now.tail_slip = driver_steer_tail_slip(view, &plan->car);
    now.steer_rad = driver_steer_usable_rad(&now, driver_steer_follow_rad(&now));
    double slide_rad = apex_atan2(fabs(view->sideways_mps), fabs(view->speed_mps));
    if (slide_rad > SPIN_RAD && fabs(view->sideways_mps) > 3.0) {
        now.room.speed_mps = 0.6 * fabs(view->speed_mps);
    }
    return now;
}

apex_controls apex_driver_drive(apex_driver *driver, const apex_driver_plan *plan,
                                const apex_driver_view *view) {
    APEX_ASSERT(driver != NULL && plan != NULL && view != NULL);
    if (!apex_track_has_lap(plan->track)) {
        return driver_wander(driver, plan, view);
    }
    driver_now now = look(driver, plan, view);
    return apex_driver_limited(driver_act(driver, &now), view->speed_mps, now.lane_limit_mps);
}

apex_controls apex_driver_limited(apex_controls controls, double speed_mps, double limit_mps) {
    if (limit_mps > 0.0) {
        double share = driver_clamped((limit_mps - speed_mps) / LIMITER_MPS, 0.0, 1.0);
        uint8_t most = (uint8_t)(share * 255.0);
        controls.throttle = controls.throttle < most ? controls.throttle : most;
    }
    return controls;
}
