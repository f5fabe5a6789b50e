// Finding walls and posts: a static grid over all of them.

#include "physics/contact/walls.h"

#include "base/assert.h"

#include <stdlib.h>

static const double CELL_M = 8.0;
static const double CELLS_MAX = 4.0e6; // a grid over more ground takes larger cells

typedef struct bounds {
    double low_x, low_y, high_x, high_y;
} bounds;

static bounds item_bounds(const apex_walls *walls, uint32_t item) {
    if (item < walls->segment_count) {
        const apex_wall_segment *s = &walls->segments[item];
        return (bounds){fmin(s->from_x_m, s->to_x_m), fmin(s->from_y_m, s->to_y_m),
                        fmax(s->from_x_m, s->to_x_m), fmax(s->from_y_m, s->to_y_m)};
    }
    const apex_wall_post *p = &walls->posts[item - walls->segment_count];
    return (bounds){p->x_m - p->radius_m, p->y_m - p->radius_m, p->x_m + p->radius_m,
                    p->y_m + p->radius_m};
}

typedef struct cell_range {
    uint32_t column_low, column_high, row_low, row_high; ///< inclusive
} cell_range;

static uint32_t cell_index(double offset_m, double cell_m, uint32_t count) {
    double index = offset_m / cell_m;
    index = index > 0.0 ? index : 0.0;
    return index < (double)(count - 1) ? (uint32_t)index : count - 1;
}

static cell_range cells_of(const physics_walls *walls, const bounds *box) {
    return (cell_range){cell_index(box->low_x - walls->first_x_m, walls->cell_m, walls->columns),
                        cell_index(box->high_x - walls->first_x_m, walls->cell_m, walls->columns),
                        cell_index(box->low_y - walls->first_y_m, walls->cell_m, walls->rows),
                        cell_index(box->high_y - walls->first_y_m, walls->cell_m, walls->rows)};
}

static void size_grid(physics_walls *walls, uint32_t item_count) {
    bounds all = item_bounds(walls->from, 0);
    for (uint32_t i = 1; i < item_count; i++) {
        bounds box = item_bounds(walls->from, i);
        all.low_x = fmin(all.low_x, box.low_x);
        all.low_y = fmin(all.low_y, box.low_y);
        all.high_x = fmax(all.high_x, box.high_x);
        all.high_y = fmax(all.high_y, box.high_y);
    }
    walls->first_x_m = all.low_x;
    walls->first_y_m = all.low_y;
    walls->cell_m = CELL_M;
    double width = all.high_x - all.low_x, depth = all.high_y - all.low_y;
    while ((width / walls->cell_m + 1.0) * (depth / walls->cell_m + 1.0) > CELLS_MAX) {
        walls->cell_m *= 2.0;
    }
    walls->columns = (uint32_t)(width / walls->cell_m) + 1;
    walls->rows = (uint32_t)(depth / walls->cell_m) + 1;
}

// Two passes of a counting sort: the number of items in each cell, then the items.
static bool fill_grid(physics_walls *walls, uint32_t item_count) {
    size_t cells = (size_t)walls->columns * walls->rows;
    walls->starts = calloc(cells + 1, sizeof *walls->starts);
    if (walls->starts == NULL) {
        return false;
    }
    for (int32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = item_count; i-- > 0;) {
            bounds box = item_bounds(walls->from, i);
            cell_range range = cells_of(walls, &box);
            for (uint32_t row = range.row_low; row <= range.row_high; row++) {
                for (uint32_t column = range.column_low; column <= range.column_high; column++) {
                    uint32_t *start = &walls->starts[(size_t)row * walls->columns + column];
                    if (pass == 0) {
                        (*start)++;
                    } else {
                        walls->items[--*start] = i;
                    }
                }
            }
        }
        if (pass == 0) {
            for (size_t c = 1; c <= cells; c++) {
                walls->starts[c] += walls->starts[c - 1];
            }
            walls->items = calloc((size_t)walls->starts[cells] + 1, sizeof *walls->items);
            if (walls->items == NULL) {
                return false;
            }
        }
    }
    return true;
}

