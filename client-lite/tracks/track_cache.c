// The cache is a list, since one process meets few tracks.
#include "client-lite/tracks/track_cache.h"

#include <stdio.h>
#include <stdlib.h>

#include "client-lite/tracks/laid.h"
#include "defs/defs.h"

typedef struct entry {
    client_laid_track known;
    struct entry *next;
    apex_track *track; ///< NULL if it was laid elsewhere
    uint8_t *laid;     ///< NULL if it was laid here
} entry;

struct apex_client_tracks {
    entry *first;
};

apex_client_tracks *apex_client_tracks_create(void) {
    return calloc(1, sizeof(apex_client_tracks));
}

static void free_entry(entry *gone) {
    apex_track_destroy(gone->track);
    free(gone->laid);
    free(gone);
}

void apex_client_tracks_destroy(apex_client_tracks *tracks) {
    if (tracks == NULL) {
        return;
    }
    while (tracks->first != NULL) {
        entry *gone = tracks->first;
        tracks->first = gone->next;
        free_entry(gone);
    }
    free(tracks);
}

const client_laid_track *client_track_cache_find(const apex_client_tracks *tracks, uint64_t hash) {
    for (const entry *known = tracks->first; known != NULL; known = known->next) {
        if (known->known.hash == hash) {
            return &known->known;
        }
    }
    return NULL;
}

static const client_laid_track *keep(apex_client_tracks *tracks, entry *fresh) {
    fresh->next = tracks->first;
    tracks->first = fresh;
    return &fresh->known;
}

static void out_of_memory(apex_def_problem *problem) {
    snprintf(problem->field, sizeof problem->field, "track");
    snprintf(problem->reason, sizeof problem->reason, "out of memory");
}

static apex_track *lay(const uint8_t *bytes, size_t length, apex_def_problem *problem) {
    out_of_memory(problem);
    apex_track_def *def = calloc(1, sizeof *def);
    apex_track *track = NULL;
    if (def != NULL && apex_track_def_decode(bytes, length, def, problem)) {
        if (apex_track_create(def, &track, problem) != APEX_OK) {
            track = NULL;
        }
        apex_track_def_free(def);
    }
    free(def);
    return track;
}

const client_laid_track *client_track_cache_lay(apex_client_tracks *tracks, uint64_t hash,
                                                const uint8_t *bytes, size_t length,
                                                apex_def_problem *problem) {
    const client_laid_track *known = client_track_cache_find(tracks, hash);
    if (known != NULL) {
        return known;
    }
    entry *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL) {
        out_of_memory(problem);
        return NULL;
    }
    fresh->track = lay(bytes, length, problem);
    if (fresh->track == NULL) {
        free_entry(fresh);
        return NULL;
    }
    fresh->known = (client_laid_track){.hash = hash,
                                       .track = fresh->track,
                                       .ground = *apex_track_ground(fresh->track),
                                       .walls = *apex_track_walls(fresh->track)};
    return keep(tracks, fresh);
}

const client_laid_track *client_track_cache_take(apex_client_tracks *tracks, uint64_t hash,
                                                 uint8_t *laid, size_t length) {
    entry *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL) {
        free(laid);
        return NULL;
    }
    fresh->laid = laid;
    fresh->known.hash = hash;
    if (!client_laid_read(laid, length, &fresh->known.ground, &fresh->known.walls)) {
        free_entry(fresh);
        return NULL;
    }
    return keep(tracks, fresh);
}
