// The pit lane: a lane beside the road that leaves it and comes back to it. Across the road it is
// told in metres outside the road's edge, so that it follows the road's bends, slopes and widths.
#include "track/laid_track.h"

#include <math.h>

#include "base/assert.h"
#include "base/trig.h"

// Of the stretch on which road and lane run side by side, beside what the boxes take.
#define SIDE_BY_SIDE_M_MIN 20.0
// A lane inside of a bend must keep this much of each metre of lap.
#define LEFT_OF_LAP_MIN 0.5
#define CHECK_STEP_M    1.0
#define STOREY_M        3.0

static bool within(double value, double low, double high) {
    return value >= low && value <= high;
}

apex_err track_check_pit_lane(const apex_track_pit_lane *lane, apex_def_problem *problem) {
    const struct {
        const char *name;
        double value, low, high;
    } ranges[] = {
        {"entry_m", lane->entry_m, 0, APEX_TRACK_LENGTH_M_MAX},
        {"exit_m", lane->exit_m, 0, APEX_TRACK_LENGTH_M_MAX},
        {"taper_m", lane->taper_m, 10, 500},
        {"distance_m", lane->distance_m, 0, 60},
        {"width_m", lane->width_m, 3, 30},
        {"speed_limit_mps", lane->speed_limit_mps, 1, 100},
        {"box_count", lane->box_count, 1, APEX_TRACK_PIT_BOXES_MAX},
        {"box_spacing_m", lane->box_spacing_m, 3, 100},
        {"box_depth_m", lane->box_depth_m, 2, 20},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (!within(ranges[i].value, ranges[i].low, ranges[i].high)) {
            return track_refuse(problem, "pit_lane.%s: %g is outside %g..%g", ranges[i].name,
                                ranges[i].value, ranges[i].low, ranges[i].high);
        }
    }
    if (lane->side != APEX_SIDE_LEFT && lane->side != APEX_SIDE_RIGHT) {
        return track_refuse(problem, "pit_lane.side: pits are on the left or on the right");
    }
    return APEX_OK;
}

// --- Where it is ------------------------------------------------------------------------------

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
        .speed_limit_mps = lane->speed_limit_mps,
        .box_count = lane->box_count,
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

apex_placement apex_track_pit_box_placement(const apex_track *track, uint32_t box) {
    const apex_track_pit_lane *lane = &track->pit_lane;
    APEX_ASSERT(lane->given && box < lane->box_count);
    double from_middle_m = (box - 0.5 * (lane->box_count - 1)) * lane->box_spacing_m;
    double s_m = track->pit_entry_s_m + 0.5 * track->pit_length_m + from_middle_m;
    double far_m = lane->distance_m + lane->width_m;
    return place_outside(track, s_m, far_m + 0.5 * lane->box_depth_m);
}

// --- Laying it --------------------------------------------------------------------------------

static apex_err check_along(const apex_track_pit_lane *lane, const apex_track *track,
                            apex_def_problem *problem) {
    if (!within(lane->entry_m, 0, track->curve_m) || !within(lane->exit_m, 0, track->curve_m)) {
        return track_refuse(problem, "pit_lane.%s: not on the lap of 0..%.1f m",
                            within(lane->entry_m, 0, track->curve_m) ? "exit_m" : "entry_m",
                            track->curve_m);
    }
    if (!track->closed && lane->exit_m <= lane->entry_m) {
        return track_refuse(problem, "pit_lane.exit_m: %g lies before entry_m %g", lane->exit_m,
                            lane->entry_m);
    }
    double boxes_m = track_max(lane->box_count * lane->box_spacing_m, SIDE_BY_SIDE_M_MIN);
    double needed_m = 2 * lane->taper_m + boxes_m;
    if (track->pit_length_m < needed_m) {
        return track_refuse(problem,
                            "pit_lane.exit_m: %.1f m behind the entry, but %u boxes and two tapers "
                            "of %g m need %.1f m; move it, or take fewer boxes",
                            track->pit_length_m, lane->box_count, lane->taper_m, needed_m);
    }
    if (lane->wall_material[0] != '\0' && lane->distance_m < 1) {
        return track_refuse(problem,
                            "pit_lane.wall_material: a wall needs 1 m between road and lane, there "
                            "is %g m; set distance_m",
                            lane->distance_m);
    }
    return APEX_OK;
}

// The lane's far side must lie beside this road and no other, and not where a bend folds.
static apex_err check_room(const apex_track *track, double since_m, apex_def_problem *problem) {
    bool left = track->pit_lane.side == APEX_SIDE_LEFT;
    double s_m = track->pit_entry_s_m + since_m;
    track_pit_section pits = track_pits_at(track, s_m);
    apex_track_frame frame = apex_track_frame_at(track, s_m);
    double offset_m = left ? frame.left_m + pits.boxes_m : -frame.right_m - pits.boxes_m;
    double u_m = track->pit_lane.entry_m + since_m;
    u_m -= track->closed && u_m > track->curve_m ? track->curve_m : 0;
    if (1 - frame.curvature_per_m * offset_m < LEFT_OF_LAP_MIN) {
        return track_refuse(problem,
                            "pit_lane.side: at %.0f m the road bends round the lane by a radius of "
                            "%.1f m; put it on the other side, or elsewhere",
                            u_m, 1 / fabs(frame.curvature_per_m));
    }
    apex_placement at = apex_track_placement(track, s_m, offset_m);
    uint32_t point = 0;
    track_clearance_query query = {
        .x_m = at.x_m,
        .y_m = at.y_m,
        .z_m = frame.z_m,
        .reach_z_m = STOREY_M,
        .limit_m = pits.boxes_m,
    };
    if (track_clearance(track, &query, &point) < track_min(pits.boxes_m, 1) - 0.1) {
        return track_refuse(
            problem,
            "pit_lane.side: at %.0f m the lane would lie on the road at points[%u]; "
            "put it on the other side, or elsewhere",
            u_m, point);
    }
    return APEX_OK;
}

apex_err track_lay_pits(const apex_track_def *def, apex_track *track, apex_def_problem *problem) {
    const apex_track_pit_lane *lane = &def->pit_lane;
    if (!lane->given) {
        return APEX_OK;
    }
    track->pit_lane = *lane;
    double length_m = lane->exit_m - lane->entry_m;
    track->pit_length_m = length_m > 0 ? length_m : length_m + track->curve_m;
    apex_err err = check_along(lane, track, problem);
    if (err != APEX_OK) {
        return err;
    }
    track->pit_entry_s_m = track_wrap_s(track, lane->entry_m - def->start_m);
    int surface = track_find_surface(track, lane->surface);
    if (surface < 0) {
        return track_refuse(problem, "pit_lane.surface: no surface is called '%s'", lane->surface);
    }
    int32_t steps = track_floor(track->pit_length_m / CHECK_STEP_M);
    for (int32_t i = 0; err == APEX_OK && i <= steps; i++) {
        err = check_room(track, i * CHECK_STEP_M, problem);
    }
    return err;
}
