/// A track being read: the track, and what its file says beside it.
#pragma once

#include "content/content.h"

/// A stretch of a track given by straights and bends begins here.
typedef struct content_origin {
    double x_m, y_m, z_m, heading_rad;
} content_origin;

/// apex_track_def comes first, so that one base pointer serves the tables of both.
typedef struct content_track_file {
    apex_track_def def;
    double width_m; ///< of the road where a point or section says nothing else
    content_origin origin;
    bool join; ///< a closed course of sections is completed by a smooth curve
} content_track_file;
