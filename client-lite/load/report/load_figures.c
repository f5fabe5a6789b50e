// Every figure is worked out here from what was counted.
#include "client-lite/load/report/load_figures.h"

#include <inttypes.h>
#include <math.h>

#include "base/assert.h"
#include "client-lite/cli/options.h"
#include "client-lite/commands.h"

static void put(cli_load_figures *figures, const char *name, double value) {
    APEX_ASSERT(figures->count < CLI_LOAD_FIGURES_MAX);
    figures->at[figures->count++] = (client_figure){.name = name, .value = value};
}

static double ratio(double part, double whole) {
    return whole > 0.0 ? part / whole : (double)NAN;
}

static double quantile_of(const apex_histogram *histogram, double share, double units) {
    return histogram->count > 0 ? (double)apex_histogram_quantile(histogram, share) / units
                                : (double)NAN;
}

// Of thousandths.
static double quantile(const apex_histogram *histogram, double share) {
    return quantile_of(histogram, share, 1000.0);
}

static void put_spread(cli_load_figures *figures, const char *const names[4],
                       const apex_histogram *histogram, double units) {
    static const double SHARES[4] = {0.5, 0.9, 0.99, 1.0};
    for (int i = 0; i < 4; i++) {
        put(figures, names[i], quantile_of(histogram, SHARES[i], units));
    }
}

static void put_clients(cli_load_figures *figures, const cli_load_counts *counts) {
    put(figures, "in", counts->in);
    put(figures, "in_max", counts->in_max);
    put(figures, "joined", (double)counts->joined);
    put(figures, "left", (double)counts->left);
    put(figures, "lost", (double)counts->lost);
    put(figures, "refused", (double)counts->refused);
    put(figures, "waiting", counts->waiting);
    put(figures, "without_socket", (double)counts->without_socket);
}

static void put_spreads(cli_load_figures *figures, const cli_load_tally *tally) {
    static const char *const RTT[4] = {"rtt_p50_ms", "rtt_p90_ms", "rtt_p99_ms", "rtt_max_ms"};
    static const char *const INTERVAL[4] = {"interval_p50_ms", "interval_p90_ms", "interval_p99_ms",
                                            "interval_max_ms"};
    static const char *const AGE[4] = {"age_p50_ms", "age_p90_ms", "age_p99_ms", "age_max_ms"};
    static const char *const SHOWN[4] = {"shown_p50_ms", "shown_p90_ms", "shown_p99_ms",
                                         "shown_max_ms"};
    static const char *const DOWN[4] = {"down_p50_bytes", "down_p90_bytes", "down_p99_bytes",
                                        "down_max_bytes"};
    static const char *const LOSS[4] = {"loss_p50_percent", "loss_p90_percent", "loss_p99_percent",
                                        "loss_max_percent"};
    put_spread(figures, RTT, &tally->rtt_us, 1000.0);
    put_spread(figures, INTERVAL, &tally->interval_us, 1000.0);
    put_spread(figures, AGE, &tally->age_us, 1000.0);
    put_spread(figures, SHOWN, &tally->shown_us, 1000.0);
    put_spread(figures, DOWN, &tally->down_bytes_per_s, 1.0);
    put_spread(figures, LOSS, &tally->loss_ppm, 10000.0);
}

static void put_rivals(cli_load_figures *figures, const cli_rival_figures *rivals) {
    apex_client_rival_errors errors = cli_rival_figures_of(rivals);
    put(figures, "rivals_compared", (double)errors.compared);
    put(figures, "rivals_late", (double)errors.late);
    put(figures, "rival_touches_came", (double)errors.touches_came);
    put(figures, "rival_touches_phantom", (double)errors.touches_phantom);
    put(figures, "rival_touches_unforeseen", (double)errors.touches_unforeseen);
    put(figures, "rival_along_p50_mm", 1e3 * errors.along_m_p50);
    put(figures, "rival_along_p95_mm", 1e3 * errors.along_m_p95);
    put(figures, "rival_along_p99_mm", 1e3 * errors.along_m_p99);
    put(figures, "rival_across_p50_mm", 1e3 * errors.across_m_p50);
    put(figures, "rival_across_p95_mm", 1e3 * errors.across_m_p95);
    put(figures, "rival_across_p99_mm", 1e3 * errors.across_m_p99);
    put(figures, "rival_horizon_p50_ms", 1e3 * errors.horizon_s_p50);
    put(figures, "rival_horizon_p99_ms", 1e3 * errors.horizon_s_p99);
    put(figures, "rival_correction_p99_mps", errors.correction_mps_p99);
    put(figures, "rival_correction_max_mps", errors.correction_mps_max);
}

