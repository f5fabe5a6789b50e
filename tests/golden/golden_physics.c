// links: base physics
// takes: workers seconds
// Every kind of car, every tyre and differential, hills, walls, posts and pile-ups, with all
// options on: the hash of each second, on which compilers, instruction sets and any number of
// workers must agree.
//
//   golden_physics [--seconds N] [WORKERS]
//
// --seconds N prints the first N lines of the whole, for where a processor is emulated.

#include "support/physics/scenes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 12 };

static uint64_t run_second(scene_crowd *crowd, apex_jobs *jobs) {
    uint64_t contacts = 0;
    for (int tick = 0; tick < 60; tick++) {
        size_t count;
        scene_crowd_step(crowd, jobs);
        (void)apex_world_contacts(crowd->world, &count);
        contacts += count;
    }
    return contacts;
}

static void run(int seconds, apex_jobs *jobs) {
    const scene_crowd_def def = {.car_count = 40,
                                 .tick_hz = 60,
                                 .ring_m = 90.0,
                                 .speed_mps = 12.0,
                                 .seed = 20,
                                 .all_options = true};
    scene_crowd crowd = scene_crowd_create(&def);
    uint64_t contacts = 0;
    for (int second = 1; second <= seconds; second++) {
        contacts += run_second(&crowd, jobs);
        printf("second_%d %016" PRIx64 "\n", second, apex_world_hash(crowd.world));
    }
    if (seconds == SECONDS) {
        printf("contacts %" PRIu64 "\n", contacts);
    }
    scene_crowd_destroy(&crowd);
}

// 0 for what is no number of 1..max.
static int number(const char *text, int max) {
    char *end;
    long value = strtol(text, &end, 10);
    return *text != 0 && *end == 0 && value >= 1 && value <= max ? (int)value : 0;
}

int main(int argc, char **argv) {
    int seconds = SECONDS, workers = 1, next = 1;
    if (argc > 2 && strcmp(argv[1], "--seconds") == 0) {
        seconds = number(argv[2], SECONDS);
        next = 3;
    }
    if (next < argc) {
        workers = number(argv[next++], APEX_JOBS_WORKERS_MAX);
    }
    if (seconds == 0 || workers == 0 || next < argc) {
        fprintf(stderr, "usage: %s [--seconds N] [WORKERS]\n", argv[0]);
        return 2;
    }
    apex_jobs *jobs = apex_jobs_create((uint32_t)workers);
    if (jobs == NULL || apex_jobs_worker_count(jobs) != (uint32_t)workers) {
        fprintf(stderr, "%s: cannot start %d workers\n", argv[0], workers);
        return EXIT_FAILURE;
    }
    run(seconds, jobs);
    apex_jobs_destroy(jobs);
    return EXIT_SUCCESS;
}
