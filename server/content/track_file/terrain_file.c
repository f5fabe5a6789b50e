/// The `terrain` of a track file. Pictures and rows begin in the north, as on a map; a definition
/// begins in the south.
#include "content/track_file/terrain_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "content/document/nodes.h"
#include "content/document/value.h"
#include "content/fields/field_macros.h"
#include "content/fields/fields.h"
#include "content/source/source.h"
#include "content/track_file/picture.h"
#include "content/track_file/track_draft.h"

#define ROWS_STEP_M 0.001 // heights that are written as numbers are kept to the millimetre

enum { VALUE_MAX = 65535, ROW_NODES_MAX = 8192 };

typedef struct palette_entry {
    uint32_t value;
    char surface[APEX_NAME_BYTES];
} palette_entry;

/// Heights and surfaces come in last, when the keys that they build on have been read.
typedef struct terrain_file {
    apex_terrain map;
    double black_m, white_m;
    uint32_t palette_count;
    palette_entry palette[APEX_SURFACES_MAX];
} terrain_file;

static bool read_heights(content_reader *reader, const yaml_node_t *node, void *base);
static bool read_surfaces(content_reader *reader, const yaml_node_t *node, void *base);
static bool read_boxes(content_reader *reader, const yaml_node_t *node, void *base);

static const palette_entry first_entry = {.surface = "asphalt"};

static const content_field palette_fields[] = {
    COUNT(palette_entry, value, 0, VALUE_MAX, "of the surface map"),
    NEED_NAME(palette_entry, surface, "what it means"),
};
static const content_table palette_table = CONTENT_TABLE(palette_fields);

static const content_field terrain_fields[] = {
    REAL(apex_terrain, x_m, -50000, 50000, "of the south-western node"),
    REAL(apex_terrain, y_m, -50000, 50000, "of it"),
    REAL(apex_terrain, cell_m, 0.5, 16, "from one node to the next"),
    FLAG(apex_terrain, smooth, "between nodes: a cubic, else straight lines"),
    REAL(terrain_file, black_m, -1000, 5000, "height of black, where heights are a picture"),
    REAL(terrain_file, white_m, -1000, 5000, "height of white"),
    LIST(terrain_file, palette, palette_count, APEX_SURFACES_MAX, palette_table, first_entry,
         "what the surface map's numbers mean"),
    {.key = "heights",
     .type = CONTENT_CUSTOM,
     .required = true,
     .read = read_heights,
     .help = "a .pgm file in this folder, or rows of metres, the northern one first"},
    {.key = "surfaces",
     .type = CONTENT_CUSTOM,
     .read = read_surfaces,
     .help = "the same, of numbers of the palette; left out: all is road_surface"},
    {.key = "boxes",
     .type = CONTENT_CUSTOM,
     .read = read_boxes,
     .help = "[[x, y, heading in degrees], ...] where cars start, without a course"},
};
static const content_table terrain_table = CONTENT_TABLE(terrain_fields);

static bool load_picture(content_reader *reader, const yaml_node_t *node, content_picture *out) {
    char name[APEX_NAME_BYTES * 2];
    if (!content_read_text(reader, node, name, sizeof name)) {
        return false;
    }
    content_source source;
    apex_content_problem problem = {{0}};
    apex_err err = content_source_beside(reader->source, name, &source, &problem);
    if (err != APEX_OK) {
        return content_fail(reader, node->start_mark, err, "%s", problem.text);
    }
    char why[CONTENT_PICTURE_WHY_BYTES] = "";
    bool good = content_picture_read(source.text, source.length, APEX_TERRAIN_NODES_MAX, out, why);
    content_source_free(&source);
    return good || content_fail(reader, node->start_mark, APEX_ERR_PARSE, "%s: %s", name, why);
}

/// @return the place in the definition of a picture's or a list's value.
static size_t turned_over(const apex_terrain *map, size_t index) {
    size_t row = index / map->columns;
    return (map->rows - 1 - row) * map->columns + index % map->columns;
}

