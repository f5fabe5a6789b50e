// Snapshots: for each viewer that is due, as many cars as it has room for. Beside a delta the exact
// own car comes on top of the viewer's budget, which in a crowd is hardly more than it takes; only
// where both would be longer than a datagram the others have less (DECISIONS 28).

#include "host/views/view_snapshots.h"

#include "base/assert.h"
#include "base/log.h"
#include "host/views/view_limits.h"

// The inputs of encoding a tick's snapshots; to the codes it adds.
typedef struct snapshot_encoding {
    const host_frame *frame;
    const host_views *views;
    apex_replica_codes *codes;
} snapshot_encoding;

// A spectator looks at all cars, whatever limits drivers have.
static apex_view_limits limits_for(const snapshot_encoding *encoding, const host_client *client) {
    apex_view_limits limits = client->viewer.own_car != 0
                                  ? encoding->views->limits
                                  : apex_view_limits_spectator(encoding->views->replica);
    uint32_t wished = client->snapshot_bytes_max;
    if (wished >= APEX_DELTA_BYTES_MIN && wished < limits.bytes_max) {
        limits.bytes_max = wished;
    }
    uint32_t share = encoding->frame->share_bytes;
    if (share < limits.bytes_max) {
        limits.bytes_max = share > APEX_DELTA_BYTES_MIN ? share : APEX_DELTA_BYTES_MIN;
    }
    if (encoding->frame->strain >= HOST_STRAIN_FEWER_CARS) {
        limits.neighbours_max /= 2;
        limits.listed_cars = client->viewer.own_car != 0 ? 0 : limits.listed_cars / 4;
    }
    return limits;
}

// Of the nearest alone a viewer is told in what his last snapshot left.
static apex_view_limits limits_of(const snapshot_encoding *encoding, const host_outbox *outbox) {
    apex_view_limits limits = limits_for(encoding, outbox->client);
    if (outbox->only_nearest) {
        limits.bytes_max = apex_viewer_nearest_bytes(outbox->memory);
    }
    return limits;
}

static void encode_delta(const snapshot_encoding *encoding, const host_outbox *outbox,
                         apex_viewer_memory *memory, apex_viewer_packets *out) {
    const host_frame *frame = encoding->frame;
    const host_client *client = outbox->client;
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    apex_view_limits limits = limits_of(encoding, outbox);
    size_t room = APEX_DELTA_BYTES_MAX - (outbox->has_own ? apex_own_car_bytes(&outbox->own) : 0);
    if (limits.bytes_max > room) {
        limits.bytes_max = (uint32_t)room;
    }
    apex_delta_view view = {.viewer = &client->viewer,
                            .limits = &limits,
                            .focus_slot = apex_delta_slot(client->focus_car),
                            .phase = frame->snapshot.phase,
                            .race_time_ms = frame->snapshot.race_time_ms,
                            .wants_nearest = client->nearest_period_ticks > 0,
                            .only_nearest = outbox->only_nearest};
    apex_server_message message = {.kind = APEX_SERVER_SNAPSHOT};
    message.snapshot.own = outbox->has_own ? &outbox->own : NULL;
    message.snapshot.delta = bytes;
    message.snapshot.delta_length =
        apex_replica_encode(encoding->views->replica, &view, encoding->codes, memory, bytes);
    out->length[0] = (uint32_t)apex_encode_server(&message, out->bytes[0], APEX_DATAGRAM_BYTES_MAX);
    APEX_ASSERT(out->length[0] > 0);
    out->count = 1;
    out->next_part = client->viewer.next_part;
}

// Whole snapshots keep to the same budget as deltas: two parts at least, of half a driver's.
static void encode_whole(const snapshot_encoding *encoding, const host_outbox *outbox) {
    const host_frame *frame = encoding->frame;
    apex_viewer viewer = outbox->client->viewer;
    uint32_t bytes = viewer.own_car != 0 ? encoding->views->limits.bytes_max : APEX_DELTA_BYTES_MAX;
    bytes = bytes < frame->share_bytes ? bytes : frame->share_bytes;
    uint32_t parts = bytes / frame->parts.bytes_max;
    viewer.parts_max = parts > 2 ? parts : 2;
    apex_replicate_encode(&frame->snapshot, &frame->parts, outbox->has_own ? &outbox->own : NULL,
                          &viewer, outbox->packets);
}

static void encode_range(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
    const snapshot_encoding *encoding = context;
    const host_frame *frame = encoding->frame;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        const host_outbox *outbox = &frame->outbox[i];
        if (outbox->memory != NULL) {
            encode_delta(encoding, outbox, outbox->memory, outbox->packets);
        } else {
            encode_whole(encoding, outbox);
        }
    }
}

void host_encode_views(host_frame *frame, const host_views *views, apex_replica_codes *codes,
                       apex_jobs *jobs) {
    enum { VIEWERS_IN_A_JOB = 8 };
    APEX_ASSERT(frame->outbox_count == 0 || frame->outbox != NULL);
    uint32_t due = (uint32_t)frame->outbox_count;
    apex_viewer_packets *packets =
        apex_arena_alloc(frame->arena, (due + (size_t)1) * sizeof *packets);
    if (packets == NULL) {
        apex_log(APEX_LOG_ERROR, "host", "no room in the tick for %u viewers", due);
        return;
    }
    for (uint32_t i = 0; i < due; i++) {
        frame->outbox[i].packets = &packets[i];
    }
    frame->share_bytes = host_share_of_bandwidth(frame);
    uint32_t budget = views->limits.bytes_max;
    budget = frame->share_bytes < budget ? frame->share_bytes : budget;
    frame->parts = apex_replicate_cut(&frame->snapshot, budget, frame->arena);
    snapshot_encoding encoding = {frame, views, codes};
    apex_jobs_for(jobs, due, VIEWERS_IN_A_JOB, encode_range, &encoding);
}

void host_send_snapshots(const host_frame *frame, host_clients *clients, apex_sessions *sessions) {
    for (size_t i = 0; i < frame->outbox_count; i++) {
        const host_outbox *outbox = &frame->outbox[i];
        const apex_viewer_packets *packets = outbox->packets;
        if (packets == NULL) {
            continue; // there was no room for it
        }
        APEX_ASSERT(packets->count <= APEX_VIEWER_PARTS_MAX);
        for (uint32_t part = 0; part < packets->count; part++) {
            apex_sessions_send_bytes(sessions, outbox->client->session, APEX_CHANNEL_STATE,
                                     packets->bytes[part], packets->length[part]);
        }
        clients->at[outbox->client - clients->at].viewer.next_part = packets->next_part;
        clients->nearest_sent += outbox->only_nearest;
    }
}
