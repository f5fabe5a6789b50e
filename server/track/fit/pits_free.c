// The check that pits are free: no wall and no post may stand in them.
#include "track/fit/pits_free.h"

#include <math.h>

#include "track/definition/refuse.h"
#include "track/lap/pit_lane.h"
#include "track/lap/projection.h"
#include "track/walls/wall_chain.h"

#define STEP_M  0.5
#define SPARE_M 0.1

// In the pits, or how far at least one may go on before it can be.
static bool stands_in(const apex_track *track, const double at_m[3], double spare_m,
                      double *clear_m) {
    const apex_track_pit_lane *lane = &track->pit_lane;
    double reach_m = lane->distance_m + lane->width_m + lane->box_depth_m - spare_m;
    *clear_m = track_distance_bound_m(track, at_m[0], at_m[1]) - reach_m;
    if (*clear_m > 0) {
        return false;
    }
    apex_track_place place = apex_track_find(track, at_m[0], at_m[1], at_m[2]);
    track_pit_section pits = track_pits_at(track, place.s_m);
    double outside_m = lane->side == APEX_SIDE_LEFT ? place.offset_m - place.left_m
                                                    : -place.offset_m - place.right_m;
    return track_pits_cover(&pits, outside_m, spare_m);
}

static bool crosses(const apex_track *track, const apex_wall_segment *wall) {
    double dx_m = wall->to_x_m - wall->from_x_m;
    double dy_m = wall->to_y_m - wall->from_y_m;
    double length_m = sqrt(dx_m * dx_m + dy_m * dy_m);
    double clear_m = 0;
    double at_m = 0;
    while (at_m <= length_m) {
        double share = at_m / length_m;
        double point_m[3] = {wall->from_x_m + share * dx_m, wall->from_y_m + share * dy_m,
                             wall->base_m};
        if (stands_in(track, point_m, SPARE_M, &clear_m)) {
            return true;
        }
        at_m += track_max(clear_m, STEP_M);
    }
    return false;
}

static apex_err check_walls(const apex_track_def *def, const apex_track *track,
                            apex_def_problem *problem) {
    uint32_t segment = track->free_segment;
    for (uint32_t i = 0; i < def->free_wall_count; i++) {
        uint32_t pieces = track_piece_count(&def->free_walls[i]);
        for (uint32_t k = 0; k < pieces; k++, segment++) {
            if (crosses(track, &track->wall_segments[segment])) {
                return track_refuse(problem,
                                    "free_walls[%u].points[%u]: the wall from here on stands in "
                                    "the pit lane; move it",
                                    i, k);
            }
        }
    }
    return APEX_OK;
}

apex_err track_check_pits_free(const apex_track_def *def, const apex_track *track,
                               apex_def_problem *problem) {
    if (!track->pit_lane.given) {
        return APEX_OK;
    }
    for (uint32_t i = 0; i < track->walls.post_count; i++) {
        const apex_wall_post *post = &track->wall_posts[i];
        double at_m[3] = {post->x_m, post->y_m, post->base_m};
        double clear_m;
        if (stands_in(track, at_m, SPARE_M - post->radius_m, &clear_m)) {
            return track_refuse(problem, "posts[%u].x_m: stands in the pit lane; move it", i);
        }
    }
    return check_walls(def, track, problem);
}
