// Snapshots, telemetry and statistics: what is sent at a rate.

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/log.h"
#include "host/host_private.h"

enum { STANDINGS_HZ = 2, AGAIN_HZ = 2 };

// Each viewer at another time: with thousands of them, each with a line of the standings of his
// own, sending to all at a time is a tick of tens of milliseconds.
static bool is_turn(uint64_t tick, uint32_t turn, uint32_t period_ticks) {
    return period_ticks > 0 && (tick + turn) % period_ticks == 0;
}

static bool allocate_due(apex_server *server) {
    host_frame *frame = &server->frame;
    uint32_t capacity = server->clients.end;
    frame->outbox = apex_arena_alloc(&server->frame_arena, capacity * sizeof *frame->outbox);
    frame->telemetry_due =
        apex_arena_alloc(&server->frame_arena, capacity * sizeof *frame->telemetry_due);
    frame->standings_due =
        apex_arena_alloc(&server->frame_arena, capacity * sizeof *frame->standings_due);
    frame->race_state_due =
        apex_arena_alloc(&server->frame_arena, capacity * sizeof *frame->race_state_due);
    return frame->outbox != NULL && frame->telemetry_due != NULL && frame->standings_due != NULL &&
           frame->race_state_due != NULL;
}

// Of a recording that stands still, or goes slowly, the same tick is sent again only now and then,
// to whom the first one may not have reached.
static bool is_worth_it(const apex_server *server, uint32_t *told_tick1, uint32_t turn,
                        bool is_due) {
    if (!is_due) {
        return false;
    }
    uint32_t tick1 = server->shown_tick + 1;
    if (*told_tick1 == tick1 && !server->frame.has_jumped &&
        !is_turn(server->rounds, turn, apex_race_tick_hz(server->race) / AGAIN_HZ)) {
        return false;
    }
    *told_tick1 = tick1;
    return true;
}

void host_find_due(apex_server *server) {
    host_frame *frame = &server->frame;
    uint64_t round = server->rounds;
    uint32_t tick_hz = apex_race_tick_hz(server->race), standings_period = tick_hz / STANDINGS_HZ;
    bool has_jumped = frame->has_jumped;
    // Half the rate while there is too much to do.
    uint32_t stretch = server->overload.strain >= HOST_STRAIN_HALF_RATE ? 2 : 1;
    if (!allocate_due(server)) {
        apex_log(APEX_LOG_ERROR, "host", "no room in the tick for a list of viewers");
        return;
    }
    for (uint32_t i = 0; i < server->clients.end; i++) {
        host_client *client = &server->clients.at[i];
        if (!client->admitted) {
            continue;
        }
        apex_viewer viewer = {.period_ticks = stretch * client->viewer.period_ticks,
                              .turn = client->viewer.turn};
        if (is_worth_it(server, &client->shown_tick1, viewer.turn,
                        (has_jumped && viewer.period_ticks > 0) ||
                            apex_viewer_is_due(&viewer, round))) {
            frame->outbox[frame->outbox_count++].client = client;
            frame->is_whole_due |= !client->wants_deltas;
        }
        bool is_measured = is_turn(round, client->viewer.turn, client->telemetry_period_ticks);
        if (is_worth_it(server, &client->measured_tick1, viewer.turn, is_measured)) {
            frame->telemetry_due[frame->telemetry_count++] = i;
        }
        bool is_listed = has_jumped || is_turn(round, client->viewer.turn, standings_period);
        if (client->wants_standings && is_listed) {
            frame->standings_due[frame->standings_count++] = i;
        }
        if (has_jumped || is_turn(round, client->viewer.turn, tick_hz)) {
            frame->race_state_due[frame->race_state_count++] = i;
        }
    }
}

apex_view_limits host_view_limits(apex_snapshot_preset preset) {
    switch (preset) {
    case APEX_SNAPSHOTS_LAN:
        return apex_view_limits_lan();
    case APEX_SNAPSHOTS_INTERNET:
        return apex_view_limits_internet();
    case APEX_SNAPSHOTS_CROWD:
        break;
    }
    return apex_view_limits_crowd();
}

