// Widths of the verge, the banks that lead down from it, and the bends that it folds in.
#include "track/ground/shoulders.h"

#include <math.h>

#include "base/assert.h"
#include "track/lap/pit_lane.h"

// A bank has a grade of 1 in 2 as long as that takes no more room than this.
#define BANK_RUN   2.0
#define BANK_M_MAX 16.0
// Level ground behind the boxes.
#define PIT_MARGIN_M 1.0

// @return the reach of a strip beyond the edge of a side (0 left, 1 right).
static double strip_reach_m(const apex_track_strip *strip, const track_station *station, int side) {
    if (!strip->from_edge) {
        return side == 0 ? strip->outer_m - station->left_m : -strip->inner_m - station->right_m;
    }
    apex_track_side other = side == 0 ? APEX_SIDE_RIGHT : APEX_SIDE_LEFT;
    return strip->side == other ? 0 : strip->outer_m;
}

static void widen_for_strips(track_ribbon *ribbon, uint32_t segment) {
    uint32_t ends[2] = {segment, track_next_station(ribbon->track, segment)};
    for (uint32_t i = 0; i < ribbon->active_count[segment]; i++) {
        const apex_track_strip *strip = ribbon->strips[ribbon->active[segment][i]].def;
        for (int k = 0; k < 4; k++) {
            const track_station *station = &ribbon->track->stations[ends[k / 2]];
            double *wide_m = &ribbon->shoulders[ends[k / 2] * 2 + (uint32_t)k % 2].wide_m;
            *wide_m = track_max(*wide_m, strip_reach_m(strip, station, k % 2));
        }
    }
}

static void widen_for_pits(track_ribbon *ribbon) {
    const apex_track *track = ribbon->track;
    uint32_t side = track->pit_lane.side == APEX_SIDE_LEFT ? 0 : 1;
    for (uint32_t i = 0; i < track->station_count && track->pit_lane.given; i++) {
        track_pit_section pits = track_pits_at(track, track->first_s_m + i * track->spacing_m);
        double *wide_m = &ribbon->shoulders[i * 2 + side].wide_m;
        *wide_m = track_max(*wide_m, pits.exists ? pits.boxes_m + PIT_MARGIN_M : 0);
    }
}

// A wide gravel trap that begins at once would begin with a cliff where the ground is not level:
// the ribbon widens towards it at 45 degrees. Twice round, so that a lap's seam is no exception.
static void smooth_widths(track_ribbon *ribbon) {
    const apex_track *track = ribbon->track;
    uint32_t count = track->station_count;
    for (uint32_t i = 1; i < count * 2; i++) {
        uint32_t here = i % count;
        uint32_t before = (i - 1) % count;
        if (!track->closed && here == 0) {
            return;
        }
        for (uint32_t side = 0; side < 2; side++) {
            double *wide_m = &ribbon->shoulders[here * 2 + side].wide_m;
            double least_m = ribbon->shoulders[before * 2 + side].wide_m - track->spacing_m;
            *wide_m = track_max(*wide_m, least_m);
        }
    }
}

static void smooth_widths_backwards(track_ribbon *ribbon) {
    const apex_track *track = ribbon->track;
    uint32_t count = track->station_count;
    APEX_ASSERT(count > 0);
    for (uint32_t i = count * 2 - 1; i > 0; i--) {
        uint32_t here = (i - 1) % count;
        uint32_t after = i % count;
        if (!track->closed && after == 0) {
            continue;
        }
        for (uint32_t side = 0; side < 2; side++) {
            double *wide_m = &ribbon->shoulders[here * 2 + side].wide_m;
            double least_m = ribbon->shoulders[after * 2 + side].wide_m - track->spacing_m;
            *wide_m = track_max(*wide_m, least_m);
        }
    }
}

static void add_banks(track_ribbon *ribbon) {
    const apex_track *track = ribbon->track;
    for (uint32_t i = 0; i < track->station_count; i++) {
        const track_station *station = &track->stations[i];
        for (uint32_t side = 0; side < 2; side++) {
            track_shoulder *shoulder = &ribbon->shoulders[i * 2 + side];
            double run_m = (side == 0 ? station->left_m : station->right_m) +
                           track_ribbon_eased_m(shoulder->wide_m);
            double height_m = station->z_m + (side == 0 ? run_m : -run_m) * station->cross_slope;
            double drop_m = fabs(height_m - ribbon->outside_m);
            shoulder->bank_m = track_min(BANK_RUN * drop_m, BANK_M_MAX);
        }
    }
}

static bool shoulder_folds(const track_ribbon *ribbon, uint32_t station, uint32_t side) {
    const track_station *at = &ribbon->track->stations[station];
    const track_shoulder *shoulder = &ribbon->shoulders[station * 2 + side];
    double reach_m = shoulder->wide_m + shoulder->bank_m;
    double offset_m = side == 0 ? at->left_m + reach_m : -at->right_m - reach_m;
    return track_ribbon_left_of_lap(at->curvature_per_m, offset_m) < 0.5;
}

// Around the middle of a tight bend that climbs, every height of the bend would meet at one point,
// as in a spiral stair. So the verge there goes over to the bend's mean height; where a bend begins
// its middle is out of reach, so the mean comes in without a step.
static void level_bends(track_ribbon *ribbon, uint32_t side) {
    const apex_track *track = ribbon->track;
    uint32_t count = track->station_count;
    uint32_t start = 0;
    while (start < count && track->closed && shoulder_folds(ribbon, start, side)) {
        start++;
    }
    start = start == count ? 0 : start;
    uint32_t first = 0;
    double sum_m = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t here = (start + i) % count;
        ribbon->shoulders[here * 2 + side].folds = shoulder_folds(ribbon, here, side);
        if (!ribbon->shoulders[here * 2 + side].folds) {
            first = i + 1;
            sum_m = 0;
            continue;
        }
        sum_m += track->stations[here].z_m;
        bool last = i + 1 == count || !shoulder_folds(ribbon, (here + 1) % count, side);
        for (uint32_t k = first; last && k <= i; k++) {
            ribbon->shoulders[(start + k) % count * 2 + side].bend_m = sum_m / (i + 1 - first);
        }
    }
}

void track_ribbon_shape(track_ribbon *ribbon) {
    for (uint32_t i = 0; i < ribbon->track->station_count * 2; i++) {
        ribbon->shoulders[i].wide_m = ribbon->verge_m;
    }
    for (uint32_t i = 0; i < ribbon->track->segment_count; i++) {
        widen_for_strips(ribbon, i);
    }
    widen_for_pits(ribbon);
    smooth_widths(ribbon);
    smooth_widths_backwards(ribbon);
    add_banks(ribbon);
    level_bends(ribbon, 0);
    level_bends(ribbon, 1);
}
