// The race as integers, once a tick, and each due viewer's own car as exactly as it is.

#include "host/views/view_capture.h"

#include "base/assert.h"
#include "host/views/due.h"

typedef struct own_cars {
    host_outbox *outbox;
    const apex_world *world;
} own_cars;

// Own cars are taken whole out of physics, which for many viewers is work for all workers.
static void capture_own_cars(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
    const own_cars *cars = context;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        host_outbox *outbox = &cars->outbox[i];
        outbox->has_own =
            apex_replicate_own_car(cars->world, &outbox->client->viewer, &outbox->own);
    }
}

void host_capture(host_frame *frame, host_clients *clients, const apex_race *race,
                  apex_jobs *jobs) {
    enum { OWN_CARS_IN_A_JOB = 64 };
    APEX_ASSERT(frame->outbox_count == 0);
    frame->snapshot = apex_replicate_status(race);
    host_find_due(frame, clients, apex_race_tick_hz(race));
    if (frame->is_whole_due) {
        frame->snapshot = apex_replicate_capture(race, frame->arena);
    }
    frame->parts = apex_replicate_cut(&frame->snapshot, frame->arena);
    own_cars cars = {frame->outbox, apex_race_world(race)};
    apex_jobs_for(jobs, (uint32_t)frame->outbox_count, OWN_CARS_IN_A_JOB, capture_own_cars, &cars);
}
