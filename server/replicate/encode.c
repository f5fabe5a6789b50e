// Snapshots of FULL encoding: cut into parts that fit a datagram, and each encoded.
//
// A viewer gets at most eight datagrams of one snapshot, its own car's part among them and the
// others in turn (DECISIONS 7), and fewer where its budget is less (DECISIONS 50). Where the
// datagram with the place of a viewer's own car in the field is full, the exact car goes in a part
// of its own (DECISIONS 28): parts are cut once for all viewers, and cutting them shorter for the
// few who predict would cost everybody.
#include "replicate/replicate.h"

#include "base/assert.h"

// One datagram where all cars fit into the budget.
static uint32_t part_bytes(const apex_snapshot *snapshot, uint32_t bytes) {
    uint32_t whole = bytes < APEX_DATAGRAM_BYTES_MAX ? bytes : APEX_DATAGRAM_BYTES_MAX;
    uint32_t half = bytes / 2 < APEX_DATAGRAM_BYTES_MAX ? bytes / 2 : APEX_DATAGRAM_BYTES_MAX;
    bool fits =
        whole >= APEX_PART_BYTES_MIN &&
        apex_snapshot_fit(snapshot->cars, snapshot->car_count, whole) == snapshot->car_count;
    uint32_t part = fits ? whole : half;
    return part > APEX_PART_BYTES_MIN ? part : APEX_PART_BYTES_MIN;
}

apex_snapshot_parts apex_replicate_cut(const apex_snapshot *snapshot, uint32_t bytes,
                                       apex_arena *frame) {
    static const uint32_t no_cars[2] = {0, 0};
    // A part carries at least one car, so there are never more parts than cars.
    uint32_t *first = apex_arena_alloc(frame, (snapshot->car_count + (size_t)1) * sizeof *first);
    if (snapshot->car_count == 0 || first == NULL) {
        return (apex_snapshot_parts){.count = 1, .first = no_cars, .bytes_max = bytes};
    }
    uint32_t part_bytes_max = part_bytes(snapshot, bytes);
    uint32_t parts = 0;
    uint32_t next = 0;
    while (next < snapshot->car_count) {
        first[parts++] = next;
        uint32_t fit =
            apex_snapshot_fit(snapshot->cars + next, snapshot->car_count - next, part_bytes_max);
        APEX_ASSERT(fit > 0);
        next += fit;
    }
    first[parts] = snapshot->car_count;
    return (apex_snapshot_parts){.count = parts, .first = first, .bytes_max = part_bytes_max};
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

/// The plan of one viewer's datagrams of a snapshot.
typedef struct encode_plan {
    const apex_snapshot *snapshot;
    const apex_snapshot_parts *parts;
    const apex_viewer *viewer;
    const apex_own_car *own; ///< NULL: not wanted, or not there
    uint32_t own_part;       ///< with the viewer's own car among its cars
    bool is_own_apart;       ///< `own` goes in a part of its own after all others
} encode_plan;

// @return bytes; 0 if they are too many for a datagram, which only `own` can make them.
static size_t write_part(const encode_plan *plan, uint32_t part, uint8_t *out) {
    const apex_snapshot *snapshot = plan->snapshot;
    const apex_snapshot_parts *parts = plan->parts;
    apex_server_message message = {
        .kind = APEX_SERVER_SNAPSHOT,
        .snapshot =
            {
                .tick = snapshot->tick,
                .phase = snapshot->phase,
                .race_time_ms = snapshot->race_time_ms,
                .part = part,
                .parts = parts->count + (plan->is_own_apart ? 1 : 0),
                .controls_tick = plan->viewer->controls_tick,
                .controls_depth = plan->viewer->controls_depth,
            },
    };
    if (part < parts->count) {
        message.snapshot.car_count = parts->first[part + 1] - parts->first[part];
        message.snapshot.cars = snapshot->cars + parts->first[part];
    }
    if (part == (plan->is_own_apart ? parts->count : plan->own_part)) {
        message.snapshot.own = plan->own;
    }
    return apex_encode_server(&message, out, APEX_DATAGRAM_BYTES_MAX);
}

static void encode_part(const encode_plan *plan, uint32_t part, apex_viewer_packets *out) {
    size_t length = write_part(plan, part, out->bytes[out->count]);
    APEX_ASSERT(length > 0);
    out->length[out->count++] = (uint32_t)length;
}

void apex_replicate_encode(const apex_snapshot *snapshot, const apex_snapshot_parts *parts,
                           const apex_own_car *own, const apex_viewer *viewer,
                           apex_viewer_packets *out) {
    APEX_ASSERT(parts->count >= 1 && parts->first[parts->count] == snapshot->car_count);
    encode_plan plan = {.snapshot = snapshot, .parts = parts, .viewer = viewer};
    plan.own_part = part_of_car(snapshot, parts, viewer->own_car);
    if (own != NULL) {
        plan.own = own;
        plan.is_own_apart = write_part(&plan, plan.own_part, out->bytes[0]) == 0;
    }
    uint32_t apart = plan.is_own_apart ? 1 : 0;
    uint32_t count = parts->count + apart;
    uint32_t most = viewer->parts_max > 0 ? viewer->parts_max + apart : APEX_VIEWER_PARTS_MAX;
    most = most < APEX_VIEWER_PARTS_MAX ? most : APEX_VIEWER_PARTS_MAX;
    out->count = 0;
    out->next_part = viewer->next_part;
    if (count <= most) {
        for (uint32_t part = 0; part < count; part++) {
            encode_part(&plan, part, out);
        }
        return;
    }
    encode_part(&plan, plan.own_part, out);
    if (plan.is_own_apart) {
        encode_part(&plan, parts->count, out);
    }
    for (uint32_t step = 0; step < parts->count && out->count < most; step++) {
        uint32_t part = out->next_part % parts->count;
        out->next_part = (part + 1) % parts->count;
        if (part != plan.own_part) {
            encode_part(&plan, part, out);
        }
    }
}
