// Neighbours by place: a grid of the newest tick's cars, and a search through it.
#pragma once

#include "replicate/captured_cars.h"

/// Cars by place: those of a cell stand together.
typedef struct neighbour_grid {
    uint32_t *starts; ///< [cell], and the end
    uint16_t *slots;  ///< rising within a cell
    uint32_t *cells;  ///< [slot]
} neighbour_grid;

/// @return false when memory is refused; destroy it all the same.
bool neighbour_grid_create(neighbour_grid *grid, uint32_t capacity);
void neighbour_grid_destroy(neighbour_grid *grid);
void neighbour_grid_fill(neighbour_grid *grid, const captured_cars *cars);
/// The slots nearest to one, itself among them: at most `most`, no further than a kilometre or so;
/// rising. @return how many.
uint32_t neighbour_grid_nearest(const neighbour_grid *grid, const captured_cars *cars,
                                uint32_t slot, uint32_t most, uint16_t out[]);
