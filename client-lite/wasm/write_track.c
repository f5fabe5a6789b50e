// The track as a text with the addresses of its lines, which are too many numbers for a text.
#include <stdlib.h>

#include "client-lite/tracks/outline_trace.h"
#include "client-lite/wasm/page.h"
#include "defs/defs.h"

enum { GRID_BOXES_MAX = 128 };

static void write_numbers(apex_json_writer *json, const char *key, const void *values,
                          size_t count) {
    apex_json_open(json, key, '[');
    apex_json_integer(json, NULL, (int64_t)(uintptr_t)values);
    apex_json_integer(json, NULL, (int64_t)count);
    apex_json_close(json);
}

static void write_lines(apex_json_writer *json, const char *key,
                        const client_outline_numbers *numbers) {
    write_numbers(json, key, numbers->values, numbers->count);
}

static void write_shapes(apex_json_writer *json, const page_drawing *drawing, const char *key,
                         const char *kind, const client_outline_shapes *shapes) {
    apex_json_open(json, key, '[');
    for (size_t i = 0; i < shapes->count; i++) {
        const client_outline_shape *shape = &shapes->list[i];
        apex_json_open(json, NULL, '{');
        apex_json_text(json, kind, shape->name);
        write_numbers(json, "points", drawing->outline->points.values + shape->first, shape->count);
        apex_json_close(json);
    }
    apex_json_close(json);
}

static void write_bounds(apex_json_writer *json, const client_outline *outline) {
    apex_json_open(json, "bounds", '{');
    apex_json_number(json, "west", outline->west, 9);
    apex_json_number(json, "south", outline->south, 9);
    apex_json_number(json, "east", outline->east, 9);
    apex_json_number(json, "north", outline->north, 9);
    apex_json_close(json);
}

static void write_terrain(apex_json_writer *json, const page_drawing *drawing) {
    const apex_terrain *terrain = &drawing->def.terrain;
    if (terrain->columns == 0) {
        apex_json_null(json, "terrain");
        return;
    }
    size_t nodes = (size_t)terrain->columns * terrain->rows;
    apex_json_open(json, "terrain", '{');
    apex_json_integer(json, "columns", terrain->columns);
    apex_json_integer(json, "rows", terrain->rows);
    apex_json_number(json, "west", terrain->x_m, 9);
    apex_json_number(json, "south", terrain->y_m, 9);
    apex_json_number(json, "cellM", terrain->cell_m, 9);
    write_numbers(json, "heights", drawing->heights_m, nodes);
    write_numbers(json, "surfaces", terrain->surface_map, terrain->surface_map != NULL ? nodes : 0);
    apex_json_open(json, "surfaceNames", '[');
    if (terrain->surface_map == NULL) {
        apex_json_text(json, NULL, drawing->def.road_surface);
    }
    for (uint32_t i = 0; terrain->surface_map != NULL && i < terrain->surface_count; i++) {
        apex_json_text(json, NULL, terrain->surfaces[i]);
    }
    apex_json_close(json);
    apex_json_close(json);
}

static void write_outline(apex_json_writer *json, const page_drawing *drawing,
                          const apex_track *track) {
    const client_outline *outline = drawing->outline;
    apex_json_open(json, NULL, '{');
    apex_json_text(json, "name", drawing->def.name);
    apex_json_text(json, "title", drawing->def.title);
    apex_json_bool(json, "closed", outline->closed);
    apex_json_number(json, "lengthM", outline->length_m, 9);
    apex_json_number(json, "finishM", outline->finish_m, 9);
    write_bounds(json, outline);
    write_lines(json, "left", &outline->left_edge);
    write_lines(json, "right", &outline->right_edge);
    write_lines(json, "centre", &outline->centre);
    write_lines(json, "lapM", &outline->lap_m);
    write_lines(json, "heightM", &outline->height_m);
    apex_json_open(json, "sectorM", '[');
    for (uint32_t i = 0; outline->length_m > 0.0 && i < apex_track_sector_count(track); i++) {
        apex_json_number(json, NULL, apex_track_sector_end_m(track, i), 9);
    }
    apex_json_close(json);
    write_shapes(json, drawing, "strips", "surface", &outline->strips);
    write_shapes(json, drawing, "walls", "material", &outline->walls);
    write_numbers(json, "pitLane", outline->points.values + outline->pit_lane.first,
                  outline->pit_lane.count);
    write_lines(json, "grid", &outline->grid);
    write_terrain(json, drawing);
    apex_json_close(json);
}

static bool take_heights(page_drawing *drawing) {
    const apex_terrain *terrain = &drawing->def.terrain;
    size_t nodes = (size_t)terrain->columns * terrain->rows;
    if (nodes == 0) {
        return true;
    }
    drawing->heights_m = malloc(nodes * sizeof *drawing->heights_m);
    for (size_t i = 0; drawing->heights_m != NULL && i < nodes; i++) {
        drawing->heights_m[i] = (float)(terrain->low_m + terrain->step_m * terrain->heights[i]);
    }
    return drawing->heights_m != NULL;
}

static uint32_t boxes_of(const apex_welcome *welcome) {
    uint32_t boxes = welcome->player_capacity;
    return boxes < GRID_BOXES_MAX ? boxes : (uint32_t)GRID_BOXES_MAX;
}

static bool draw(page_instance *page, const apex_track *track) {
    page_drawing *drawing = &page->drawing;
    const apex_welcome *welcome = apex_client_welcome(page->client);
    drawing->outline = client_outline_create(&drawing->def, track, boxes_of(welcome));
    if (drawing->outline == NULL || !take_heights(drawing)) {
        return false;
    }
    write_outline(&page->json, drawing, track);
    return !page->json.text.is_cut;
}

// Lines need no ground.
static bool draw_sketch(page_instance *page) {
    apex_track *sketch = NULL;
    bool is_drawn =
        apex_track_sketch(&page->drawing.def, &sketch, NULL) == APEX_OK && draw(page, sketch);
    apex_track_destroy(sketch);
    return is_drawn;
}

uint32_t page_outline(page_instance *page) {
    size_t length;
    apex_def_problem problem;
    const uint8_t *bytes = apex_client_def_bytes(page->client, APEX_DEF_TRACK, NULL, &length, NULL);
    page_outline_done(page);
    apex_json_restart(&page->json);
    if (bytes == NULL || !apex_track_def_decode(bytes, length, &page->drawing.def, &problem)) {
        return 0;
    }
    return draw_sketch(page) ? (uint32_t)page->json.text.length : 0;
}

void page_outline_done(page_instance *page) {
    page_drawing *drawing = &page->drawing;
    client_outline_destroy(drawing->outline);
    drawing->outline = NULL;
    free(drawing->heights_m);
    drawing->heights_m = NULL;
    apex_track_def_free(&drawing->def);
}
