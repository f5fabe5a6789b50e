/// A fault of a track that was written as sections is told of the section, not of a point that its
/// author never wrote.
#include "content/track_file/section_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "content/document/nodes.h"

void content_note_section(content_reader *reader, size_t point, size_t section) {
    if (reader->section_of_point != NULL && point < reader->section_point_count) {
        reader->section_of_point[point] = (uint16_t)section;
    }
}

bool content_begin_sections(content_reader *reader, size_t points) {
    free(reader->section_of_point);
    reader->section_of_point = calloc(points, sizeof *reader->section_of_point);
    reader->section_point_count = reader->section_of_point != NULL ? points : 0;
    return reader->section_of_point != NULL;
}

/// "points[17]" at `text`: its number and how many letters it takes; false if there is none.
static bool is_point(const char *text, size_t *number, size_t *length) {
    static const char word[] = "points[";
    char *end = NULL;
    if (strncmp(text, word, sizeof word - 1) != 0) {
        return false;
    }
    *number = strtoul(text + sizeof word - 1, &end, 10);
    if (*end != ']') {
        return false;
    }
    *length = (size_t)(end - text) + 1;
    return true;
}

static int name_section(const content_reader *reader, size_t point, char *out, size_t room) {
    size_t index = point < reader->section_point_count ? point : reader->section_point_count - 1;
    size_t section = reader->section_of_point[index];
    const yaml_node_t *list =
        content_find((content_reader *)reader, reader->root, "sections"); // only looks
    if (list != NULL && section >= content_list_count(list)) {
        return snprintf(out, room, "join");
    }
    return snprintf(out, room, "sections[%zu]", section);
}

static void replace_points(const content_reader *reader, char *text, size_t bytes) {
    char copy[sizeof((apex_content_problem *)0)->text];
    size_t used = 0;
    const char *at = text;
    while (*at != '\0' && used + 1 < sizeof copy) {
        size_t number = 0;
        size_t length = 0;
        bool begins = at == text || at[-1] == ' ';
        if (begins && is_point(at, &number, &length)) {
            int added = name_section(reader, number, copy + used, sizeof copy - used);
            used += added > 0 ? (size_t)added : 0;
            at += length;
        } else {
            copy[used++] = *at++;
        }
        used = used < sizeof copy ? used : sizeof copy - 1;
    }
    copy[used] = '\0';
    snprintf(text, bytes, "%.*s", (int)bytes - 1, copy);
}

static void replace_key(char *field, size_t bytes, const char *from, const char *to) {
    char *dot = strrchr(field, '.');
    if (dot != NULL && strcmp(dot + 1, from) == 0) {
        snprintf(dot + 1, bytes - (size_t)(dot + 1 - field), "%s", to);
    }
}

void content_name_sections(const content_reader *reader, apex_def_problem *problem) {
    if (reader->section_of_point == NULL) {
        return;
    }
    if (strncmp(problem->field, "points[", 7) == 0) {
        replace_key(problem->field, sizeof problem->field, "z_m", "rise_m");
        replace_key(problem->field, sizeof problem->field, "banking_rad", "banking_deg");
    } else if (strcmp(problem->field, "points") == 0) {
        snprintf(problem->field, sizeof problem->field, "sections");
    }
    replace_points(reader, problem->field, sizeof problem->field);
    replace_points(reader, problem->reason, sizeof problem->reason);
}
