/// The load generator's tally: counts and histograms of all clients and of the server.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/histogram.h"
#include "client-lite/cli/rival_figures.h"
#include "client-lite/client.h"

/// Of one server, by its own word once a second. Percentiles are of each second.
typedef struct cli_load_server {
    bool any;
    apex_server_stats first, last; ///< their lists of refusals are not kept
    uint64_t first_us, last_us;    ///< when they came
    uint64_t heard;
    double client_s; ///< by the server's own count of clients
    apex_histogram tick_us_p50, tick_us_p99, late_us_p99;
    uint32_t tick_us_max;
    uint32_t refused_count; ///< its refusals since its start, by reason
    apex_count refused[APEX_STATS_COUNTS_MAX];
} cli_load_server;

typedef struct cli_load_tally {
    apex_histogram rtt_us, interval_us, age_us;
    /// Of each sampled client that predicts: half of its errors were below, a hundredth above.
    apex_histogram prediction_p50_um, prediction_p99_um, prediction_max_um;
    cli_rival_figures rivals; ///< of sampled clients that look ahead
    apex_histogram shown_us;  ///< age of cars as sampled clients show them, but for those that are
                              ///< ahead, or stand where they were last heard of
    apex_histogram down_bytes_per_s, loss_ppm; ///< of each client
    apex_histogram round_late_us;              ///< of the generator itself
    uint64_t snapshots, ticks_spanned, player_snapshots, glanced, own_cars, controls_on_tick;
    uint64_t bytes_in, bytes_out, packets_in, packets_out, undecodable;
    double client_s;            ///< seconds in the race, summed over clients
    double measured_s, cpu_s;   ///< of the generator
    double snapshots_per_s_min; ///< of the clients that were there all the time
    double tick_hz, snapshot_hz;
    cli_load_server server;
} cli_load_tally;

/// The fates of the clients since the start. A client is lost that was in the race and whose
/// connection ended without its own doing; one that never got in, whatever the server said, is
/// refused. The line of progress and the report count alike.
typedef struct cli_load_counts {
    uint32_t in, in_max; ///< in the race now; at most
    uint64_t joined, left, lost, refused, without_socket;
    uint64_t demoted; ///< watch, for nobody drove their cars
    uint64_t lost_by[APEX_REASON_COUNT], refused_by[APEX_REASON_COUNT];
    uint64_t waiting_by[APEX_REASON_COUNT]; ///< at the end: still asking, by the last refusal
    uint32_t waiting;
} cli_load_counts;

/// Of the time since the last progress line.
typedef struct cli_load_lately {
    apex_histogram rtt_us;
    uint64_t snapshots, player_snapshots, controls_on_tick;
    double seconds;
} cli_load_lately;

/// Takes the errors with which one sampled client, at its end, says that its own car was predicted.
void cli_load_hear_prediction(cli_load_tally *tally, double p50_m, double p99_m, double max_m);
/// The traffic that one client got in so many seconds.
typedef struct cli_load_got {
    double seconds;
    uint64_t bytes, snapshots, ticks_spanned; ///< from the first snapshot to the newest
} cli_load_got;
void cli_load_hear_client(cli_load_tally *tally, const cli_load_got *got);
/// The newest ServerStats of the one client that subscribed to them.
void cli_load_glance_at_server(cli_load_tally *tally, const apex_server_stats *stats);
/// The same while it is measured.
void cli_load_hear_server(cli_load_tally *tally, const apex_server_stats *stats, uint64_t time_us);
/// Of the snapshots that should have come between the first and the newest, those that did not.
double cli_load_missing(const cli_load_tally *tally, uint64_t snapshots, uint64_t ticks_spanned);
