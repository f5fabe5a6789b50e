// Messages of the wire become JSON objects, with the names that people know in place of numbers.
#include "client-lite/cli/json_lines.h"

#include <stdio.h>

#include "client-lite/cli/json_control.h"
#include "client-lite/text/text.h"

apex_json_writer cli_json_begin(const char *type) {
    apex_json_writer json = apex_json_begin(apex_text_growing(), APEX_JSON_COMPACT);
    apex_json_open(&json, NULL, '{');
    apex_json_text(&json, "type", type);
    return json;
}

void cli_json_end(apex_json_writer *json) {
    apex_json_close(json);
    apex_json_print(json, stdout);
    fflush(stdout);
}

// {"front": 40} in percent, of what is damaged.
static void put_damage(apex_json_writer *json, const char *key, const apex_wire_car *car) {
    apex_json_open(json, key, '{');
    for (uint32_t zone = 0; car != NULL && zone < APEX_WIRE_ZONES; zone++) {
        uint32_t percent = client_text_zone_percent(car, zone);
        if (percent > 0) {
            apex_json_count(json, client_text_zone(zone), percent);
        }
    }
    apex_json_close(json);
}

// What a list says beside the wire's lines.
typedef struct lines_of {
    const apex_client *client; // who knows the cars and their damage; NULL: nothing is said of it
    bool has_control;          // of an event with sessions or rules
} lines_of;

static void put_lines(apex_json_writer *json, const char *key, lines_of of,
                      const apex_wire_standing lines[], uint32_t count) {
    apex_json_open(json, key, '[');
    for (uint32_t i = 0; i < count; i++) {
        const apex_wire_standing *line = &lines[i];
        apex_json_open(json, NULL, '{');
        apex_json_count(json, "position", line->position);
        apex_json_count(json, "player", line->player);
        apex_json_text(json, "name", line->name);
        apex_json_text(json, "car", line->car_def);
        apex_json_text(json, "state", apex_wire_standing_name(line->state));
        apex_json_count(json, "laps", line->laps);
        apex_json_real(json, "lap_m", (double)line->lap_m, 9);
        apex_json_count(json, "last_lap_us", line->last_lap_us);
        apex_json_count(json, "best_lap_us", line->best_lap_us);
        apex_json_count(json, "total_us", line->total_us);
        apex_json_count(json, "gap_us", line->gap_us);
        apex_json_count(json, "grid", line->grid);
        apex_json_bool(json, "kicked", line->kicked);
        if (of.has_control) {
            cli_json_conduct(json, line);
        }
        if (of.client != NULL) {
            put_damage(json, "damage_percent", client_text_car(of.client, line->player));
        }
        apex_json_close(json);
    }
    apex_json_close(json);
}

void cli_json_standings(const apex_client *client, const apex_standings *standings) {
    apex_client_view view = apex_client_newest(client);
    apex_json_writer json = cli_json_begin("standings");
    apex_json_count(&json, "tick", standings->tick);
    apex_json_text(&json, "phase", apex_wire_phase_name(view.phase));
    apex_json_integer(&json, "race_time_ms", view.race_time_ms);
    apex_json_count(&json, "total", standings->total);
    const apex_race_session *session = apex_client_session(client);
    if (session != NULL) {
        cli_json_session(&json, session);
    }
    put_lines(&json, "lines", (lines_of){client, session != NULL}, standings->lines,
              standings->line_count);
    cli_json_end(&json);
}

void cli_json_results(const apex_client *client, const apex_results *results) {
    const lines_of of = {NULL, apex_client_session(client) != NULL};
    apex_json_writer json = cli_json_begin("results");
    apex_json_count(&json, "race_number", results->race_number);
    apex_json_text(&json, "track", results->track);
    apex_json_count(&json, "laps", results->laps);
    apex_json_hash(&json, "state_hash", results->state_hash);
    apex_json_count(&json, "seed", results->seed);
    put_lines(&json, "lines", of, results->lines, results->line_count);
    put_lines(&json, "apart", of, results->apart, results->apart_count);
    cli_json_end(&json);
}

