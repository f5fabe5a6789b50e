// Wandering: on a terrain without a course a driver picks a place in sight that it can reach in a
// straight line over road, drives there gently, and picks the next. Its choice follows from its
// place and the number of its choices so far, so it is the same in every run, and different for
// each car.
#include "driver/drive/wander.h"

#include <math.h>

#include "base/hash.h"
#include "base/trig.h"
#include "driver/drive/obey.h"

static const double CRUISE_MPS = 11.0;
static const double TURN_MPS = 4.5;
static const double REACHED_M = 7.0;
static const double NEAR_M = 16.0; // goals lie between these
static const double FAR_M = 80.0;
static const double AFTER_M = 14.0; // free way behind a goal, to turn in
static const double ASIDE_M = 1.6;  // road is asked for so far beside the middle of the way
static const double CLEAR_M = 3.2;  // and walls and posts must be so far off
static const double STRIDE_M = 1.5;
static const double STEP_M_MAX = 0.35; // of height in a stride
static const double TURN_RAD_MAX = 0.9;
static const double LOOK_M = 9.0;
static const double BESIDE_M = 2.6; // others further aside are passed
static const double GAP_M = 7.0;    // from middle to middle, standing
static const double HEADWAY_S = 1.1;
static const double STANDING_MPS = 0.7;
static const double WAIT_S = 3.0;
static const double BACK_S = 1.8;

enum { TRIES = 12 };

typedef struct way {
    double from_m[2], to_m[2];
} way;

static double point_to_piece_m(const double point[2], const double from[2], const double to[2]) {
    double x = to[0] - from[0];
    double y = to[1] - from[1];
    double square = fmax(x * x + y * y, 1e-9);
    double t = ((point[0] - from[0]) * x + (point[1] - from[1]) * y) / square;
    t = fmin(fmax(t, 0.0), 1.0);
    double dx = point[0] - from[0] - t * x;
    double dy = point[1] - from[1] - t * y;
    return sqrt(dx * dx + dy * dy);
}

static double side_of(const double point[2], const double from[2], const double to[2]) {
    return (to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0]);
}

static bool is_clear_of_piece(const way *along, const double from[2], const double to[2]) {
    bool parts_it =
        side_of(from, along->from_m, along->to_m) * side_of(to, along->from_m, along->to_m) < 0.0;
    bool parted = side_of(along->from_m, from, to) * side_of(along->to_m, from, to) < 0.0;
    return !(parts_it && parted) && point_to_piece_m(from, along->from_m, along->to_m) > CLEAR_M &&
           point_to_piece_m(to, along->from_m, along->to_m) > CLEAR_M &&
           point_to_piece_m(along->to_m, from, to) > CLEAR_M;
}

static bool is_clear_of_walls(const apex_walls *walls, const way *along) {
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        const apex_wall_segment *wall = &walls->segments[i];
        const double from[2] = {wall->from_x_m, wall->from_y_m};
        const double to[2] = {wall->to_x_m, wall->to_y_m};
        if (!is_clear_of_piece(along, from, to)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < walls->post_count; i++) {
        const double at[2] = {walls->posts[i].x_m, walls->posts[i].y_m};
        if (point_to_piece_m(at, along->from_m, along->to_m) < CLEAR_M + walls->posts[i].radius_m) {
            return false;
        }
    }
    return true;
}

// Nobody is where it wants to go, now.
static bool is_clear_of_others(const apex_driver_view *view, const way *along,
                               const double heading[2]) {
    for (uint32_t i = 0; i < view->neighbour_count; i++) {
        const apex_driver_neighbour *other = &view->neighbours[i];
        const double at[2] = {view->x_m + other->ahead_m * heading[0] - other->left_m * heading[1],
                              view->y_m + other->ahead_m * heading[1] + other->left_m * heading[0]};
        if (other->ahead_m > 0.0 && point_to_piece_m(at, along->from_m, along->to_m) < CLEAR_M) {
            return false;
        }
    }
    return true;
}

// Road all along, on both sides of the middle, without a kerb or a drop across it.
static bool is_road(const apex_ground *ground, const way *along, double z_m) {
    double x = along->to_m[0] - along->from_m[0];
    double y = along->to_m[1] - along->from_m[1];
    double length_m = sqrt(x * x + y * y);
    uint32_t strides = (uint32_t)(length_m / STRIDE_M) + 1;
    double before_m[3] = {z_m, z_m, z_m};
    for (uint32_t i = 1; i <= strides; i++) {
        double t = (double)i / strides;
        for (int side = -1; side <= 1; side++) {
            double at_x_m = along->from_m[0] + t * x - side * ASIDE_M * y / length_m;
            double at_y_m = along->from_m[1] + t * y + side * ASIDE_M * x / length_m;
            apex_ground_sample under =
                apex_ground_at(ground, at_x_m, at_y_m, before_m[side + 1] + STEP_M_MAX);
            double rise_m = under.height_m - before_m[side + 1];
            // The car's own place is not checked: it may have to get away from there.
            bool counts = i * STRIDE_M > 4.0;
            if (counts && (!ground->surfaces[under.surface].is_road || fabs(rise_m) > STEP_M_MAX)) {
                return false;
            }
            before_m[side + 1] = under.height_m;
        }
    }
    return true;
}