// What the server's line leaves each of those who are served in this tick.
static uint32_t share_of_line(const apex_server *server) {
    enum { HEADERS_BYTES = 48 }; // of IP, UDP, ENet and the envelope
    double bytes_per_s = server->file.snapshot_mbit_per_s_max * 1e6 / 8.0;
    double viewers_per_s =
        (double)server->frame.outbox_count * (double)apex_race_tick_hz(server->race);
    if (bytes_per_s <= 0.0 || viewers_per_s <= 0.0) {
        return UINT32_MAX;
    }
    double share = bytes_per_s / viewers_per_s - HEADERS_BYTES;
    return share < 0.0 ? 0 : (share < (double)UINT32_MAX ? (uint32_t)share : UINT32_MAX);
}

// Who has no car looks at all of them, whatever drivers may have.
static apex_view_limits limits_for(const apex_server *server, const host_client *client) {
    apex_view_limits limits = client->viewer.own_car != 0
                                  ? server->view_limits
                                  : apex_view_limits_spectator(server->replica);
    uint32_t wished = client->snapshot_bytes_max;
    if (wished >= APEX_DELTA_BYTES_MIN && wished < limits.bytes_max) {
        limits.bytes_max = wished;
    }
    uint32_t share = share_of_line(server);
    if (share < limits.bytes_max) {
        limits.bytes_max = share > APEX_DELTA_BYTES_MIN ? share : APEX_DELTA_BYTES_MIN;
    }
    if (server->overload.strain >= HOST_STRAIN_FEWER_CARS) {
        limits.neighbours_max /= 2;
        limits.listed_cars = client->viewer.own_car != 0 ? 0 : limits.listed_cars / 4;
    }
    return limits;
}

// Of all that is read nothing is written but the viewer's memory, where the packet is noted.
static void encode_delta(const apex_server *server, const host_outbox *outbox,
                         apex_viewer_memory *memory, apex_viewer_packets *out) {
    const host_frame *frame = &server->frame;
    const host_client *client = outbox->client;
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    apex_view_limits limits = limits_for(server, client);
    // The exact own car has the room that it takes; the others share what is left.
    size_t room = APEX_DELTA_BYTES_MAX - (outbox->has_own ? apex_own_car_bytes(&outbox->own) : 0);
    if (limits.bytes_max > room) {
        limits.bytes_max = (uint32_t)room;
    }
    apex_delta_view view = {.viewer = &client->viewer,
                            .limits = &limits,
                            .focus_slot = apex_delta_slot(client->focus_car),
                            .phase = frame->snapshot.phase,
                            .race_time_ms = frame->snapshot.race_time_ms};
    apex_server_message message = {.kind = APEX_SERVER_SNAPSHOT};
    message.snapshot.own = outbox->has_own ? &outbox->own : NULL;
    message.snapshot.delta = bytes;
    message.snapshot.delta_length = apex_replica_encode(server->replica, &view, memory, bytes);
    out->length[0] = (uint32_t)apex_encode_server(&message, out->bytes[0], APEX_DATAGRAM_BYTES_MAX);
    APEX_ASSERT(out->length[0] > 0);
    out->count = 1;
}

static void encode_range(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
    const apex_server *server = context;
    const host_frame *frame = &server->frame;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        const host_outbox *outbox = &frame->outbox[i];
        host_client *client = outbox->client;
        if (client->wants_deltas) {
            encode_delta(server, outbox, host_client_memory(&server->clients, client),
                         outbox->packets);
        } else {
            apex_replicate_encode(&frame->snapshot, &frame->parts,
                                  outbox->has_own ? &outbox->own : NULL, &client->viewer,
                                  outbox->packets);
        }
    }
}

