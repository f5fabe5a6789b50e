// Figures of ticks, network and refusals go once a second to those who asked for it.

#include "host/figures/statistics.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "host/figures/refusals.h"

static apex_server_stats collect_stats(const host_frame *frame, const host_metrics *metrics,
                                       const apex_controls_counters *controls,
                                       const host_network *network) {
    const uint64_t *transport = host_transport_counters(network);
    apex_server_stats stats = {
        .tick = frame->snapshot.tick,
        .uptime_s = (uint32_t)(frame->uptime_us / 1000000u),
        .clients = apex_sessions_welcomed(network->sessions),
        .players = frame->status.players,
        .tick_us_p50 = (uint32_t)apex_histogram_quantile(&metrics->work_second, 0.5),
        .tick_us_p99 = (uint32_t)apex_histogram_quantile(&metrics->work_second, 0.99),
        .tick_us_max = (uint32_t)metrics->work_second.max,
        .late_us_p99 = (uint32_t)apex_histogram_quantile(&metrics->late_second, 0.99),
        .ticks_dropped = (uint32_t)metrics->ticks_dropped,
        .cpu_us = metrics->cpu_us,
    };
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

// Those that happened.
static uint32_t count_refusals(const host_clients *clients, const host_network *network,
                               apex_count counts[APEX_STATS_COUNTS_MAX]) {
    _Static_assert((int)HOST_REFUSALS_MAX <= (int)APEX_STATS_COUNTS_MAX, "all fit a message");
    host_refusal refusals[HOST_REFUSALS_MAX];
    size_t all = host_list_refusals(clients, network, refusals);
    uint32_t used = 0;
    for (size_t i = 0; i < all; i++) {
        if (refusals[i].count > 0) {
            apex_count *slot = &counts[used++];
            snprintf(slot->name, sizeof slot->name, "%s", refusals[i].name);
            slot->count = refusals[i].count;
        }
    }
    return used;
}

void host_send_statistics(const host_frame *frame, const host_metrics *metrics,
                          const host_clients *clients, host_network *network) {
    APEX_ASSERT(clients->end <= clients->capacity);
    if (frame->round % frame->tick_hz != 0) {
        return;
    }
    apex_count counts[APEX_STATS_COUNTS_MAX];
    apex_server_message message = {
        .kind = APEX_SERVER_STATS,
        .stats = collect_stats(frame, metrics, &clients->controls_counters, network)};
    message.stats.refused_count = count_refusals(clients, network, counts);
    message.stats.refused = counts;
    for (uint32_t i = 0; i < clients->end; i++) {
        const host_client *client = &clients->at[i];
        if (client->admitted && client->wants_stats) {
            apex_sessions_send(network->sessions, client->session, &message);
        }
    }
}
