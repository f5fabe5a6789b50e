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

// From a straight place on, so that no corner begins before it; false where there is none.
static bool first_straight(const apex_track *track, double *s_m) {
    double length_m = apex_track_length_m(track);
    for (*s_m = 0.0; *s_m < length_m; *s_m += STEP_M) {
        if (side_of(bend_at(track, *s_m)) == 0) {
            return true;
        }
    }
    return false;
}

static double wrapped(const apex_track *track, double s_m) {
    double length_m = apex_track_length_m(track);
    return apex_track_closed(track) && s_m >= length_m ? s_m - length_m : s_m;
}

// The place where half of a bend is turned.
static double apex_of(const apex_track *track, double from_m, double to_m, double turned_rad) {
    double turned = 0.0;
    double at_m = from_m;
    while (at_m < to_m && fabs(turned) < 0.5 * fabs(turned_rad)) {
        turned += bend_at(track, at_m) * STEP_M;
        at_m += STEP_M;
    }
    return at_m;
}

static void add(race_corners *corners, const apex_track *track, double from_m, double to_m) {
    double turned_rad = 0.0;
    for (double at_m = from_m; at_m < to_m; at_m += STEP_M) {
        turned_rad += bend_at(track, at_m) * STEP_M;
    }
    if (fabs(turned_rad) < TURNED_RAD || corners->count == RACE_CORNERS_MAX) {
        return;
    }
    corners->all[corners->count++] = (race_corner){
        .turn_in_m = wrapped(track, from_m),
        .apex_m = wrapped(track, apex_of(track, from_m, to_m, turned_rad)),
        .exit_m = wrapped(track, to_m),
        .turned_rad = turned_rad,
    };
}

void race_corners_find(race_corners *corners, const apex_track *track) {
    APEX_ASSERT(corners != NULL && track != NULL);
    corners->count = 0;
    double begin_m;
    if (!apex_track_has_lap(track) || !first_straight(track, &begin_m)) {
        return;
    }
    double end_m = apex_track_closed(track) ? begin_m + apex_track_length_m(track)
                                            : apex_track_length_m(track);
    int side = 0; // of the bend under way
    double from_m = 0.0;
    double last_m = 0.0; // where it last bent
    for (double at_m = begin_m; at_m <= end_m; at_m += STEP_M) {
        int here = side_of(bend_at(track, at_m));
        bool is_over = side != 0 && (here == -side || at_m - last_m > APART_M);
        if (is_over) {
            add(corners, track, from_m, last_m + STEP_M);
            side = 0;
        }
        if (here != 0 && side == 0) {
            side = here;
            from_m = at_m;
        }
        last_m = here != 0 ? at_m : last_m;
    }
    if (side != 0) {
        add(corners, track, from_m, last_m + STEP_M);
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