static uint64_t draw(const apex_driver *driver, const apex_driver_view *view, uint32_t try) {
    const int64_t seeds[4] = {(int64_t)(view->x_m * 8.0), (int64_t)(view->y_m * 8.0),
                              (int64_t)driver->goals, (int64_t)try};
    return apex_hash_bytes(seeds, sizeof seeds, 0);
}

static bool pick(apex_driver *driver, const apex_driver_plan *plan, const apex_driver_view *view) {
    const apex_track *track = plan->track;
    double nose[2] = {1.0, 0.0};
    apex_sincos(view->yaw_rad, &nose[1], &nose[0]);
    driver->goals++;
    for (uint32_t try = 0; try < TRIES; try++) {
        uint64_t dice = draw(driver, view, try);
        double angle = TURN_RAD_MAX * ((double)(dice & 0xffff) / 32767.5 - 1.0);
        double far_m = NEAR_M + (FAR_M - NEAR_M) * (double)(dice >> 16 & 0xffff) / 65535.0;
        double sine = 0.0;
        double cosine = 1.0;
        apex_sincos(view->yaw_rad + angle, &sine, &cosine);
        way along = {.from_m = {view->x_m, view->y_m}};
        along.to_m[0] = view->x_m + (far_m + AFTER_M) * cosine;
        along.to_m[1] = view->y_m + (far_m + AFTER_M) * sine;
        if (apex_track_find(track, along.to_m[0], along.to_m[1], view->z_m).on_road &&
            is_clear_of_others(view, &along, nose) &&
            is_clear_of_walls(apex_track_walls(track), &along) &&
            is_road(apex_track_ground(track), &along, view->z_m)) {
            driver->goal_x_m = view->x_m + far_m * cosine;
            driver->goal_y_m = view->y_m + far_m * sine;
            driver->has_goal = true;
            return true;
        }
    }
    return false;
}

// As fast as the car ahead lets it.
static double room_mps(const apex_driver_view *view, double wanted_mps) {
    for (uint32_t i = 0; i < view->neighbour_count; i++) {
        const apex_driver_neighbour *other = &view->neighbours[i];
        if (other->ahead_m <= 0.0 || fabs(other->left_m) > BESIDE_M) {
            continue;
        }
        double room_m = other->ahead_m - GAP_M;
        double other_mps = fmax(view->speed_mps - other->closing_mps, 0.0);
        wanted_mps = fmin(wanted_mps, fmax(other_mps + room_m / HEADWAY_S, 0.0));
    }
    return wanted_mps;
}

static driver_order towards(const apex_driver *driver, const apex_driver_plan *plan,
                            const apex_driver_view *view) {
    double sine = 0.0;
    double cosine = 1.0;
    apex_sincos(view->yaw_rad, &sine, &cosine);
    double x_m = driver->goal_x_m - view->x_m;
    double y_m = driver->goal_y_m - view->y_m;
    double angle = apex_atan2(y_m * cosine - x_m * sine, x_m * cosine + y_m * sine);
    double bent = fmin(fabs(angle) / 0.5, 1.0);
    // The circle through a point LOOK_M away in that direction, tangent to the car.
    double curvature = 2.0 * apex_sin(fmin(fmax(angle, -1.5), 1.5)) / LOOK_M;
    double cruise_mps = CRUISE_MPS * driver->skill;
    return (driver_order){
        .steer_rad = apex_atan(plan->car.wheelbase_m * curvature),
        .speed_mps = room_mps(view, cruise_mps + bent * (TURN_MPS - cruise_mps)),
    };
}

static bool is_there(const apex_driver *driver, const apex_driver_view *view) {
    double x_m = driver->goal_x_m - view->x_m;
    double y_m = driver->goal_y_m - view->y_m;
    return x_m * x_m + y_m * y_m < REACHED_M * REACHED_M;
}

// Two that wait for each other both back off; what they pick next differs.
static void watch_waiting(apex_driver *driver, const apex_driver_view *view, double wanted_mps) {
    if (wanted_mps > STANDING_MPS || fabs(view->speed_mps) > STANDING_MPS) {
        return;
    }
    driver->stuck_s += view->dt_s;
    if (driver->stuck_s >= WAIT_S) {
        driver->stuck_s = 0.0;
        driver->reverse_left_s = BACK_S;
    }
}

apex_controls driver_wander(apex_driver *driver, const apex_driver_plan *plan,
                            const apex_driver_view *view) {
    driver_order order = {.steer_rad = 0.0, .speed_mps = 0.0};
    if (!view->may_go || driver->reverse_left_s > 0.0) {
        driver->has_goal = false;
        order.steer_rad = driver->steer < 0.0 ? 0.1 : -0.1; // back_out turns the other way
        return driver_obey(driver, plan, view, order);
    }
    if (driver->has_goal && is_there(driver, view)) {
        driver->has_goal = false;
    }
    if (driver->has_goal || pick(driver, plan, view)) {
        order = towards(driver, plan, view);
        watch_waiting(driver, view, order.speed_mps);
    } else if (fabs(view->speed_mps) < STANDING_MPS) {
        driver->reverse_left_s = BACK_S; // nothing ahead: look somewhere else
    }
    return driver_obey(driver, plan, view, order);
}
