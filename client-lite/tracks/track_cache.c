// The cache is a list, since one process meets few tracks.
#include "client-lite/tracks/track_cache.h"

#include <stdlib.h>

#include "client-lite/tracks/laid.h"
#include "defs/defs.h"
#include "track/track.h"

typedef struct entry {
    client_laid_track known;
    struct entry *next;
    apex_track *track; ///< NULL if it was laid elsewhere
    uint8_t *laid;     ///< NULL if it was laid here
} entry;

struct apex_client_courses {
    entry *first;
};

apex_client_courses *apex_client_courses_create(void) {
    return calloc(1, sizeof(apex_client_courses));
}

static void free_entry(entry *gone) {
    apex_track_destroy(gone->track);
    free(gone->laid);
    free(gone);
}

void apex_client_courses_destroy(apex_client_courses *courses) {
    if (!courses) {
        return;
    }
    while (courses->first) {
        entry *gone = courses->first;
        courses->first = gone->next;
        free_entry(gone);
    }
    free(courses);
}

const client_laid_track *client_track_cache_find(const apex_client_courses *courses,
                                                 uint64_t hash) {
    for (const entry *known = courses->first; known; known = known->next) {
        if (known->known.hash == hash) {
            return &known->known;
        }
    }
    return NULL;
}

static const client_laid_track *keep(apex_client_courses *courses, entry *fresh) {
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

const client_laid_track *client_track_cache_lay(apex_client_courses *courses, uint64_t hash,
                                                const uint8_t *bytes, size_t length) {
    const client_laid_track *known = client_track_cache_find(courses, hash);
    entry *fresh = known ? NULL : calloc(1, sizeof *fresh);
    if (!fresh) {
        return known;
    }
    fresh->track = lay(bytes, length);
    if (!fresh->track) {
        free_entry(fresh);
        return NULL;
    }
    fresh->known = (client_laid_track){.hash = hash,
                                       .ground = *apex_track_ground(fresh->track),
                                       .walls = *apex_track_walls(fresh->track)};
    return keep(courses, fresh);
}

const client_laid_track *client_track_cache_take(apex_client_courses *courses, uint64_t hash,
                                                 uint8_t *laid, size_t length) {
    entry *fresh = calloc(1, sizeof *fresh);
    if (!fresh) {
        free(laid);
        return NULL;
    }
    fresh->laid = laid;
    fresh->known.hash = hash;
    if (!client_laid_read(laid, length, &fresh->known.ground, &fresh->known.walls)) {
        free_entry(fresh);
        return NULL;
    }
    return keep(courses, fresh);
}
