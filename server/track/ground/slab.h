/// A slab: the ground between two neighbouring cross-sections.
#pragma once

#include "track/ground/ribbon.h"

typedef struct track_slab {
    uint32_t index;
    uint32_t segment;
    int32_t cap; ///< -1 before the first station of an open track, 1 behind the last, else 0
    double from_x_m, from_y_m, from_along_x, from_along_y;
    double to_x_m, to_y_m, to_along_x, to_along_y;
    double left_m, right_m; ///< its reach from the centre line
    double plan_m;          ///< between the cross-sections
} track_slab;

/// Segments, and the two ends of an open track.
uint32_t track_slab_count(const apex_track *track);
track_slab track_slab_at(const track_ribbon *ribbon, uint32_t index);
/// Rows of tiles that a slab touches.
void track_slab_rows(const track_slab *slab, int32_t *first, int32_t *last);
/// Tiles that it touches in one of those rows; false if none.
bool track_slab_tiles(const track_slab *slab, int32_t row, int32_t *first, int32_t *last);
/// Finds the place of a point in the slab. @return false if it is not in it.
/// @param[out] fold the slab's length there over that on the centre line; 0 at the centre of the
/// bend.
bool track_slab_locate(const track_ribbon *ribbon, const track_slab *slab, const double point_m[2],
                       track_section *at, double *fold);
/// Positions of a row, `count` of them half a metre apart from x, that may lie in the slab.
bool track_slab_span(const track_slab *slab, const double from_m[2], int32_t count, int32_t *first,
                     int32_t *last);

/// @return the distance of two segments along the lap, in m.
double track_segment_gap_m(const apex_track *track, uint32_t a, uint32_t b);
