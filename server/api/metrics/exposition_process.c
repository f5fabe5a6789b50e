// Figures of the process: what all races in it take of the machine, by the names that libraries of
// Prometheus give them, and how long they wait for it.

#include "api/metrics/families.h"
#include "base/log.h"

static void write_count(exposition *out, const char *name, uint64_t count, const char *help) {
    if (count == 0) {
        return; // the system does not tell
    }
    exposition_family(out, name, EXPOSITION_GAUGE, help);
    exposition_begin(out, "");
    exposition_count(out, count);
}

static void write_seconds(exposition *out, const char *name, exposition_kind kind, uint64_t us,
                          const char *help) {
    exposition_family(out, name, kind, help);
    exposition_begin(out, "");
    exposition_seconds(out, us);
}

static void write_waited(exposition *out, const apex_process_times *times) {
    exposition_family(out, "apex_run_delay_seconds_total", EXPOSITION_COUNTER,
                      "Time that threads were ready to run and waited for a processor: the loop's, "
                      "which makes the ticks, and all others together.");
    exposition_begin(out, "");
    exposition_label(out, "thread", "loop");
    exposition_seconds(out, times->loop_waited_us);
    exposition_begin(out, "");
    exposition_label(out, "thread", "others");
    exposition_seconds(out, times->others_waited_us);
}

void exposition_of_process(exposition *out, const apex_api *api) {
    exposition_family(
        out, "apex_log_lines_dropped_total", EXPOSITION_COUNTER,
        "Lines of the log that found no room, because nobody took those before them.");
    exposition_begin(out, "");
    exposition_count(out, apex_log_dropped());
    apex_process_figures figures;
    if (api->look == NULL || !api->look(api->look_data, &figures)) {
        return;
    }
    write_seconds(out, "process_cpu_seconds_total", EXPOSITION_COUNTER, figures.times.ran_us,
                  "Total user and system CPU time spent in seconds.");
    if (figures.started_unix_us != 0) {
        write_seconds(out, "process_start_time_seconds", EXPOSITION_GAUGE, figures.started_unix_us,
                      "Start time of the process since unix epoch in seconds.");
    }
    write_count(out, "process_resident_memory_bytes", figures.resident_bytes,
                "Resident memory size in bytes.");
    write_count(out, "process_virtual_memory_bytes", figures.virtual_bytes,
                "Virtual memory size in bytes.");
    write_count(out, "process_open_fds", figures.open_files, "Number of open file descriptors.");
    write_count(out, "process_max_fds", figures.files_max,
                "Maximum number of open file descriptors.");
    write_count(out, "process_threads", figures.threads, "Number of OS threads in the process.");
    if (figures.times.tells_waits) {
        write_waited(out, &figures.times);
    }
}
