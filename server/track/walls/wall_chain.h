/// Runs of wall: their segments are collected while walls are laid.
#pragma once

#include "track/laid_track.h"

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

/// Straight pieces of a free wall: piece i goes from point i to the next.
uint32_t track_piece_count(const apex_track_free_wall *wall);
double track_piece_m(const apex_track_free_wall *wall, uint32_t piece);
