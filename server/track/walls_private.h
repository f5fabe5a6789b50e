/// Collecting wall segments while they are laid.
#pragma once

#include "track/ribbon_private.h"

typedef struct track_vertex {
    double x_m, y_m;
    double ground_m;
} track_vertex;

/// One run of wall: cars stay on its left.
typedef struct track_chain {
    const track_vertex *vertices;
    uint32_t count;
    bool closed;
    double height_m;
    uint8_t material;
} track_chain;

/// Appends a chain's segments, linked to each other, to track->wall_segments.
apex_err track_add_chain(apex_track *track, const track_chain *chain);

/// Walls and posts that stand anywhere.
apex_err track_lay_free_walls(const apex_track_def *def, apex_track *track,
                              apex_def_problem *problem);
apex_err track_lay_posts(const apex_track_def *def, apex_track *track, apex_def_problem *problem);
