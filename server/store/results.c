// The results of a race: a file for programs, JSON, and a table for people.
#include "store/store_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/assert.h"
#include "base/time_text.h"
#include "store/store.h"

enum { NAME_COLUMNS_MIN = 20, CAR_COLUMNS_MIN = 14 };

json_t *store_json_string(const char *text) {
    json_t *string = json_string(text);
    if (string != NULL) {
        return string;
    }
    char *ascii = strdup(text);
    for (char *byte = ascii; byte != NULL && *byte != '\0'; byte++) {
        if ((unsigned char)*byte >= 0x80u) {
            *byte = '?';
        }
    }
    string = ascii != NULL ? json_string(ascii) : NULL;
    free(ascii);
    return string;
}

static const char *state_name(apex_standing_state state) {
    switch (state) {
    case APEX_STANDING_FINISHED:
        return "finished";
    case APEX_STANDING_DNF:
        return "dnf";
    case APEX_STANDING_RUNNING:
        return "running";
    case APEX_STANDING_WAITING:
        break;
    }
    return "waiting";
}

static double seconds(uint64_t us) {
    return (double)us / 1e6;
}

static json_t *time_json(uint64_t us) {
    return us == 0 ? json_null() : json_real(seconds(us));
}

static json_t *utc_json(uint64_t unix_us) {
    time_t whole = (time_t)(unix_us / 1000000u);
    struct tm utc;
    char text[32] = "";
    if (gmtime_r(&whole, &utc) != NULL) {
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    return json_string(text);
}

static const char *car_name(const apex_race_result *result, const apex_standing *line) {
    return result->car_names != NULL ? result->car_names[line->car] : "";
}

static bool was_kicked(const apex_standing *line) {
    return !line->present && line->left_why == APEX_LEAVE_KICKED;
}

static json_t *line_json(const apex_race_result *result, const apex_standing *line) {
    return json_pack("{s:i, s:o, s:o, s:s, s:i, s:i, s:o, s:o, s:o, s:o, s:i, s:f, s:i, s:i, s:b}",
                     "position", (int)line->position, "name", store_json_string(line->name), "car",
                     store_json_string(car_name(result, line)), "state", state_name(line->state),
                     "grid", (int)line->grid, "laps", (int)line->laps, "total_s",
                     time_json(line->total_us), "gap_s", time_json(line->gap_us), "best_lap_s",
                     time_json(line->best_lap_us), "last_lap_s", time_json(line->last_lap_us),
                     "off_track", (int)line->off_track_count, "off_track_longest_s",
                     seconds(line->off_track_us_max), "resets", (int)line->resets, "contacts",
                     (int)line->contacts, "kicked", was_kicked(line));
}

static json_t *apart_json(const apex_race_result *result) {
    json_t *apart = json_array();
    for (uint32_t i = 0; i < result->apart_count; i++) {
        const apex_standing *line = &result->apart[i];
        json_t *json =
            json_pack("{s:o, s:o, s:b}", "name", store_json_string(line->name), "car",
                      store_json_string(car_name(result, line)), "kicked", was_kicked(line));
        if (json_array_append_new(apart, json) != 0) {
            json_decref(apart);
            return NULL;
        }
    }
    return apart;
}

static json_t *lines_json(const apex_race_result *result) {
    json_t *lines = json_array();
    for (uint32_t i = 0; i < result->line_count; i++) {
        if (json_array_append_new(lines, line_json(result, &result->lines[i])) != 0) {
            json_decref(lines);
            return NULL;
        }
    }
    return lines;
}

static json_t *result_json(const apex_race_result *result) {
    char hash[17];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)result->state_hash);
    return json_pack("{s:i, s:o, s:o, s:i, s:b, s:o, s:o, s:I, s:s, s:I, s:I, s:o, s:o}",
                     "race_number", (int)result->race_number, "race",
                     store_json_string(result->race), "track", store_json_string(result->track),
                     "laps", (int)result->laps, "complete", result->complete, "started",
                     utc_json(result->started_unix_us), "ended", utc_json(result->ended_unix_us),
                     "ticks", (json_int_t)result->ticks, "state_hash", hash, "event_seed",
                     (json_int_t)result->event_seed, "seed", (json_int_t)result->seed, "results",
                     lines_json(result), "did_not_start", apart_json(result));
}

static void assert_lines(const apex_race_result *result) {
    APEX_ASSERT(result != NULL);
    APEX_ASSERT(result->line_count == 0 || result->lines != NULL);
    APEX_ASSERT(result->apart_count == 0 || result->apart != NULL);
}

char *apex_results_json(const apex_race_result *result) {
    assert_lines(result);
    json_t *root = result_json(result);
    if (root == NULL) {
        return NULL;
    }
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) {
        json_decref(root);
        return NULL;
    }
    // 15 digits hold a day to the microsecond and show no rounding of the binary number.
    int dumped = json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json_decref(root);
    fputc('\n', out);
    if (fclose(out) != 0 || dumped != 0) {
        free(text);
        return NULL;
    }
    return text;
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
