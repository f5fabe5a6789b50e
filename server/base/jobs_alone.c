// Fork and join where a program has one thread: in a browser.

#ifdef __wasi__

#include "base/jobs.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/assert.h"

struct apex_jobs {
    bool is_open;
};

apex_jobs *apex_jobs_create(uint32_t workers) {
    (void)workers;
    return calloc(1, sizeof(apex_jobs));
}

void apex_jobs_destroy(apex_jobs *jobs) {
    free(jobs);
}

uint32_t apex_jobs_worker_count(const apex_jobs *jobs) {
    (void)jobs;
    return 1;
}

void apex_jobs_for(apex_jobs *jobs, uint32_t count, uint32_t grain, apex_jobs_fn *fn, void *ctx) {
    APEX_ASSERT(jobs == NULL || !jobs->is_open);
    if (jobs != NULL) {
        jobs->is_open = true;
    }
    uint64_t step = grain > 0 ? grain : 1;
    for (uint64_t begin = 0; begin < count; begin += step) {
        uint64_t end = begin + step;
        fn(ctx, (uint32_t)begin, end < count ? (uint32_t)end : count, 0);
    }
    if (jobs != NULL) {
        jobs->is_open = false;
    }
}

#else
typedef int apex_jobs_have_threads; // jobs.c
#endif
