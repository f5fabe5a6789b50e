// The table and the JSON object are made of the figures by name.
#include "client-lite/load/report/load_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <uv.h>

#include "client-lite/cli/json_lines.h"
#include "client-lite/load/report/load_figures.h"

// Past this a snapshot waits about as long for its reader as for the server's next tick.
static const double LATE_MS_MAX = 20.0;

static bool is_terminal(void) {
    return uv_guess_handle(fileno(stderr)) == UV_TTY;
}

void cli_load_progress(const char *phase, const cli_load_counts *counts, uint32_t spectators_in,
                       const cli_load_lately *lately, const cli_load_tally *tally) {
    char text[256];
    double client_s = fmax(counts->in * lately->seconds, 1e-9);
    double on_tick = lately->player_snapshots > 0 ? 100.0 * (double)lately->controls_on_tick /
                                                        (double)lately->player_snapshots
                                                  : 0.0;
    snprintf(text, sizeof text,
             "%-9s %5" PRIu32 " in %5" PRIu32 " driving %3" PRIu64 " lost %3" PRIu64
             " refused  %4.1f snaps/s  %5.1f %% on tick  rtt %.1f p99 %.1f  tick p99 %.1f ms",
             phase, counts->in, counts->in - spectators_in, counts->lost, counts->refused,
             (double)lately->snapshots / client_s, on_tick,
             (double)apex_histogram_quantile(&lately->rtt_us, 0.5) / 1000.0,
             (double)apex_histogram_quantile(&lately->rtt_us, 0.99) / 1000.0,
             tally->server.last.tick_us_p99 / 1000.0);
    if (is_terminal()) {
        // A line that wraps could not be written over.
        struct winsize size = {0};
        if (ioctl(fileno(stderr), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 &&
            size.ws_col <= sizeof text) {
            text[size.ws_col - 1] = '\0';
        }
        fprintf(stderr, "\r\033[K%s", text);
    } else {
        fprintf(stderr, "%s\n", text);
    }
    fflush(stderr);
}

void cli_load_progress_end(void) {
    fputs("\r\033[K", stderr);
}

static double figure(const cli_load_figures *figures, const char *name) {
    for (size_t i = 0; i < figures->count; i++) {
        if (strcmp(figures->at[i].name, name) == 0) {
            return figures->at[i].value;
        }
    }
    return (double)NAN;
}

static void print_number(double value, int width, int decimals) {
    if (isnan(value)) {
        printf("%*s", width, "-");
    } else {
        printf("%*.*f", width, decimals, value);
    }
}

static void print_spread(const cli_load_figures *figures, const char *title, const char *name,
                         const char *unit) {
    static const char *const PARTS[] = {"p50", "p90", "p99", "max"};
    printf("%-24s", title);
    for (int i = 0; i < 4; i++) {
        char full[64];
        snprintf(full, sizeof full, "%s_%s_%s", name, PARTS[i], unit);
        print_number(figure(figures, full), 10, 1);
    }
    printf("  %s\n", unit);
}

static void print_one(const cli_load_figures *figures, const char *title, const char *name,
                      int decimals, const char *unit) {
    printf("%-24s", title);
    print_number(figure(figures, name), 10, decimals);
    printf("  %s\n", unit);
}

static void print_reasons(const char *title, const uint64_t by[APEX_REASON_COUNT]) {
    for (int reason = 0; reason < APEX_REASON_COUNT; reason++) {
        if (by[reason] > 0) {
            printf("%-24s%10" PRIu64 "  %s\n", title, by[reason],
                   reason == APEX_REASON_NONE ? "without a word"
                                              : apex_reason_name((apex_reason)reason));
        }
    }
}

static void print_clients(const cli_load_def *def, const cli_load_figures *figures,
                          const cli_load_counts *counts) {
    printf("%" PRIu32 " clients, profile %s", def->clients, def->profile);
    if (def->spectators > 0) {
        printf(", %" PRIu32 " spectators", def->spectators);
    }
    printf(", measured for %.1f s\n\n", figure(figures, "measured_s"));
    printf("%-24s%10" PRIu32 "  of %" PRIu32 "\n", "in the race", counts->in,
           def->clients + def->spectators);
    printf("%-24s%10" PRIu64 "\n%-24s%10" PRIu64 "\n%-24s%10" PRIu64 "\n%-24s%10" PRIu64 "\n",
           "joined", counts->joined, "left as they should", counts->left, "lost", counts->lost,
           "refused", counts->refused);
    print_reasons("  lost", counts->lost_by);
    print_reasons("  refused", counts->refused_by);
    print_reasons("  still asking", counts->waiting_by);
    if (counts->demoted > 0) { // still there, but as spectators: see idle_s of the race
        printf("%-24s%10" PRIu64 "  nobody drove their cars\n", "watch now", counts->demoted);
    }
    if (counts->without_socket > 0) {
        printf("%-24s%10" PRIu64 "\n", "without a socket", counts->without_socket);
    }
}

static void print_server(const cli_load_figures *figures, const cli_load_server *server) {
    print_one(figures, "server: tick p50", "tick_p50_ms", 2, "ms");
    print_one(figures, "  tick p99", "tick_p99_ms", 2, "ms");
    print_one(figures, "  tick p99, worst second", "tick_p99_worst_ms", 2, "ms");
    print_one(figures, "  tick max", "tick_max_ms", 2, "ms");
    print_one(figures, "  lateness p99", "late_p99_ms", 2, "ms");
    print_one(figures, "  the same, worst second", "late_p99_worst_ms", 2, "ms");
    print_one(figures, "  ticks dropped", "ticks_dropped", 0, "");
    print_one(figures, "  processor", "server_cpu_percent", 1, "% of a core");
    print_one(figures, "  a client-second", "server_cpu_us_per_client_s", 0, "us");
    for (uint32_t i = 0; i < server->refused_count; i++) {
        printf("%-24s%10" PRIu64 "  %s since its start\n", i == 0 ? "  refused" : "",
               server->refused[i].count, server->refused[i].name);
    }
}

static void print_table(const cli_load_figures *figures, const cli_rival_figures *rivals) {
    printf("\n%-24s%10s%10s%10s%10s\n", "", "p50", "p90", "p99", "max");
    print_spread(figures, "round trip", "rtt", "ms");
    print_spread(figures, "snapshot interval", "interval", "ms");
    print_spread(figures, "age of newest state", "age", "ms");
    print_spread(figures, "age of what is shown", "shown", "ms");
    print_spread(figures, "down, a client-second", "down", "bytes");
    print_spread(figures, "snapshots missing", "loss", "percent");
    printf("\n");
    if (!isnan(figure(figures, "prediction_p50_mm"))) {
        print_one(figures, "prediction error, p50", "prediction_p50_mm", 1, "mm");
        print_one(figures, "  p99", "prediction_p99_mm", 1, "mm");
        print_one(figures, "  max", "prediction_max_mm", 1, "mm");
    }
    cli_rival_figures_print(rivals);
    print_one(figures, "snapshots", "snapshots_per_s", 2, "a client-second");
    print_one(figures, "  of the worst served", "snapshots_per_s_min", 2, "a second");
    print_one(figures, "  missing", "loss_percent", 3, "%");
    print_one(figures, "own car in them", "own_car_percent", 2, "%");
    print_one(figures, "controls on their tick", "on_tick_percent", 2, "%");
    print_one(figures, "up", "bytes_up_per_s", 0, "bytes a client-second");
    print_one(figures, "down", "bytes_down_per_s", 0, "bytes a client-second");
    print_one(figures, "undecodable", "undecodable", 0, "messages");
}

static void print_generator(const cli_load_figures *figures) {
    print_one(figures, "generator: processor", "load_cpu_percent", 1, "% of a core");
    print_one(figures, "  a client-second", "load_cpu_us_per_client_s", 0, "us");
    print_one(figures, "  lateness p99", "load_late_p99_ms", 2, "ms");
    if (figure(figures, "load_late_p99_ms") > LATE_MS_MAX) {
        printf("\nThe generator was late itself: times above say as much about it as about the "
               "server.\nGive it a core of its own, or fewer clients.\n");
    }
}

static void put_reasons(apex_json_writer *json, const char *key,
                        const uint64_t by[APEX_REASON_COUNT]) {
    apex_json_open(json, key, '{');
    for (int reason = 0; reason < APEX_REASON_COUNT; reason++) {
        if (by[reason] > 0) {
            apex_json_count(json, apex_reason_name((apex_reason)reason), by[reason]);
        }
    }
    apex_json_close(json);
}

// A figure that was not measured is null.
static void put_figures(apex_json_writer *json, const cli_load_figures *figures) {
    apex_json_open(json, "figures", '{');
    for (size_t i = 0; i < figures->count; i++) {
        double value = figures->at[i].value;
        if (value == floor(value) && fabs(value) < 1e15) {
            apex_json_integer(json, figures->at[i].name, (int64_t)value);
        } else {
            apex_json_number(json, figures->at[i].name, value, 9);
        }
    }
    apex_json_close(json);
}

static void put_server_refused(apex_json_writer *json, const cli_load_server *server) {
    apex_json_open(json, "server_refused", '{');
    for (uint32_t i = 0; i < server->refused_count; i++) {
        apex_json_key(json, server->refused[i].name);
        apex_json_count(json, NULL, server->refused[i].count);
    }
    apex_json_close(json);
}

static void put_json(const cli_load_def *def, const cli_load_figures *figures,
                     const cli_load_tally *tally, const cli_load_counts *counts) {
    apex_json_writer json = cli_json_begin("load");
    apex_json_count(&json, "clients", def->clients);
    apex_json_count(&json, "spectators", def->spectators);
    apex_json_text(&json, "profile", def->profile);
    apex_json_real(&json, "churn_per_s", def->churn_per_s, 9);
    apex_json_count(&json, "seed", def->seed);
    put_figures(&json, figures);
    put_reasons(&json, "lost_by", counts->lost_by);
    put_reasons(&json, "refused_by", counts->refused_by);
    put_reasons(&json, "waiting_by", counts->waiting_by);
    apex_json_count(&json, "demoted", counts->demoted);
    put_server_refused(&json, &tally->server);
    cli_json_end(&json);
}

void cli_load_report(const cli_load_def *def, const cli_load_tally *tally,
                     const cli_load_counts *counts) {
    cli_load_figures figures;
    cli_load_figures_of(tally, counts, &figures);
    if (def->json) {
        put_json(def, &figures, tally, counts);
        return;
    }
    print_clients(def, &figures, counts);
    print_table(&figures, &tally->rivals);
    printf("\n");
    print_server(&figures, &tally->server);
    print_generator(&figures);
    fflush(stdout);
}
