// The track as a text with the addresses of its lines, which are too many numbers for a text.
#include <stdlib.h>

#include "client-lite/tracks/outline_trace.h"
#include "client-lite/wasm/page.h"
#include "defs/defs.h"

enum { GRID_BOXES_MAX = 128 };

/// What the addresses point to; until the page has read it.
static struct {
    client_outline *outline;
    float *heights_m;
    apex_track_def def;
} shown;

static void write_numbers(page_json *json, const char *key, const void *values, size_t count) {
    page_json_open(json, key, '[');
    page_json_whole(json, NULL, (int64_t)(uintptr_t)values);
    page_json_whole(json, NULL, (int64_t)count);
    page_json_close(json, ']');
}

static void write_lines(page_json *json, const char *key, const client_outline_numbers *numbers) {
    write_numbers(json, key, numbers->values, numbers->count);
}

static void write_shapes(page_json *json, const char *key, const char *kind,
                         const client_outline_shapes *shapes) {
    page_json_open(json, key, '[');
    for (size_t i = 0; i < shapes->count; i++) {
        const client_outline_shape *shape = &shapes->list[i];
        page_json_open(json, NULL, '{');
        page_json_text(json, kind, shape->name);
        write_numbers(json, "points", shown.outline->points.values + shape->first, shape->count);
        page_json_close(json, '}');
    }
    page_json_close(json, ']');
}

static void write_bounds(page_json *json, const client_outline *outline) {
    page_json_open(json, "bounds", '{');
    page_json_number(json, "west", outline->west);
    page_json_number(json, "south", outline->south);
    page_json_number(json, "east", outline->east);
    page_json_number(json, "north", outline->north);
    page_json_close(json, '}');
}

static void write_terrain(page_json *json, const apex_terrain *terrain) {
    if (terrain->columns == 0) {
        page_json_null(json, "terrain");
        return;
    }
    size_t nodes = (size_t)terrain->columns * terrain->rows;
    page_json_open(json, "terrain", '{');
    page_json_whole(json, "columns", terrain->columns);
    page_json_whole(json, "rows", terrain->rows);
    page_json_number(json, "west", terrain->x_m);
    page_json_number(json, "south", terrain->y_m);
    page_json_number(json, "cellM", terrain->cell_m);
    write_numbers(json, "heights", shown.heights_m, nodes);
    write_numbers(json, "surfaces", terrain->surface_map, terrain->surface_map ? nodes : 0);
    page_json_open(json, "surfaceNames", '[');
    if (!terrain->surface_map) {
        page_json_text(json, NULL, shown.def.road_surface);
    }
    for (uint32_t i = 0; terrain->surface_map && i < terrain->surface_count; i++) {
        page_json_text(json, NULL, terrain->surfaces[i]);
    }
    page_json_close(json, ']');
    page_json_close(json, '}');
}

static void write_outline(page_json *json, const apex_track *track) {
    const client_outline *outline = shown.outline;
    page_json_open(json, NULL, '{');
    page_json_text(json, "name", shown.def.name);
    page_json_text(json, "title", shown.def.title);
    page_json_flag(json, "closed", outline->closed);
    page_json_number(json, "lengthM", outline->length_m);
    page_json_number(json, "finishM", outline->finish_m);
    write_bounds(json, outline);
    write_lines(json, "left", &outline->left_edge);
    write_lines(json, "right", &outline->right_edge);
    write_lines(json, "centre", &outline->centre);
    write_lines(json, "lapM", &outline->lap_m);
    write_lines(json, "heightM", &outline->height_m);
    page_json_open(json, "sectorM", '[');
    for (uint32_t i = 0; outline->length_m > 0.0 && i < apex_track_sector_count(track); i++) {
        page_json_number(json, NULL, apex_track_sector_end_m(track, i));
    }
    page_json_close(json, ']');
    write_shapes(json, "strips", "surface", &outline->strips);
    write_shapes(json, "walls", "material", &outline->walls);
    write_numbers(json, "pitLane", outline->points.values + outline->pit_lane.first,
                  outline->pit_lane.count);
    write_lines(json, "grid", &outline->grid);
    write_terrain(json, &shown.def.terrain);
    page_json_close(json, '}');
}

static bool take_heights(const apex_terrain *terrain) {
    size_t nodes = (size_t)terrain->columns * terrain->rows;
    if (nodes == 0) {
        return true;
    }
    shown.heights_m = malloc(nodes * sizeof *shown.heights_m);
    for (size_t i = 0; shown.heights_m && i < nodes; i++) {
        shown.heights_m[i] = (float)(terrain->low_m + terrain->step_m * terrain->heights[i]);
    }
    return shown.heights_m != NULL;
}

static uint32_t boxes_of(const apex_welcome *welcome) {
    uint32_t boxes = welcome->player_capacity;
    return boxes < GRID_BOXES_MAX ? boxes : (uint32_t)GRID_BOXES_MAX;
}

static bool draw(const apex_track *track) {
    const apex_welcome *welcome = apex_client_welcome(page.client);
    shown.outline = client_outline_create(&shown.def, track, boxes_of(welcome));
    if (!shown.outline || !take_heights(&shown.def.terrain)) {
        return false;
    }
    write_outline(&page.text, track);
    return !page.text.failed;
}

// Lines need no ground.
static bool draw_sketch(void) {
    apex_track *sketch = NULL;
    bool is_drawn = apex_track_sketch(&shown.def, &sketch, NULL) == APEX_OK && draw(sketch);
    apex_track_destroy(sketch);
    return is_drawn;
}

uint32_t page_outline(void) {
    size_t length;
    apex_def_problem problem;
    const uint8_t *bytes = apex_client_def_bytes(page.client, APEX_DEF_TRACK, NULL, &length, NULL);
    page_outline_done();
    page_json_begin(&page.text);
    if (!bytes || !apex_track_def_decode(bytes, length, &shown.def, &problem)) {
        return 0;
    }
    return draw_sketch() ? (uint32_t)page.text.length : 0;
}

void page_outline_done(void) {
    client_outline_destroy(shown.outline);
    shown.outline = NULL;
    free(shown.heights_m);
    shown.heights_m = NULL;
    apex_track_def_free(&shown.def);
}
