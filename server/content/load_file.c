/// One file of any kind: found by name, read as what its kind says, and laid if it is a track.
#include "content/load_file.h"

#include <stdio.h>

#include "content/car_file/car_file.h"
#include "content/document/document.h"
#include "content/document/nodes.h"
#include "content/document/problem.h"
#include "content/document/value.h"
#include "content/race_file/race_file.h"
#include "content/source/source.h"
#include "content/track_file/section_names.h"
#include "content/track_file/track_file.h"

bool content_read_kind(content_reader *reader, apex_content_kind *out) {
    static const char *const words[] = {"car", "track", "race", NULL};
    const yaml_node_t *node = content_find(reader, reader->root, "kind");
    int kind = 0;
    if (reader->root->type != YAML_MAPPING_NODE) {
        return content_fail(reader, reader->root->start_mark, APEX_ERR_PARSE,
                            "expected a map (key: value) at the top of the file");
    }
    if (node == NULL) {
        return content_fail(reader, reader->root->start_mark, APEX_ERR_PARSE,
                            "kind: missing (car, track or race)");
    }
    size_t path = content_push_key(reader, "kind");
    if (!content_read_choice(reader, node, words, &kind)) {
        return false;
    }
    content_pop(reader, path);
    *out = (apex_content_kind)kind;
    return true;
}

static bool need_kind(content_reader *reader, apex_content_kind wanted) {
    apex_content_kind kind = wanted;
    if (!content_read_kind(reader, &kind)) {
        return false;
    }
    if (kind == wanted) {
        return true;
    }
    const yaml_node_t *node = content_find(reader, reader->root, "kind");
    return content_fail(reader, node->start_mark, APEX_ERR_PARSE,
                        "kind: expected a %s file, found a %s file", content_kind_word(wanted),
                        content_kind_word(kind));
}

static bool read_as(content_reader *reader, const content_wanted *what) {
    switch (what->kind) {
    case APEX_CONTENT_CAR:
        return content_read_car(reader, what->out, what->published);
    case APEX_CONTENT_TRACK:
        return content_read_track(reader, what->out);
    case APEX_CONTENT_RACE:
        return content_read_race(reader, what->out);
    }
    return false;
}

/// Laying a track shows the problems that no single key can tell.
static bool lay(content_reader *reader, apex_track_def *def) {
    apex_track *track = NULL;
    apex_def_problem problem = {0};
    apex_err err = apex_track_create(def, &track, &problem);
    apex_track_destroy(track);
    if (err == APEX_OK) {
        return true;
    }
    apex_track_def_free(def);
    if (err == APEX_ERR_NO_MEMORY) {
        return content_fail(reader, reader->root->start_mark, err, "out of memory");
    }
    content_name_sections(reader, &problem);
    return content_fail(reader, content_locate(reader, problem.field), APEX_ERR_RANGE, "%s%s%s",
                        problem.field, problem.field[0] != '\0' ? ": " : "", problem.reason);
}

apex_err content_parse(const char *text, size_t length, const char *label, content_wanted what,
                       apex_content_problem *problem) {
    content_reader reader;
    bool good = content_open(&reader, text, length, label);
    if (!good) {
        content_note(what.all, &reader.problem);
    }
    reader.source = what.source;
    content_gather(&reader, what.all);
    good = good && need_kind(&reader, what.kind) && read_as(&reader, &what) &&
           (!what.laid || lay(&reader, what.out));
    content_close(&reader);
    if (problem != NULL) {
        *problem = reader.problem;
    }
    return good ? APEX_OK : reader.err;
}

static bool find_named(content_reader *reader, apex_content_kind kind, const char *name,
                       const char *directory, const char *path) {
    content_source source;
    apex_content_problem problem = {{0}};
    apex_err err = content_source_find(kind, name, directory, &source, &problem);
    if (err == APEX_OK) {
        content_source_free(&source);
        return true;
    }
    return content_fail(reader, content_locate(reader, path), err, "%s: %s", path, problem.text);
}

/// A race file that names what is not there is refused at the line that names it.
static apex_err check_names(const content_source *source, const content_wanted *what,
                            const char *directory, apex_content_problem *problem) {
    const apex_race_file *race = what->out;
    content_reader reader;
    bool good = content_open(&reader, source->text, source->length, source->label);
    content_gather(&reader, what->all);
    good = good && find_named(&reader, APEX_CONTENT_TRACK, race->track, directory, "track");
    for (uint32_t i = 0; (good || content_goes_on(&reader)) && i < race->car_count; i++) {
        char path[32];
        snprintf(path, sizeof path, "cars[%u]", i);
        good &= find_named(&reader, APEX_CONTENT_CAR, race->cars[i], directory, path);
    }
    content_close(&reader);
    if (!good) {
        *problem = reader.problem;
    }
    return good ? APEX_OK : reader.err;
}

apex_err content_load(const char *name, const char *directory, content_wanted what,
                      apex_content_problem *problem) {
    apex_content_problem unread;
    content_source source;
    problem = problem != NULL ? problem : &unread;
    problem->text[0] = '\0';
    apex_err err = content_source_find(what.kind, name, directory, &source, problem);
    if (err != APEX_OK) {
        content_note(what.all, problem);
    }
    what.source = &source;
    if (err == APEX_OK) {
        err = content_parse(source.text, source.length, source.label, what, problem);
    }
    if (err == APEX_OK && what.kind == APEX_CONTENT_RACE && source.owned != NULL) {
        content_resolve_race(what.out, source.label);
    }
    if (err == APEX_OK && what.kind == APEX_CONTENT_RACE) {
        err = check_names(&source, &what, directory, problem);
    }
    content_source_free(&source);
    return err;
}
