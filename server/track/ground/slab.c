// A slab's extent: the tiles that it touches, and the points that lie in it.
#include "track/ground/slab.h"

#include <math.h>

// More than rounding and the slab's bulge, so that tiles which share an edge see the same slabs.
#define MARGIN_M 0.25
// Ground laid past the ends of an open track, beside verge and bank.
#define CAP_M 4.0

uint32_t track_slab_count(const apex_track *track) {
    return track->segment_count + (track->closed ? 0 : 2);
}

double track_segment_gap_m(const apex_track *track, uint32_t a, uint32_t b) {
    double gap_m = (a > b ? a - b : b - a) * track->spacing_m;
    return track->closed ? track_min(gap_m, track->curve_m - gap_m) : gap_m;
}

static double side_reach_m(const track_ribbon *ribbon, uint32_t station, uint32_t side) {
    const track_station *at = &ribbon->track->stations[station];
    const track_shoulder *shoulder = &ribbon->shoulders[station * 2 + side];
    return (side == 0 ? at->left_m : at->right_m) + shoulder->wide_m + shoulder->bank_m;
}

// Inside of a bend a slab ends where its cross-sections meet, a little behind the bend's centre.
static double folded_m(double reach_m, double from_curvature, double to_curvature) {
    double curvature = track_min(from_curvature, to_curvature);
    return curvature > 0 ? track_min(reach_m, 1.05 / curvature + MARGIN_M) : reach_m;
}

track_slab track_slab_at(const track_ribbon *ribbon, uint32_t index) {
    const apex_track *track = ribbon->track;
    track_slab slab = {.index = index, .segment = index};
    if (index >= track->segment_count) {
        slab.cap = index == track->segment_count ? -1 : 1;
        slab.segment = slab.cap < 0 ? 0 : track->segment_count - 1;
    }
    uint32_t from_index = slab.cap > 0 ? track->station_count - 1 : slab.segment;
    uint32_t to_index = slab.cap < 0 ? 0 : slab.cap > 0 ? from_index : 0;
    if (slab.cap == 0) {
        to_index = track_next_station(track, slab.segment);
    }
    const track_station *from = &track->stations[from_index];
    const track_station *to = &track->stations[to_index];
    slab.left_m = MARGIN_M +
                  track_max(side_reach_m(ribbon, from_index, 0), side_reach_m(ribbon, to_index, 0));
    slab.right_m = MARGIN_M + track_max(side_reach_m(ribbon, from_index, 1),
                                        side_reach_m(ribbon, to_index, 1));
    slab.from_x_m = from->x_m;
    slab.from_y_m = from->y_m;
    slab.to_x_m = to->x_m;
    slab.to_y_m = to->y_m;
    slab.from_along_x = from->along_x;
    slab.from_along_y = from->along_y;
    slab.to_along_x = to->along_x;
    slab.to_along_y = to->along_y;
    if (slab.cap != 0) {
        double reach_m =
            track_max(slab.left_m - from->left_m, slab.right_m - from->right_m) + CAP_M;
        slab.from_x_m -= slab.cap < 0 ? from->along_x * reach_m : 0;
        slab.from_y_m -= slab.cap < 0 ? from->along_y * reach_m : 0;
        slab.to_x_m += slab.cap > 0 ? from->along_x * reach_m : 0;
        slab.to_y_m += slab.cap > 0 ? from->along_y * reach_m : 0;
    } else {
        slab.left_m = folded_m(slab.left_m, from->curvature_per_m, to->curvature_per_m);
        slab.right_m = folded_m(slab.right_m, -from->curvature_per_m, -to->curvature_per_m);
    }
    double dx_m = slab.to_x_m - slab.from_x_m;
    double dy_m = slab.to_y_m - slab.from_y_m;
    slab.plan_m = sqrt(dx_m * dx_m + dy_m * dy_m);
    return slab;
}

static void corners(const track_slab *slab, double x_m[4], double y_m[4]) {
    x_m[0] = slab->from_x_m - slab->from_along_y * slab->left_m;
    y_m[0] = slab->from_y_m + slab->from_along_x * slab->left_m;
    x_m[1] = slab->from_x_m + slab->from_along_y * slab->right_m;
    y_m[1] = slab->from_y_m - slab->from_along_x * slab->right_m;
    x_m[2] = slab->to_x_m + slab->to_along_y * slab->right_m;
    y_m[2] = slab->to_y_m - slab->to_along_x * slab->right_m;
    x_m[3] = slab->to_x_m - slab->to_along_y * slab->left_m;
    y_m[3] = slab->to_y_m + slab->to_along_x * slab->left_m;
}

void track_slab_rows(const track_slab *slab, int32_t *first, int32_t *last) {
    double x_m[4];
    double y_m[4];
    corners(slab, x_m, y_m);
    double low_m = track_min(track_min(y_m[0], y_m[1]), track_min(y_m[2], y_m[3]));
    double high_m = track_max(track_max(y_m[0], y_m[1]), track_max(y_m[2], y_m[3]));
    *first = track_floor((low_m - MARGIN_M) / APEX_GROUND_TILE_M);
    *last = track_floor((high_m + MARGIN_M) / APEX_GROUND_TILE_M);
}

