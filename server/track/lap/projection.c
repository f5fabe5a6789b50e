// The place on the lap that is nearest to a point.
#include "track/lap/projection.h"

#include <math.h>

#include "track/lap/centre_line.h"
#include "track/lap/stations.h"

// A car that moved less than this since the last look is found without a search.
#define FOLLOWED_M 4.0

// Stations stand at most a metre apart, so a distance changes by at most the number of stations
// that one goes on: from a station 20 m further than the best, 19 may be skipped. On a straight
// this looks at a dozen of the 120 stations of a window, without any grid to keep.
typedef struct station_hunt {
    const apex_track *track;
    double x_m, y_m, z_m;
    bool in_space; // z counts
    double best_m;
    uint32_t best;
} station_hunt;

static double hunt_distance_m(const station_hunt *hunt, uint32_t station) {
    const track_station *at = &hunt->track->stations[station];
    double dx_m = at->x_m - hunt->x_m;
    double dy_m = at->y_m - hunt->y_m;
    double dz_m = hunt->in_space ? at->z_m - hunt->z_m : 0;
    return sqrt(dx_m * dx_m + dy_m * dy_m + dz_m * dz_m);
}

static void hunt_from(station_hunt *hunt, int64_t from, int64_t count, int direction) {
    int64_t stations = hunt->track->station_count;
    int64_t done = 0;
    while (done < count) {
        int64_t index = from + direction * done;
        if (hunt->track->closed) {
            index %= stations;
            index += index < 0 ? stations : 0;
        } else if (index < 0 || index >= stations) {
            return;
        }
        double distance_m = hunt_distance_m(hunt, (uint32_t)index);
        if (distance_m < hunt->best_m) {
            hunt->best_m = distance_m;
            hunt->best = (uint32_t)index;
        }
        // Truncation keeps the skip on the safe side.
        done += 1 + (int64_t)track_max(track_floor(distance_m - hunt->best_m) - 1, 0);
    }
}

// A frame without its angles: this runs for every car in every tick.
typedef struct spot {
    track_span at;
    double along_m, offset_m; // of the point that is looked for
    double curvature_per_m, plan_ratio;
    double left_m, right_m;
} spot;

static spot look_from(const apex_track *track, double s_m, double x_m, double y_m) {
    track_span at = track_span_at(track, s_m);
    const track_station *from = at.from;
    const track_station *to = at.to;
    double t = at.t;
    double from_plan_m = track->spacing_m * from->slope_cos;
    double to_plan_m = track->spacing_m * to->slope_cos;
    double dx_m = x_m - track_hermite(from->x_m, from->along_x * from_plan_m, to->x_m,
                                      to->along_x * to_plan_m, t);
    double dy_m = y_m - track_hermite(from->y_m, from->along_y * from_plan_m, to->y_m,
                                      to->along_y * to_plan_m, t);
    // The tangent between two others, turned by as much as the true heading leaves their mean.
    double turn = from->along_x * to->along_y - from->along_y * to->along_x;
    turn += turn * turn * turn / 6;
    double lead = track_hermite(0, from->curvature_per_m * from_plan_m, turn,
                                to->curvature_per_m * to_plan_m, t) -
                  turn * t;
    double mean_x = track_lerp(from->along_x, to->along_x, t);
    double mean_y = track_lerp(from->along_y, to->along_y, t);
    double along_x = mean_x - lead * mean_y;
    double along_y = mean_y + lead * mean_x;
    double norm = 1 / sqrt(along_x * along_x + along_y * along_y);
    return (spot){
        .at = at,
        .along_m = (dx_m * along_x + dy_m * along_y) * norm,
        .offset_m = (dy_m * along_x - dx_m * along_y) * norm,
        .curvature_per_m = track_lerp(from->curvature_per_m, to->curvature_per_m, t),
        .plan_ratio = from->slope_cos,
        .left_m = track_lerp(from->left_m, to->left_m, t),
        .right_m = track_lerp(from->right_m, to->right_m, t),
    };
}

// Newton on "the way to the point has no part along the road": with r the turning radius, a step
// along the road changes that part by 1 - offset / r. Inside of the bend beyond its centre there is
// no nearest place nearby, and the end of the range is as good as any.
static spot close_in(const apex_track *track, double *s_m, const double range_m[2],
                     const double point_m[2]) {
    spot here = look_from(track, *s_m, point_m[0], point_m[1]);
    for (int round = 0; round < 4 && fabs(here.along_m) > 1e-6; round++) {
        double stretch = track_max(1 - here.curvature_per_m * here.offset_m, 0.05);
        *s_m =
            track_clamp(*s_m + here.along_m / (stretch * here.plan_ratio), range_m[0], range_m[1]);
        here = look_from(track, *s_m, point_m[0], point_m[1]);
    }
    return here;
}

