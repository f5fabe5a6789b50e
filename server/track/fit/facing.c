// Walls stop cars on one side only, the left one from their first point to their last. One with its
// back to the road lets cars through and then keeps them out: its points were listed the wrong way
// round. That is told only where nothing else stands between wall and road, because a wall between
// road and pits is two, back to back.
#include "track/fit/facing.h"

#include <math.h>

#include "track/definition/refuse.h"
#include "track/lap/projection.h"
#include "track/walls/wall_chain.h"

// Further from the road than this a wall may face what it likes.
#define NEAR_M  25.0
#define STEP_M  4.0
#define CAR_M   1.5
#define BEHIND  (-0.5) // cosine to the left normal: well on its back
#define SPARE_M 0.05

typedef struct wall_spot {
    double x_m, y_m;
    double left_x, left_y;
    double low_m, high_m; // heights of roads that matter to it
    uint32_t segment;     // of track->walls, its own
} wall_spot;

// The nearest station on the wall's storey whose road comes within NEAR_M; NULL if none does.
static const track_station *nearest(const apex_track *track, const wall_spot *spot) {
    const track_station *found = NULL;
    double best_m = NEAR_M + track->half_width_m_max;
    uint32_t index = 0;
    while (index < track->station_count) {
        const track_station *at = &track->stations[index];
        double dx_m = at->x_m - spot->x_m;
        double dy_m = at->y_m - spot->y_m;
        double apart_m = sqrt(dx_m * dx_m + dy_m * dy_m);
        if (apart_m - best_m >= 3) {
            index += (uint32_t)track_floor(apart_m - best_m) - 1;
            continue;
        }
        if (apart_m < best_m && at->z_m >= spot->low_m && at->z_m <= spot->high_m) {
            best_m = apart_m;
            found = at;
        }
        index++;
    }
    return found;
}

static double across_m(const double from_m[2], const double to_m[2], double x_m, double y_m) {
    return (to_m[0] - from_m[0]) * (y_m - from_m[1]) - (to_m[1] - from_m[1]) * (x_m - from_m[0]);
}

// @return whether another wall with its face to the road stands between.
static bool is_covered(const apex_track *track, const wall_spot *spot, const track_station *road) {
    double spot_m[2] = {spot->x_m, spot->y_m};
    double road_m[2] = {road->x_m, road->y_m};
    for (uint32_t i = 0; i < track->walls.segment_count; i++) {
        const apex_wall_segment *wall = &track->wall_segments[i];
        double from_m[2] = {wall->from_x_m, wall->from_y_m};
        double to_m[2] = {wall->to_x_m, wall->to_y_m};
        bool faces = across_m(from_m, to_m, road_m[0], road_m[1]) > 0 &&
                     across_m(from_m, to_m, spot_m[0], spot_m[1]) <= 0;
        double from_side = across_m(spot_m, road_m, from_m[0], from_m[1]);
        double to_side = across_m(spot_m, road_m, to_m[0], to_m[1]);
        if (faces && i != spot->segment && from_side * to_side <= 0) {
            return true;
        }
    }
    return false;
}

static bool has_its_back_to_it(const apex_track *track, const wall_spot *spot,
                               const track_station **road, double *apart_m) {
    if (track_distance_bound_m(track, spot->x_m, spot->y_m) > NEAR_M) {
        return false;
    }
    *road = nearest(track, spot);
    if (*road == NULL) {
        return false;
    }
    double dx_m = (*road)->x_m - spot->x_m;
    double dy_m = (*road)->y_m - spot->y_m;
    double distance_m = sqrt(dx_m * dx_m + dy_m * dy_m);
    double offset_m = dx_m * (*road)->along_y - dy_m * (*road)->along_x;
    *apart_m = distance_m - (offset_m > 0 ? (*road)->left_m : (*road)->right_m);
    double cosine = (dx_m * spot->left_x + dy_m * spot->left_y) / track_max(distance_m, SPARE_M);
    return *apart_m <= NEAR_M && cosine < BEHIND && !is_covered(track, spot, *road);
}

static apex_err check_piece(const apex_track *track, const uint32_t piece[3],
                            apex_def_problem *problem) {
    const apex_wall_segment *wall = &track->wall_segments[piece[2]];
    double dx_m = wall->to_x_m - wall->from_x_m;
    double dy_m = wall->to_y_m - wall->from_y_m;
    double length_m = sqrt(dx_m * dx_m + dy_m * dy_m);
    int32_t steps = track_floor(length_m / STEP_M) + 1;
    for (int32_t k = 0; k < steps; k++) {
        double share = (k + 0.5) / steps;
        wall_spot spot = {
            .x_m = track_lerp(wall->from_x_m, wall->to_x_m, share),
            .y_m = track_lerp(wall->from_y_m, wall->to_y_m, share),
            .left_x = -dy_m / length_m,
            .left_y = dx_m / length_m,
            .low_m = wall->base_m - CAR_M,
            .high_m = wall->top_m,
            .segment = piece[2],
        };
        const track_station *road = NULL;
        double apart_m = 0;
        if (has_its_back_to_it(track, &spot, &road, &apart_m)) {
            return track_refuse(problem,
                                "free_walls[%u].points[%u]: the wall from here on has its back to "
                                "the road at points[%u], %.1f m away; cars stay on its left, so "
                                "list its points the other way round",
                                piece[0], piece[1], road->point, apart_m);
        }
    }
    return APEX_OK;
}

apex_err track_check_facing(const apex_track_def *def, const apex_track *track,
                            apex_def_problem *problem) {
    uint32_t segment = track->free_segment;
    for (uint32_t i = 0; i < def->free_wall_count; i++) {
        uint32_t pieces = track_piece_count(&def->free_walls[i]);
        for (uint32_t k = 0; k < pieces; k++, segment++) {
            uint32_t piece[3] = {i, k, segment};
            apex_err err = check_piece(track, piece, problem);
            if (err != APEX_OK) {
                return err;
            }
        }
    }
    return APEX_OK;
}
