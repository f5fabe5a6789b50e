/// One line of wall along the road, on one side of it.
#pragma once

#include "track/ground/ribbon.h"
#include "track/walls/wall_chain.h"

typedef struct track_wall_line {
    // The wall that is asked for.
    const track_ribbon *ribbon;
    apex_track *track;
    const apex_track_wall *wall;
    uint8_t material;
    bool left;
    bool away; ///< from the road: the face of a pit wall that looks at the lane

    // The line that is found; 0 before.
    bool in_pits;         ///< it would stand there
    double in_pits_s_m;   ///< and where first
    bool closed;          ///< comes back to its first sample
    double first_station; ///< in stations, possibly between two
    double last_station;  ///< greater; past the seam counts on
    uint32_t sample_count;
    track_vertex *samples;
    bool *kept;
    track_vertex *chain; ///< room for all samples
} track_wall_line;

/// Appends its segments to the track's.
apex_err track_lay_wall_line(track_wall_line *line);
