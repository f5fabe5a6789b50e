// The console's status, as data for operators.

#include <stdio.h>

#include "api/api_handlers.h"
#include "base/histogram.h"
#include "host/figures/figures.h"

static void write_counter(apex_json_writer *json, const char *name, uint64_t count) {
    char key[HOST_KEY_BYTES];
    apex_json_count(json, host_key_of(name, key), count);
}

static void write_times(apex_json_writer *json, const char *key, const apex_histogram *work,
                        const apex_histogram *late) {
    apex_json_open(json, key, '{');
    apex_json_count(json, "count", work->count);
    apex_json_count(json, "p50_us", apex_histogram_quantile(work, 0.5));
    apex_json_count(json, "p99_us", apex_histogram_quantile(work, 0.99));
    apex_json_count(json, "max_us", work->max);
    apex_json_count(json, "late_p50_us", apex_histogram_quantile(late, 0.5));
    apex_json_count(json, "late_p99_us", apex_histogram_quantile(late, 0.99));
    apex_json_count(json, "late_max_us", late->max);
    apex_json_close(json);
}

// Writes the share that the process got of the processor time that it asked for, if the system
// tells.
static void write_waits(apex_json_writer *json, const host_lateness *lateness) {
    const apex_process_times *times = &lateness->newest;
    if (!times->tells_waits) {
        apex_json_null(json, "run_delay_s");
        apex_json_null(json, "run_delay_last_s");
        apex_json_null(json, "given_percent_last_s");
        return;
    }
    const host_second *second = &lateness->second;
    apex_json_seconds(json, "run_delay_s",
                      (int64_t)(times->loop_waited_us + times->others_waited_us));
    apex_json_seconds(json, "run_delay_last_s",
                      (int64_t)host_lateness_a_second(second, second->waited_us));
    apex_json_count(json, "given_percent_last_s", host_lateness_given_percent(second));
}

static void write_ticks(apex_json_writer *json, const apex_server *server) {
    const host_metrics *metrics = &host_load_of(server)->metrics;
    write_times(json, "ticks", &metrics->work, &metrics->late);
    write_times(json, "ticks_last_s", &metrics->work_second, &metrics->late_second);
    apex_json_open(json, "ticks_last_min", '{');
    apex_json_count(json, "max_us", host_metrics_work_worst_us(metrics));
    apex_json_count(json, "late_max_us", host_metrics_late_worst_us(metrics));
    apex_json_close(json);
    apex_json_count(json, "ticks_dropped", metrics->ticks_dropped);
    apex_json_open(json, "stages_s", '{');
    for (int i = 0; i < HOST_STAGES; i++) {
        apex_json_seconds(json, host_stage_name((host_stage)i), (int64_t)metrics->stage_us[i]);
    }
    apex_json_close(json);
    apex_json_seconds(json, "cpu_s", (int64_t)metrics->cpu_us);
    write_waits(json, &host_load_of(server)->lateness);
    apex_json_count(json, "strain", host_load_of(server)->overload.strain);
    answer_json_text(json, "strain_text", host_strain_text(host_load_of(server)->overload.strain));
}

static void write_controls(apex_json_writer *json, const apex_controls_counters *controls) {
    apex_json_open(json, "controls", '{');
    apex_json_count(json, "on_tick", controls->used_on_tick);
    apex_json_count(json, "repeated", controls->missed);
    apex_json_count(json, "late", controls->late);
    apex_json_count(json, "early", controls->early);
    apex_json_count(json, "depth_p50_ticks",
                    apex_counts_quantile(controls->depths, APEX_CONTROLS_DEPTHS, 0.5));
    apex_json_count(json, "depth_p99_ticks",
                    apex_counts_quantile(controls->depths, APEX_CONTROLS_DEPTHS, 0.99));
    apex_json_open(json, "depths", '[');
    for (uint32_t i = 0; i < APEX_CONTROLS_DEPTHS; i++) {
        apex_json_count(json, NULL, controls->depths[i]);
    }
    apex_json_close(json);
    apex_json_open(json, "gaps", '[');
    for (uint32_t i = 0; i < APEX_CONTROLS_GAPS; i++) {
        apex_json_count(json, NULL, controls->gaps[i]);
    }
    apex_json_close(json);
    apex_json_close(json);
}

// By name, only those there were.
static void write_refusals(apex_json_writer *json, const apex_server *server) {
    host_refusal refusals[HOST_REFUSALS_MAX];
    size_t count = host_refusals(server, refusals);
    apex_json_open(json, "refusals", '{');
    for (size_t i = 0; i < count; i++) {
        if (refusals[i].count > 0) {
            write_counter(json, refusals[i].name, refusals[i].count);
        }
    }
    apex_json_close(json);
}

