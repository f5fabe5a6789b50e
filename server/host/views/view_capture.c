// The race as integers, once a tick, and of each due viewer what it is served from: its own car as
// exactly as it is, and what it has acknowledged since its last snapshot.

#include "host/views/view_capture.h"

#include "base/assert.h"
#include "host/views/due.h"
#include "host/views/view_telemetry.h"

typedef struct viewer_capture {
    host_outbox *outbox;
    const apex_world *world;
} viewer_capture;

// Own cars are taken whole out of physics, which for many viewers is work for all workers.
static void capture_viewers(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
    const viewer_capture *capture = context;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        host_outbox *outbox = &capture->outbox[i];
        outbox->has_own =
            !outbox->only_nearest &&
            apex_replicate_own_car(capture->world, &outbox->client->viewer, &outbox->own);
        if (outbox->memory != NULL) {
            apex_viewer_settle(outbox->memory);
        }
    }
}

void host_capture(host_frame *frame, apex_replica *replica, host_clients *clients,
                  const apex_race *race, apex_jobs *jobs) {
    enum { VIEWERS_IN_A_JOB = 64 };
    APEX_ASSERT(frame->outbox_count == 0);
    if (replica != NULL) {
        apex_replica_capture(replica, race);
    }
    frame->snapshot = apex_replicate_status(race);
    host_find_due(frame, clients);
    if (frame->is_whole_due) {
        frame->snapshot = apex_replicate_capture(race, frame->arena);
    }
    viewer_capture capture = {frame->outbox, apex_race_world(race)};
    apex_jobs_for(jobs, (uint32_t)frame->outbox_count, VIEWERS_IN_A_JOB, capture_viewers, &capture);
    host_capture_telemetry(frame, clients, race);
}
