// Fork and join with threads; where there are none, jobs_alone.c stands in.
#ifndef __wasi__

#include "base/jobs.h"
#include "base/assert.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

// One loop is one round. A thread takes part in a round only if it wakes while the round is open,
// and the caller closes it as soon as all indices are claimed: it waits for those that work, never
// for one that the scheduler has not yet let run. So more workers than cores cost little.

struct round {
    apex_jobs_fn *fn;
    void *ctx;
    uint32_t count;
    uint32_t grain;
};

struct worker {
    apex_jobs *jobs;
    pthread_t thread;
    uint32_t number;
};

struct apex_jobs {
    // 64 bits, so that claims past the end cannot wrap. Apart from what the lock guards, because
    // all workers write it.
    _Alignas(64) _Atomic uint64_t next_piece;

    _Alignas(64) pthread_mutex_t lock; // guards all below
    pthread_cond_t opened;
    pthread_cond_t finished;
    struct round round;
    uint64_t round_number;
    uint32_t active; // threads inside the round, the caller not counted
    bool is_open;
    bool is_quitting;

    uint32_t thread_count; // constant after create
    struct worker workers[APEX_JOBS_WORKERS_MAX - 1];
};

static void run_piece(const struct round *round, uint64_t begin, uint32_t worker) {
    uint64_t end = begin + round->grain;
    round->fn(round->ctx, (uint32_t)begin, end < round->count ? (uint32_t)end : round->count,
              worker);
}

static void run_pieces(apex_jobs *jobs, const struct round *round, uint32_t worker) {
    for (;;) {
        uint64_t piece = atomic_fetch_add_explicit(&jobs->next_piece, 1, memory_order_relaxed);
        uint64_t begin = piece * round->grain;
        if (begin >= round->count) {
            return;
        }
        run_piece(round, begin, worker);
    }
}

static void *worker_main(void *arg) {
    struct worker *self = arg;
    apex_jobs *jobs = self->jobs;
    uint64_t last_round = 0;
    pthread_mutex_lock(&jobs->lock);
    for (;;) {
        while (!jobs->is_quitting && (!jobs->is_open || jobs->round_number == last_round)) {
            pthread_cond_wait(&jobs->opened, &jobs->lock);
        }
        if (jobs->is_quitting) {
            break;
        }
        last_round = jobs->round_number;
        struct round round = jobs->round;
        jobs->active++;
        pthread_mutex_unlock(&jobs->lock);

        run_pieces(jobs, &round, self->number);

        pthread_mutex_lock(&jobs->lock);
        if (--jobs->active == 0) {
            pthread_cond_signal(&jobs->finished);
        }
    }
    pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

static bool start_thread(apex_jobs *jobs) {
    struct worker *worker = &jobs->workers[jobs->thread_count];
    worker->jobs = jobs;
    worker->number = jobs->thread_count + 1;
    if (pthread_create(&worker->thread, NULL, worker_main, worker) != 0) {
        return false;
    }
    jobs->thread_count++;
    return true;
}

// Threads inherit the mask: SIGINT and its like must reach the thread that runs the loop.
static bool start_threads(apex_jobs *jobs, uint32_t count) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = true;
    for (uint32_t i = 0; i < count && started; i++) {
        started = start_thread(jobs);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

apex_jobs *apex_jobs_create(uint32_t workers) {
    uint32_t wanted = workers < 1 ? 1 : workers;
    wanted = wanted > APEX_JOBS_WORKERS_MAX ? APEX_JOBS_WORKERS_MAX : wanted;
    apex_jobs *jobs = aligned_alloc(_Alignof(apex_jobs), sizeof *jobs);
    if (jobs == NULL) {
        return NULL;
    }
    *jobs = (apex_jobs){.thread_count = 0};
    pthread_mutex_init(&jobs->lock, NULL);
    pthread_cond_init(&jobs->opened, NULL);
    pthread_cond_init(&jobs->finished, NULL);
    if (!start_threads(jobs, wanted - 1)) {
        apex_jobs_destroy(jobs);
        return NULL;
    }
    return jobs;
}

void apex_jobs_destroy(apex_jobs *jobs) {
    if (jobs == NULL) {
        return;
    }
    pthread_mutex_lock(&jobs->lock);
    APEX_ASSERT(!jobs->is_open);
    jobs->is_quitting = true;
    pthread_cond_broadcast(&jobs->opened);
    pthread_mutex_unlock(&jobs->lock);
    for (uint32_t i = 0; i < jobs->thread_count; i++) {
        pthread_join(jobs->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&jobs->finished);
    pthread_cond_destroy(&jobs->opened);
    pthread_mutex_destroy(&jobs->lock);
    free(jobs);
}

uint32_t apex_jobs_worker_count(const apex_jobs *jobs) {
    return jobs != NULL ? jobs->thread_count + 1 : 1;
}

static void open_round(apex_jobs *jobs, const struct round *round) {
    pthread_mutex_lock(&jobs->lock);
    APEX_ASSERT(!jobs->is_open);
    jobs->round = *round;
    jobs->round_number++;
    jobs->is_open = true;
    // Relaxed, as the claims are: the lock orders it before every thread that joins this round.
    atomic_store_explicit(&jobs->next_piece, 0, memory_order_relaxed);
    pthread_cond_broadcast(&jobs->opened);
    pthread_mutex_unlock(&jobs->lock);
}

static void close_round(apex_jobs *jobs) {
    pthread_mutex_lock(&jobs->lock);
    jobs->is_open = false;
    while (jobs->active > 0) {
        pthread_cond_wait(&jobs->finished, &jobs->lock);
    }
    pthread_mutex_unlock(&jobs->lock);
}

void apex_jobs_for(apex_jobs *jobs, uint32_t count, uint32_t grain, apex_jobs_fn *fn, void *ctx) {
    struct round round = {.fn = fn, .ctx = ctx, .count = count, .grain = grain > 0 ? grain : 1};
    if (jobs == NULL || jobs->thread_count == 0 || count <= round.grain) {
        for (uint64_t begin = 0; begin < count; begin += round.grain) {
            run_piece(&round, begin, 0);
        }
        return;
    }
    open_round(jobs, &round);
    run_pieces(jobs, &round, 0);
    close_round(jobs);
}

#else
typedef int apex_jobs_are_alone;
#endif
