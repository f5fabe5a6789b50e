// Loops on several threads: each index once, whatever the workers, and no heap.
// labels: tsan
#include "base/hash.h"
#include "base/jobs.h"
#include "support/base/check_main.h"
#include "support/base/heap_count.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define COUNT_MAX 1000

struct visits {
    uint32_t count;
    uint32_t grain;
    uint32_t workers;
    // Plain, not atomic: two workers on one index are a data race that the thread sanitizer sees.
    uint32_t of_index[COUNT_MAX];
    _Atomic uint32_t wrong_pieces;
    _Atomic uint32_t inside[APEX_JOBS_WORKERS_MAX];
};

static void visit(void *ctx, uint32_t begin, uint32_t end, uint32_t worker) {
    struct visits *visits = ctx;
    bool right = begin < end && end <= visits->count && end - begin <= visits->grain &&
                 worker < visits->workers && visits->inside[worker]++ == 0;
    if (!right) {
        visits->wrong_pieces++;
        return;
    }
    for (uint32_t i = begin; i < end; i++) {
        visits->of_index[i]++;
    }
    visits->inside[worker]--;
}

static void check_visits(apex_jobs *jobs, uint32_t count, uint32_t grain) {
    static struct visits visits;
    memset(&visits, 0, sizeof visits);
    visits.count = count;
    visits.grain = grain > 0 ? grain : 1;
    visits.workers = apex_jobs_worker_count(jobs);
    apex_jobs_for(jobs, count, grain, visit, &visits);
    ck_assert_uint_eq(visits.wrong_pieces, 0);
    for (uint32_t i = 0; i < COUNT_MAX; i++) {
        ck_assert_uint_eq(visits.of_index[i], i < count ? 1 : 0);
    }
}

TEST_OVER(each_index_runs_exactly_once, 1, 9) {
    static const uint32_t counts[] = {0, 1, 7, COUNT_MAX};
    static const uint32_t grains[] = {0, 1, 3, 64, COUNT_MAX, UINT32_MAX};
    apex_jobs *jobs = apex_jobs_create((uint32_t)_i);
    ck_assert_ptr_nonnull(jobs);
    ck_assert_uint_eq(apex_jobs_worker_count(jobs), (uint32_t)_i);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        for (size_t g = 0; g < sizeof grains / sizeof grains[0]; g++) {
            check_visits(jobs, counts[c], grains[g]);
        }
    }
    apex_jobs_destroy(jobs);
}

TEST(null_runs_inline) {
    ck_assert_uint_eq(apex_jobs_worker_count(NULL), 1);
    check_visits(NULL, 0, 1);
    check_visits(NULL, COUNT_MAX, 7);
    apex_jobs_destroy(NULL);
}

TEST(worker_counts_are_clamped) {
    apex_jobs *jobs = apex_jobs_create(0);
    ck_assert_uint_eq(apex_jobs_worker_count(jobs), 1);
    apex_jobs_destroy(jobs);
    jobs = apex_jobs_create(1000);
    ck_assert_uint_eq(apex_jobs_worker_count(jobs), APEX_JOBS_WORKERS_MAX);
    check_visits(jobs, COUNT_MAX, 1);
    apex_jobs_destroy(jobs);
}

static void fill(void *ctx, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    uint64_t *slots = ctx;
    for (uint32_t i = begin; i < end; i++) {
        slots[i] = apex_hash_bytes(&i, sizeof i, slots[i]);
    }
}

// Rounds that follow each other at once, each reading what the one before it wrote by whatever
// thread: a late worker that strays into the next round, or a write not yet visible, changes the
// result.
TEST(the_result_does_not_depend_on_the_workers) {
    static uint64_t slots[257];
    uint64_t expected = 0;
    for (uint32_t workers = 1; workers <= 8; workers++) {
        memset(slots, 0, sizeof slots);
        apex_jobs *jobs = apex_jobs_create(workers);
        for (int round = 0; round < 500; round++) {
            apex_jobs_for(jobs, 257, 8, fill, slots);
        }
        apex_jobs_destroy(jobs);
        uint64_t hash = apex_hash_bytes(slots, sizeof slots, 0);
        if (workers == 1) {
            expected = hash;
        }
        ck_assert_uint_eq(hash, expected);
    }
}

struct meeting {
    _Atomic uint32_t arrived;
    _Atomic uint32_t by_worker[4];
    uint32_t expected;
};

// Returns only when all are here, so it ends only if that many threads run at the same time.
static void meet(void *ctx, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)begin;
    (void)end;
    struct meeting *meeting = ctx;
    meeting->by_worker[worker]++;
    meeting->arrived++;
    while (meeting->arrived < meeting->expected) {}
}

TEST(workers_run_at_the_same_time) {
    struct meeting meeting = {.expected = 4};
    apex_jobs *jobs = apex_jobs_create(4);
    apex_jobs_for(jobs, 4, 1, meet, &meeting);
    apex_jobs_destroy(jobs);
    ck_assert_uint_eq(meeting.arrived, 4);
    for (uint32_t worker = 0; worker < 4; worker++) { // each has a number of its own
        ck_assert_uint_eq(meeting.by_worker[worker], 1);
    }
}

struct slow_piece {
    struct meeting meeting;
    uint64_t slots[2];
};

// Both pieces begin on different threads; the one that is not the caller's then takes its time.
static void finish_late(void *ctx, uint32_t begin, uint32_t end, uint32_t worker) {
    struct slow_piece *slow = ctx;
    meet(&slow->meeting, begin, end, worker);
    uint64_t hash = 1;
    for (uint32_t i = 0; worker != 0 && i < 1000000; i++) {
        hash = apex_hash_bytes(&hash, sizeof hash, i) | 1;
    }
    slow->slots[begin] = hash;
}

TEST(a_loop_returns_when_the_last_piece_is_done) {
    apex_jobs *jobs = apex_jobs_create(2);
    struct slow_piece slow = {.meeting.expected = 2};
    apex_jobs_for(jobs, 2, 1, finish_late, &slow);
    ck_assert_uint_ne(slow.slots[0], 0);
    ck_assert_uint_ne(slow.slots[1], 0);
    apex_jobs_destroy(jobs);
}

TEST(a_loop_allocates_nothing) {
    if (!heap_count_works()) {
        puts("heap calls are not counted under a sanitizer: test passed over");
        return;
    }
    static uint64_t slots[257];
    apex_jobs *jobs = apex_jobs_create(4);
    apex_jobs_for(jobs, 257, 8, fill, slots);
    heap_count_start();
    for (int round = 0; round < 100; round++) {
        apex_jobs_for(jobs, 257, 8, fill, slots);
    }
    heap_count counted = heap_count_stop();
    apex_jobs_destroy(jobs);
    ck_assert_uint_eq(counted.allocs, 0);
    ck_assert_uint_eq(counted.frees, 0);
}

// Without this, the test above would pass with a counter that counts nothing.
TEST(the_heap_counter_counts) {
    if (!heap_count_works()) {
        return;
    }
    heap_count_start();
    apex_jobs *jobs = apex_jobs_create(1);
    apex_jobs_destroy(jobs);
    heap_count counted = heap_count_stop();
    ck_assert_uint_eq(counted.allocs, 1);
    ck_assert_uint_eq(counted.frees, 1);
}
