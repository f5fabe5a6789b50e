/// Ground from a height map, with a surface map and no road: a car park, a quarry. Part of the
/// public face of track; include "track/track.h".
///
/// Heights are whole steps of 16 bits, so that a file, the wire and the ground say the same number,
/// nobody rounds twice and both ends lay the same bits. The largest terrain, with all that may
/// stand on it, fits into one message of the wire; hence fewer points for a course over it. Nodes
/// count from the south-western corner, rows northwards (a picture's rows are turned over by
/// content). DECISIONS 20.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "physics/physics.h"

enum {
    APEX_TERRAIN_NODES_MAX = 262144, ///< 512 by 512; with surfaces 786 kB on the wire
    APEX_TERRAIN_BOXES_MAX = 64,
    APEX_TERRAIN_POINTS_MAX = 1024, ///< of a course over it: all of it goes into one message
};

/// The place of a car before the start.
typedef struct apex_terrain_box {
    double x_m, y_m, heading_rad;
} apex_terrain_box;

typedef struct apex_terrain {
    uint32_t columns, rows; ///< nodes; 0 columns: the track has a road instead
    double x_m, y_m;        ///< of the south-western node
    double cell_m;          ///< from one node to the next, 0.5..16
    double low_m, step_m;   ///< a height is low_m + step_m * value
    bool smooth;            ///< between nodes: a cubic through four of them, else straight lines
    uint32_t surface_count; ///< 0: all of it is the track's road_surface
    char surfaces[APEX_SURFACES_MAX]
                 [APEX_NAME_BYTES]; ///< the surfaces that the numbers in surface_map mean
    uint32_t box_count; ///< 1 at least where there is no course; taken in turn, then again
    apex_terrain_box boxes[APEX_TERRAIN_BOXES_MAX];
    uint16_t *heights;    ///< [row * columns + column]; owned like a definition's points
    uint8_t *surface_map; ///< the same, or NULL without surfaces; ground is like its nearest node
} apex_terrain;