static bool heights_from_picture(content_reader *reader, const yaml_node_t *node,
                                 terrain_file *file) {
    apex_terrain *map = &file->map;
    if (!(file->white_m > file->black_m)) {
        return content_fail(reader, node->start_mark, APEX_ERR_RANGE,
                            "white_m must be above black_m, to say how high the picture's are");
    }
    content_picture picture = {0};
    if (!load_picture(reader, node, &picture)) {
        return false;
    }
    map->columns = picture.columns;
    map->rows = picture.rows;
    map->low_m = file->black_m;
    map->step_m = (file->white_m - file->black_m) / picture.white;
    size_t count = (size_t)map->columns * map->rows;
    map->heights = calloc(count, sizeof *map->heights);
    for (size_t i = 0; map->heights != NULL && i < count; i++) {
        map->heights[turned_over(map, i)] = picture.values[i];
    }
    free(picture.values);
    return map->heights != NULL ||
           content_fail(reader, node->start_mark, APEX_ERR_NO_MEMORY, "out of memory");
}

/// Reads rows of one length. @param[out] values free() them.
static bool read_rows(content_reader *reader, const yaml_node_t *node, uint32_t size[2],
                      const double range[2], double **values) {
    if (!content_need_list(reader, node, 2, ROW_NODES_MAX)) {
        return false;
    }
    size_t rows = content_list_count(node);
    const yaml_node_t *first = content_list_item(reader, node, 0);
    size_t columns = content_list_count(first);
    if (columns * rows > APEX_TERRAIN_NODES_MAX) {
        return content_fail(reader, node->start_mark, APEX_ERR_RANGE, "%zu nodes; at most %d",
                            columns * rows, APEX_TERRAIN_NODES_MAX);
    }
    *values = calloc(columns * rows + 1, sizeof **values);
    if (*values == NULL) {
        return content_fail(reader, node->start_mark, APEX_ERR_NO_MEMORY, "out of memory");
    }
    size[0] = (uint32_t)columns;
    size[1] = (uint32_t)rows;
    for (size_t i = 0; i < rows; i++) {
        const yaml_node_t *row = content_list_item(reader, node, i);
        size_t path = content_push_index(reader, i);
        size_t least = columns > 2 ? columns : 2;
        if (!content_need_list(reader, row, least, least)) {
            return false;
        }
        for (size_t k = 0; k < columns; k++) {
            if (!content_read_real(reader, content_list_item(reader, row, k), range,
                                   &(*values)[i * columns + k])) {
                return false;
            }
        }
        content_pop(reader, path);
    }
    return true;
}

