/// A track: a definition laid out as ground and walls, and the lap as a coordinate.
///
/// Built once, then read only: any thread may read it. Same definition, same bits (the server's and
/// the client's predictor lay the same ground). "Lap distance" s_m runs from the START LINE in
/// driving direction, 0 <= s_m < length_m on a closed track; offset_m is to the left of the centre
/// line. (The definition counts from its first point; apex_track_create shifts it.)
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "physics/physics.h"
#include "track/track_def.h"

typedef struct apex_track apex_track;

/// Lays the track. A circuit of 7 km takes well under a second.
/// @return APEX_OK with *out; APEX_ERR_INVALID with *problem filled (problem may be NULL): too few
/// points, a gap, zero width, a start line off the lap, a road that meets itself at one height, a
/// wall across the road, a strip of an unknown surface, ...; APEX_ERR_NO_MEMORY.
apex_err apex_track_create(const apex_track_def *def, apex_track **out, apex_def_problem *problem);
/// The same for drawing alone, in a tenth of the time: lap, walls and pits, on ground that is level
/// beside every road. It is not checked that cars fit through. A terrain is laid whole.
apex_err apex_track_sketch(const apex_track_def *def, apex_track **out, apex_def_problem *problem);
void apex_track_destroy(apex_track *track);

const apex_ground *apex_track_ground(const apex_track *track); ///< lives as long as the track
const apex_walls *apex_track_walls(const apex_track *track);
bool apex_track_closed(const apex_track *track);
/// False on a terrain without a course. Its places are those of a straight line from west to east
/// through its middle, as wide as the terrain: s_m is metres from the western edge, offset_m metres
/// north of the middle; on_road means on the terrain, and length_m is its length.
bool apex_track_has_lap(const apex_track *track);
double apex_track_length_m(const apex_track *track);       ///< line to line
uint32_t apex_track_sector_count(const apex_track *track); ///< at least 1
/// Lap distance at which a sector ends; the last ends at length_m.
double apex_track_sector_end_m(const apex_track *track, uint32_t sector);

/// The centre line at a lap distance; wraps on a closed track. An open one goes on before its start
/// line and past its finish line to the ends of the definition, and is clamped there.
typedef struct apex_track_frame {
    double x_m, y_m, z_m;
    double heading_rad;
    double curvature_per_m; ///< positive bends left
    double slope_rad;       ///< rising positive
    double banking_rad;
    double left_m, right_m; ///< road widths
} apex_track_frame;

apex_track_frame apex_track_frame_at(const apex_track *track, double s_m);
/// The frame's heading alone, which is sooner found.
double apex_track_heading_rad(const apex_track *track, double s_m);

/// The place of a point on the lap.
typedef struct apex_track_place {
    double s_m;
    double offset_m;
    double left_m, right_m; ///< road widths there
    bool on_road;           ///< between the road's edges
} apex_track_place;

/// Nearest place within 60 m along the lap of `near_s_m`: a car that is followed tick by tick.
/// Never jumps to another part of the lap that happens to be near (figure-of-eight circuits).
apex_track_place apex_track_project(const apex_track *track, double x_m, double y_m,
                                    double near_s_m);
/// Nearest place anywhere; z chooses where the lap crosses over itself. For joins and tests.
apex_track_place apex_track_find(const apex_track *track, double x_m, double y_m, double z_m);

/// Signed way from one lap distance to another, the short way round on a closed track.
double apex_track_gap_m(const apex_track *track, double from_s_m, double to_s_m);

/// Grid box `index` (0 is pole). Boxes go back as far as asked; past half a lap they repeat. On an
/// open track they stand side by side, `columns` to a row. A terrain without a course has its own,
/// taken in turn.
apex_placement apex_track_grid_placement(const apex_track *track, uint32_t index);
/// A place on the road at a lap distance and offset, heading along the lap, at rest.
apex_placement apex_track_placement(const apex_track *track, double s_m, double offset_m);

/// The pit lane as rules and drivers see it. All 0 and `exists` false on a track without one.
typedef struct apex_track_pits {
    bool exists;
    apex_track_side side;
    double entry_s_m, exit_s_m; ///< lap distances; the lane may run over the line between them
    double length_m;            ///< on the road's centre line, from entry to exit
    double line_in_m;  ///< since the entry: the entry line, across the lane where it has parted
                       ///< from the road
    double line_out_m; ///< likewise the exit line; the limit holds between the two
    double width_m;    ///< of the lane
    double speed_limit_mps;
    uint32_t box_count;
    double box_length_m, box_depth_m; ///< along the lane, across it
} apex_track_pits;

apex_track_pits apex_track_pits_of(const apex_track *track);

/// A place on the lap, as seen from the pits.
typedef struct apex_track_pit_place {
    bool in_lane;    ///< off the road and on the lane
    bool in_boxes;   ///< off the road and on the strip of boxes beside it
    double since_m;  ///< on the road's centre line, since the entry; negative away from the pits
    double offset_m; ///< to the left of the lane's middle
} apex_track_pit_place;

apex_track_pit_place apex_track_pit_place_of(const apex_track *track, const apex_track_place *at);
/// The middle of the lane, so far behind the entry, heading along it.
apex_placement apex_track_pit_lane_placement(const apex_track *track, double since_m);
/// The middle of a box, heading along the lap; 0 is the first that a car comes to.
apex_placement apex_track_pit_box_placement(const apex_track *track, uint32_t box);
/// The way of that middle from the entry, on the road's centre line.
double apex_track_pit_box_since_m(const apex_track *track, uint32_t box);