static void write_unless_refusal(apex_json_writer *json, apex_counter_row row, uint64_t count) {
    if (row.kind != APEX_COUNTS_REFUSALS) {
        write_counter(json, row.name, count);
    }
}

static void write_network(apex_json_writer *json, const apex_server *server) {
    const uint64_t *sessions = apex_server_session_counters(server);
    apex_json_open(json, "sessions", '{');
    for (int i = 0; i < APEX_SESSION_COUNTERS; i++) {
        write_unless_refusal(json, apex_session_counter_row((apex_session_counter)i), sessions[i]);
    }
    apex_json_close(json);
    const uint64_t *transport = apex_server_transport_counters(server);
    if (transport == NULL) {
        apex_json_null(json, "transport");
        return;
    }
    apex_json_open(json, "transport", '{');
    for (int i = 0; i < APEX_TRANSPORT_COUNTERS; i++) {
        write_unless_refusal(json, apex_transport_counter_row((apex_transport_counter)i),
                             transport[i]);
    }
    apex_json_close(json);
}

static void write_certificate(apex_json_writer *json, const apex_api *api) {
    if (api->certificate == NULL) {
        apex_json_null(json, "certificate_days");
        return;
    }
    int64_t days = api->certificate->days_left;
    apex_json_count(json, "certificate_days", days > 0 ? (uint64_t)days : 0);
}

static void write_store(apex_json_writer *json, apex_server *server) {
    apex_json_open(json, "store", '{');
    host_store_figures store = host_store_figures_of(server);
    apex_json_count(json, "waiting", store.waiting);
    apex_json_count(json, "committed", store.committed);
    apex_json_bool(json, "failing", store.is_failing);
    apex_json_count(json, "never_told", store.never_told);
    answer_json_text(json, "newest_results", apex_server_newest_results(server));
    apex_json_close(json);
}

static void write_quality(apex_json_writer *json, const host_driver *driver) {
    if (driver->address[0] != '\0') {
        answer_json_text(json, "address", driver->address);
    } else {
        apex_json_null(json, "address");
    }
    if (driver->has_quality) {
        apex_json_count(json, "round_trip_ms", driver->quality.round_trip_ms);
        apex_json_count(json, "jitter_ms", driver->quality.jitter_ms);
    } else {
        apex_json_null(json, "round_trip_ms");
        apex_json_null(json, "jitter_ms");
    }
    if (driver->knows_loss) {
        answer_json_share(json, "loss_ratio", driver->lost_ppm);
    } else {
        apex_json_null(json, "loss_ratio");
    }
    apex_json_count(json, "controls_on_tick", driver->controls_on_tick);
    apex_json_count(json, "controls_repeated", driver->controls_repeated);
}

static void write_player(apex_json_writer *json, apex_server *server, const apex_standing *line) {
    host_driver driver = host_driver_of(server, line);
    apex_json_open(json, NULL, '{');
    api_write_driver(json, server, line);
    apex_json_bool(json, "lost", driver.lost);
    write_quality(json, &driver);
    apex_json_close(json);
}

static void write_players(apex_json_writer *json, apex_server *server, const apex_standing lines[],
                          size_t count) {
    apex_json_open(json, "order", '[');
    for (size_t i = 0; i < count; i++) {
        write_player(json, server, &lines[i]);
    }
    apex_json_close(json);
}

void api_show_status(const api_call *call) {
    apex_server *server = call->server;
    apex_race_status status = apex_race_status_of(apex_server_race(server));
    size_t count = 0;
    const apex_standing *lines = host_told_lines(server, &count);
    apex_json_writer json = answer_json_begin(call->arena);
    apex_json_open(&json, NULL, '{');
    apex_json_count(&json, "id", call->race);
    answer_json_text(&json, "phase", apex_race_phase_name(status.phase));
    apex_json_count(&json, "race_number", status.race_number);
    apex_json_seconds(&json, "race_time_s", status.race_time_us);
    apex_json_count(&json, "tick", status.tick);
    apex_json_seconds(&json, "uptime_s", (int64_t)host_uptime_us(server));
    apex_json_bool(&json, "stopping", host_is_stopping(server));
    apex_json_bool(&json, "lockdown", host_is_locked(server));
    apex_json_count(&json, "players", status.players);
    apex_json_count(&json, "clients", host_client_count(server));
    write_ticks(&json, server);
    const apex_controls_counters controls = apex_server_controls_counters(server);
    write_controls(&json, &controls);
    write_refusals(&json, server);
    write_network(&json, server);
    write_certificate(&json, call->api);
    write_store(&json, server);
    write_players(&json, server, lines, count);
    apex_json_close(&json);
    api_answer_json(call, 200, &json);
}
