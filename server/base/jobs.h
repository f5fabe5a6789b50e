/// Fork and join: one loop spread over a few threads, and everybody back before it returns.
/// Results are the same for any number of workers as long as each index writes only its own slot;
/// which worker runs which index is not determined.

#pragma once

#include <stdint.h>

#define APEX_JOBS_WORKERS_MAX 64

typedef struct apex_jobs apex_jobs;

/// Called for [begin, end), several times for one loop and from several threads at once.
/// `worker` is below apex_jobs_worker_count and no two calls with the same one run at a time: use
/// it to find scratch memory, never in a result.
typedef void apex_jobs_fn(void *ctx, uint32_t begin, uint32_t end, uint32_t worker);

/// `workers` counts the calling thread: 1 starts no thread. Clamped to 1..APEX_JOBS_WORKERS_MAX.
/// NULL when memory or threads are refused.
apex_jobs *apex_jobs_create(uint32_t workers);

/// Joins the threads. NULL is fine.
void apex_jobs_destroy(apex_jobs *jobs);

/// 1 for NULL.
uint32_t apex_jobs_worker_count(const apex_jobs *jobs);

/// Every index of [0, count) exactly once, in pieces of at most `grain` (0 counts as 1). The caller
/// takes part; all effects are visible to it on return. NULL jobs run inline, in the same pieces.
/// Allocates nothing. One thread at a time, and not from inside a job.
void apex_jobs_for(apex_jobs *jobs, uint32_t count, uint32_t grain, apex_jobs_fn *fn, void *ctx);
