// What an operator types. One line in, an answer out.

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/assert.h"
#include "host/host_private.h"

typedef void console_fn(apex_server *server, const char *rest, FILE *out);

typedef struct console_command {
    const char *name;
    const char *arguments;
    const char *help;
    console_fn *run;
} console_command;

static const char *whereabouts(apex_server *server, const apex_standing *line) {
    const host_client *client = host_client_of_player(&server->clients, line->player);
    if (client != NULL && client->lost) {
        return "lost; the server drives";
    }
    if (client != NULL) {
        return apex_session_address(server->sessions, client->session);
    }
    return line->present ? "server" : "gone";
}

static void print_order(apex_server *server, FILE *out) {
    size_t capacity = apex_race_standings_max(server->race);
    apex_arena_reset(&server->frame_arena); // between ticks the frame is free
    apex_standing *lines = apex_arena_alloc(&server->frame_arena, capacity * sizeof *lines);
    size_t count = lines != NULL ? apex_race_standings(server->race, lines, capacity) : 0;
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%4u  %-20s %-14s laps %u  best %.3f s  %s\n", lines[i].position,
                lines[i].name, server->car_names[lines[i].car], lines[i].laps,
                (double)lines[i].best_lap_us / 1e6, whereabouts(server, &lines[i]));
    }
}

static uint32_t depth_below(const apex_controls_counters *controls, double share) {
    double wanted = share * (double)controls->used_on_tick;
    double seen = 0.0;
    uint32_t depth = 0;
    for (; depth < APEX_CONTROLS_DEPTHS - 1; depth++) {
        seen += (double)controls->depths[depth];
        if (seen >= wanted) {
            break;
        }
    }
    return depth;
}

static void print_controls(const apex_controls_counters *controls, FILE *out) {
    fprintf(out, "controls: %llu on their tick, %llu repeated, %llu late, %llu early\n",
            (unsigned long long)controls->used_on_tick, (unsigned long long)controls->missed,
            (unsigned long long)controls->late, (unsigned long long)controls->early);
    if (controls->used_on_tick == 0) {
        return;
    }
    fprintf(out, "ticks in hand beyond them: p50 %u, p99 %u; missed in a row:",
            depth_below(controls, 0.5), depth_below(controls, 0.99));
    for (uint32_t gap = 0; gap < APEX_CONTROLS_GAPS - 1; gap++) {
        fprintf(out, " up to %u: %llu,", 1u << gap, (unsigned long long)controls->gaps[gap]);
    }
    fprintf(out, " more: %llu\n", (unsigned long long)controls->gaps[APEX_CONTROLS_GAPS - 1]);
}

static void run_status(apex_server *server, const char *rest, FILE *out) {
    (void)rest;
    apex_race_status status = apex_race_status_of(server->race);
    const host_metrics *metrics = &server->metrics;
    fprintf(out, "race %u: %s, %.1f s, tick %llu; %u players, %u clients\n", status.race_number,
            apex_race_phase_name(status.phase), (double)status.race_time_us / 1e6,
            (unsigned long long)status.tick, status.players,
            apex_sessions_welcomed(server->sessions));
    fprintf(out,
            "tick work p50 %llu us, p99 %llu us, max %llu us; late p99 %llu us; dropped %llu\n",
            (unsigned long long)apex_histogram_quantile(&metrics->work, 0.5),
            (unsigned long long)apex_histogram_quantile(&metrics->work, 0.99),
            (unsigned long long)metrics->work.max,
            (unsigned long long)apex_histogram_quantile(&metrics->late, 0.99),
            (unsigned long long)metrics->ticks_dropped);
    fprintf(out, "ticks are %s\n", host_strain_text(server->overload.strain));
    print_controls(&server->controls_counters, out);
    const uint64_t *sessions = apex_sessions_counters(server->sessions);
    for (int i = APEX_SESSION_REFUSED_VERSION; i < APEX_SESSION_COUNTERS; i++) {
        if (sessions[i] > 0) {
            fprintf(out, "%s: %llu\n", apex_session_counter_name((apex_session_counter)i),
                    (unsigned long long)sessions[i]);
        }
    }
    for (int i = APEX_SESSION_LOST; i <= APEX_SESSION_RESUMED; i++) {
        if (sessions[i] > 0) {
            fprintf(out, "%s: %llu\n", apex_session_counter_name((apex_session_counter)i),
                    (unsigned long long)sessions[i]);
        }
    }
    const uint64_t *transport = apex_server_transport_counters(server);
    for (int i = 0; transport != NULL && i < APEX_TRANSPORT_COUNTERS; i++) {
        if (transport[i] > 0) {
            fprintf(out, "%s: %llu\n", apex_transport_counter_name((apex_transport_counter)i),
                    (unsigned long long)transport[i]);
        }
    }
    print_order(server, out);
}

