// Figures of ticks: how long, how late, where the time goes.

#include "api/metrics/families.h"
#include "host/figures/figures.h"

static uint64_t ticks(apex_server *server) {
    return host_load_of(server)->metrics.ticks;
}

static uint64_t dropped(apex_server *server) {
    return host_load_of(server)->metrics.ticks_dropped;
}

static uint64_t tick_hz(apex_server *server) {
    return apex_race_tick_hz(apex_server_race(server));
}

static uint64_t strain(apex_server *server) {
    return host_load_of(server)->overload.strain;
}

static const exposition_figure figures[] = {
    {"apex_ticks_total", EXPOSITION_COUNTER, "Ticks made.", ticks},
    {"apex_ticks_dropped_total", EXPOSITION_COUNTER,
     "Ticks left out because the server had fallen behind.", dropped},
    {"apex_tick_hz", EXPOSITION_GAUGE, "Ticks a second that the race asks for.", tick_hz},
    {"apex_overload_strain", EXPOSITION_GAUGE,
     "What is left out while ticks take too long: 0 nothing, 1 distant cars, 2 every other "
     "snapshot, 3 and nobody new gets in.",
     strain},
};

static void write_stages(exposition *out, const apex_api *api) {
    exposition_family(out, "apex_stage_seconds_total", EXPOSITION_COUNTER,
                      "Time spent in each stage of the tick.");
    for (uint32_t race = 1; race <= api->server_count; race++) {
        const host_metrics *metrics = &host_load_of(api->servers[race - 1])->metrics;
        for (int stage = 0; stage < HOST_STAGES; stage++) {
            exposition_begin(out, "");
            exposition_race(out, race);
            exposition_label(out, "stage", host_stage_name((host_stage)stage));
            exposition_seconds(out, metrics->stage_us[stage]);
        }
    }
}

static void write_build(exposition *out) {
    exposition_family(out, "apex_build_info", EXPOSITION_GAUGE, "1, with what runs here.");
    exposition_begin(out, "");
    exposition_label(out, "version", APEX_VERSION);
    exposition_label(out, "compiler", __VERSION__);
    exposition_count(out, 1);
}

void exposition_of_ticks(exposition *out, const apex_api *api) {
    write_build(out);
    exposition_family(out, "apex_tick_seconds", EXPOSITION_HISTOGRAM, "How long ticks took.");
    for (uint32_t race = 1; race <= api->server_count; race++) {
        exposition_times(out, race, &host_load_of(api->servers[race - 1])->metrics.work);
    }
    exposition_family(out, "apex_tick_late_seconds", EXPOSITION_HISTOGRAM,
                      "How long after their time ticks began.");
    for (uint32_t race = 1; race <= api->server_count; race++) {
        exposition_times(out, race, &host_load_of(api->servers[race - 1])->metrics.late);
    }
    write_stages(out, api);
    exposition_figures(out, api, figures, sizeof figures / sizeof figures[0]);
}
