/// A laid track seen from above, for those who draw it: its extent, the bands that lie along its
/// road, its pits. Points are x, y in the world.
#pragma once

#include "track/track.h"

/// A place on the centre line.
typedef struct apex_track_spot {
    double s_m;
    apex_track_frame frame;
} apex_track_spot;

/// Lap distances; `to_m` may pass the end of the lap.
typedef struct apex_track_stretch {
    double from_m, to_m;
} apex_track_stretch;

apex_track_spot apex_track_spot_at(const apex_track *track, double s_m);

/// All of the definition: 0..length_m on a closed track; an open one has a run-up and a run-off.
apex_track_stretch apex_track_extent(const apex_track *track);
/// @param def of which the track was laid, and one of its strips.
apex_track_stretch apex_track_strip_stretch(const apex_track *track, const apex_track_def *def,
                                            const apex_track_strip *strip);

/// A place beside the centre line, to the left.
void apex_track_beside(const apex_track_frame *frame, double offset_m, double out_m[2]);
/// A place ahead of a placement and to its left.
void apex_track_around(const apex_placement *at, double ahead_m, double left_m, double out_m[2]);

typedef enum apex_track_line {
    APEX_LINE_CENTRE,
    APEX_LINE_LEFT_EDGE,
    APEX_LINE_RIGHT_EDGE
} apex_track_line;

/// One side of a band: metres to the left of the centre line, or outwards from an edge.
typedef struct apex_track_border {
    apex_track_line line;
    double offset_m;
} apex_track_border;

/// Finds the border's point beside a place of the centre line: at most as far as the middle of a
/// bend, beyond which there is nothing.
void apex_track_border_at(const apex_track_border *border, const apex_track_frame *frame,
                          double out_m[2]);

typedef struct apex_track_band {
    apex_track_border left, right;
    apex_track_stretch along;
} apex_track_band;

/// Finds the bands of a strip within a stretch. @return their number: 2 of a strip on both sides.
size_t apex_track_strip_bands(const apex_track_strip *strip, apex_track_stretch along,
                              apex_track_band out[2]);

/// A band is cut into polygons that overlap: a whole lap in one would cancel itself out somewhere.
enum { APEX_TRACK_PIECE_SPOTS = 61 };

/// Forwards along the left side, and back along the right.
typedef struct apex_track_piece {
    size_t count;
    double at_m[2 * APEX_TRACK_PIECE_SPOTS][2];
} apex_track_piece;

/// A band on its way into pieces. Set the first four, leave the rest 0.
typedef struct apex_track_cut {
    const apex_track *track;
    const apex_track_spot *spots; ///< of the whole extent, rising; as close as lines are to keep
    size_t spot_count;
    apex_track_band band;
    size_t next; ///< spot, of three laps of them
    bool begun, ended;
    size_t kept_count;
    apex_track_spot kept[APEX_TRACK_PIECE_SPOTS];
} apex_track_cut;

/// @return false when there is none left.
bool apex_track_next_piece(apex_track_cut *cut, apex_track_piece *out);

/// @return the number of points of the pit lane's rim, forwards along its left side and back along
/// its right; only of a track with pits.
uint32_t apex_track_pit_rim_count(const apex_track *track);
void apex_track_pit_rim_point(const apex_track *track, uint32_t index, double out_m[2]);

/// The corners of a pit box, round it.
typedef enum apex_track_corner {
    APEX_CORNER_LEFT_AHEAD,
    APEX_CORNER_LEFT_BEHIND,
    APEX_CORNER_RIGHT_BEHIND,
    APEX_CORNER_RIGHT_AHEAD,
    APEX_CORNER_COUNT
} apex_track_corner;

void apex_track_pit_box_corner(const apex_track *track, uint32_t box, apex_track_corner corner,
                               double out_m[2]);
