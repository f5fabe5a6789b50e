// Races as everybody may see them.

#include <stdio.h>

#include "api/api_handlers.h"
#include "api/api_weekend.h"
#include "host/figures/figures.h"
#include "host/news/waiting.h"

static void write_cars(apex_json_writer *json, const apex_server *server) {
    apex_json_open(json, "cars", '[');
    for (uint32_t i = 0; i < host_setup_of(server)->car_count; i++) {
        answer_json_text(json, NULL, host_setup_of(server)->car_names[i]);
    }
    apex_json_close(json);
}

// The members, without braces.
static void write_race(apex_json_writer *json, uint32_t race, const apex_server *server) {
    apex_race_status status =
        host_race_status(apex_server_race(server), host_setup_of(server)->speed_permille);
    uint16_t udp_port = apex_server_port(server);
    char live[32];
    snprintf(live, sizeof live, "/race/%u", race);
    apex_json_count(json, "id", race);
    answer_json_text(json, "name", host_setup_of(server)->file.race.name);
    answer_json_text(json, "track", host_setup_of(server)->track_name);
    answer_json_text(json, "phase", apex_race_phase_name(status.phase));
    apex_json_count(json, "race_number", status.race_number);
    apex_json_seconds(json, "race_time_s", status.race_time_us);
    apex_json_count(json, "laps", status.laps);
    apex_json_count(json, "players", status.players);
    apex_json_count(json, "start_players", status.start_players);
    apex_json_time(json, "lobby_left_s", (uint64_t)status.lobby_left_us);
    apex_json_count(json, "player_capacity", apex_race_player_capacity(apex_server_race(server)));
    apex_json_count(json, "clients", host_client_count(server));
    apex_json_bool(json, "idle", apex_server_is_idle(server));
    apex_json_count(json, "tick_hz", apex_race_tick_hz(apex_server_race(server)));
    apex_json_count(json, "snapshot_hz", host_setup_of(server)->file.snapshot_hz);
    if (udp_port > 0) {
        apex_json_count(json, "udp_port", udp_port);
    } else {
        apex_json_null(json, "udp_port");
    }
    bool has_password = host_setup_of(server)->file.password[0] != '\0';
    apex_json_bool(json, "password_needed", has_password);
    apex_json_bool(json, "watching_open",
                   !has_password ||
                       host_setup_of(server)->file.password_for == APEX_PASSWORD_FOR_DRIVE);
    write_cars(json, server);
    answer_json_text(json, "live", live);
}

void api_list_races(const api_call *call) {
    apex_json_writer json = answer_json_begin(call->arena);
    apex_json_open(&json, NULL, '[');
    for (uint32_t i = 0; i < call->api->server_count; i++) {
        apex_json_open(&json, NULL, '{');
        write_race(&json, i + 1, call->api->servers[i]);
        apex_json_close(&json);
    }
    apex_json_close(&json);
    api_answer_json(call, 200, &json);
}

static void write_gap(apex_json_writer *json, const apex_standing *line) {
    if (line->position == 1) {
        apex_json_seconds(json, "gap_s", 0);
    } else {
        apex_json_time(json, "gap_s", line->gap_us);
    }
}

static void write_who(apex_json_writer *json, const apex_store_who *who) {
    char text[APEX_FINGERPRINT_TEXT_BYTES];
    if (who->has_driver) {
        apex_fingerprint_text(who->driver, text);
        apex_json_text(json, "driver", text);
    } else {
        apex_json_null(json, "driver");
    }
    apex_json_bool(json, "guest", !who->has_driver && !who->is_server);
}

// @param conduct NULL: of an event without sessions and rules
static void write_line(apex_json_writer *json, const apex_server *server, const apex_standing *line,
                       const apex_store_who *who, const host_line_conduct *conduct) {
    apex_json_count(json, "position", line->position);
    apex_json_count(json, "player", apex_player_wire_id(line->player));
    answer_json_text(json, "name", line->name);
    write_who(json, who);
    answer_json_text(json, "car", host_setup_of(server)->car_names[line->car]);
    answer_json_text(json, "state", apex_standing_state_name(line->state));
    apex_json_count(json, "laps", line->laps);
    answer_json_metres(json, "lap_m", line->lap_m);
    apex_json_time(json, "last_lap_s", line->last_lap_us);
    apex_json_time(json, "best_lap_s", line->best_lap_us);
    apex_json_time(json, "total_s", line->total_us);
    write_gap(json, line);
    apex_json_count(json, "grid", line->grid);
    apex_json_bool(json, "driven_by_server", line->driven_by_server);
    api_write_conduct(json, conduct);
}

void api_write_driver(apex_json_writer *json, apex_server *server, const apex_standing *line) {
    const apex_store_who who = host_who_is(server, line->player);
    write_line(json, server, line, &who, host_told_conduct(server, line));
    apex_json_bool(json, "connected", host_driver_of(server, line).connected);
    apex_json_bool(json, "present", line->present);
}

static void write_order(apex_json_writer *json, apex_server *server, const apex_standing lines[],
                        size_t count) {
    apex_json_open(json, "order", '[');
    for (size_t i = 0; i < count; i++) {
        apex_json_open(json, NULL, '{');
        api_write_driver(json, server, &lines[i]);
        apex_json_close(json);
    }
    apex_json_close(json);
}

// Stored, then told: what clients have not been told nobody is.
static void write_result(apex_json_writer *json, const apex_server *server, uint32_t place) {
    const host_results *results = host_results_of(server);
    const apex_standing *line = &results->lines[place];
    apex_json_open(json, NULL, '{');
    const host_line_conduct *conduct = results->conducts != NULL ? &results->conducts[place] : NULL;
    write_line(json, server, line, &results->who[place], conduct);
    apex_json_bool(json, "kicked", !line->present && line->left_why == APEX_LEAVE_KICKED);
    apex_json_close(json);
}

static void write_results(apex_json_writer *json, const apex_server *server) {
    const host_results *results = host_results_of(server);
    if (results->race_number == 0 || !results->told) {
        apex_json_null(json, "results");
        return;
    }
    apex_json_open(json, "results", '{');
    apex_json_count(json, "race_number", results->race_number);
    apex_json_count(json, "laps", results->laps);
    apex_json_hash(json, "state_hash", results->state_hash);
    apex_json_count(json, "seed", results->seed);
    apex_json_open(json, "order", '[');
    for (uint32_t i = 0; i < results->line_count; i++) {
        write_result(json, server, i);
    }
    apex_json_close(json);
    apex_json_open(json, "did_not_start", '[');
    for (uint32_t i = 0; i < results->apart_count; i++) {
        write_result(json, server, results->line_count + i);
    }
    apex_json_close(json);
    apex_json_close(json);
}

void api_show_race(const api_call *call) {
    size_t count = 0;
    const apex_standing *lines = host_told_lines(call->server, &count);
    apex_json_writer json = answer_json_begin(call->arena);
    apex_json_open(&json, NULL, '{');
    write_race(&json, call->race, call->server);
    api_write_session(&json, call->server);
    api_write_penalties(&json, call->server);
    write_order(&json, call->server, lines, count);
    write_results(&json, call->server);
    apex_json_close(&json);
    api_answer_json(call, 200, &json);
}