void host_encode_views(apex_server *server) {
    enum { VIEWERS_IN_A_JOB = 8 };
    host_frame *frame = &server->frame;
    uint32_t due = (uint32_t)frame->outbox_count;
    apex_viewer_packets *packets =
        apex_arena_alloc(&server->frame_arena, (due + (size_t)1) * sizeof *packets);
    if (packets == NULL) {
        apex_log(APEX_LOG_ERROR, "host", "no room in the tick for %u viewers", due);
        frame->outbox_count = 0;
        return;
    }
    for (uint32_t i = 0; i < due; i++) {
        frame->outbox[i].packets = &packets[i];
        host_controls_told(&frame->outbox[i].client->controls);
    }
    apex_jobs_for(server->jobs, due, VIEWERS_IN_A_JOB, encode_range, server);
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

// Many look at the same few cars.
enum { TELEMETRY_TOLD = 8 };

typedef struct telemetry_told {
    apex_player_id player;
    size_t length;        ///< 0: it has no car, or the frame no room
    const uint8_t *bytes; ///< on the frame, where they live until they are sent
} telemetry_told;

// Who drives is told of his own car, who watches of the one that he looks at.
static bool subject_of(const apex_server *server, const host_client *client, apex_player_id *out) {
    if (client->player.index1 != 0) {
        *out = client->player;
        return true;
    }
    return apex_race_player_of_car(server->race, apex_car_of_wire_id(client->focus_car), out);
}

static telemetry_told tell_telemetry(apex_server *server, apex_player_id player) {
    apex_server_message message = {.kind = APEX_SERVER_TELEMETRY};
    telemetry_told told = {.player = player};
    if (!apex_replicate_telemetry(server->race, player, &message.telemetry)) {
        return told;
    }
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    size_t length = apex_encode_server(&message, bytes, sizeof bytes);
    APEX_ASSERT(length > 0);
    uint8_t *kept = apex_arena_alloc(&server->frame_arena, length);
    if (kept != NULL) {
        memcpy(kept, bytes, length);
        told.bytes = kept;
        told.length = length;
    }
    return told;
}

static void send_telemetry(apex_server *server) {
    const host_frame *frame = &server->frame;
    telemetry_told told[TELEMETRY_TOLD];
    uint32_t count = 0;
    for (size_t i = 0; i < frame->telemetry_count; i++) {
        const host_client *client = &server->clients.at[frame->telemetry_due[i]];
        apex_player_id player;
        if (!subject_of(server, client, &player)) {
            continue;
        }
        uint32_t at = 0;
        while (at < count && memcmp(&told[at].player, &player, sizeof player) != 0) {
            at++;
        }
        if (at == count) {
            at = count < TELEMETRY_TOLD ? count++ : TELEMETRY_TOLD - 1;
            told[at] = tell_telemetry(server, player);
        }
        if (told[at].length > 0) {
            apex_sessions_send_bytes(server->sessions, client->session, APEX_CHANNEL_STATE,
                                     told[at].bytes, told[at].length);
        }
    }
}

void host_send_views(apex_server *server) {
    send_snapshots(server);
    send_telemetry(server);
}

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
    add_count(counts, &used, "refused-busy", server->refused_busy);
    add_count(counts, &used, "controls-late", server->controls_counters.late);
    add_count(counts, &used, "controls-early", server->controls_counters.early);
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
        .tick_us_p50 = (uint32_t)apex_histogram_quantile(&metrics->work_second, 0.5),
        .tick_us_p99 = (uint32_t)apex_histogram_quantile(&metrics->work_second, 0.99),
        .tick_us_max = (uint32_t)metrics->work_second.max,
        .late_us_p99 = (uint32_t)apex_histogram_quantile(&metrics->late_second, 0.99),
        .ticks_dropped = (uint32_t)metrics->ticks_dropped,
        .cpu_us = metrics->cpu_us,
    };
    const apex_controls_counters *controls = &server->controls_counters;
    stats.controls_used = controls->used_on_tick;
    stats.controls_missed = controls->missed;
    memcpy(stats.controls_depths, controls->depths, sizeof stats.controls_depths);
    memcpy(stats.controls_gaps, controls->gaps, sizeof stats.controls_gaps);
    if (transport != NULL) {
        stats.bytes_in = transport[APEX_TRANSPORT_BYTES_IN];
        stats.bytes_out = transport[APEX_TRANSPORT_BYTES_OUT];
        stats.packets_in = transport[APEX_TRANSPORT_PACKETS_IN];
        stats.packets_out = transport[APEX_TRANSPORT_PACKETS_OUT];
    }
    return stats;
}

void host_send_stats(apex_server *server) {
    if (server->rounds % apex_race_tick_hz(server->race) != 0) {
        return;
    }
    apex_count counts[APEX_STATS_COUNTS_MAX];
    apex_server_message message = {.kind = APEX_SERVER_STATS, .stats = collect_stats(server)};
    message.stats.refused_count = collect_refusals(server, counts);
    message.stats.refused = counts;
    for (uint32_t i = 0; i < server->clients.end; i++) {
        const host_client *client = &server->clients.at[i];
        if (client->admitted && client->wants_stats) {
            apex_sessions_send(server->sessions, client->session, &message);
        }
    }
}
