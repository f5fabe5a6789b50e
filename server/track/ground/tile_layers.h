/// Roads that lie over each other in one tile.
#pragma once

#include "track/ground/tile.h"

enum { TRACK_LAYERS_MAX = 16 };

/// Sorts a tile's slabs into layers, 0 the lowest.
/// @return how many layers, or 0 if there are too many stretches to tell.
uint32_t track_tile_layers(const track_ribbon *ribbon, const track_tile_order *order,
                           uint8_t *layers);
