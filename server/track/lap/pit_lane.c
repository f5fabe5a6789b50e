// The pit lane: a lane beside the road that leaves it and comes back to it. Across the road it is
// told in metres outside the road's edge (DECISIONS 21), so that it follows the road's bends,
// slopes and widths.
#include "track/lap/pit_lane.h"

#include <math.h>

#include "base/assert.h"
#include "base/trig.h"
#include "track/lap/centre_line.h"

// From 0 to 1 without a kink at either end, and its slope over the taper.
static double eased(double share, double *slope) {
    share = track_clamp(share, 0, 1);
    *slope = 6 * share * (1 - share);
    return share * share * (3 - 2 * share);
}

track_pit_section track_pits_at(const apex_track *track, double s_m) {
    const apex_track_pit_lane *lane = &track->pit_lane;
    if (!lane->given) {
        return (track_pit_section){.since_m = -1};
    }
    double since_m = s_m - track->pit_entry_s_m;
    since_m = track->closed ? track_wrap_s(track, since_m) : since_m;
    double left_m = track->pit_length_m - since_m;
    if (since_m < 0 || left_m < 0) {
        return (track_pit_section){.since_m = -1};
    }
    bool leaves = since_m < left_m;
    double slope;
    double share = eased((leaves ? since_m : left_m) / lane->taper_m, &slope);
    double way_m = lane->distance_m + lane->width_m;
    double outwards = (leaves ? slope : -slope) * way_m / lane->taper_m;
    double boxes_m = lane->box_count * lane->box_spacing_m;
    double from_middle_m = fabs(since_m - left_m) / 2;
    track_pit_section pits = {
        .exists = true,
        .near_m = share * way_m - lane->width_m,
        .far_m = share * way_m,
        .boxes_m = share * way_m,
        .since_m = since_m,
        .heading_offset_rad = apex_atan(lane->side == APEX_SIDE_LEFT ? outwards : -outwards),
    };
    if (from_middle_m <= boxes_m / 2) {
        pits.boxes_m += lane->box_depth_m;
    }
    return pits;
}

bool track_pits_cover(const track_pit_section *pits, double outside_m, double spare_m) {
    return pits->exists && outside_m >= track_max(pits->near_m + spare_m, 0) &&
           outside_m <= pits->boxes_m - spare_m;
}

apex_track_pits apex_track_pits_of(const apex_track *track) {
    const apex_track_pit_lane *lane = &track->pit_lane;
    if (!lane->given) {
        return (apex_track_pits){.exists = false};
    }
    return (apex_track_pits){
        .exists = true,
        .side = lane->side,
        .entry_s_m = track->pit_entry_s_m,
        .exit_s_m = track_wrap_s(track, track->pit_entry_s_m + track->pit_length_m),
        .length_m = track->pit_length_m,
        .line_in_m = track->pit_parted_m,
        .line_out_m = track->pit_length_m - track->pit_parted_m,
        .width_m = lane->width_m,
        .speed_limit_mps = lane->speed_limit_mps,
        .box_count = lane->box_count,
        .box_length_m = lane->box_spacing_m,
        .box_depth_m = lane->box_depth_m,
    };
}

apex_track_pit_place apex_track_pit_place_of(const apex_track *track, const apex_track_place *at) {
    track_pit_section pits = track_pits_at(track, at->s_m);
    bool left = track->pit_lane.side == APEX_SIDE_LEFT;
    double outside_m = left ? at->offset_m - at->left_m : -at->offset_m - at->right_m;
    double beside_m = outside_m - 0.5 * (pits.near_m + pits.far_m);
    bool off_road = pits.exists && outside_m > 0;
    return (apex_track_pit_place){
        .in_lane = off_road && outside_m >= pits.near_m && outside_m <= pits.far_m,
        .in_boxes = off_road && outside_m > pits.far_m && outside_m <= pits.boxes_m,
        .since_m = pits.since_m,
        .offset_m = !pits.exists ? 0
                    : left       ? beside_m
                                 : -beside_m,
    };
}

static apex_placement place_outside(const apex_track *track, double s_m, double outside_m) {
    bool left = track->pit_lane.side == APEX_SIDE_LEFT;
    apex_track_frame frame = apex_track_frame_at(track, s_m);
    double offset_m = left ? frame.left_m + outside_m : -frame.right_m - outside_m;
    apex_placement at = apex_track_placement(track, s_m, offset_m);
    // Off the road the banking eases off; the ground knows by how much.
    at.z_m = apex_ground_at(&track->ground, at.x_m, at.y_m, frame.z_m + 1).height_m;
    return at;
}

apex_placement apex_track_pit_lane_placement(const apex_track *track, double since_m) {
    APEX_ASSERT(track->pit_lane.given);
    since_m = track_clamp(since_m, 0, track->pit_length_m);
    double s_m = track->pit_entry_s_m + since_m;
    track_pit_section pits = track_pits_at(track, s_m);
    apex_placement at = place_outside(track, s_m, 0.5 * (pits.near_m + pits.far_m));
    at.yaw_rad = apex_wrap_angle(at.yaw_rad + pits.heading_offset_rad);
    return at;
}

static double box_from_middle_m(const apex_track_pit_lane *lane, uint32_t box) {
    return (box - 0.5 * (lane->box_count - 1)) * lane->box_spacing_m;
}

double apex_track_pit_box_since_m(const apex_track *track, uint32_t box) {
    APEX_ASSERT(track->pit_lane.given && box < track->pit_lane.box_count);
    return 0.5 * track->pit_length_m + box_from_middle_m(&track->pit_lane, box);
}

apex_placement apex_track_pit_box_placement(const apex_track *track, uint32_t box) {
    const apex_track_pit_lane *lane = &track->pit_lane;
    APEX_ASSERT(lane->given && box < lane->box_count);
    double from_middle_m = box_from_middle_m(lane, box);
    double s_m = track->pit_entry_s_m + 0.5 * track->pit_length_m + from_middle_m;
    double far_m = lane->distance_m + lane->width_m;
    return place_outside(track, s_m, far_m + 0.5 * lane->box_depth_m);
}
