/// The public face: find a file, read it, and check what it says as a whole.
#include "content/document/reader.h"

#include <string.h>

static bool read_kind(content_reader *reader, apex_content_kind *out) {
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
    if (!read_kind(reader, &kind)) {
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

typedef struct wanted {
    apex_content_kind kind;
    bool laid;
    void *out; ///< the definition, or NULL if a car's is not asked for
    apex_car_published *published;
    const content_source *source; ///< NULL: from memory
    apex_content_problems *all;   ///< NULL: the first is enough
} wanted;

static bool read_as(content_reader *reader, const wanted *what) {
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

/// What no single key can tell of a track shows when it is laid.
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

static apex_err parse(const char *text, size_t length, const char *label, wanted what,
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

apex_err apex_content_parse_car(const char *text, size_t length, const char *label,
                                apex_car_def *out, apex_content_problem *problem) {
    return parse(text, length, label, (wanted){APEX_CONTENT_CAR, false, out, NULL, NULL, NULL},
                 problem);
}

apex_err apex_content_parse_published(const char *text, size_t length, const char *label,
                                      apex_car_published *out, apex_content_problem *problem) {
    return parse(text, length, label, (wanted){APEX_CONTENT_CAR, false, NULL, out, NULL, NULL},
                 problem);
}

apex_err apex_content_parse_track(const char *text, size_t length, const char *label,
                                  apex_track_def *out, apex_content_problem *problem) {
    return parse(text, length, label, (wanted){APEX_CONTENT_TRACK, false, out, NULL, NULL, NULL},
                 problem);
}

apex_err apex_content_parse_race(const char *text, size_t length, const char *label,
                                 apex_race_file *out, apex_content_problem *problem) {
    return parse(text, length, label, (wanted){APEX_CONTENT_RACE, false, out, NULL, NULL, NULL},
                 problem);
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
static apex_err check_names(const content_source *source, const wanted *what, const char *directory,
                            apex_content_problem *problem) {
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

static apex_err load(const char *name, const char *directory, wanted what,
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
        err = parse(source.text, source.length, source.label, what, problem);
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

apex_err apex_content_load_car(const char *name, const char *directory, apex_car_def *out,
                               apex_content_problem *problem) {
    return load(name, directory, (wanted){APEX_CONTENT_CAR, false, out, NULL, NULL, NULL}, problem);
}

apex_err apex_content_load_published(const char *name, const char *directory,
                                     apex_car_published *out, apex_content_problem *problem) {
    return load(name, directory, (wanted){APEX_CONTENT_CAR, false, NULL, out, NULL, NULL}, problem);
}

apex_err apex_content_load_track(const char *name, const char *directory, apex_track_def *out,
                                 apex_content_problem *problem) {
    return load(name, directory, (wanted){APEX_CONTENT_TRACK, true, out, NULL, NULL, NULL},
                problem);
}

apex_err apex_content_load_race(const char *name, const char *directory, apex_race_file *out,
                                apex_content_problem *problem) {
    return load(name, directory, (wanted){APEX_CONTENT_RACE, false, out, NULL, NULL, NULL},
                problem);
}

static apex_err kind_of(const char *path, apex_content_kind *kind, apex_content_problem *problem) {
    content_source source;
    content_reader reader;
    apex_err err = content_source_read(path, &source, problem);
    if (err != APEX_OK) {
        return err;
    }
    bool good =
        content_open(&reader, source.text, source.length, source.label) && read_kind(&reader, kind);
    content_close(&reader);
    if (!good) {
        *problem = reader.problem;
    }
    content_source_free(&source);
    return good ? APEX_OK : reader.err;
}

static apex_err check_track(const char *name, apex_content_problems *all) {
    apex_track_def track;
    wanted what = {.kind = APEX_CONTENT_TRACK, .laid = true, .out = &track, .all = all};
    apex_err err = load(name, NULL, what, NULL);
    if (err == APEX_OK) {
        apex_track_def_free(&track);
    }
    return err;
}

static apex_err check_car(const char *name, apex_content_problems *all) {
    apex_car_def car;
    return load(name, NULL, (wanted){.kind = APEX_CONTENT_CAR, .out = &car, .all = all}, NULL);
}

/// The laps of a race file are right or wrong for its track only: told at the line that says them.
static apex_err check_laps(const char *path, apex_race_file *race, apex_content_problems *all) {
    apex_track_def track;
    apex_content_problem misfit = {{0}};
    wanted what = {.kind = APEX_CONTENT_TRACK, .laid = true, .out = &track, .all = all};
    apex_err err = load(race->track, NULL, what, NULL);
    if (err != APEX_OK) {
        return err;
    }
    err = apex_race_file_fit(race, &track, &misfit);
    apex_track_def_free(&track);
    content_source source;
    content_reader reader;
    if (err == APEX_OK || content_source_read(path, &source, &misfit) != APEX_OK) {
        return err;
    }
    if (content_open(&reader, source.text, source.length, source.label)) {
        content_gather(&reader, all);
        content_fail(&reader, content_locate(&reader, "laps"), err, "%s", misfit.text);
    }
    content_close(&reader);
    content_source_free(&source);
    return err;
}

static apex_err check_race(const char *path, apex_content_problems *all) {
    apex_race_file race = {0};
    wanted what = {.kind = APEX_CONTENT_RACE, .out = &race, .all = all};
    apex_err err = load(path, NULL, what, NULL);
    if (err != APEX_OK) {
        return err; // whether the files that it names are there has been looked at
    }
    err = check_laps(path, &race, all);
    for (uint32_t i = 0; i < race.car_count; i++) {
        apex_err of_car = check_car(race.cars[i], all);
        err = err == APEX_OK ? of_car : err;
    }
    return err;
}

apex_err apex_content_check(const char *path, apex_content_kind *kind, apex_content_problems *out) {
    apex_content_kind found = APEX_CONTENT_CAR;
    apex_content_problem problem = {{0}};
    out->count = 0;
    out->has_more = false;
    apex_err err = kind_of(path, &found, &problem);
    if (err != APEX_OK) {
        content_note(out, &problem);
        return err;
    }
    if (kind != NULL) {
        *kind = found;
    }
    switch (found) {
    case APEX_CONTENT_CAR:
        return check_car(path, out);
    case APEX_CONTENT_TRACK:
        return check_track(path, out);
    case APEX_CONTENT_RACE:
        break;
    }
    return check_race(path, out);
}

apex_err apex_content_write_default(apex_content_kind kind, FILE *out) {
    switch (kind) {
    case APEX_CONTENT_CAR:
        content_write_car(out);
        break;
    case APEX_CONTENT_TRACK:
        content_write_track(out);
        break;
    case APEX_CONTENT_RACE:
        content_write_race(out);
        break;
    }
    return fflush(out) == 0 && ferror(out) == 0 ? APEX_OK : APEX_ERR_IO;
}