bool track_slab_tiles(const track_slab *slab, int32_t row, int32_t *first, int32_t *last) {
    double x_m[4];
    double y_m[4];
    corners(slab, x_m, y_m);
    double bottom_m = row * APEX_GROUND_TILE_M - MARGIN_M;
    double top_m = (row + 1) * APEX_GROUND_TILE_M + MARGIN_M;
    double low_m = HUGE_VAL;
    double high_m = -HUGE_VAL;
    // The outline's edges, cut to the row, span the tiles.
    for (int i = 0; i < 4; i++) {
        int k = (i + 1) % 4;
        double rise_m = y_m[k] - y_m[i];
        double from = 0;
        double to = 1;
        if (fabs(rise_m) > 1e-9) {
            double bottom = (bottom_m - y_m[i]) / rise_m;
            double top = (top_m - y_m[i]) / rise_m;
            from = track_max(from, track_min(bottom, top));
            to = track_min(to, track_max(bottom, top));
        } else if (y_m[i] < bottom_m || y_m[i] > top_m) {
            continue;
        }
        if (from > to) {
            continue;
        }
        double from_m = track_lerp(x_m[i], x_m[k], from);
        double to_m = track_lerp(x_m[i], x_m[k], to);
        low_m = track_min(low_m, track_min(from_m, to_m));
        high_m = track_max(high_m, track_max(from_m, to_m));
    }
    if (low_m > high_m) {
        return false;
    }
    *first = track_floor((low_m - MARGIN_M) / APEX_GROUND_TILE_M);
    *last = track_floor((high_m + MARGIN_M) / APEX_GROUND_TILE_M);
    return true;
}

// Keeps of low..high what fulfils at_zero + grade * x >= 0.
static void cut(double at_zero, double grade, double *low, double *high) {
    if (grade > 1e-12) {
        *low = track_max(*low, -at_zero / grade);
    } else if (grade < -1e-12) {
        *high = track_min(*high, -at_zero / grade);
    } else if (at_zero < -1e-6) {
        *high = *low - 1;
    }
}

bool track_slab_span(const track_slab *slab, const double from_m[2], int32_t count, int32_t *first,
                     int32_t *last) {
    double low_m = 0;
    double high_m = (count - 1) * APEX_GROUND_CELL_M;
    double dx_m = from_m[0] - slab->from_x_m;
    double dy_m = from_m[1] - slab->from_y_m;
    // A slab turns by little, so its first cross-section tells the sideways reach to a few metres.
    double slack_m = 2 + slab->plan_m;
    double offset_m = dy_m * slab->from_along_x - dx_m * slab->from_along_y;
    cut(dx_m * slab->from_along_x + dy_m * slab->from_along_y, slab->from_along_x, &low_m, &high_m);
    cut((slab->to_x_m - from_m[0]) * slab->to_along_x +
            (slab->to_y_m - from_m[1]) * slab->to_along_y,
        -slab->to_along_x, &low_m, &high_m);
    cut(slab->left_m + slack_m - offset_m, slab->from_along_y, &low_m, &high_m);
    cut(slab->right_m + slack_m + offset_m, -slab->from_along_y, &low_m, &high_m);
    // One more on both sides: the exact test follows.
    *first = track_floor(low_m / APEX_GROUND_CELL_M) - 1;
    *last = track_floor(high_m / APEX_GROUND_CELL_M) + 2;
    *first = *first < 0 ? 0 : *first;
    *last = *last > count - 1 ? count - 1 : *last;
    return low_m <= high_m + APEX_GROUND_CELL_M && *first <= *last;
}

bool track_slab_locate(const track_ribbon *ribbon, const track_slab *slab, const double point_m[2],
                       track_section *at, double *fold) {
    double from_x_m = point_m[0] - slab->from_x_m;
    double from_y_m = point_m[1] - slab->from_y_m;
    double to_x_m = point_m[0] - slab->to_x_m;
    double to_y_m = point_m[1] - slab->to_y_m;
    // Neighbours evaluate their common cross-section in the same way: no point falls between them.
    double since_m = from_x_m * slab->from_along_x + from_y_m * slab->from_along_y;
    double until_m = to_x_m * slab->to_along_x + to_y_m * slab->to_along_y;
    if (since_m < 0 || until_m >= 0) {
        return false;
    }
    double t = since_m / (since_m - until_m);
    double offset_m = track_lerp(from_y_m * slab->from_along_x - from_x_m * slab->from_along_y,
                                 to_y_m * slab->to_along_x - to_x_m * slab->to_along_y, t);
    *fold = (since_m - until_m) / slab->plan_m;
    if (slab->cap == 0) {
        *at = track_ribbon_section(ribbon, slab->segment, t, offset_m);
        return true;
    }
    *at = track_ribbon_section(ribbon, slab->segment, slab->cap < 0 ? 0 : 1, offset_m);
    at->past_end = true;
    at->beyond_m = track_max(at->beyond_m, slab->cap < 0 ? -until_m : since_m);
    return true;
}
