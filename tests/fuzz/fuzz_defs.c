// links: defs
// Any bytes as a definition of a car and of a track. A definition that is accepted must encode, and
// come back as the same bytes.

#include "fuzz.h"

#include "defs/defs.h"

#include <stdlib.h>
#include <string.h>

static void run_car(const uint8_t *data, size_t size) {
    static apex_car_def def, again;
    apex_def_problem problem = {"", ""};
    if (!apex_car_def_decode(data, size, &def, &problem)) {
        require(problem.reason[0] != 0);
        return;
    }
    size_t length = 0;
    uint8_t *bytes = apex_car_def_encode(&def, &length);
    require(bytes != NULL && apex_car_def_decode(bytes, length, &again, NULL));
    require(memcmp(&def, &again, sizeof def) == 0);
    free(bytes);
}

static void run_track(const uint8_t *data, size_t size) {
    static apex_track_def def, again;
    apex_def_problem problem = {"", ""};
    if (!apex_track_def_decode(data, size, &def, &problem)) {
        require(problem.reason[0] != 0);
        require(def.points == NULL && def.free_walls == NULL && def.posts == NULL);
        require(def.terrain.heights == NULL && def.terrain.surface_map == NULL);
        return;
    }
    size_t length = 0, length_again = 0;
    uint8_t *bytes = apex_track_def_encode(&def, &length);
    // A track without points, grid and names is still two messages of nothing.
    require(bytes != NULL && length > 0 && apex_track_def_decode(bytes, length, &again, NULL));
    uint8_t *bytes_again = apex_track_def_encode(&again, &length_again);
    require(bytes_again != NULL && length == length_again &&
            memcmp(bytes, bytes_again, length) == 0);
    free(bytes);
    free(bytes_again);
    apex_track_def_free(&def);
    apex_track_def_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    run_car(data, size);
    run_track(data, size);
    return 0;
}
