#include "client-lite/course.h"

#include <stdlib.h>

#include "defs/defs.h"

typedef struct course {
    struct course *next;
    uint64_t hash;
    apex_track *track;
} course;

struct apex_client_courses {
    course *first;
};

apex_client_courses *apex_client_courses_create(void) {
    return calloc(1, sizeof(apex_client_courses));
}

void apex_client_courses_destroy(apex_client_courses *courses) {
    if (!courses) {
        return;
    }
    while (courses->first) {
        course *gone = courses->first;
        courses->first = gone->next;
        apex_track_destroy(gone->track);
        free(gone);
    }
    free(courses);
}

static apex_track *lay(const uint8_t *bytes, size_t length) {
    apex_track_def *def = calloc(1, sizeof *def);
    apex_track *track = NULL;
    apex_def_problem problem;
    if (def && apex_track_def_decode(bytes, length, def, &problem)) {
        if (apex_track_create(def, &track, &problem) != APEX_OK) {
            track = NULL;
        }
        apex_track_def_free(def);
    }
    free(def);
    return track;
}

const apex_track *client_courses_track(apex_client_courses *courses, uint64_t hash,
                                       const uint8_t *bytes, size_t length) {
    for (const course *known = courses->first; known; known = known->next) {
        if (known->hash == hash) {
            return known->track;
        }
    }
    course *laid = calloc(1, sizeof *laid);
    if (!laid) {
        return NULL;
    }
    laid->hash = hash;
    laid->track = lay(bytes, length);
    if (!laid->track) {
        free(laid);
        return NULL;
    }
    laid->next = courses->first;
    courses->first = laid;
    return laid->track;
}