static apex_track_place place_of(const apex_track *track, double s_m, const spot *here) {
    // Only past the ends of an open track is a place not beside its own frame.
    bool beside = track->closed || fabs(here->along_m) < 0.5;
    return (apex_track_place){
        .s_m = track_wrap_s(track, s_m),
        .offset_m = here->offset_m,
        .left_m = here->left_m,
        .right_m = here->right_m,
        .on_road = beside && here->offset_m <= here->left_m && here->offset_m >= -here->right_m,
    };
}

static void set_range(const apex_track *track, double s_m, double reach_m, double range_m[2]) {
    range_m[0] = s_m - reach_m;
    range_m[1] = s_m + reach_m;
    if (!track->closed) {
        range_m[0] = track_max(range_m[0], track->first_s_m);
        range_m[1] = track_min(range_m[1], track->first_s_m + track->curve_m);
    }
}

static apex_track_place refine(const apex_track *track, uint32_t station, const double point_m[2]) {
    double s_m = track->first_s_m + station * track->spacing_m;
    double range_m[2];
    set_range(track, s_m, track->spacing_m, range_m);
    spot here = close_in(track, &s_m, range_m, point_m);
    return place_of(track, s_m, &here);
}

static double least(float a, float b) {
    return (double)(a < b ? a : b);
}

// The place next to the last one, if nothing in the window can be nearer.
static bool follow(const apex_track *track, double near_s_m, const double point_m[2],
                   apex_track_place *out) {
    double s_m = near_s_m;
    double range_m[2];
    set_range(track, s_m, FOLLOWED_M, range_m);
    spot here = close_in(track, &s_m, range_m, point_m);
    double left_m = least(here.at.from->alone_left_m, here.at.to->alone_left_m);
    double right_m = least(here.at.from->alone_right_m, here.at.to->alone_right_m);
    if (fabs(here.along_m) > 1e-3 || here.offset_m > left_m || here.offset_m < -right_m) {
        return false;
    }
    *out = place_of(track, s_m, &here);
    return true;
}

static apex_track_place nowhere(const apex_track *track, double s_m) {
    apex_track_frame frame = apex_track_frame_at(track, s_m);
    return (apex_track_place){
        .s_m = track_wrap_s(track, s_m), .left_m = frame.left_m, .right_m = frame.right_m};
}

apex_track_place apex_track_project(const apex_track *track, double x_m, double y_m,
                                    double near_s_m) {
    if (!isfinite(near_s_m)) {
        near_s_m = 0;
    }
    if (!isfinite(x_m) || !isfinite(y_m)) {
        return nowhere(track, near_s_m);
    }
    near_s_m = track_wrap_s(track, near_s_m);
    double point_m[2] = {x_m, y_m};
    apex_track_place place;
    if (follow(track, near_s_m, point_m, &place)) {
        return place;
    }
    double along = (near_s_m - track->first_s_m) / track->spacing_m;
    int64_t near = track_floor(track_clamp(along, 0, track->station_count - 1.0) + 0.5);
    near = near < track->station_count ? near : track->closed ? 0 : track->station_count - 1;
    int64_t reach = track_floor(TRACK_WINDOW_M / track->spacing_m);
    if (track->closed && reach > track->station_count / 2) {
        reach = track->station_count / 2;
    }
    station_hunt hunt = {.track = track, .x_m = x_m, .y_m = y_m, .best_m = HUGE_VAL};
    hunt_from(&hunt, near, reach + 1, 1);
    hunt_from(&hunt, near - 1, reach, -1);
    return refine(track, hunt.best, point_m);
}

apex_track_place apex_track_find(const apex_track *track, double x_m, double y_m, double z_m) {
    if (!isfinite(x_m) || !isfinite(y_m)) {
        return nowhere(track, 0);
    }
    station_hunt hunt = {.track = track, .x_m = x_m, .y_m = y_m, .best_m = HUGE_VAL};
    hunt.in_space = isfinite(z_m);
    hunt.z_m = hunt.in_space ? z_m : 0;
    hunt_from(&hunt, 0, track->station_count, 1);
    double point_m[2] = {x_m, y_m};
    return refine(track, hunt.best, point_m);
}

double track_distance_bound_m(const apex_track *track, double x_m, double y_m) {
    station_hunt hunt = {.track = track, .x_m = x_m, .y_m = y_m, .best_m = HUGE_VAL};
    hunt_from(&hunt, 0, track->station_count, 1);
    return hunt.best_m - track->half_width_m_max - track->spacing_m;
}