static void run_say(apex_server *server, const char *rest, FILE *out) {
    if (rest[0] == '\0') {
        fprintf(out, "say what? for example: say five minutes to go\n");
        return;
    }
    if (server->announcement_count == HOST_ANNOUNCEMENTS_MAX) {
        fprintf(out, "too much at a time; say it again in a moment\n");
        return;
    }
    apex_wire_text(server->announcements[server->announcement_count++], APEX_WIRE_TEXT_BYTES, rest);
    fprintf(out, "said to everybody\n");
}

static void run_kick(apex_server *server, const char *rest, FILE *out) {
    size_t capacity = apex_race_standings_max(server->race);
    apex_arena_reset(&server->frame_arena);
    apex_standing *lines = apex_arena_alloc(&server->frame_arena, capacity * sizeof *lines);
    size_t count = lines != NULL ? apex_race_standings(server->race, lines, capacity) : 0;
    for (size_t i = 0; i < count; i++) {
        if (!lines[i].present || strcasecmp(lines[i].name, rest) != 0) {
            continue;
        }
        host_client *client = host_client_of_player(&server->clients, lines[i].player);
        if (client != NULL) {
            client->kicked = true;
            server->kicks_wait = true;
        } else {
            host_drop_player(server, lines[i].player);
        }
        fprintf(out, "%s is out\n", lines[i].name);
        return;
    }
    fprintf(out, "nobody here is called \"%s\"; status lists the names\n", rest);
}

static void apply_simple(apex_server *server, apex_race_command_kind kind, FILE *out,
                         const char *done) {
    apex_race_command command = {.kind = kind};
    apex_err err = host_apply(server, &command);
    fprintf(out, "%s\n", err == APEX_OK ? done : apex_err_text(err));
}

static void run_start(apex_server *server, const char *rest, FILE *out) {
    (void)rest;
    apply_simple(server, APEX_RACE_START, out, "the grid forms");
}

static void run_restart(apex_server *server, const char *rest, FILE *out) {
    (void)rest;
    apply_simple(server, APEX_RACE_RESTART, out, "back to the grid");
}

static void run_quit(apex_server *server, const char *rest, FILE *out) {
    (void)rest;
    apex_server_stop(server, APEX_REASON_SHUTDOWN, "the operator closed the server");
    fprintf(out, "closing\n");
}

static void run_help(apex_server *server, const char *rest, FILE *out);

static const console_command commands[] = {
    {"status", "", "race, players, tick times, what was refused", run_status},
    {"say", "TEXT", "show a line to every client", run_say},
    {"kick", "NAME", "close a player's connection", run_kick},
    {"start", "", "form the grid now", run_start},
    {"restart", "", "back to the grid, same order", run_restart},
    {"quit", "", "end the race, write results, tell clients, exit", run_quit},
    {"help", "", "this list", run_help},
};

static void run_help(apex_server *server, const char *rest, FILE *out) {
    (void)server;
    (void)rest;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        fprintf(out, "  %-8s %-5s %s\n", commands[i].name, commands[i].arguments, commands[i].help);
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
