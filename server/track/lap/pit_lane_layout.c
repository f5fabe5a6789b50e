// The pit lane laid beside the road, where there is room for it.
#include "track/lap/pit_lane_layout.h"

#include <math.h>

#include "base/assert.h"
#include "track/definition/range_checks.h"
#include "track/definition/surfaces.h"
#include "track/lap/centre_line.h"
#include "track/lap/clearance.h"
#include "track/lap/pit_lane.h"

// Of the stretch on which road and lane run side by side, beside what the boxes take.
#define SIDE_BY_SIDE_M_MIN 20.0
// A lane inside of a bend must keep this much of each metre of lap.
#define LEFT_OF_LAP_MIN 0.5
#define CHECK_STEP_M    1.0
#define STOREY_M        3.0

static apex_err check_along(const apex_track_pit_lane *lane, const apex_track *track,
                            apex_def_problem *problem) {
    if (!apex_is_within(lane->entry_m, 0, track->curve_m) ||
        !apex_is_within(lane->exit_m, 0, track->curve_m)) {
        return track_refuse(problem, "pit_lane.%s: not on the lap of 0..%.1f m",
                            apex_is_within(lane->entry_m, 0, track->curve_m) ? "exit_m" : "entry_m",
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

// Where the lane's near side meets the road's edge. The taper's cubic has no root in closed form
// without libm; it rises, so halving finds it.
static double parted_m(const apex_track_pit_lane *lane) {
    double share = lane->width_m / (lane->distance_m + lane->width_m);
    double low = 0;
    double high = 1;
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (low + high);
        if (middle * middle * (3 - 2 * middle) < share) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high * lane->taper_m;
}

apex_err track_lay_pits(const apex_track_def *def, apex_track *track, apex_def_problem *problem) {
    const apex_track_pit_lane *lane = &def->pit_lane;
    if (!lane->given) {
        return APEX_OK;
    }
    APEX_ASSERT(track->station_count >= 2 && track->curve_m > 0);
    track->pit_lane = *lane;
    double length_m = lane->exit_m - lane->entry_m;
    track->pit_length_m = length_m > 0 ? length_m : length_m + track->curve_m;
    track->pit_parted_m = parted_m(lane);
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
