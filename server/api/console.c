// The console: a line that an operator types goes in, an answer comes out.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/console_control.h"
#include "base/histogram.h"
#include "base/print.h"
#include "base/time_text.h"
#include "host/figures/figures.h"
#include "host/news/waiting.h"
#include "host/operate.h"
#include "replicate/replicate.h"

typedef void console_fn(apex_server *server, const char *rest, FILE *out);

typedef struct console_command {
    const char *name;
    const char *arguments;
    const char *help;
    console_fn *run;
} console_command;

static const char *whereabouts(apex_server *server, const apex_standing *line) {
    host_driver driver = host_driver_of(server, line);
    if (driver.lost) {
        return "lost; the server drives";
    }
    if (driver.connected) {
        return driver.address;
    }
    return line->present ? "bot" : "gone";
}

enum { IDENTITY_BYTES = APEX_FINGERPRINT_TEXT_BYTES + 2 };

// The fingerprint of the key that he has proved, or that he is a guest, as a column.
static const char *identity_text(apex_server *server, const apex_standing *line,
                                 char text[IDENTITY_BYTES]) {
    apex_store_who who = host_who_is(server, line->player);
    char fingerprint[APEX_FINGERPRINT_TEXT_BYTES] = "guest";
    if (who.is_server) {
        return "";
    }
    if (who.has_driver) {
        apex_fingerprint_text(who.driver, fingerprint);
    }
    snprintf(text, IDENTITY_BYTES, "%s  ", fingerprint);
    return text;
}

static void print_order(apex_server *server, FILE *out) {
    size_t count = 0;
    const apex_standing *lines = host_told_lines(server, &count);
    for (size_t i = 0; i < count; i++) {
        char best[APEX_TIME_TEXT_BYTES], key[IDENTITY_BYTES];
        apex_time_text(lines[i].best_lap_us, best);
        apex_print_line(out, "%4u  #%-6u %-20s %-14s laps %u  best %s  %s%s", lines[i].position,
                        apex_player_wire_id(lines[i].player), lines[i].name,
                        host_setup_of(server)->car_names[lines[i].car], lines[i].laps,
                        best[0] != '\0' ? best : "-", identity_text(server, &lines[i], key),
                        whereabouts(server, &lines[i]));
    }
}

static void print_controls(const apex_controls_counters *controls, FILE *out) {
    fprintf(out, "controls: %llu on their tick, %llu repeated, %llu late, %llu early\n",
            (unsigned long long)controls->used_on_tick, (unsigned long long)controls->missed,
            (unsigned long long)controls->late, (unsigned long long)controls->early);
    if (controls->used_on_tick == 0) {
        return;
    }
    fprintf(out, "ticks in hand beyond them: p50 %u, p99 %u; missed in a row:",
            apex_counts_quantile(controls->depths, APEX_CONTROLS_DEPTHS, 0.5),
            apex_counts_quantile(controls->depths, APEX_CONTROLS_DEPTHS, 0.99));
    for (uint32_t gap = 0; gap < APEX_CONTROLS_GAPS - 1; gap++) {
        fprintf(out, " up to %u: %llu,", 1u << gap, (unsigned long long)controls->gaps[gap]);
    }
    fprintf(out, " more: %llu\n", (unsigned long long)controls->gaps[APEX_CONTROLS_GAPS - 1]);
}

static void print_count(const char *name, uint64_t count, FILE *out) {
    if (count > 0) {
        apex_print_line(out, "%s: %llu", name, (unsigned long long)count);
    }
}

static void print_counters(apex_server *server, FILE *out) {
    host_refusal refusals[HOST_REFUSALS_MAX];
    size_t refusal_count = host_refusals(server, refusals);
    for (size_t i = 0; i < refusal_count; i++) {
        print_count(refusals[i].name, refusals[i].count, out);
    }
    const uint64_t *sessions = apex_server_session_counters(server);
    static const apex_session_counter TOLD[] = {APEX_SESSION_OUTBOX_FULL, APEX_SESSION_LOST,
                                                APEX_SESSION_RESUMED};
    for (size_t i = 0; i < sizeof TOLD / sizeof TOLD[0]; i++) {
        print_count(apex_session_counter_row(TOLD[i]).name, sessions[TOLD[i]], out);
    }
    const uint64_t *transport = apex_server_transport_counters(server);
    for (int i = 0; transport != NULL && i < APEX_TRANSPORT_COUNTERS; i++) {
        apex_counter_row row = apex_transport_counter_row((apex_transport_counter)i);
        if (row.kind != APEX_COUNTS_REFUSALS) { // those are among all refusals
            print_count(row.name, transport[i], out);
        }
    }
}

static void print_waits(const host_lateness *lateness, FILE *out) {
    const apex_process_times *times = &lateness->newest;
    const host_second *second = &lateness->second;
    if (!times->tells_waits) {
        return;
    }
    fprintf(out,
            "waited for a processor %llu ms of the last second, %.1f s since the start; given "
            "%u %% of what it asked for\n",
            (unsigned long long)host_lateness_a_second(second, second->waited_us) / 1000u,
            (double)(times->loop_waited_us + times->others_waited_us) / 1e6,
            host_lateness_given_percent(second));
}

static void print_waiting(const apex_server *server, const apex_race_status *status, FILE *out) {
    char waiting[HOST_WAITING_BYTES];
    if (apex_server_is_idle(server)) {
        fprintf(out, "nobody is here: no ticks are made until somebody comes\n");
    } else if (host_waiting(status, waiting)[0] != '\0') {
        apex_print_line(out, "%s", waiting);
    }
}

