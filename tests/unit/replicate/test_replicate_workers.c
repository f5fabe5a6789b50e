// links: replicate
// Viewers that are encoded at the same time share what is coded, and get what they would have got
// one after the other.

#include <stdlib.h>
#include <string.h>

#include "base/jobs.h"
#include "replicate/replicate.h"
#include "support/base/check_main.h"
#include "support/race/crowd_race.h"

enum { VIEWERS = 96, TICKS = 90, TICK_HZ = 60, WORKERS = 4 };

typedef struct packet {
    size_t length;
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
} packet;

/// All viewers, served by some threads.
typedef struct audience {
    apex_jobs *jobs;
    apex_replica *replica;
    apex_replica_codes *codes;
    apex_viewer viewers[VIEWERS];
    apex_viewer_memory *memories[VIEWERS];
    packet packets[VIEWERS];
    apex_view_limits limits;
} audience;

static void seat(audience *all, uint32_t workers) {
    memset(all, 0, sizeof *all);
    all->jobs = apex_jobs_create(workers);
    all->replica = apex_replica_create(VIEWERS, TICK_HZ);
    all->codes = apex_replica_codes_create(VIEWERS);
    all->limits = apex_view_limits_crowd();
    ck_assert(all->jobs != NULL && all->replica != NULL && all->codes != NULL);
    for (uint32_t i = 0; i < VIEWERS; i++) {
        all->viewers[i] = (apex_viewer){.period_ticks = 1, .own_car = 1u << 16 | (i + 1)};
        all->memories[i] = apex_viewer_memory_create();
        ck_assert_ptr_nonnull(all->memories[i]);
    }
}

static void leave(audience *all) {
    for (uint32_t i = 0; i < VIEWERS; i++) {
        apex_viewer_memory_destroy(all->memories[i]);
    }
    apex_replica_codes_destroy(all->codes);
    apex_replica_destroy(all->replica);
    apex_jobs_destroy(all->jobs);
}

static void encode(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
    audience *all = context;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        apex_delta_view view = {.viewer = &all->viewers[i], .limits = &all->limits};
        apex_viewer_settle(all->memories[i]);
        all->packets[i].length = apex_replica_encode(all->replica, &view, all->codes,
                                                     all->memories[i], all->packets[i].bytes);
    }
}

// Each has heard of the packet of so many ticks ago: up to a dozen ages of a car are coded in a
// tick, more than it has places for.
static void serve(audience *all, const apex_race *race, uint32_t tick) {
    apex_replica_capture(all->replica, race);
    apex_jobs_for(all->jobs, VIEWERS, 1, encode, all);
    for (uint32_t i = 0; i < VIEWERS; i++) {
        uint32_t late = i % 12;
        if (tick >= late) {
            apex_snapshot_ack ack = {.newest = tick - late + 1};
            apex_viewer_acknowledge(all->memories[i], &ack);
        }
    }
}

TEST(more_workers_write_the_same_bytes) {
    static audience alone, together;
    crowd_race *crowd = crowd_race_create(VIEWERS);
    seat(&alone, 1);
    seat(&together, WORKERS);
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        crowd_race_tick(crowd);
        serve(&alone, crowd_race_of(crowd), tick);
        serve(&together, crowd_race_of(crowd), tick);
        for (uint32_t i = 0; i < VIEWERS; i++) {
            ck_assert_uint_eq(alone.packets[i].length, together.packets[i].length);
            ck_assert_mem_eq(alone.packets[i].bytes, together.packets[i].bytes,
                             alone.packets[i].length);
        }
    }
    // Full cars would fill the budget; changes do not.
    ck_assert_uint_lt(alone.packets[0].length, 200);
    leave(&alone);
    leave(&together);
    crowd_race_destroy(crowd);
}