static bool keep_heights(content_reader *reader, const yaml_node_t *node, apex_terrain *map,
                         const double *values) {
    size_t count = (size_t)map->columns * map->rows;
    double low_m = values[0], high_m = values[0];
    for (size_t i = 0; i < count; i++) {
        low_m = fmin(low_m, values[i]);
        high_m = fmax(high_m, values[i]);
    }
    if (high_m - low_m > VALUE_MAX * ROWS_STEP_M) {
        return content_fail(reader, node->start_mark, APEX_ERR_RANGE,
                            "from %.6g to %.6g is more than rows hold, %.3f m; use a picture",
                            low_m, high_m, VALUE_MAX * ROWS_STEP_M);
    }
    map->low_m = low_m;
    map->step_m = ROWS_STEP_M;
    map->heights = calloc(count, sizeof *map->heights);
    if (map->heights == NULL) {
        return content_fail(reader, node->start_mark, APEX_ERR_NO_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        map->heights[turned_over(map, i)] = (uint16_t)((values[i] - low_m) / ROWS_STEP_M + 0.5);
    }
    return true;
}

static bool heights_from_rows(content_reader *reader, const yaml_node_t *node, terrain_file *file) {
    static const double range[2] = {-1000, 5000};
    double *values = NULL;
    uint32_t size[2] = {0, 0};
    bool good = read_rows(reader, node, size, range, &values);
    if (good) {
        file->map.columns = size[0];
        file->map.rows = size[1];
        good = keep_heights(reader, node, &file->map, values);
    }
    free(values);
    return good;
}

static bool read_heights(content_reader *reader, const yaml_node_t *node, void *base) {
    return node->type == YAML_SCALAR_NODE ? heights_from_picture(reader, node, base)
                                          : heights_from_rows(reader, node, base);
}

/// Both kinds as a picture, so that one way leads on from here.
static bool rows_as_picture(content_reader *reader, const yaml_node_t *node, content_picture *out) {
    static const double range[2] = {0, VALUE_MAX};
    double *values = NULL;
    uint32_t size[2] = {0, 0};
    bool good = read_rows(reader, node, size, range, &values);
    size_t count = good ? (size_t)size[0] * size[1] : 0;
    out->values = good ? calloc(count + 1, sizeof *out->values) : NULL;
    for (size_t i = 0; out->values != NULL && i < count; i++) {
        out->values[i] = (uint16_t)values[i];
    }
    out->columns = size[0];
    out->rows = size[1];
    free(values);
    return good && (out->values != NULL ||
                    content_fail(reader, node->start_mark, APEX_ERR_NO_MEMORY, "out of memory"));
}

static bool paint(content_reader *reader, const yaml_node_t *node, terrain_file *file,
                  const content_picture *picture) {
    apex_terrain *map = &file->map;
    if (picture->columns != map->columns || picture->rows != map->rows) {
        return content_fail(reader, node->start_mark, APEX_ERR_RANGE,
                            "%u by %u nodes, but the heights have %u by %u", picture->columns,
                            picture->rows, map->columns, map->rows);
    }
    size_t count = (size_t)map->columns * map->rows;
    map->surface_map = calloc(count, 1);
    if (map->surface_map == NULL) {
        return content_fail(reader, node->start_mark, APEX_ERR_NO_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t entry = 0;
        while (entry < file->palette_count && file->palette[entry].value != picture->values[i]) {
            entry++;
        }
        if (entry == file->palette_count) {
            return content_fail(reader, node->start_mark, APEX_ERR_RANGE,
                                "column %zu of row %zu has %u, which the palette does not know",
                                i % map->columns, i / map->columns, picture->values[i]);
        }
        map->surface_map[turned_over(map, i)] = (uint8_t)entry;
    }
    map->surface_count = file->palette_count;
    for (uint32_t i = 0; i < file->palette_count; i++) {
        memcpy(map->surfaces[i], file->palette[i].surface, APEX_NAME_BYTES);
    }
    return true;
}

static bool check_palette(content_reader *reader, const yaml_node_t *node,
                          const terrain_file *file) {
    for (uint32_t i = 0; i < file->palette_count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (file->palette[i].value == file->palette[k].value) {
                return content_fail(reader, node->start_mark, APEX_ERR_RANGE,
                                    "palette[%u] has the value %u, like palette[%u]", i,
                                    file->palette[i].value, k);
            }
        }
    }
    return true;
}

static bool read_surfaces(content_reader *reader, const yaml_node_t *node, void *base) {
    content_picture picture = {0};
    if (!check_palette(reader, node, base)) {
        return false;
    }
    bool good = node->type == YAML_SCALAR_NODE ? load_picture(reader, node, &picture)
                                               : rows_as_picture(reader, node, &picture);
    good = good && paint(reader, node, base, &picture);
    free(picture.values);
    return good;
}

static bool read_boxes(content_reader *reader, const yaml_node_t *node, void *base) {
    static const double ranges[3][2] = {{-50000, 50000}, {-50000, 50000}, {-360, 360}};
    apex_terrain *map = &((terrain_file *)base)->map;
    if (!content_need_list(reader, node, 1, APEX_TERRAIN_BOXES_MAX)) {
        return false;
    }
    map->box_count = (uint32_t)content_list_count(node);
    for (size_t i = 0; i < map->box_count; i++) {
        const yaml_node_t *box = content_list_item(reader, node, i);
        double value[3] = {0, 0, 0};
        size_t path = content_push_index(reader, i);
        if (!content_need_list(reader, box, 2, 3)) {
            return false;
        }
        for (size_t k = 0; k < content_list_count(box); k++) {
            if (!content_read_real(reader, content_list_item(reader, box, k), ranges[k],
                                   &value[k])) {
                return false;
            }
        }
        content_pop(reader, path);
        map->boxes[i] =
            (apex_terrain_box){value[0], value[1], value[2] * CONTENT_RADIANS_PER_DEGREE};
    }
    return true;
}

bool content_read_terrain(content_reader *reader, const yaml_node_t *node, void *base) {
    content_track_file *track = base;
    terrain_file file;
    memset(&file, 0, sizeof file); // definitions are hashed as bytes
    file.map.cell_m = 1;
    bool good = content_read_map(reader, node, &terrain_table, &file);
    // Whatever has been taken is the definition's to free.
    track->def.terrain = file.map;
    return good;
}
