// Height and surface at a point of the cross-section.
#include "track/ground/ribbon.h"

#include <math.h>

#include "track/lap/pit_lane.h"

// Kerbs rise and end over this distance along the lap.
#define TAPER_M 2.0

// 0 at the strip's ends, 1 once it has risen.
static double taper(const track_ribbon *ribbon, const track_ribbon_strip *strip, double u_m) {
    if (strip->whole_lap) {
        return 1;
    }
    double lap_m = ribbon->track->curve_m;
    double since_m = u_m - strip->def->from_m;
    double left_m = strip->def->to_m - u_m;
    since_m += since_m < 0 ? lap_m : 0;
    left_m += left_m < 0 ? lap_m : 0;
    return track_clamp(track_min(since_m, left_m) / TAPER_M, 0, 1);
}

// @return the place of a point in a strip's width, 0 at the inner edge, 1 at the outer; negative if
// it is not in it.
static double across(const apex_track_strip *strip, const track_section *at) {
    double width_m = strip->outer_m - strip->inner_m;
    if (!strip->from_edge) {
        double share = (at->offset_m - strip->inner_m) / width_m;
        return share <= 1 ? share : -1;
    }
    double left_m = at->left_m - strip->inner_m;
    double right_m = at->right_m - strip->inner_m;
    if (strip->side != APEX_SIDE_RIGHT && left_m >= 0 && left_m <= width_m) {
        return left_m / width_m;
    }
    if (strip->side != APEX_SIDE_LEFT && right_m >= 0 && right_m <= width_m) {
        return right_m / width_m;
    }
    return -1;
}

// @return whether a point lies on the pit lane or its boxes.
static bool in_pits(const track_ribbon *ribbon, const track_section *at) {
    const apex_track *track = ribbon->track;
    if (!track->pit_lane.given || at->past_end || at->beside_m <= 0) {
        return false;
    }
    bool left = track->pit_lane.side == APEX_SIDE_LEFT;
    track_pit_section pits =
        track_pits_at(track, track->first_s_m + (at->segment + at->t) * track->spacing_m);
    return track_pits_cover(&pits, left ? at->left_m : at->right_m, 0);
}

track_section track_ribbon_section(const track_ribbon *ribbon, uint32_t segment, double t,
                                   double offset_m) {
    uint32_t next = track_next_station(ribbon->track, segment);
    const track_station *from = &ribbon->track->stations[segment];
    const track_station *to = &ribbon->track->stations[next];
    double left_m = offset_m - track_lerp(from->left_m, to->left_m, t);
    double right_m = -offset_m - track_lerp(from->right_m, to->right_m, t);
    uint32_t side = left_m > right_m ? 0 : 1;
    const track_shoulder *from_shoulder = &ribbon->shoulders[segment * 2 + side];
    const track_shoulder *to_shoulder = &ribbon->shoulders[next * 2 + side];
    return (track_section){
        .segment = segment,
        .t = t,
        .offset_m = offset_m,
        .left_m = left_m,
        .right_m = right_m,
        .beside_m = side == 0 ? left_m : right_m,
        .beyond_m = side == 0 ? left_m : right_m,
        .wide_m = track_lerp(from_shoulder->wide_m, to_shoulder->wide_m, t),
        .bank_m = track_lerp(from_shoulder->bank_m, to_shoulder->bank_m, t),
    };
}

// The topmost strip at a point, of those with a height of their own if `raised`; share is where in
// its width. NULL if there is none.
static const track_ribbon_strip *topmost(const track_ribbon *ribbon, const track_section *at,
                                         bool raised, double *share) {
    if (at->past_end) {
        return NULL;
    }
    const uint8_t *active = ribbon->active[at->segment];
    double u_m = track_ribbon_along_m(ribbon, at->segment, at->t);
    for (uint32_t k = ribbon->active_count[at->segment]; k > 0; k--) {
        const track_ribbon_strip *strip = &ribbon->strips[active[k - 1]];
        if (raised && fabs(strip->def->height_m) <= 0) {
            continue;
        }
        *share = across(strip->def, at);
        if (*share >= 0 && (strip->whole_lap || track_strip_covers(strip->def, u_m))) {
            return strip;
        }
    }
    return NULL;
}

