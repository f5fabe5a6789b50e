/// Laying the ribbon into a tile, which is filled from the slabs that reach it: so a lap of any
/// length needs little memory beside its tiles, and the order of slabs alone decides the bits.
#pragma once

#include "track/ground/ribbon.h"

enum {
    TRACK_NODES = APEX_GROUND_NODES * APEX_GROUND_NODES,
    TRACK_CELLS = APEX_GROUND_CELLS * APEX_GROUND_CELLS,
};

/// Roads that cross need this much height between them.
#define TRACK_BRIDGE_M 3.5

/// Two stretches of road in one place.
typedef struct track_clash {
    bool found;
    uint32_t segment, other;
    double gap_m; ///< between their heights
} track_clash;

/// Work space for one tile at a time.
typedef struct track_tile_work {
    double weight[TRACK_NODES], weighted_m[TRACK_NODES];
    double road_beyond_m[TRACK_NODES]; ///< of the node's road; 0 where it is not on one
    double road_m[TRACK_NODES];        ///< its height
    uint32_t road_segment[TRACK_NODES];
    double nearest_m[TRACK_CELLS];
    double below_m[TRACK_NODES]; ///< road of the layers below
    uint32_t below_segment[TRACK_NODES];
    bool below[TRACK_NODES];
    bool reached; ///< a road comes into the tile
    track_clash clash;
} track_tile_work;

typedef struct track_tile_order {
    const track_ribbon *ribbon;
    int32_t tile_x, tile_y;
    const uint32_t *slabs; ///< rising
    const uint8_t *layers; ///< one for each slab
    uint32_t slab_count;
    uint8_t layer; ///< the one to lay
} track_tile_order;

/// Fills heights and surfaces of a tile from its slabs of one layer.
void track_tile_lay(const track_tile_order *order, track_tile_work *work, apex_ground_tile *tile);
