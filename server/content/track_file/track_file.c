/// Track files. The centre line is a list of points, or a list of straights and bends (see
/// track_sections.c) that becomes one.
#include "content/track_file/track_draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KMPH_PER_MPS 3.6

content_track_file content_default_track_file(void) {
    content_track_file file = {.def = apex_default_track_def(), .width_m = 12};
    return file;
}

static bool read_item(content_reader *reader, const yaml_node_t *list, size_t index,
                      const double range[2], double *out) {
    size_t path = content_push_index(reader, index);
    bool good = content_read_real(reader, content_list_item(reader, list, index), range, out);
    content_pop(reader, path);
    return good;
}

static bool read_point(content_reader *reader, const yaml_node_t *node,
                       const content_track_file *file, apex_track_point *out) {
    static const double ranges[6][2] = {{-50000, 50000}, {-50000, 50000}, {-1000, 5000},
                                        {1, 50},         {1, 50},         {-57, 57}};
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

// The shortest number that reads back as the same limit.
static double in_kmph(double limit_mps) {
    double kmph = limit_mps * KMPH_PER_MPS;
    for (int digits = 3; digits <= 17; digits++) {
        char text[32];
        snprintf(text, sizeof text, "%.*g", digits, limit_mps * KMPH_PER_MPS);
        kmph = strtod(text, NULL);
        if (kmph / KMPH_PER_MPS == limit_mps) {
            break;
        }
    }
    return kmph;
}

content_pit_lane content_pit_lane_of(const apex_track_pit_lane *lane) {
    content_pit_lane pits = {.lane = *lane, .speed_limit_kmph = in_kmph(lane->speed_limit_mps)};
    return pits;
}

bool content_read_pit_lane(content_reader *reader, const yaml_node_t *node, void *base) {
    content_track_file *file = base;
    apex_track_pit_lane usual = apex_default_track_pit_lane();
    content_pit_lane pits = content_pit_lane_of(&usual);
    if (!content_read_map(reader, node, &content_pit_table, &pits)) {
        return false;
    }
    file->def.pit_lane = pits.lane;
    file->def.pit_lane.speed_limit_mps = pits.speed_limit_kmph / KMPH_PER_MPS;
    return true;
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

static bool check_course(content_reader *reader, const content_track_file *file) {
    const yaml_node_t *points = content_find(reader, reader->root, "points");
    const yaml_node_t *sections = content_find(reader, reader->root, "sections");
    bool terrain = file->def.terrain.columns > 0;
    if (terrain && points == NULL && sections == NULL) {
        return true;
    }
    if (points == NULL && sections == NULL) {
        return content_fail(reader, reader->root->start_mark, APEX_ERR_PARSE,
                            "points: missing (a centre line: points or sections; or a terrain)");
    }
    if (points != NULL && sections != NULL) {
        return content_fail(reader, sections->start_mark, APEX_ERR_PARSE,
                            "sections: there are points already; a track has one centre line");
    }
    const yaml_node_t *finish = content_find(reader, reader->root, "finish_m");
    if (!file->def.closed && finish == NULL) {
        return content_fail(reader, reader->root->start_mark, APEX_ERR_PARSE,
                            "finish_m: missing (an open track needs a finish line)");
    }
    return true;
}

static bool read_file(content_reader *reader, content_track_file *file) {
    if (!content_read_map(reader, reader->root, &content_track_table, file) ||
        !check_course(reader, file)) {
        return false;
    }
    if (file->def.title[0] == '\0') {
        memcpy(file->def.title, file->def.name, sizeof file->def.name);
    }
    if (file->def.closed) {
        file->def.finish_m = file->def.start_m;
    }
    return true;
}

bool content_read_track(content_reader *reader, apex_track_def *out) {
    content_track_file file = content_default_track_file();
    bool good = read_file(reader, &file);
    if (good) {
        *out = file.def;
    } else {
        apex_track_def_free(&file.def);
    }
    return good;
}

void content_write_sections(content_writer *writer, const void *base) {
    (void)base;
    fputs("  - {straight_m: 300}\n"
          "  - {left_deg: 180, radius_m: 80, ease_m: 40}\n"
          "  - {straight_m: 300}\n"
          "  - {left_deg: 180, radius_m: 80, ease_m: 40}\n"
          "  # Of a section:\n",
          writer->out);
    for (size_t i = 0; i < content_section_table.count; i++) {
        fprintf(writer->out, "  # %-12s %s\n", content_section_table.fields[i].key,
                content_section_table.fields[i].help);
    }
}

void content_write_track(FILE *out) {
    content_writer writer = {.out = out, .kind = "track"};
    content_track_file file = content_default_track_file();
    if (file.def.name[0] == '\0') {
        memcpy(file.def.name, "my-track", sizeof "my-track");
    }
    fputs("# A track. Angles are in degrees, all else in SI units; distances along the lap are\n"
          "# on the centre line from its first point. A key that is left out has the value that\n"
          "# stands here, but the centre line must be given.\n",
          out);
    content_write_map(&writer, &content_track_table, &file, NULL);
}