static void put_traffic(cli_load_figures *figures, const cli_load_tally *tally) {
    put(figures, "prediction_p50_mm", quantile(&tally->prediction_p50_um, 0.5));
    put(figures, "prediction_p99_mm", quantile(&tally->prediction_p99_um, 0.5));
    put(figures, "prediction_max_mm", quantile(&tally->prediction_max_um, 1.0));
    put(figures, "snapshots_per_s", ratio((double)tally->snapshots, tally->client_s));
    put(figures, "snapshots_per_s_min",
        isfinite(tally->snapshots_per_s_min) ? tally->snapshots_per_s_min : (double)NAN);
    put(figures, "loss_percent",
        100.0 * cli_load_missing(tally, tally->snapshots, tally->ticks_spanned));
    put(figures, "own_car_percent",
        100.0 * ratio((double)tally->own_cars, (double)(tally->player_snapshots - tally->glanced)));
    put(figures, "on_tick_percent",
        100.0 * ratio((double)tally->controls_on_tick, (double)tally->player_snapshots));
    put(figures, "bytes_up_per_s", ratio((double)tally->bytes_out, tally->client_s));
    put(figures, "bytes_down_per_s", ratio((double)tally->bytes_in, tally->client_s));
    put(figures, "packets_up_per_s", ratio((double)tally->packets_out, tally->client_s));
    put(figures, "packets_down_per_s", ratio((double)tally->packets_in, tally->client_s));
    put(figures, "undecodable", (double)tally->undecodable);
}

static void put_server(cli_load_figures *figures, const cli_load_tally *tally) {
    const cli_load_server *server = &tally->server;
    bool heard = server->heard > 0;
    double cpu_us = (double)(server->last.cpu_us - server->first.cpu_us);
    double seconds = (double)(server->last_us - server->first_us) / 1e6;
    bool has_cpu = heard && server->last.cpu_us > 0;
    put(figures, "tick_p50_ms", quantile(&server->tick_us_p50, 0.5));
    put(figures, "tick_p99_ms", quantile(&server->tick_us_p99, 0.5));
    put(figures, "tick_p99_worst_ms", quantile(&server->tick_us_p99, 1.0));
    put(figures, "tick_max_ms", heard ? server->tick_us_max / 1000.0 : (double)NAN);
    put(figures, "late_p99_ms", quantile(&server->late_us_p99, 0.5));
    put(figures, "late_p99_worst_ms", quantile(&server->late_us_p99, 1.0));
    put(figures, "ticks_dropped",
        heard ? (double)(server->last.ticks_dropped - server->first.ticks_dropped) : (double)NAN);
    put(figures, "server_cpu_percent", has_cpu ? ratio(cpu_us / 1e4, seconds) : (double)NAN);
    put(figures, "server_cpu_us_per_client_s",
        has_cpu ? ratio(cpu_us, server->client_s) : (double)NAN);
}

void cli_load_figures_of(const cli_load_tally *tally, const cli_load_counts *counts,
                         cli_load_figures *out) {
    out->count = 0;
    put_clients(out, counts);
    put_spreads(out, tally);
    put_traffic(out, tally);
    put_rivals(out, &tally->rivals);
    put_server(out, tally);
    put(out, "load_cpu_percent", 100.0 * ratio(tally->cpu_s, tally->measured_s));
    put(out, "load_cpu_us_per_client_s", 1e6 * ratio(tally->cpu_s, tally->client_s));
    put(out, "load_late_p99_ms", quantile(&tally->round_late_us, 0.99));
    put(out, "measured_s", tally->measured_s);
}

// Fewer clients than were asked for measure something else.
static bool all_were_in(const cli_load_def *def, const cli_load_counts *counts) {
    uint32_t asked = def->clients + def->spectators;
    if (def->allow_refused || counts->in_max >= asked) {
        return true;
    }
    cli_complain("%" PRIu32 " of %" PRIu32 " clients got in (%" PRIu64
                 " refused); --allow-refused takes fewer",
                 counts->in_max, asked, counts->refused);
    return false;
}

int cli_load_judge(const cli_load_def *def, const cli_load_counts *counts,
                   const cli_load_figures *figures) {
    bool has_all = all_were_in(def, counts);
    if (def->fail_if == NULL) {
        return has_all ? CLI_OK : CLI_FAILED;
    }
    const char *unknown = NULL;
    switch (client_condition_answer_of(def->fail_if, figures->at, figures->count, &unknown)) {
    case CLIENT_CONDITION_FALSE:
        return has_all ? CLI_OK : CLI_FAILED;
    case CLIENT_CONDITION_TRUE:
        cli_complain("--fail-if '%s' is true", def->fail_if);
        return CLI_FAILED;
    case CLIENT_CONDITION_UNKNOWN:
        break;
    }
    cli_complain("--fail-if '%s' cannot be answered: %s was not measured", def->fail_if, unknown);
    return CLI_FAILED;
}
