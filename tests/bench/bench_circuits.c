// links: content track physics base
// A benchmark of importing and laying surveyed circuits. They are not part of the project:
// APEX_SHARED names the folder that holds tracks/, else it is looked for beside the checkout.
// Without them there are no figures.

#include "content/content.h"
#include "track/track.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const circuits[] = {
    "Monza", "Norisring", "Oschersleben", "Silverstone", "Spa", "Suzuka",
};

static double cpu_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool find(const char *name, char *path, size_t bytes) {
    const char *shared = getenv("APEX_SHARED");
    snprintf(path, bytes, "%s/tracks/%s.csv", shared != NULL ? shared : "../shared", name);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

static void measure(const char *path) {
    static apex_circuit circuit;
    apex_content_problem problem = {{0}};
    memset(&circuit, 0, sizeof circuit);
    double start_s = cpu_s();
    if (apex_content_import_circuit(path, &circuit, &problem) != APEX_OK) {
        fprintf(stderr, "%s\n", problem.text);
        exit(EXIT_FAILURE);
    }
    double imported_s = cpu_s();
    apex_track *track = NULL;
    if (apex_track_create(&circuit.def, &track, NULL) != APEX_OK) {
        fprintf(stderr, "%s: does not lay\n", path);
        exit(EXIT_FAILURE);
    }
    double laid_s = cpu_s();
    printf("track.import_ms.%s %.1f ms\n", circuit.name, (imported_s - start_s) * 1e3);
    printf("track.lay_ms.%s %.1f ms\n", circuit.name, (laid_s - imported_s) * 1e3);
    apex_track_destroy(track);
    apex_track_def_free(&circuit.def);
}

int main(void) {
    for (size_t i = 0; i < sizeof circuits / sizeof circuits[0]; i++) {
        char path[1024];
        if (!find(circuits[i], path, sizeof path)) {
            fprintf(stderr, "%s is not here: no figures\n", path);
            return EXIT_SUCCESS;
        }
        measure(path);
    }
    return EXIT_SUCCESS;
}
