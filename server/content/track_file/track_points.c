/// Lists of points: those of the centre line read, those of walls read and written.
#include "content/track_file/track_points.h"

#include <stdlib.h>

#include "content/document/nodes.h"
#include "content/document/value.h"
#include "content/fields/field_macros.h"
#include "content/fields/write_fields.h"
#include "content/track_file/track_draft.h"
#include "track/track_def_ranges.h"

static bool read_item(content_reader *reader, const yaml_node_t *list, size_t index,
                      const double range[2], double *out) {
    size_t path = content_push_index(reader, index);
    bool good = content_read_real(reader, content_list_item(reader, list, index), range, out);
    content_pop(reader, path);
    return good;
}

static bool read_point(content_reader *reader, const yaml_node_t *node,
                       const content_track_file *file, apex_track_point *out) {
    static const double ranges[6][2] = {{APEX_RANGE(apex_track_point, x_m)},
                                        {APEX_RANGE(apex_track_point, y_m)},
                                        {APEX_RANGE(apex_track_point, z_m)},
                                        {APEX_RANGE(apex_track_point, left_m)},
                                        {APEX_RANGE(apex_track_point, right_m)},
                                        {DEGREES(APEX_RANGE(apex_track_point, banking_rad))}};
    double value[6] = {0, 0, 0, 0.5 * file->width_m, 0.5 * file->width_m, 0};
    if (!content_need_list(reader, node, 2, 6)) {
        return false;
    }
    for (size_t i = 0; i < content_list_count(node); i++) {
        if (!read_item(reader, node, i, ranges[i], &value[i])) {
            return false;
        }
    }
    *out = (apex_track_point){.x_m = value[0],
                              .y_m = value[1],
                              .z_m = value[2],
                              .left_m = value[3],
                              .right_m = value[4],
                              .banking_rad = value[5] * CONTENT_RADIANS_PER_DEGREE};
    return true;
}

bool content_read_points(content_reader *reader, const yaml_node_t *node, void *base) {
    content_track_file *file = base;
    if (!content_need_list(reader, node, 2, APEX_TRACK_POINTS_MAX)) {
        return false;
    }
    size_t count = content_list_count(node);
    file->def.points = calloc(count, sizeof *file->def.points);
    if (file->def.points == NULL) {
        return content_fail(reader, node->start_mark, APEX_ERR_NO_MEMORY, "out of memory");
    }
    file->def.point_count = (uint32_t)count;
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        size_t path = content_push_index(reader, i);
        good &= read_point(reader, content_list_item(reader, node, i), file, &file->def.points[i]);
        content_pop(reader, path);
        if (!good && !content_goes_on(reader)) {
            return false;
        }
    }
    return good;
}

bool content_read_wall_points(content_reader *reader, const yaml_node_t *node, void *base) {
    static const double range[2] = {-50000, 50000};
    apex_track_free_wall *wall = base;
    if (!content_need_list(reader, node, 2, APEX_TRACK_WALL_POINTS_MAX)) {
        return false;
    }
    wall->point_count = (uint32_t)content_list_count(node);
    for (size_t i = 0; i < wall->point_count; i++) {
        const yaml_node_t *pair = content_list_item(reader, node, i);
        size_t path = content_push_index(reader, i);
        if (!content_need_list(reader, pair, 2, 2) ||
            !read_item(reader, pair, 0, range, &wall->x_m[i]) ||
            !read_item(reader, pair, 1, range, &wall->y_m[i])) {
            return false;
        }
        content_pop(reader, path);
    }
    return true;
}

void content_write_wall_points(content_writer *writer, const void *base) {
    const apex_track_free_wall *wall = base;
    for (uint32_t i = 0; i < wall->point_count; i++) {
        const double point[2] = {wall->x_m[i], wall->y_m[i]};
        fputs(i == 0 ? "[[" : ", [", writer->out);
        content_write_reals(writer->out, point, 2);
        fputc(']', writer->out);
    }
    fputc(']', writer->out);
}
