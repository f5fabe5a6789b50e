/// The pit lane, seen from the road.
#pragma once

#include "track/laid_track.h"

/// Across the road, outwards from its edge on the pits' side.
typedef struct track_pit_section {
    bool exists;          ///< false away from the pits
    double near_m, far_m; ///< of the lane; near is negative where the lane is still on the road
    double boxes_m;       ///< to here lie the boxes; far_m where there are none
    double since_m;       ///< the entry
    double heading_offset_rad; ///< of the lane to the road, to the left
} track_pit_section;

/// @param s_m lap distance.
track_pit_section track_pits_at(const apex_track *track, double s_m);
/// @return whether a point so far outside the edge of the pits' side is on lane or boxes, `spare_m`
/// inside their edges.
bool track_pits_cover(const track_pit_section *pits, double outside_m, double spare_m);