static bool measure_lines(physics_walls *walls) {
    uint32_t count = walls->from->segment_count;
    walls->lines = calloc((size_t)count + 1, sizeof *walls->lines);
    if (walls->lines == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const apex_wall_segment *segment = &walls->from->segments[i];
        double dx = segment->to_x_m - segment->from_x_m, dy = segment->to_y_m - segment->from_y_m;
        double length = sqrt(dx * dx + dy * dy);
        double per = length > 0.0 ? 1.0 / length : 0.0;
        walls->lines[i] = (physics_wall_line){(real)(dx * per), (real)(dy * per), (real)length};
    }
    return true;
}

physics_walls *physics_walls_create(const apex_walls *from) {
    static const apex_walls NONE = {0};
    physics_walls *walls = calloc(1, sizeof *walls);
    if (walls == NULL) {
        return NULL;
    }
    walls->from = from != NULL ? from : &NONE;
    uint32_t item_count = walls->from->segment_count + walls->from->post_count;
    if (item_count == 0) {
        return walls;
    }
    size_grid(walls, item_count);
    if (!fill_grid(walls, item_count) || !measure_lines(walls)) {
        physics_walls_destroy(walls);
        return NULL;
    }
    return walls;
}

void physics_walls_destroy(physics_walls *walls) {
    if (walls != NULL) {
        free(walls->lines);
        free(walls->starts);
        free(walls->items);
        free(walls);
    }
}

bool physics_walls_are_none(const physics_walls *walls) {
    return walls->items == NULL;
}

static bounds circle_bounds(const physics_circle *circle) {
    return (bounds){circle->x_m - circle->radius_m, circle->y_m - circle->radius_m,
                    circle->x_m + circle->radius_m, circle->y_m + circle->radius_m};
}

static bool is_apart(const bounds *a, const bounds *b) {
    return a->high_x < b->low_x || a->low_x > b->high_x || a->high_y < b->low_y ||
           a->low_y > b->high_y;
}

// Keeps `found` rising, each item once. @return the new count.
static uint32_t insert(uint32_t item, uint32_t found[], uint32_t count, uint32_t max) {
    uint32_t at = count;
    while (at > 0 && found[at - 1] > item) {
        at--;
    }
    if ((at > 0 && found[at - 1] == item) || at == max) {
        return count;
    }
    count = count < max ? count + 1 : max;
    for (uint32_t m = count - 1; m > at; m--) {
        found[m] = found[m - 1];
    }
    found[at] = item;
    return count;
}

uint32_t physics_walls_find(const physics_walls *walls, const physics_circle *circle,
                            uint32_t found[], uint32_t max) {
    bounds box = circle_bounds(circle);
    bounds all = {walls->first_x_m, walls->first_y_m,
                  walls->first_x_m + walls->cell_m * (double)walls->columns,
                  walls->first_y_m + walls->cell_m * (double)walls->rows};
    if (walls->items == NULL || is_apart(&all, &box)) {
        return 0;
    }
    cell_range range = cells_of(walls, &box);
    uint32_t count = 0;
    for (uint32_t row = range.row_low; row <= range.row_high; row++) {
        // Cells of a row are neighbours in memory, and so are their items.
        const uint32_t *starts = &walls->starts[(size_t)row * walls->columns];
        uint32_t end = starts[range.column_high + 1];
        for (uint32_t k = starts[range.column_low]; k < end; k++) {
            bounds item = item_bounds(walls->from, walls->items[k]);
            if (!is_apart(&item, &box)) {
                count = insert(walls->items[k], found, count, max);
            }
        }
    }
    return count;
}

bool physics_wall_is_near(const physics_walls *walls, uint32_t item, const physics_circle *circle) {
    APEX_ASSERT(item < walls->from->segment_count + walls->from->post_count);
    bounds box = circle_bounds(circle), of = item_bounds(walls->from, item);
    return !is_apart(&of, &box);
}