static void run_status(apex_server *server, const char *rest, FILE *out) {
    (void)rest;
    apex_race_status status =
        host_race_status(apex_server_race(server), host_setup_of(server)->speed_permille);
    const host_metrics *metrics = &host_load_of(server)->metrics;
    char clock[APEX_TIME_TEXT_BYTES];
    apex_clock_text(status.race_time_us, clock);
    apex_print_line(out, "race %u: %s, %s, tick %llu; %u players, %u clients", status.race_number,
                    apex_race_phase_name(status.phase), clock, (unsigned long long)status.tick,
                    status.players, host_client_count(server));
    if (host_is_locked(server)) {
        apex_print_line(out, "lockdown: nobody new gets in");
    }
    console_print_session(server, out);
    print_waiting(server, &status, out);
    fprintf(
        out,
        "tick work p50 %llu us, p99 %llu us, worst of the last minute %llu us; late p99 %llu us; "
        "dropped %llu\n",
        (unsigned long long)apex_histogram_quantile(&metrics->work, 0.5),
        (unsigned long long)apex_histogram_quantile(&metrics->work, 0.99),
        (unsigned long long)host_metrics_work_worst_us(metrics),
        (unsigned long long)apex_histogram_quantile(&metrics->late, 0.99),
        (unsigned long long)metrics->ticks_dropped);
    apex_print_line(out, "%s", host_strain_text(host_load_of(server)->overload.strain));
    print_waits(&host_load_of(server)->lateness, out);
    const apex_controls_counters controls = apex_server_controls_counters(server);
    print_controls(&controls, out);
    print_counters(server, out);
    print_order(server, out);
    console_print_penalties(server, out);
}

static void run_say(apex_server *server, const char *rest, FILE *out) {
    char said[HOST_SAID_BYTES];
    (void)host_operate_say(server, rest, said);
    apex_print_line(out, "%s", said);
}

static void run_kick(apex_server *server, const char *rest, FILE *out) {
    char said[HOST_SAID_BYTES];
    uint32_t player;
    uint8_t fingerprint[APEX_FINGERPRINT_BYTES];
    // A name is shorter than its digits.
    if (apex_fingerprint_read(rest, fingerprint)) {
        (void)host_operate_kick_driver(server, fingerprint, said);
    } else if (console_read_number(rest, &player)) {
        (void)host_operate_kick(server, (host_whom){.player = player}, said);
    } else {
        (void)host_operate_kick(server, (host_whom){.name = rest}, said);
    }
    apex_print_line(out, "%s", said);
}

static void run_lockdown(apex_server *server, const char *rest, FILE *out) {
    char said[HOST_SAID_BYTES] = "lockdown on, or lockdown off?";
    bool is_on = strcmp(rest, "on") == 0;
    if (is_on || strcmp(rest, "off") == 0) {
        (void)host_operate_lockdown(server, is_on, said);
    }
    apex_print_line(out, "%s", said);
}

static void run_start(apex_server *server, const char *rest, FILE *out) {
    (void)rest;
    char said[HOST_SAID_BYTES];
    (void)host_operate_start(server, said);
    apex_print_line(out, "%s", said);
}

static void run_restart(apex_server *server, const char *rest, FILE *out) {
    (void)rest;
    char said[HOST_SAID_BYTES];
    (void)host_operate_restart(server, said);
    apex_print_line(out, "%s", said);
}

static void run_quit(apex_server *server, const char *rest, FILE *out) {
    (void)rest;
    char said[HOST_SAID_BYTES];
    host_operate_quit(server, said);
    apex_print_line(out, "%s", said);
}

static void run_help(apex_server *server, const char *rest, FILE *out);

static const console_command commands[] = {
    {"status", "", "race, players, tick times, what was refused", run_status},
    {"say", "TEXT", "show a line to every client", run_say},
    {"kick", "NAME", "close a player's connection; or #NUMBER or FINGERPRINT, as status lists it",
     run_kick},
    {"lockdown", "on|off", "let nobody new in, or everybody again; who is in stays", run_lockdown},
    {"session", "end|skip|extend S", "end the session, go to the next, or add seconds to it",
     console_session},
    {"flag", "green|full-course|red", "show a flag to all", console_flag},
    {"penalise", "PLAYER PENALTY [AMOUNT] [OFFENCE]", "give a penalty; alone it lists them",
     console_penalise},
    {"change", "NUMBER PENALTY [AMOUNT] [OFFENCE]", "change a penalty", console_change},
    {"pardon", "NUMBER", "cancel a penalty", console_pardon},
    {"start", "", "form the grid now", run_start},
    {"restart", "", "back to the grid, same order", run_restart},
    {"quit", "", "end the race, write results, tell clients, exit", run_quit},
    {"help", "", "this list", run_help},
};

static void run_help(apex_server *server, const char *rest, FILE *out) {
    (void)server;
    (void)rest;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        apex_print_line(out, "  %-8s %-6s %s", commands[i].name, commands[i].arguments,
                        commands[i].help);
    }
}

static size_t word_length(const char *text) {
    return strcspn(text, " \t\r\n");
}

void apex_server_console(apex_server *server, const char *line, FILE *out) {
    char text[512];
    snprintf(text, sizeof text, "%s", line + strspn(line, " \t\r\n"));
    size_t end = strlen(text);
    while (end > 0 && strchr(" \t\r\n", text[end - 1]) != NULL) {
        text[--end] = '\0';
    }
    size_t length = word_length(text);
    if (length == 0) {
        return;
    }
    const char *rest = text + length + strspn(text + length, " \t");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strlen(commands[i].name) == length && strncmp(commands[i].name, text, length) == 0) {
            commands[i].run(server, rest, out);
            return;
        }
    }
    fprintf(out, "no command \"%.*s\"; help lists them\n", (int)length, text);
}
