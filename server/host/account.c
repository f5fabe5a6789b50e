// The loop's measurements are noted here: the length of ticks, their lateness, dropped ones.

#include "base/log.h"
#include "host/host_private.h"

// Real time of a tick; 0: as fast as it can, and no tick has a time to keep to.
static uint64_t period_of(const host_setup *setup, uint32_t tick_hz) {
    uint64_t ticks_per_1000_s = (uint64_t)tick_hz * setup->speed_permille;
    return ticks_per_1000_s > 0 ? 1000000000ull / ticks_per_1000_s : 0;
}

void apex_server_account(apex_server *server, uint64_t work_us, uint64_t late_us) {
    uint32_t hz = apex_race_tick_hz(server->simulation.race);
    host_metrics_tick(&server->load.metrics, work_us, late_us, hz);
    uint64_t period_us = period_of(&server->setup, hz);
    if (period_us == 0) {
        return;
    }
    if (host_overload_note(&server->load.overload, work_us, period_us, hz)) {
        apex_log(APEX_LOG_WARN, "host", "%s", host_strain_text(server->load.overload.strain));
    }
}

void apex_server_account_dropped(apex_server *server, uint64_t ticks) {
    server->load.metrics.ticks_dropped += ticks;
    server->load.lateness.gathering_dropped += ticks;
}

void apex_server_account_cpu(apex_server *server, uint64_t cpu_us) {
    host_metrics *metrics = &server->load.metrics;
    // A tick that waits for a processor is long, too, but does not compute.
    uint64_t spent_us = cpu_us - metrics->cpu_us;
    uint64_t used_us = spent_us < metrics->newest_work_us ? spent_us : metrics->newest_work_us;
    uint64_t period_us = period_of(&server->setup, apex_race_tick_hz(server->simulation.race));
    if (metrics->cpu_us != 0 && period_us != 0 && used_us > period_us) {
        server->load.lateness.gathering_overrun_us += used_us - period_us;
    }
    metrics->cpu_us = cpu_us;
}

void apex_server_account_process(apex_server *server, const apex_process_times *times) {
    host_lateness *lateness = &server->load.lateness;
    uint64_t period_us = period_of(&server->setup, apex_race_tick_hz(server->simulation.race));
    if (!host_lateness_note(lateness, times, period_us)) {
        return;
    }
    char text[HOST_LATENESS_TEXT_BYTES];
    host_lateness_text(&lateness->second, server->load.metrics.ticks_dropped, text);
    apex_log(APEX_LOG_WARN, "host", "%s", text);
    host_lateness_cause cause = host_lateness_cause_of(&lateness->second);
    const char *advice = host_lateness_advice(cause);
    if (!lateness->said[cause] && advice[0] != '\0') {
        lateness->said[cause] = true;
        apex_log(APEX_LOG_WARN, "host", "%s", advice);
    }
}
