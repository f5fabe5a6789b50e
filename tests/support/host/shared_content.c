// Tracks are kept as bytes, in memory that is mapped before the tests' processes part.
#include "support/host/shared_content.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "defs/defs.h"
#include "support/base/check_main.h"

enum { TRACKS_MAX = 4, TRACK_BYTES_MAX = 1 << 20 };

typedef struct kept_track {
    char name[APEX_CONTENT_PATH_BYTES];
    size_t length; ///< set last, 0: nothing is kept here yet
    uint8_t bytes[TRACK_BYTES_MAX];
} kept_track;

static kept_track *tracks;

__attribute__((constructor)) static void map_tracks(void) {
    tracks = check_shared(TRACKS_MAX * sizeof *tracks);
}

// @return the place of that track, or the one where it may be kept; NULL if there is none.
static kept_track *place_of(const char *name) {
    for (uint32_t i = 0; i < TRACKS_MAX; i++) {
        if (tracks[i].length == 0 || strcmp(tracks[i].name, name) == 0) {
            return &tracks[i];
        }
    }
    return NULL;
}

// A path may hold another track the next time.
static void keep(kept_track *place, const char *name, const apex_track_def *def) {
    size_t length = 0;
    uint8_t *bytes = apex_track_def_encode(def, &length);
    APEX_ASSERT(bytes != NULL);
    if (length <= sizeof place->bytes && strchr(name, '/') == NULL) {
        snprintf(place->name, sizeof place->name, "%s", name);
        memcpy(place->bytes, bytes, length);
        place->length = length;
    }
    free(bytes);
}

apex_err shared_content_load(const apex_race_file *file, apex_server_def *out,
                             char why[APEX_HOST_WHY_BYTES]) {
    kept_track *place = place_of(file->track);
    if (place != NULL && place->length > 0) {
        apex_track_def track;
        apex_def_problem damage = {{0}, {0}};
        APEX_ASSERT(apex_track_def_decode(place->bytes, place->length, &track, &damage));
        return apex_server_def_of(file, &track, NULL, out, why);
    }
    apex_err err = apex_server_def_load(file, NULL, out, why);
    if (err == APEX_OK && place != NULL) {
        keep(place, file->track, &out->track);
    }
    return err;
}

client_plans *shared_content_plans(void) {
    static client_plans *plans;
    if (plans == NULL) {
        plans = client_plans_create();
        APEX_ASSERT(plans != NULL);
    }
    return plans;
}
