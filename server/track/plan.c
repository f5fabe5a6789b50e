// Shapes of a laid track in the plan: stretches, bands cut into pieces, pits.
#include "track/plan.h"

#include "base/assert.h"
#include "base/trig.h"
#include "track/laid_track.h"

// A band's ends are no nearer to a spot than this: a piece of no length has no direction.
#define APART_M   0.1
#define PIT_RIM_M 4.0
// Of the way to the middle of a bend, where all lines beside the centre line meet.
#define INSIDE_MAX 0.95

apex_track_spot apex_track_spot_at(const apex_track *track, double s_m) {
    return (apex_track_spot){s_m, apex_track_frame_at(track, s_m)};
}

apex_track_stretch apex_track_extent(const apex_track *track) {
    return (apex_track_stretch){track->first_s_m, track->first_s_m + track->curve_m};
}

apex_track_stretch apex_track_strip_stretch(const apex_track *track, const apex_track_def *def,
                                            const apex_track_strip *strip) {
    if (strip->from_m <= 0 && strip->to_m <= 0) {
        return apex_track_extent(track);
    }
    double from_m = strip->from_m - def->start_m;
    double to_m = strip->to_m - def->start_m;
    return (apex_track_stretch){from_m, to_m < from_m ? to_m + track->curve_m : to_m};
}

void apex_track_around(const apex_placement *at, double ahead_m, double left_m, double out_m[2]) {
    double sin;
    double cos;
    apex_sincos(at->yaw_rad, &sin, &cos);
    out_m[0] = at->x_m + ahead_m * cos - left_m * sin;
    out_m[1] = at->y_m + ahead_m * sin + left_m * cos;
}

void apex_track_beside(const apex_track_frame *frame, double offset_m, double out_m[2]) {
    apex_placement at = {.x_m = frame->x_m, .y_m = frame->y_m, .yaw_rad = frame->heading_rad};
    apex_track_around(&at, 0, offset_m, out_m);
}

void apex_track_border_at(const apex_track_border *border, const apex_track_frame *frame,
                          double out_m[2]) {
    double offset_m = border->line == APEX_LINE_LEFT_EDGE    ? frame->left_m + border->offset_m
                      : border->line == APEX_LINE_RIGHT_EDGE ? -frame->right_m - border->offset_m
                                                             : border->offset_m;
    bool is_beyond = offset_m * frame->curvature_per_m > INSIDE_MAX;
    apex_track_beside(frame, is_beyond ? INSIDE_MAX / frame->curvature_per_m : offset_m, out_m);
}

size_t apex_track_strip_bands(const apex_track_strip *strip, apex_track_stretch along,
                              apex_track_band out[2]) {
    double inner_m = strip->inner_m;
    double outer_m = strip->outer_m;
    if (!strip->from_edge) {
        out[0] = (apex_track_band){{APEX_LINE_CENTRE, outer_m}, {APEX_LINE_CENTRE, inner_m}, along};
        return 1;
    }
    size_t count = 0;
    if (strip->side != APEX_SIDE_RIGHT) {
        out[count++] = (apex_track_band){
            {APEX_LINE_LEFT_EDGE, outer_m}, {APEX_LINE_LEFT_EDGE, inner_m}, along};
    }
    if (strip->side != APEX_SIDE_LEFT) {
        out[count++] = (apex_track_band){
            {APEX_LINE_RIGHT_EDGE, inner_m}, {APEX_LINE_RIGHT_EDGE, outer_m}, along};
    }
    return count;
}

static void keep(apex_track_cut *cut, double s_m, const apex_track_frame *frame) {
    APEX_ASSERT(cut->kept_count < APEX_TRACK_PIECE_SPOTS);
    cut->kept[cut->kept_count++] = (apex_track_spot){s_m, *frame};
}

// Keeps spots until a piece is full, with room for the band's end. A stretch may begin in the lap
// before and end in the one after. @return false where no spot is left.
static bool keep_spots(apex_track_cut *cut) {
    const apex_track *track = cut->track;
    size_t all = track->closed ? 3 * cut->spot_count : cut->spot_count;
    while (cut->next < all && cut->kept_count < APEX_TRACK_PIECE_SPOTS - 1) {
        const apex_track_spot *spot = &cut->spots[cut->next % cut->spot_count];
        int lap = track->closed ? (int)(cut->next / cut->spot_count) - 1 : 0;
        double s_m = spot->s_m + lap * track->length_m;
        cut->next++;
        if (s_m > cut->band.along.from_m + APART_M && s_m < cut->band.along.to_m - APART_M) {
            keep(cut, s_m, &spot->frame);
        }
    }
    return cut->kept_count == APEX_TRACK_PIECE_SPOTS - 1;
}

static void keep_end(apex_track_cut *cut, double s_m) {
    apex_track_frame frame = apex_track_frame_at(cut->track, s_m);
    keep(cut, s_m, &frame);
}

bool apex_track_next_piece(apex_track_cut *cut, apex_track_piece *out) {
    if (cut->ended) {
        return false;
    }
    if (!cut->begun) {
        cut->begun = true;
        keep_end(cut, cut->band.along.from_m);
    }
    cut->ended = !keep_spots(cut);
    if (cut->ended) {
        keep_end(cut, cut->band.along.to_m);
    }
    size_t count = cut->kept_count;
    out->count = 2 * count;
    for (size_t i = 0; i < count; i++) {
        apex_track_border_at(&cut->band.left, &cut->kept[i].frame, out->at_m[i]);
        apex_track_border_at(&cut->band.right, &cut->kept[i].frame, out->at_m[2 * count - 1 - i]);
    }
    cut->kept[0] = cut->kept[count - 2];
    cut->kept[1] = cut->kept[count - 1];
    cut->kept_count = 2;
    return true;
}

uint32_t apex_track_pit_rim_count(const apex_track *track) {
    return 2 * ((uint32_t)(track->pit_length_m / PIT_RIM_M) + 2);
}

void apex_track_pit_rim_point(const apex_track *track, uint32_t index, double out_m[2]) {
    APEX_ASSERT(track->pit_lane.given && index < apex_track_pit_rim_count(track));
    uint32_t last = apex_track_pit_rim_count(track) / 2 - 1; // of one side
    bool back = index > last;
    double share = (double)(back ? 2 * last + 1 - index : index) / last;
    apex_placement at = apex_track_pit_lane_placement(track, share * track->pit_length_m);
    double half_m = 0.5 * track->pit_lane.width_m;
    apex_track_around(&at, 0, back ? -half_m : half_m, out_m);
}

void apex_track_pit_box_corner(const apex_track *track, uint32_t box, apex_track_corner corner,
                               double out_m[2]) {
    APEX_ASSERT((uint32_t)corner < APEX_CORNER_COUNT);
    bool ahead = corner == APEX_CORNER_LEFT_AHEAD || corner == APEX_CORNER_RIGHT_AHEAD;
    bool left = corner == APEX_CORNER_LEFT_AHEAD || corner == APEX_CORNER_LEFT_BEHIND;
    double ahead_m = 0.5 * track->pit_lane.box_spacing_m;
    double left_m = 0.5 * track->pit_lane.box_depth_m;
    apex_placement at = apex_track_pit_box_placement(track, box);
    apex_track_around(&at, ahead ? ahead_m : -ahead_m, left ? left_m : -left_m, out_m);
}
