// Snapshots, telemetry and statistics: what is sent at a rate.

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "host/host_private.h"

// --- Snapshots ----------------------------------------------------------------------------------

static uint32_t due_viewers(const apex_server *server, uint64_t tick, host_outbox *outbox) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < server->clients.capacity; i++) {
        host_client *client = &server->clients.at[i];
        if (client->admitted && apex_viewer_is_due(&client->viewer, tick)) {
            outbox[count++].client = client;
        }
    }
    return count;
}

static void encode_range(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    host_frame *frame = context;
    for (uint32_t i = begin; i < end; i++) {
        apex_replicate_encode(&frame->snapshot, &frame->parts, &frame->outbox[i].client->viewer,
                              frame->outbox[i].packets);
    }
}

void host_encode_views(apex_server *server) {
    enum { VIEWERS_IN_A_JOB = 8 };
    host_frame *frame = &server->frame;
    frame->outbox =
        apex_arena_alloc(&server->frame_arena, server->clients.capacity * sizeof *frame->outbox);
    if (frame->outbox == NULL) {
        return;
    }
    uint32_t due = due_viewers(server, frame->snapshot.tick, frame->outbox);
    apex_viewer_packets *packets =
        apex_arena_alloc(&server->frame_arena, (due + (size_t)1) * sizeof *packets);
    if (packets == NULL) {
        apex_log(APEX_LOG_ERROR, "host", "no room in the tick for %u viewers", due);
        return;
    }
    for (uint32_t i = 0; i < due; i++) {
        frame->outbox[i].packets = &packets[i];
    }
    frame->outbox_count = due;
    apex_jobs_for(server->jobs, due, VIEWERS_IN_A_JOB, encode_range, frame);
}

static void send_snapshots(apex_server *server) {
    const host_frame *frame = &server->frame;
    for (size_t i = 0; i < frame->outbox_count; i++) {
        const host_outbox *outbox = &frame->outbox[i];
        for (uint32_t part = 0; part < outbox->packets->count; part++) {
            apex_sessions_send_bytes(server->sessions, outbox->client->session, APEX_CHANNEL_STATE,
                                     outbox->packets->bytes[part], outbox->packets->length[part]);
        }
    }
}

// --- Telemetry ----------------------------------------------------------------------------------

static void send_telemetry(apex_server *server) {
    uint64_t tick = server->frame.snapshot.tick;
    for (uint32_t i = 0; i < server->clients.capacity; i++) {
        const host_client *client = &server->clients.at[i];
        uint32_t period = client->telemetry_period_ticks;
        if (period == 0 || (tick + client->viewer.turn) % period != 0) {
            continue;
        }
        apex_server_message message = {.kind = APEX_SERVER_TELEMETRY};
        if (apex_replicate_telemetry(server->race, client->player, &message.telemetry)) {
            apex_sessions_send(server->sessions, client->session, &message);
        }
    }
}

void host_send_views(apex_server *server) {
    send_snapshots(server);
    send_telemetry(server);
}

// --- Statistics ---------------------------------------------------------------------------------

static void add_count(apex_count counts[], uint32_t *used, const char *name, uint64_t count) {
    if (count == 0 || *used == APEX_STATS_COUNTS_MAX) {
        return;
    }
    apex_count *slot = &counts[(*used)++];
    snprintf(slot->name, sizeof slot->name, "%s", name);
    slot->count = count;
}

static uint32_t collect_refusals(const apex_server *server, apex_count counts[]) {
    uint32_t used = 0;
    const uint64_t *sessions = apex_sessions_counters(server->sessions);
    for (int i = APEX_SESSION_REFUSED_VERSION; i < APEX_SESSION_COUNTERS; i++) {
        add_count(counts, &used, apex_session_counter_name((apex_session_counter)i), sessions[i]);
    }
    add_count(counts, &used, "refused-unknown-car", server->refused_unknown_car);
    add_count(counts, &used, "refused-race", server->refused_race);
    const uint64_t *transport = apex_server_transport_counters(server);
    for (int i = APEX_TRANSPORT_REFUSED_MALFORMED; transport != NULL && i < APEX_TRANSPORT_COUNTERS;
         i++) {
        add_count(counts, &used, apex_transport_counter_name((apex_transport_counter)i),
                  transport[i]);
    }
    return used;
}

static apex_server_stats collect_stats(const apex_server *server) {
    const uint64_t *transport = apex_server_transport_counters(server);
    const host_metrics *metrics = &server->metrics;
    apex_server_stats stats = {
        .tick = server->frame.snapshot.tick,
        .uptime_s = (uint32_t)((server->now_us - server->start_us) / 1000000u),
        .clients = apex_sessions_welcomed(server->sessions),
        .players = apex_race_status_of(server->race).players,
        .tick_us_p50 = (uint32_t)host_histogram_quantile_us(&metrics->work_second, 0.5),
        .tick_us_p99 = (uint32_t)host_histogram_quantile_us(&metrics->work_second, 0.99),
        .tick_us_max = (uint32_t)metrics->work_second.max_us,
        .late_us_p99 = (uint32_t)host_histogram_quantile_us(&metrics->late_second, 0.99),
        .ticks_dropped = (uint32_t)metrics->ticks_dropped,
    };
    if (transport != NULL) {
        stats.bytes_in = transport[APEX_TRANSPORT_BYTES_IN];
        stats.bytes_out = transport[APEX_TRANSPORT_BYTES_OUT];
        stats.packets_in = transport[APEX_TRANSPORT_PACKETS_IN];
        stats.packets_out = transport[APEX_TRANSPORT_PACKETS_OUT];
    }
    return stats;
}

void host_send_stats(apex_server *server) {
    if (server->frame.snapshot.tick % apex_race_tick_hz(server->race) != 0) {
        return;
    }
    apex_count counts[APEX_STATS_COUNTS_MAX];
    apex_server_message message = {.kind = APEX_SERVER_STATS, .stats = collect_stats(server)};
    message.stats.refused_count = collect_refusals(server, counts);
    message.stats.refused = counts;
    for (uint32_t i = 0; i < server->clients.capacity; i++) {
        const host_client *client = &server->clients.at[i];
        if (client->admitted && client->wants_stats) {
            apex_sessions_send(server->sessions, client->session, &message);
        }
    }
}