static void print_event(const char *type, const apex_client *client,
                        const apex_race_event_message *event) {
    apex_json_writer json = cli_json_begin(type);
    apex_json_text(&json, "event", apex_wire_event_name(event->kind));
    apex_json_count(&json, "tick", event->tick);
    apex_json_count(&json, "race_number", event->race_number);
    char name[APEX_WIRE_NAME_BYTES];
    if (event->player != 0) {
        client_text_who(client, event, name);
        apex_json_count(&json, "player", event->player);
        apex_json_text(&json, "name", name);
    }
    if (event->other != 0) {
        client_text_other(client, event, name);
        apex_json_count(&json, "other", event->other);
        apex_json_text(&json, "other_name", name);
    }
    apex_json_integer(&json, "value", event->value);
    apex_json_count(&json, "time_us", event->time_us);
    cli_json_end(&json);
}

void cli_json_event(const apex_client *client, const apex_race_event_message *event) {
    print_event("event", client, event);
}

void cli_json_past_event(const apex_client *client, const apex_race_event_message *event) {
    print_event("past-event", client, event);
}

void cli_json_times(apex_json_writer *json, const char *key, const apex_histogram *times_us) {
    apex_json_open(json, key, '{');
    apex_json_count(json, "count", times_us->count);
    apex_json_count(json, "p50", apex_histogram_quantile(times_us, 0.5));
    apex_json_count(json, "p90", apex_histogram_quantile(times_us, 0.9));
    apex_json_count(json, "p99", apex_histogram_quantile(times_us, 0.99));
    apex_json_count(json, "max", times_us->max);
    apex_json_close(json);
}

static void put_counts(apex_json_writer *json, const char *key, const uint64_t counts[],
                       uint32_t length) {
    apex_json_open(json, key, '[');
    for (uint32_t i = 0; i < length; i++) {
        apex_json_count(json, NULL, counts[i]);
    }
    apex_json_close(json);
}

void cli_json_stats(const apex_server_stats *stats) {
    apex_json_writer json = cli_json_begin("server-stats");
    apex_json_count(&json, "tick", stats->tick);
    apex_json_count(&json, "uptime_s", stats->uptime_s);
    apex_json_count(&json, "clients", stats->clients);
    apex_json_count(&json, "players", stats->players);
    apex_json_count(&json, "tick_us_p50", stats->tick_us_p50);
    apex_json_count(&json, "tick_us_p99", stats->tick_us_p99);
    apex_json_count(&json, "tick_us_max", stats->tick_us_max);
    apex_json_count(&json, "late_us_p99", stats->late_us_p99);
    apex_json_count(&json, "ticks_dropped", stats->ticks_dropped);
    apex_json_count(&json, "bytes_in", stats->bytes_in);
    apex_json_count(&json, "bytes_out", stats->bytes_out);
    apex_json_count(&json, "packets_in", stats->packets_in);
    apex_json_count(&json, "packets_out", stats->packets_out);
    apex_json_count(&json, "cpu_us", stats->cpu_us);
    apex_json_count(&json, "controls_used", stats->controls_used);
    apex_json_count(&json, "controls_missed", stats->controls_missed);
    put_counts(&json, "controls_depths", stats->controls_depths, APEX_CONTROLS_DEPTHS);
    put_counts(&json, "controls_gaps", stats->controls_gaps, APEX_CONTROLS_GAPS);
    apex_json_open(&json, "refused", '{');
    for (uint32_t i = 0; i < stats->refused_count; i++) {
        apex_json_key(&json, stats->refused[i].name);
        apex_json_count(&json, NULL, stats->refused[i].count);
    }
    apex_json_close(&json);
    cli_json_end(&json);
}
