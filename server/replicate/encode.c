#include "replicate/replicate.h"

#include "base/assert.h"

apex_snapshot_parts apex_replicate_cut(const apex_snapshot *snapshot, apex_arena *frame) {
    static const uint32_t no_cars[2] = {0, 0};
    // A part carries at least one car, so there are never more parts than cars.
    uint32_t *first = apex_arena_alloc(frame, (snapshot->car_count + (size_t)1) * sizeof *first);
    if (snapshot->car_count == 0 || first == NULL) {
        return (apex_snapshot_parts){.count = 1, .first = no_cars};
    }
    uint32_t parts = 0;
    uint32_t next = 0;
    while (next < snapshot->car_count) {
        first[parts++] = next;
        uint32_t fit = apex_snapshot_fit(snapshot->cars + next, snapshot->car_count - next,
                                         APEX_DATAGRAM_BYTES_MAX);
        APEX_ASSERT(fit > 0);
        next += fit;
    }
    first[parts] = snapshot->car_count;
    return (apex_snapshot_parts){.count = parts, .first = first};
}

bool apex_viewer_is_due(const apex_viewer *viewer, uint64_t tick) {
    return viewer->period_ticks > 0 &&
           tick % viewer->period_ticks == viewer->turn % viewer->period_ticks;
}

static uint32_t part_of_car(const apex_snapshot *snapshot, const apex_snapshot_parts *parts,
                            uint32_t car) {
    for (uint32_t part = 0; part < parts->count; part++) {
        uint32_t end = parts->first[part + 1];
        if (end > parts->first[part] && snapshot->cars[end - 1].id >= car) {
            return part;
        }
    }
    return 0;
}

static void encode_part(const apex_snapshot *snapshot, const apex_snapshot_parts *parts,
                        const apex_viewer *viewer, uint32_t part, apex_viewer_packets *out) {
    uint32_t first = parts->first[part];
    apex_server_message message = {
        .kind = APEX_SERVER_SNAPSHOT,
        .snapshot =
            {
                .tick = snapshot->tick,
                .phase = snapshot->phase,
                .race_time_ms = snapshot->race_time_ms,
                .part = part,
                .parts = parts->count,
                .controls_tick = viewer->controls_tick,
                .controls_depth = viewer->controls_depth,
                .car_count = parts->first[part + 1] - first,
                .cars = snapshot->cars + first,
            },
    };
    size_t length = apex_encode_server(&message, out->bytes[out->count], APEX_DATAGRAM_BYTES_MAX);
    APEX_ASSERT(length > 0);
    out->length[out->count++] = (uint32_t)length;
}

void apex_replicate_encode(const apex_snapshot *snapshot, const apex_snapshot_parts *parts,
                           apex_viewer *viewer, apex_viewer_packets *out) {
    out->count = 0;
    if (parts->count <= APEX_VIEWER_PARTS_MAX) {
        for (uint32_t part = 0; part < parts->count; part++) {
            encode_part(snapshot, parts, viewer, part, out);
        }
        return;
    }
    uint32_t own = part_of_car(snapshot, parts, viewer->own_car);
    encode_part(snapshot, parts, viewer, own, out);
    for (uint32_t step = 0; step < parts->count && out->count < APEX_VIEWER_PARTS_MAX; step++) {
        uint32_t part = viewer->next_part % parts->count;
        viewer->next_part = (part + 1) % parts->count;
        if (part != own) {
            encode_part(snapshot, parts, viewer, part, out);
        }
    }
}
