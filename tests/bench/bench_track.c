// links: track physics base
// A benchmark of laying a circuit, and of following a car on it.

#include "support/track/track_scenes.h"
#include "track/track.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REPEATS = 5 };

static double cpu_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int rising(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static apex_track *lay(void) {
    apex_track_def def = track_scene_circuit(7000);
    apex_track *track = NULL;
    apex_def_problem problem = {{0}, {0}};
    if (apex_track_create(&def, &track, &problem) != APEX_OK) {
        fprintf(stderr, "%s: %s\n", problem.field, problem.reason);
        exit(EXIT_FAILURE);
    }
    apex_track_def_free(&def);
    return track;
}

// A car at 70 m/s, looked for 60 times a second from its last place.
static double follow_ns(const apex_track *track) {
    enum { STEPS = 200000 };
    static double places[STEPS][2];
    double length_m = apex_track_length_m(track);
    for (int i = 0; i < STEPS; i++) {
        double s_m = i * (70.0 / 60);
        while (s_m >= length_m) {
            s_m -= length_m;
        }
        apex_placement at = apex_track_placement(track, s_m, i % 9 - 4);
        places[i][0] = at.x_m;
        places[i][1] = at.y_m;
    }
    double near_s_m = 0;
    double start_s = cpu_s();
    for (int i = 0; i < STEPS; i++) {
        near_s_m = apex_track_project(track, places[i][0], places[i][1], near_s_m).s_m;
    }
    double spent_s = cpu_s() - start_s;
    // The last place is printed nowhere, but it must be computed.
    return near_s_m >= 0 ? spent_s / STEPS * 1e9 : 0;
}

int main(void) {
    double lay_ms[REPEATS];
    double project_ns[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        double start_s = cpu_s();
        apex_track *track = lay();
        lay_ms[i] = (cpu_s() - start_s) * 1e3;
        project_ns[i] = follow_ns(track);
        apex_track_destroy(track);
    }
    qsort(lay_ms, REPEATS, sizeof lay_ms[0], rising);
    qsort(project_ns, REPEATS, sizeof project_ns[0], rising);
    printf("track.lay_ms.7km %.1f ms\n", lay_ms[REPEATS / 2]);
    printf("track.project_ns %.0f ns\n", project_ns[REPEATS / 2]);
    return EXIT_SUCCESS;
}
