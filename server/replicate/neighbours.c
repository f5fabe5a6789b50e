// Neighbours by place: cars by cells of a torus of cells, so that no place is off the map.
#include "replicate/neighbours.h"

#include <stdlib.h>

#include "base/assert.h"

enum { CELL_CM_LOG2 = 12, SIDE_LOG2 = 6, SIDE = 1 << SIDE_LOG2, CELLS = SIDE * SIDE };
enum { RINGS_MAX = SIDE / 2 - 1, FOUND_MAX = 4 * APEX_VIEWER_CARS_MAX };

bool neighbour_grid_create(neighbour_grid *grid, uint32_t capacity) {
    grid->starts = calloc(CELLS + 1, sizeof *grid->starts);
    grid->slots = calloc(capacity + (size_t)1, sizeof *grid->slots);
    grid->cells = calloc(capacity + (size_t)1, sizeof *grid->cells);
    return grid->starts != NULL && grid->slots != NULL && grid->cells != NULL;
}

void neighbour_grid_destroy(neighbour_grid *grid) {
    free(grid->starts);
    free(grid->slots);
    free(grid->cells);
}

static uint32_t cell_at(int32_t column, int32_t row) {
    return ((uint32_t)row & (SIDE - 1)) << SIDE_LOG2 | ((uint32_t)column & (SIDE - 1));
}

static uint32_t cell_of(const apex_delta_car *car) {
    return cell_at(car->q[APEX_DELTA_X] >> CELL_CM_LOG2, car->q[APEX_DELTA_Y] >> CELL_CM_LOG2);
}

void neighbour_grid_fill(neighbour_grid *grid, const captured_cars *cars) {
    APEX_ASSERT(cars->live_count <= cars->capacity && captured_has(cars, cars->tick));
    for (uint32_t cell = 0; cell <= CELLS; cell++) {
        grid->starts[cell] = 0;
    }
    for (uint32_t i = 0; i < cars->live_count; i++) {
        uint32_t slot = cars->live[i], cell = cell_of(captured_newest(cars, slot));
        grid->cells[slot] = cell;
        grid->starts[cell + 1]++;
    }
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        grid->starts[cell + 1] += grid->starts[cell];
    }
    // Filling moves each start to its cell's end; the slots come out rising.
    for (uint32_t i = cars->live_count; i-- > 0;) {
        uint32_t slot = cars->live[i];
        grid->slots[--grid->starts[grid->cells[slot] + 1]] = (uint16_t)slot;
    }
}

/// Slots found, with their distances.
typedef struct found_cars {
    uint32_t count;
    uint64_t at[FOUND_MAX]; ///< distance and slot as one number
} found_cars;

static void look_into(const neighbour_grid *grid, const captured_cars *cars,
                      const apex_delta_car *from, uint32_t cell, found_cars *found) {
    uint32_t end = cell + 1 < CELLS ? grid->starts[cell + 2] : cars->live_count;
    for (uint32_t i = grid->starts[cell + 1]; i < end && found->count < FOUND_MAX; i++) {
        const apex_delta_car *car = captured_newest(cars, grid->slots[i]);
        int64_t x = car->q[APEX_DELTA_X] - from->q[APEX_DELTA_X];
        int64_t y = car->q[APEX_DELTA_Y] - from->q[APEX_DELTA_Y];
        uint64_t square_m2 = (uint64_t)(x * x + y * y) / 10000;
        uint64_t bounded = square_m2 < UINT32_MAX ? square_m2 : UINT32_MAX;
        found->at[found->count++] = bounded << 16 | grid->slots[i];
    }
}

static void look_round(const neighbour_grid *grid, const captured_cars *cars,
                       const apex_delta_car *from, int32_t ring, found_cars *found) {
    int32_t column = from->q[APEX_DELTA_X] >> CELL_CM_LOG2;
    int32_t row = from->q[APEX_DELTA_Y] >> CELL_CM_LOG2;
    for (int32_t y = -ring; y <= ring; y++) {
        int32_t step = y == -ring || y == ring || ring == 0 ? 1 : 2 * ring;
        for (int32_t x = -ring; x <= ring; x += step) {
            look_into(grid, cars, from, cell_at(column + x, row + y), found);
        }
    }
}

static void swap(uint64_t *a, uint64_t *b) {
    uint64_t held = *a;
    *a = *b;
    *b = held;
}

// Moves the `most` smallest to the front; all are different.
static void select_smallest(uint64_t at[], uint32_t count, uint32_t most) {
    uint32_t begin = 0, end = count;
    while (end - begin > 1) {
        uint64_t pivot = at[begin + (end - begin) / 2];
        uint32_t low = begin, high = end - 1;
        for (;;) {
            while (at[low] < pivot) {
                low++;
            }
            while (at[high] > pivot) {
                high--;
            }
            if (low >= high) {
                break;
            }
            swap(&at[low], &at[high]);
        }
        if (low == most || low + 1 == most) {
            return;
        }
        if (low < most) {
            begin = low + 1;
        } else {
            end = low;
        }
    }
}

// A bit for each slot brings them into order.
static uint32_t in_order(const uint64_t found[], uint32_t count, uint16_t out[]) {
    uint64_t is_in[(UINT16_MAX + 1) / 64] = {0};
    uint32_t written = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = found[i] & UINT16_MAX;
        is_in[slot / 64] |= 1ull << slot % 64;
    }
    for (uint32_t word = 0; written < count; word++) {
        for (uint64_t bits = is_in[word]; bits != 0; bits &= bits - 1) {
            out[written++] = (uint16_t)(64 * word + (uint32_t)__builtin_ctzll(bits));
        }
    }
    return written;
}

uint32_t neighbour_grid_nearest(const neighbour_grid *grid, const captured_cars *cars,
                                uint32_t slot, uint32_t most, uint16_t out[]) {
    found_cars found = {.count = 0};
    const apex_delta_car *from = captured_newest(cars, slot);
    // One ring beyond the one that has enough: a corner of it may be nearer.
    bool has_enough = false;
    for (int32_t ring = 0; ring <= RINGS_MAX && !has_enough; ring++) {
        has_enough = found.count >= most;
        look_round(grid, cars, from, ring, &found);
    }
    uint32_t count = found.count < most ? found.count : most;
    if (count < found.count) {
        select_smallest(found.at, found.count, count);
    }
    return in_order(found.at, count, out);
}
