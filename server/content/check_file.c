/// The check of a file of any kind and of all that it names: every problem is listed.
#include <stdio.h>
#include <string.h>

#include "content/document/document.h"
#include "content/document/nodes.h"
#include "content/document/problem.h"
#include "content/load_file.h"
#include "content/source/source.h"

static apex_err kind_of(const char *path, apex_content_kind *kind, apex_content_problem *problem) {
    content_source source;
    content_reader reader;
    apex_err err = content_source_read(path, &source, problem);
    if (err != APEX_OK) {
        return err;
    }
    bool good = content_open(&reader, source.text, source.length, source.label) &&
                content_read_kind(&reader, kind);
    content_close(&reader);
    if (!good) {
        *problem = reader.problem;
    }
    content_source_free(&source);
    return good ? APEX_OK : reader.err;
}

static apex_err check_track(const char *name, apex_content_problems *all) {
    apex_track_def track;
    content_wanted what = {.kind = APEX_CONTENT_TRACK, .laid = true, .out = &track, .all = all};
    apex_err err = content_load(name, NULL, what, NULL);
    if (err == APEX_OK) {
        apex_track_def_free(&track);
    }
    return err;
}

static apex_err check_car(const char *name, apex_content_problems *all) {
    apex_car_def car;
    return content_load(name, NULL,
                        (content_wanted){.kind = APEX_CONTENT_CAR, .out = &car, .all = all}, NULL);
}

/// Laps and stops of a race file are right or wrong for its track only: told at the line that says
/// them, by the key with which the problem begins.
static apex_err check_fit(const char *path, apex_race_file *race, apex_content_problems *all) {
    apex_track_def track;
    apex_content_problem misfit = {{0}};
    content_wanted what = {.kind = APEX_CONTENT_TRACK, .laid = true, .out = &track, .all = all};
    apex_err err = content_load(race->track, NULL, what, NULL);
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
        char key[CONTENT_FIELD_PATH_BYTES];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(misfit.text, ":"), misfit.text);
        content_fail(&reader, content_locate(&reader, key), err, "%s", misfit.text);
    }
    content_close(&reader);
    content_source_free(&source);
    return err;
}

static apex_err check_race(const char *path, apex_content_problems *all) {
    apex_race_file race = {0};
    content_wanted what = {.kind = APEX_CONTENT_RACE, .out = &race, .all = all};
    apex_err err = content_load(path, NULL, what, NULL);
    if (err != APEX_OK) {
        return err; // whether the files that it names are there has been looked at
    }
    err = check_fit(path, &race, all);
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
