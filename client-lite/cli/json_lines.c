// Messages of the wire become JSON objects, with the names that people know in place of numbers.
#include "client-lite/cli/json_lines.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "client-lite/text/text.h"

void cli_json_put(json_t *object) {
    char *line = json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9));
    if (line != NULL) {
        puts(line);
        fflush(stdout);
        free(line);
    }
    json_decref(object);
}

static void put_whole(json_t *object, const char *key, uint64_t value) {
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

// {"front": 40} in percent, of what is damaged.
static json_t *damage_of(const apex_wire_car *car) {
    json_t *object = json_object();
    for (uint32_t zone = 0; car != NULL && zone < APEX_WIRE_ZONES; zone++) {
        uint32_t percent = client_text_zone_percent(car, zone);
        if (percent > 0) {
            put_whole(object, client_text_zone(zone), percent);
        }
    }
    return object;
}

// Without a client, which knows the cars, nothing is said of their damage.
static json_t *lines_of(const apex_client *client, const apex_wire_standing lines[],
                        uint32_t count) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++) {
        const apex_wire_standing *line = &lines[i];
        json_t *object = json_object();
        put_whole(object, "position", line->position);
        put_whole(object, "player", line->player);
        json_object_set_new(object, "name", json_string(line->name));
        json_object_set_new(object, "car", json_string(line->car_def));
        json_object_set_new(object, "state", json_string(client_text_state(line->state)));
        put_whole(object, "laps", line->laps);
        json_object_set_new(object, "lap_m", json_real((double)line->lap_m));
        put_whole(object, "last_lap_us", line->last_lap_us);
        put_whole(object, "best_lap_us", line->best_lap_us);
        put_whole(object, "total_us", line->total_us);
        put_whole(object, "gap_us", line->gap_us);
        put_whole(object, "grid", line->grid);
        json_object_set_new(object, "kicked", json_boolean(line->kicked));
        if (client != NULL) {
            const apex_wire_car *car = client_text_car(client, line->player);
            json_object_set_new(object, "damage_percent", damage_of(car));
        }
        json_array_append_new(array, object);
    }
    return array;
}

json_t *cli_json_standings(const apex_client *client, const apex_standings *standings) {
    json_t *object = json_object();
    json_object_set_new(object, "type", json_string("standings"));
    put_whole(object, "tick", standings->tick);
    apex_client_view view = apex_client_newest(client);
    json_object_set_new(object, "phase", json_string(client_text_phase(view.phase)));
    json_object_set_new(object, "race_time_ms", json_integer(view.race_time_ms));
    put_whole(object, "total", standings->total);
    json_object_set_new(object, "lines", lines_of(client, standings->lines, standings->line_count));
    return object;
}

json_t *cli_json_results(const apex_results *results) {
    json_t *object = json_object();
    json_object_set_new(object, "type", json_string("results"));
    put_whole(object, "race_number", results->race_number);
    json_object_set_new(object, "track", json_string(results->track));
    put_whole(object, "laps", results->laps);
    // As text: JSON readers keep 53 bits of a number.
    char hash[APEX_HASH_HEX_BYTES];
    apex_hash_to_hex(results->state_hash, hash);
    json_object_set_new(object, "state_hash", json_string(hash));
    put_whole(object, "seed", results->seed);
    json_object_set_new(object, "lines", lines_of(NULL, results->lines, results->line_count));
    json_object_set_new(object, "apart", lines_of(NULL, results->apart, results->apart_count));
    return object;
}

json_t *cli_json_event(const apex_client *client, const apex_race_event_message *event) {
    json_t *object = json_object();
    json_object_set_new(object, "type", json_string("event"));
    json_object_set_new(object, "event", json_string(client_text_event(event->kind)));
    put_whole(object, "tick", event->tick);
    put_whole(object, "race_number", event->race_number);
    if (event->player != 0) {
        char name[APEX_WIRE_NAME_BYTES];
        client_text_who(client, event, name);
        put_whole(object, "player", event->player);
        json_object_set_new(object, "name", json_string(name));
    }
    if (event->other != 0) {
        char name[APEX_WIRE_NAME_BYTES];
        client_text_other(client, event, name);
        put_whole(object, "other", event->other);
        json_object_set_new(object, "other_name", json_string(name));
    }
    json_object_set_new(object, "value", json_integer(event->value));
    put_whole(object, "time_us", event->time_us);
    return object;
}

json_t *cli_json_past_event(const apex_client *client, const apex_race_event_message *event) {
    json_t *object = cli_json_event(client, event);
    json_object_set_new(object, "type", json_string("past-event"));
    return object;
}

static void put_row(json_t *object, const char *key, const uint64_t counts[], uint32_t length) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < length; i++) {
        json_array_append_new(array, json_integer((json_int_t)counts[i]));
    }
    json_object_set_new(object, key, array);
}

json_t *cli_json_times(const apex_histogram *times_us) {
    json_t *object = json_object();
    put_whole(object, "count", times_us->count);
    put_whole(object, "p50", apex_histogram_quantile(times_us, 0.5));
    put_whole(object, "p90", apex_histogram_quantile(times_us, 0.9));
    put_whole(object, "p99", apex_histogram_quantile(times_us, 0.99));
    put_whole(object, "max", times_us->max);
    return object;
}

json_t *cli_json_stats(const apex_server_stats *stats) {
    json_t *object = json_object();
    json_object_set_new(object, "type", json_string("server-stats"));
    put_whole(object, "tick", stats->tick);
    put_whole(object, "uptime_s", stats->uptime_s);
    put_whole(object, "clients", stats->clients);
    put_whole(object, "players", stats->players);
    put_whole(object, "tick_us_p50", stats->tick_us_p50);
    put_whole(object, "tick_us_p99", stats->tick_us_p99);
    put_whole(object, "tick_us_max", stats->tick_us_max);
    put_whole(object, "late_us_p99", stats->late_us_p99);
    put_whole(object, "ticks_dropped", stats->ticks_dropped);
    put_whole(object, "bytes_in", stats->bytes_in);
    put_whole(object, "bytes_out", stats->bytes_out);
    put_whole(object, "packets_in", stats->packets_in);
    put_whole(object, "packets_out", stats->packets_out);
    put_whole(object, "cpu_us", stats->cpu_us);
    put_whole(object, "controls_used", stats->controls_used);
    put_whole(object, "controls_missed", stats->controls_missed);
    put_row(object, "controls_depths", stats->controls_depths, APEX_CONTROLS_DEPTHS);
    put_row(object, "controls_gaps", stats->controls_gaps, APEX_CONTROLS_GAPS);
    json_t *refused = json_object();
    for (uint32_t i = 0; i < stats->refused_count; i++) {
        put_whole(refused, stats->refused[i].name, stats->refused[i].count);
    }
    json_object_set_new(object, "refused", refused);
    return object;
}
