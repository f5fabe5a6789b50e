#include "client-lite/tracks/track_cache.h"

#include <stdlib.h>

#include "client-lite/tracks/laid.h"
#include "defs/defs.h"
#include "track/track.h"

typedef struct course {
    client_course known;
    struct course *next;
    apex_track *track; ///< NULL if it was laid elsewhere
    uint8_t *laid;     ///< NULL if it was laid here
} course;

struct apex_client_courses {
    course *first;
};

apex_client_courses *apex_client_courses_create(void) {
    return calloc(1, sizeof(apex_client_courses));
}

static void free_course(course *gone) {
    apex_track_destroy(gone->track);
    free(gone->laid);
    free(gone);
}

void apex_client_courses_destroy(apex_client_courses *courses) {
    if (!courses) {
        return;
    }
    while (courses->first) {
        course *gone = courses->first;
        courses->first = gone->next;
        free_course(gone);
    }
    free(courses);
}

const client_course *client_courses_find(const apex_client_courses *courses, uint64_t hash) {
    for (const course *known = courses->first; known; known = known->next) {
        if (known->known.hash == hash) {
            return &known->known;
        }
    }
    return NULL;
}

static const client_course *keep(apex_client_courses *courses, course *fresh) {
    fresh->next = courses->first;
    courses->first = fresh;
    return &fresh->known;
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

const client_course *client_courses_lay(apex_client_courses *courses, uint64_t hash,
                                        const uint8_t *bytes, size_t length) {
    const client_course *known = client_courses_find(courses, hash);
    course *fresh = known ? NULL : calloc(1, sizeof *fresh);
    if (!fresh) {
        return known;
    }
    fresh->track = lay(bytes, length);
    if (!fresh->track) {
        free_course(fresh);
        return NULL;
    }
    fresh->known = (client_course){.hash = hash,
                                   .ground = *apex_track_ground(fresh->track),
                                   .walls = *apex_track_walls(fresh->track)};
    return keep(courses, fresh);
}

const client_course *client_courses_take(apex_client_courses *courses, uint64_t hash, uint8_t *laid,
                                         size_t length) {
    course *fresh = calloc(1, sizeof *fresh);
    if (!fresh) {
        free(laid);
        return NULL;
    }
    fresh->laid = laid;
    fresh->known.hash = hash;
    if (!client_laid_read(laid, length, &fresh->known.ground, &fresh->known.walls)) {
        free_course(fresh);
        return NULL;
    }
    return keep(courses, fresh);
}
