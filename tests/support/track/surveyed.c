// Surveyed circuits: where they lie, and how a file of them is read.
#include "support/track/surveyed.h"

#include <stdio.h>
#include <stdlib.h>

void surveyed_path(const char *name, char path[SURVEYED_PATH_BYTES]) {
    const char *shared = getenv("APEX_SHARED");
    const char *source = getenv("APEX_SOURCE_DIR");
    if (shared != NULL) {
        snprintf(path, SURVEYED_PATH_BYTES, "%s/tracks/%s.csv", shared, name);
    } else {
        snprintf(path, SURVEYED_PATH_BYTES, "%s/../shared/tracks/%s.csv",
                 source != NULL ? source : ".", name);
    }
}

// One stands for all: where it is here, another that is missing fails its test.
bool surveyed_are_here(void) {
    char path[SURVEYED_PATH_BYTES];
    surveyed_path("Monza", path);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        puts("the surveyed circuits are not here (APEX_SHARED/tracks/*.csv)");
        return false;
    }
    fclose(file);
    return true;
}
