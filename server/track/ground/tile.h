/// Laying the ribbon into tiles. A slab is the ground between two neighbouring cross-sections;
/// every tile is filled from the slabs that reach it, so that a lap of any length needs little
/// memory beside its tiles, and the order of slabs alone decides the bits.
#pragma once

#include "track/ground/ribbon.h"

enum {
    TRACK_NODES = APEX_GROUND_NODES * APEX_GROUND_NODES,
    TRACK_CELLS = APEX_GROUND_CELLS * APEX_GROUND_CELLS,
    TRACK_LAYERS_MAX = 16,
};

/// Roads that cross need this much height between them.
#define TRACK_BRIDGE_M 3.5

typedef struct track_slab {
    uint32_t index;
    uint32_t segment;
    int32_t cap; ///< -1 before the first station of an open track, 1 behind the last, else 0
    double from_x_m, from_y_m, from_along_x, from_along_y;
    double to_x_m, to_y_m, to_along_x, to_along_y;
    double left_m, right_m; ///< how far it reaches from the centre line
    double plan_m;          ///< between the cross-sections
} track_slab;

/// Segments, and the two ends of an open track.
uint32_t track_slab_count(const apex_track *track);
track_slab track_slab_at(const track_ribbon *ribbon, uint32_t index);
/// Rows of tiles that a slab touches.
void track_slab_rows(const track_slab *slab, int32_t *first, int32_t *last);
/// Tiles that it touches in one of those rows; false if none.
bool track_slab_tiles(const track_slab *slab, int32_t row, int32_t *first, int32_t *last);
/// Where a point lies in the slab; false if it is not in it.
/// @param[out] fold how much wider than on the centre line the slab is there; 0 at the centre of
/// the bend.
bool track_slab_locate(const track_ribbon *ribbon, const track_slab *slab, const double point_m[2],
                       track_section *at, double *fold);
/// Positions of a row, `count` of them half a metre apart from x, that may lie in the slab.
bool track_slab_span(const track_slab *slab, const double from_m[2], int32_t count, int32_t *first,
                     int32_t *last);

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

/// Sorts a tile's slabs into layers, 0 the lowest.
/// @return how many layers, or 0 if there are too many stretches to tell.
uint32_t track_tile_layers(const track_ribbon *ribbon, const track_tile_order *order,
                           uint8_t *layers);

/// How far apart along the lap two segments are, in m.
double track_segment_gap_m(const apex_track *track, uint32_t a, uint32_t b);
