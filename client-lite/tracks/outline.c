// An outline is made of numbers and shapes, which grow while it is traced.
#include "client-lite/tracks/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool grow(void **list, size_t *capacity, size_t count, size_t bytes) {
    if (count < *capacity) {
        return true;
    }
    size_t more = *capacity > 0 ? 2 * *capacity : 64;
    void *grown = realloc(*list, more * bytes);
    if (grown != NULL) {
        *list = grown;
        *capacity = more;
    }
    return grown != NULL;
}

void client_outline_put(client_outline *out, client_outline_numbers *numbers, double value) {
    void *values = numbers->values;
    if (!grow(&values, &numbers->capacity, numbers->count, sizeof value)) {
        out->failed = true;
        return;
    }
    numbers->values = values;
    numbers->values[numbers->count++] = value;
}

void client_outline_put_point(client_outline *out, client_outline_numbers *numbers,
                              const double at_m[2]) {
    client_outline_put(out, numbers, at_m[0]);
    client_outline_put(out, numbers, at_m[1]);
    out->west = fmin(out->west, at_m[0]);
    out->east = fmax(out->east, at_m[0]);
    out->south = fmin(out->south, at_m[1]);
    out->north = fmax(out->north, at_m[1]);
}

client_outline_shape *client_outline_begin_shape(client_outline *out, client_outline_shapes *shapes,
                                                 const char *name) {
    void *list = shapes->list;
    if (!grow(&list, &shapes->capacity, shapes->count, sizeof *shapes->list)) {
        out->failed = true;
        return NULL;
    }
    shapes->list = list;
    client_outline_shape *shape = &shapes->list[shapes->count++];
    *shape = (client_outline_shape){.first = out->points.count};
    memcpy(shape->name, name, strlen(name) + 1);
    return shape;
}

void client_outline_add_point(client_outline *out, client_outline_shape *shape,
                              const double at_m[2]) {
    if (shape != NULL) {
        client_outline_put_point(out, &out->points, at_m);
        shape->count = out->points.count - shape->first;
    }
}

void client_outline_destroy(client_outline *outline) {
    if (outline == NULL) {
        return;
    }
    client_outline_numbers *numbers[] = {
        &outline->left_edge, &outline->right_edge, &outline->centre, &outline->lap_m,
        &outline->height_m,  &outline->points,     &outline->grid,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        free(numbers[i]->values);
    }
    free(outline->strips.list);
    free(outline->walls.list);
    free(outline);
}
