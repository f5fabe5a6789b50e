// The results of a race: a file for programs, JSON, and a table for people.
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/assert.h"
#include "base/json_writer.h"
#include "base/time_text.h"
#include "store/who.h"

enum { NAME_COLUMNS_MIN = 20, CAR_COLUMNS_MIN = 14 };

// 15 digits hold a day to the microsecond and show no rounding of the binary number.
static void put_seconds(apex_json_writer *json, const char *key, uint64_t us) {
    apex_json_real(json, key, (double)us / 1e6, 15);
}

static void put_time(apex_json_writer *json, const char *key, uint64_t us) {
    if (us == 0) {
        apex_json_null(json, key);
    } else {
        put_seconds(json, key, us);
    }
}

static void put_utc(apex_json_writer *json, const char *key, uint64_t unix_us) {
    time_t whole = (time_t)(unix_us / 1000000u);
    struct tm utc;
    char text[32] = "";
    if (gmtime_r(&whole, &utc) != NULL) {
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    apex_json_text(json, key, text);
}

static const char *car_name(const apex_race_result *result, const apex_standing *line) {
    return result->car_names != NULL ? result->car_names[line->car] : "";
}

static bool was_kicked(const apex_standing *line) {
    return !line->present && line->left_why == APEX_LEAVE_KICKED;
}

static void put_who(apex_json_writer *json, const apex_race_result *result, size_t place) {
    if (result->who != NULL) {
        store_put_driver(json, &result->who[place]);
        apex_json_bool(json, "guest", store_is_guest(&result->who[place]));
    }
}

static void put_line(apex_json_writer *json, const apex_race_result *result,
                     const apex_standing *line) {
    apex_json_open(json, NULL, '{');
    apex_json_count(json, "position", line->position);
    apex_json_text(json, "name", line->name);
    put_who(json, result, (size_t)(line - result->lines));
    apex_json_text(json, "car", car_name(result, line));
    apex_json_text(json, "state", apex_standing_state_name(line->state));
    apex_json_count(json, "grid", line->grid);
    apex_json_count(json, "laps", line->laps);
    put_time(json, "total_s", line->total_us);
    put_time(json, "gap_s", line->gap_us);
    put_time(json, "best_lap_s", line->best_lap_us);
    put_time(json, "last_lap_s", line->last_lap_us);
    apex_json_count(json, "off_track", line->off_track_count);
    put_seconds(json, "off_track_longest_s", line->off_track_us_max);
    apex_json_count(json, "resets", line->resets);
    apex_json_count(json, "contacts", line->contacts);
    apex_json_bool(json, "kicked", was_kicked(line));
    apex_json_close(json);
}

static void put_lines(apex_json_writer *json, const apex_race_result *result) {
    apex_json_open(json, "results", '[');
    for (uint32_t i = 0; i < result->line_count; i++) {
        put_line(json, result, &result->lines[i]);
    }
    apex_json_close(json);
    apex_json_open(json, "did_not_start", '[');
    for (uint32_t i = 0; i < result->apart_count; i++) {
        const apex_standing *line = &result->apart[i];
        apex_json_open(json, NULL, '{');
        apex_json_text(json, "name", line->name);
        put_who(json, result, result->line_count + i);
        apex_json_text(json, "car", car_name(result, line));
        apex_json_bool(json, "kicked", was_kicked(line));
        apex_json_close(json);
    }
    apex_json_close(json);
}

static void put_result(apex_json_writer *json, const apex_race_result *result) {
    apex_json_open(json, NULL, '{');
    apex_json_count(json, "race_number", result->race_number);
    apex_json_text(json, "race", result->race);
    apex_json_text(json, "track", result->track);
    apex_json_count(json, "laps", result->laps);
    apex_json_bool(json, "complete", result->complete);
    put_utc(json, "started", result->started_unix_us);
    put_utc(json, "ended", result->ended_unix_us);
    apex_json_count(json, "ticks", result->ticks);
    apex_json_hash(json, "state_hash", result->state_hash);
    apex_json_count(json, "event_seed", result->event_seed);
    apex_json_count(json, "seed", result->seed);
    put_lines(json, result);
    apex_json_close(json);
}

static void assert_lines(const apex_race_result *result) {
    APEX_ASSERT(result != NULL);
    APEX_ASSERT(result->line_count == 0 || result->lines != NULL);
    APEX_ASSERT(result->apart_count == 0 || result->apart != NULL);
}

char *apex_results_json(const apex_race_result *result) {
    assert_lines(result);
    apex_json_writer json = apex_json_begin(apex_text_growing(), APEX_JSON_LINES_ALL);
    put_result(&json, result);
    apex_text_put(&json.text, "\n", 1);
    return apex_text_take(&json.text);
}

// printf pads by bytes; names are UTF-8 and a table lines up by characters.
static int characters_of(const char *text) {
    int characters = 0;
    for (const char *byte = text; *byte != '\0'; byte++) {
        characters += ((unsigned char)*byte & 0xc0u) != 0x80u;
    }
    return characters;
}

static void print_padded(FILE *out, const char *text, int columns) {
    int characters = characters_of(text);
    fprintf(out, "%s%*s", text, columns > characters ? columns - characters : 0, "");
}

typedef struct results_table {
    const apex_race_result *result;
    int name_columns, car_columns;
} results_table;

static int wider(int columns, const char *text) {
    int characters = characters_of(text);
    return characters > columns ? characters : columns;
}

static results_table table_of(const apex_race_result *result) {
    results_table table = {result, NAME_COLUMNS_MIN, CAR_COLUMNS_MIN};
    for (uint32_t i = 0; i < result->line_count; i++) {
        table.name_columns = wider(table.name_columns, result->lines[i].name);
        table.car_columns = wider(table.car_columns, car_name(result, &result->lines[i]));
    }
    return table;
}

static void print_time(FILE *out, uint64_t us, int width) {
    char text[APEX_TIME_TEXT_BYTES];
    apex_time_text(us, text);
    fprintf(out, "%*s", width, us > 0 ? text : "-");
}

static void print_gap(FILE *out, uint64_t us, int width) {
    char text[APEX_TIME_TEXT_BYTES];
    apex_gap_text((int64_t)us, text);
    fprintf(out, "%*s", width, us > 0 ? text : "-");
}

static void print_head(FILE *out, const results_table *table) {
    fprintf(out, "%4s  ", "pos");
    print_padded(out, "name", table->name_columns);
    fprintf(out, "  ");
    print_padded(out, "car", table->car_columns);
    fprintf(out, " %5s%12s%13s%11s\n", "laps", "best lap", "total", "gap");
}

static void print_line(FILE *out, const results_table *table, const apex_standing *line) {
    fprintf(out, "%4u  ", line->position);
    print_padded(out, line->name, table->name_columns);
    fprintf(out, "  ");
    print_padded(out, car_name(table->result, line), table->car_columns);
    fprintf(out, " %5u", line->laps);
    print_time(out, line->best_lap_us, 12);
    if (line->state == APEX_STANDING_FINISHED) {
        print_time(out, line->total_us, 13);
        print_gap(out, line->gap_us, 11);
    } else {
        fprintf(out, "%24s", was_kicked(line) ? "kicked" : "did not finish");
    }
    fprintf(out, "\n");
}

static void print_apart(FILE *out, const apex_race_result *result) {
    for (uint32_t i = 0; i < result->apart_count; i++) {
        const apex_standing *line = &result->apart[i];
        fprintf(out, "%s%s%s", i == 0 ? "did not start: " : ", ", line->name,
                was_kicked(line) ? " (kicked)" : "");
    }
    if (result->apart_count > 0) {
        fprintf(out, "\n");
    }
}

char *apex_results_table(const apex_race_result *result) {
    assert_lines(result);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) {
        return NULL;
    }
    fprintf(out, "Results of race %u: %s, ", result->race_number, result->track);
    if (result->laps == 0) {
        fprintf(out, "open session\n");
    } else {
        fprintf(out, "%u %s\n", result->laps, result->laps == 1 ? "lap" : "laps");
    }
    results_table table = table_of(result);
    print_head(out, &table);
    for (uint32_t i = 0; i < result->line_count; i++) {
        print_line(out, &table, &result->lines[i]);
    }
    print_apart(out, result);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
