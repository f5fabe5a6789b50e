// The counts of all clients are added up here, and what the server says of itself.
#include "client-lite/load/report/load_tally.h"

#include <math.h>

void cli_load_glance_at_server(cli_load_tally *tally, const apex_server_stats *stats) {
    cli_load_server *server = &tally->server;
    server->last = *stats;
    server->last.refused = NULL; // the client's own, and soon others
    server->last.refused_count = 0;
    server->refused_count =
        stats->refused_count < APEX_STATS_COUNTS_MAX ? stats->refused_count : APEX_STATS_COUNTS_MAX;
    for (uint32_t i = 0; i < server->refused_count; i++) {
        server->refused[i] = stats->refused[i];
    }
}

void cli_load_hear_server(cli_load_tally *tally, const apex_server_stats *stats, uint64_t time_us) {
    cli_load_server *server = &tally->server;
    if (!server->any) {
        server->any = true;
        server->first = *stats;
        server->first.refused = NULL;
        server->first_us = time_us;
    } else if (stats->tick <= server->last.tick) {
        return;
    } else {
        // Its percentiles are of the second that has passed since the one before. By the clock and
        // not by ticks, since a server that is behind leaves some out.
        server->client_s += (double)(time_us - server->last_us) / 1e6 * stats->clients;
        server->heard++;
        apex_histogram_add(&server->tick_us_p50, stats->tick_us_p50);
        apex_histogram_add(&server->tick_us_p99, stats->tick_us_p99);
        apex_histogram_add(&server->late_us_p99, stats->late_us_p99);
        server->tick_us_max =
            stats->tick_us_max > server->tick_us_max ? stats->tick_us_max : server->tick_us_max;
    }
    cli_load_glance_at_server(tally, stats);
    server->last_us = time_us;
}

void cli_load_hear_prediction(cli_load_tally *tally, double p50_m, double p99_m, double max_m) {
    apex_histogram_add(&tally->prediction_p50_um, (uint64_t)(1e6 * p50_m));
    apex_histogram_add(&tally->prediction_p99_um, (uint64_t)(1e6 * p99_m));
    apex_histogram_add(&tally->prediction_max_um, (uint64_t)(1e6 * max_m));
}

double cli_load_missing(const cli_load_tally *tally, uint64_t snapshots, uint64_t ticks_spanned) {
    double period = tally->snapshot_hz > 0.0 ? tally->tick_hz / tally->snapshot_hz : 0.0;
    double expected = period > 0.0 ? (double)ticks_spanned / period : 0.0;
    return expected > 0.0 ? fmax(1.0 - (double)snapshots / expected, 0.0) : (double)NAN;
}

void cli_load_hear_client(cli_load_tally *tally, const cli_load_got *got) {
    double loss = cli_load_missing(tally, got->snapshots, got->ticks_spanned);
    if (got->seconds > 0.0) {
        apex_histogram_add(&tally->down_bytes_per_s, (uint64_t)((double)got->bytes / got->seconds));
    }
    if (isfinite(loss)) {
        apex_histogram_add(&tally->loss_ppm, (uint64_t)(1e6 * loss));
    }
}