// Paint on a kerb does not flatten it: strips without a height leave it to those below.
static double strips_height_m(const track_ribbon *ribbon, const track_section *at) {
    double share;
    const track_ribbon_strip *strip = topmost(ribbon, at, true, &share);
    if (strip == NULL || in_pits(ribbon, at)) {
        return 0;
    }
    double u_m = track_ribbon_along_m(ribbon, at->segment, at->t);
    return share * strip->def->height_m * taper(ribbon, strip, u_m);
}

// Height of the centre line that counts for a point: its own, or inside of a bend near the bend's
// middle more and more that bend's.
static double spine_m(const track_ribbon *ribbon, const track_section *at) {
    uint32_t next = track_next_station(ribbon->track, at->segment);
    const track_station *from = &ribbon->track->stations[at->segment];
    const track_station *to = &ribbon->track->stations[next];
    double own_m = track_lerp(from->z_m, to->z_m, at->t);
    uint32_t side = at->offset_m > 0 ? 0 : 1;
    const track_shoulder *from_shoulder = &ribbon->shoulders[at->segment * 2 + side];
    const track_shoulder *to_shoulder = &ribbon->shoulders[next * 2 + side];
    if (at->beside_m <= 0 || (!from_shoulder->folds && !to_shoulder->folds)) {
        return own_m;
    }
    double curvature = track_lerp(from->curvature_per_m, to->curvature_per_m, at->t);
    double edge_m = at->offset_m - (side == 0 ? at->beside_m : -at->beside_m);
    double at_edge = track_ribbon_left_of_lap(curvature, edge_m);
    double share = 2 * track_ribbon_left_of_lap(curvature, at->offset_m) / track_max(at_edge, 1e-3);
    if (share >= 1) {
        return own_m;
    }
    share = track_max(share, 0);
    double bend_m = from_shoulder->folds ? from_shoulder->bend_m : to_shoulder->bend_m;
    return track_lerp(bend_m, own_m, share * share * (3 - 2 * share));
}

double track_ribbon_height_m(const track_ribbon *ribbon, const track_section *at, bool banked) {
    const track_station *from = &ribbon->track->stations[at->segment];
    const track_station *to =
        &ribbon->track->stations[track_next_station(ribbon->track, at->segment)];
    double cross_slope = track_lerp(from->cross_slope, to->cross_slope, at->t);
    double run_m = at->offset_m;
    if (at->beside_m > 0) {
        double eased = track_ribbon_eased_m(track_min(at->beside_m, at->wide_m)) - at->beside_m;
        run_m += at->offset_m > 0 ? eased : -eased;
    }
    double height_m = spine_m(ribbon, at) + run_m * cross_slope;
    if (at->beyond_m <= at->wide_m) {
        return height_m + strips_height_m(ribbon, at);
    }
    if (!banked) {
        return height_m;
    }
    if (!(at->beyond_m - at->wide_m < at->bank_m)) {
        return ribbon->outside_m;
    }
    double t = (at->beyond_m - at->wide_m) / at->bank_m;
    return track_lerp(height_m, ribbon->outside_m, t * t * (3 - 2 * t));
}

uint8_t track_ribbon_surface(const track_ribbon *ribbon, const track_section *at) {
    double share;
    if (in_pits(ribbon, at)) {
        return ribbon->pit_surface;
    }
    const track_ribbon_strip *strip = topmost(ribbon, at, false, &share);
    if (strip != NULL) {
        return strip->surface;
    }
    if (at->beyond_m <= 0) {
        return ribbon->road_surface;
    }
    return at->beyond_m <= ribbon->verge_m ? ribbon->verge_surface : ribbon->outside_surface;
}
