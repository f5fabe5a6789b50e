// Runs of wall appended to the track, each segment linked to its neighbours.
#include "track/walls/wall_chain.h"

#include <math.h>
#include <stdlib.h>

// Walls reach into the ground, so that no bump opens a gap under them.
#define SUNK_M 0.5

apex_err track_add_chain(apex_track *track, const track_chain *chain) {
    uint32_t first = track->walls.segment_count;
    uint32_t count = chain->closed ? chain->count : chain->count - 1;
    size_t bytes = ((size_t)first + count) * sizeof *track->wall_segments;
    apex_wall_segment *segments = realloc(track->wall_segments, bytes);
    if (segments == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    track->wall_segments = segments;
    track->walls.segment_count = first + count;
    for (uint32_t i = 0; i < count; i++) {
        const track_vertex *from = &chain->vertices[i];
        const track_vertex *to = &chain->vertices[(i + 1) % chain->count];
        uint32_t before = chain->closed ? first + count - 1 : APEX_GROUND_NONE;
        uint32_t behind = chain->closed ? first : APEX_GROUND_NONE;
        segments[first + i] = (apex_wall_segment){
            .from_x_m = from->x_m,
            .from_y_m = from->y_m,
            .to_x_m = to->x_m,
            .to_y_m = to->y_m,
            .base_m = track_min(from->ground_m, to->ground_m) - SUNK_M,
            .top_m = track_max(from->ground_m, to->ground_m) + chain->height_m,
            .previous = i > 0 ? first + i - 1 : before,
            .next = i + 1 < count ? first + i + 1 : behind,
            .material = chain->material,
        };
    }
    return APEX_OK;
}

uint32_t track_piece_count(const apex_track_free_wall *wall) {
    return wall->closed ? wall->point_count : wall->point_count - 1;
}

double track_piece_m(const apex_track_free_wall *wall, uint32_t piece) {
    uint32_t to = (piece + 1) % wall->point_count;
    double dx_m = wall->x_m[to] - wall->x_m[piece];
    double dy_m = wall->y_m[to] - wall->y_m[piece];
    return sqrt(dx_m * dx_m + dy_m * dy_m);
}
