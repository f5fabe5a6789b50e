/// Importing a circuit: from a table of points to a track that lays, by reading it, making it
/// passable, and giving it bridges and surroundings.
#include <stdlib.h>
#include <string.h>

#include "content/document/problem.h"
#include "content/import/import_bridge.h"
#include "content/import/import_furnish.h"
#include "content/import/import_read.h"
#include "content/import/import_shape.h"
#include "content/source/source.h"

/// "/somewhere/Brands Hatch.csv" is called brands-hatch.
static void name_of(const char *path, char *name) {
    const char *slash = strrchr(path, '/');
    const char *from = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(from, '.');
    size_t length = dot != NULL && dot != from ? (size_t)(dot - from) : strlen(from);
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < APEX_NAME_BYTES; i++) {
        char letter = from[i];
        if (letter >= 'A' && letter <= 'Z') {
            letter = (char)(letter - 'A' + 'a');
        }
        bool plain = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
        if (plain) {
            name[used++] = letter;
        } else if (used > 0 && name[used - 1] != '-') {
            name[used++] = '-';
        }
    }
    used -= used > 0 && name[used - 1] == '-';
    name[used] = '\0';
}

static apex_err set_names(const import_text *from, apex_circuit *circuit) {
    apex_track_def *def = &circuit->def;
    if (circuit->name[0] == '\0') {
        name_of(from->label, circuit->name);
    }
    if (circuit->name[0] == '\0') {
        return import_refuse(from, 0, 0, "no name can be made of the file's; give one (--name)");
    }
    for (const char *at = circuit->name; *at != '\0'; at++) {
        if (strchr("abcdefghijklmnopqrstuvwxyz0123456789-", *at) == NULL) {
            return import_refuse(from, 0, 0, "the name '%s': expected letters a-z, digits and '-'",
                                 circuit->name);
        }
    }
    for (const char *at = circuit->title; *at != '\0'; at++) {
        if (*at == 0x7f || (*at >= 0 && *at < ' ')) {
            return import_refuse(from, 0, 0, "the title has control characters in it");
        }
    }
    if (circuit->title[0] == '\0') {
        memcpy(circuit->title, circuit->name, sizeof circuit->name);
        if (circuit->title[0] >= 'a' && circuit->title[0] <= 'z') {
            circuit->title[0] = (char)(circuit->title[0] - 'a' + 'A');
        }
    }
    memcpy(def->name, circuit->name, sizeof def->name);
    memcpy(def->title, circuit->title, sizeof def->title);
    return APEX_OK;
}

/// @return the line in the file of the point of "points[12].x_m"; 0 for any other field.
static uint32_t line_of(const import_line *line, const char *field) {
    static const char points[] = "points[";
    size_t length = strlen(points);
    if (strncmp(field, points, length) != 0) {
        return 0;
    }
    unsigned long index = strtoul(field + length, NULL, 10);
    return index < line->count ? line->text_line[index] : 0;
}

/// Lays what there is, to know its length and that it can be.
static apex_err lay(const import_text *from, const import_line *line, double *length_m) {
    apex_track *track = NULL;
    apex_def_problem problem = {{0}, {0}};
    apex_err err = apex_track_create(&line->circuit->def, &track, &problem);
    if (err == APEX_ERR_NO_MEMORY) {
        content_explain(from->problem, "%s: out of memory", from->label);
        return err;
    }
    if (err != APEX_OK) {
        return import_refuse(from, line_of(line, problem.field), 1, "%s: %s", problem.field,
                             problem.reason);
    }
    *length_m = apex_track_length_m(track);
    apex_track_destroy(track);
    return APEX_OK;
}

static apex_err build(const import_text *from, import_line *line) {
    double length_m = 0;
    import_measure(line);
    import_shape(line);
    import_place_grid(line);
    apex_err err = import_bridges(from, line);
    if (err == APEX_OK) {
        err = lay(from, line, &length_m);
    }
    if (err != APEX_OK) {
        return err;
    }
    import_furnish(line, length_m);
    return lay(from, line, &line->circuit->length_m);
}

apex_err apex_content_parse_circuit(const char *text, size_t length, const char *label,
                                    apex_circuit *circuit, apex_content_problem *problem) {
    apex_content_problem unread = {{0}};
    const import_text from = {label, problem != NULL ? problem : &unread};
    apex_circuit fresh = {.point_count = 0};
    memcpy(fresh.name, circuit->name, sizeof fresh.name);
    memcpy(fresh.title, circuit->title, sizeof fresh.title);
    *circuit = fresh;
    circuit->def = apex_default_track_def();
    from.problem->text[0] = '\0';
    import_line line = {.circuit = circuit};
    apex_err err = set_names(&from, circuit);
    if (err == APEX_OK) {
        err = import_read(&from, text, length, &line);
    }
    if (err == APEX_OK) {
        err = build(&from, &line);
    }
    free(line.text_line);
    free(line.along_m);
    if (err != APEX_OK) {
        apex_track_def_free(&circuit->def);
    }
    return err;
}

apex_err apex_content_import_circuit(const char *path, apex_circuit *circuit,
                                     apex_content_problem *problem) {
    apex_content_problem unread = {{0}};
    content_source source;
    problem = problem != NULL ? problem : &unread;
    apex_err err = content_source_read(path, &source, problem);
    if (err == APEX_OK) {
        err =
            apex_content_parse_circuit(source.text, source.length, source.label, circuit, problem);
    }
    content_source_free(&source);
    return err;
}
