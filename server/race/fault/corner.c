// The corners of a lap, from the curvature of its middle.
#include "race/fault/corner.h"

#include "base/assert.h"
#include "base/trig.h"

#include <math.h>

static const double STEP_M = 2.0;
static const double SMOOTH_M = 10.0;     // surveyed roads waver
static const double BEND_PER_M = 0.002;  // a radius of 500 m
static const double TURNED_RAD = 0.1745; // 10 degrees
static const double APART_M = 20.0;      // one way round again within this is one corner

// Mean curvature of the road about a place.
static double bend_at(const apex_track *track, double s_m) {
    double before_rad = apex_track_frame_at(track, s_m - SMOOTH_M).heading_rad;
    double after_rad = apex_track_frame_at(track, s_m + SMOOTH_M).heading_rad;
    return apex_wrap_angle(after_rad - before_rad) / (2.0 * SMOOTH_M);
}

static int side_of(double bend_per_m) {
    return bend_per_m > BEND_PER_M ? 1 : bend_per_m < -BEND_PER_M ? -1 : 0;
}

// The lap in steps from a straight place on, so that no corner begins before it.
typedef struct survey {
    const apex_track *track;
    double from_m;
    uint32_t steps;
} survey;

static double place_m(const survey *lap, uint32_t step) {
    return lap->from_m + STEP_M * step;
}

static double bend_of(const survey *lap, uint32_t step) {
    return bend_at(lap->track, place_m(lap, step));
}

// @return false on a lap that is one bend
static bool begin(const apex_track *track, survey *lap) {
    double length_m = apex_track_length_m(track);
    *lap = (survey){track, 0.0, (uint32_t)(length_m / STEP_M)};
    uint32_t straight = 0;
    while (straight <= lap->steps && side_of(bend_of(lap, straight)) != 0) {
        straight++;
    }
    if (straight > lap->steps) {
        return false;
    }
    lap->from_m = place_m(lap, straight);
    lap->steps -= apex_track_closed(track) ? 0 : straight;
    return true;
}

static double wrapped_m(const survey *lap, uint32_t step) {
    double length_m = apex_track_length_m(lap->track);
    double s_m = place_m(lap, step);
    return apex_track_closed(lap->track) && s_m >= length_m ? s_m - length_m : s_m;
}

static double turned_rad(const survey *lap, uint32_t from, uint32_t to) {
    double sum_rad = 0.0;
    for (uint32_t step = from; step < to; step++) {
        sum_rad += bend_of(lap, step) * STEP_M;
    }
    return sum_rad;
}

// The place where half of a bend is turned.
static uint32_t apex_of(const survey *lap, uint32_t from, uint32_t to, double whole_rad) {
    double sum_rad = 0.0;
    uint32_t step = from;
    while (step < to && fabs(sum_rad) < 0.5 * fabs(whole_rad)) {
        sum_rad += bend_of(lap, step) * STEP_M;
        step++;
    }
    return step;
}

static void add(race_corners *corners, const survey *lap, uint32_t from, uint32_t to) {
    double whole_rad = turned_rad(lap, from, to);
    if (fabs(whole_rad) < TURNED_RAD || corners->count == RACE_CORNERS_MAX) {
        return;
    }
    corners->all[corners->count++] = (race_corner){
        .turn_in_m = wrapped_m(lap, from),
        .apex_m = wrapped_m(lap, apex_of(lap, from, to, whole_rad)),
        .exit_m = wrapped_m(lap, to),
        .turned_rad = whole_rad,
    };
}

void race_corners_find(race_corners *corners, const apex_track *track) {
    APEX_ASSERT(corners != NULL && track != NULL);
    corners->count = 0;
    survey lap;
    if (!apex_track_has_lap(track) || !begin(track, &lap)) {
        return;
    }
    int side = 0; // of the bend under way
    uint32_t from = 0;
    uint32_t last = 0; // where it last bent
    for (uint32_t step = 0; step <= lap.steps; step++) {
        int here = side_of(bend_of(&lap, step));
        if (side != 0 && (here == -side || STEP_M * (step - last) > APART_M)) {
            add(corners, &lap, from, last + 1);
            side = 0;
        }
        if (here != 0 && side == 0) {
            side = here;
            from = step;
        }
        last = here != 0 ? step : last;
    }
    if (side != 0) {
        add(corners, &lap, from, last + 1);
    }
}

const race_corner *race_corners_at(const race_corners *corners, const apex_track *track,
                                   double s_m) {
    for (uint32_t i = 0; i < corners->count; i++) {
        const race_corner *corner = &corners->all[i];
        // The gap is the short way round, which is the right one as no corner fills half a lap.
        if (apex_track_gap_m(track, corner->turn_in_m, s_m) >= 0.0 &&
            apex_track_gap_m(track, s_m, corner->exit_m) >= 0.0) {
            return corner;
        }
    }
    return NULL;
}
