// Results as JSON and as a table.
#include <jansson.h>

#include "test_store_scene.h"

#include "store/store.h"
#include "support/base/check_main.h"

static const char *const cars[] = {"corvette-c5", "boxster-s", "a-car-with-a-name-of-31-letters"};

// 2026-03-01T12:00:00Z
#define NOON_US (UINT64_C(1772366400) * 1000000u)

static apex_standing lines[4];

static apex_race_result result_of(uint32_t line_count) {
    lines[0] = (apex_standing){
        .name = "Ada \"the \\ brake\" Łovelace",
        .position = 1,
        .car = 0,
        .grid = 3,
        .state = APEX_STANDING_FINISHED,
        .laps = 12,
        .last_lap_us = 61000001,
        .best_lap_us = 59999499,
        .total_us = UINT64_C(86400123456),
        .off_track_count = 2,
        .off_track_us_max = 1250000,
        .resets = 5,
        .contacts = 7,
    };
    lines[1] = (apex_standing){
        .name = "Åsa 駆",
        .position = 2,
        .car = 2,
        .grid = 1,
        .state = APEX_STANDING_FINISHED,
        .laps = 12,
        .last_lap_us = 61200000,
        .best_lap_us = 59999500,
        .total_us = UINT64_C(86401623456),
        .gap_us = 1500000,
    };
    lines[2] = (apex_standing){
        .name = "stopped", .position = 3, .car = 1, .grid = 2, .state = APEX_STANDING_DNF};
    lines[3] = (apex_standing){
        .name = "waits", .position = 4, .car = 1, .grid = 4, .state = APEX_STANDING_WAITING};
    return (apex_race_result){
        .race_number = 9,
        .race = "Grand \"Prix\"",
        .track = "ridgeway",
        .laps = 12,
        .complete = true,
        .started_unix_us = NOON_US,
        .ended_unix_us = NOON_US + 90000000,
        .ticks = UINT64_C(0x100000001),
        .state_hash = UINT64_C(0x00ab00000000cd01),
        .event_seed = 7,
        .seed = APEX_RACE_SEED_MAX,
        .line_count = line_count,
        .lines = lines,
        .car_names = cars,
    };
}

static json_t *parsed(const apex_race_result *result) {
    char *text = apex_results_json(result);
    ck_assert_ptr_nonnull(text);
    size_t length = strlen(text);
    ck_assert_uint_gt(length, 2);
    ck_assert_int_eq(text[length - 1], '\n');
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(root != NULL, "line %d: %s", error.line, error.text);
    free(text);
    return root;
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    ck_assert_msg(text != NULL, "no text %s", key);
    return text;
}

static int64_t number_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    ck_assert_msg(json_is_integer(value), "no whole number %s", key);
    return json_integer_value(value);
}

// To the microsecond; a time that there is none of is null.
static void assert_time(const json_t *object, const char *key, uint64_t us) {
    const json_t *value = json_object_get(object, key);
    if (us == 0) {
        ck_assert_msg(json_is_null(value), "%s is not null", key);
        return;
    }
    ck_assert_msg(json_is_real(value), "no time %s", key);
    ck_assert_uint_eq((uint64_t)(json_real_value(value) * 1e6 + 0.5), us);
}

static void assert_line(const json_t *json, const apex_standing *line, const char *state) {
    ck_assert_uint_eq(json_object_size(json), 15);
    ck_assert(json_is_false(json_object_get(json, "kicked")));
    ck_assert_int_eq(number_of(json, "position"), line->position);
    ck_assert_str_eq(text_of(json, "name"), line->name);
    ck_assert_str_eq(text_of(json, "car"), cars[line->car]);
    ck_assert_str_eq(text_of(json, "state"), state);
    ck_assert_int_eq(number_of(json, "grid"), line->grid);
    ck_assert_int_eq(number_of(json, "laps"), line->laps);
    assert_time(json, "total_s", line->total_us);
    assert_time(json, "gap_s", line->gap_us);
    assert_time(json, "best_lap_s", line->best_lap_us);
    assert_time(json, "last_lap_s", line->last_lap_us);
    ck_assert_int_eq(number_of(json, "off_track"), line->off_track_count);
    double longest_s = json_real_value(json_object_get(json, "off_track_longest_s"));
    ck_assert_double_eq_tol(longest_s, (double)line->off_track_us_max / 1e6, 1e-9);
    ck_assert_int_eq(number_of(json, "resets"), line->resets);
    ck_assert_int_eq(number_of(json, "contacts"), line->contacts);
}

TEST(json_holds_every_field) {
    apex_race_result result = result_of(4);
    json_t *root = parsed(&result);
    ck_assert_uint_eq(json_object_size(root), 13);
    ck_assert_uint_eq(json_array_size(json_object_get(root, "did_not_start")), 0);
    ck_assert_int_eq(number_of(root, "event_seed"), 7);
    ck_assert_int_eq(number_of(root, "seed"), (int64_t)APEX_RACE_SEED_MAX);
    ck_assert_int_eq(number_of(root, "race_number"), 9);
    ck_assert_str_eq(text_of(root, "race"), "Grand \"Prix\"");
    ck_assert_str_eq(text_of(root, "track"), "ridgeway");
    ck_assert_int_eq(number_of(root, "laps"), 12);
    ck_assert(json_is_true(json_object_get(root, "complete")));
    ck_assert_str_eq(text_of(root, "started"), "2026-03-01T12:00:00Z");
    ck_assert_str_eq(text_of(root, "ended"), "2026-03-01T12:01:30Z");
    ck_assert_int_eq(number_of(root, "ticks"), 0x100000001);
    ck_assert_str_eq(text_of(root, "state_hash"), "00ab00000000cd01");
    const json_t *array = json_object_get(root, "results");
    ck_assert_uint_eq(json_array_size(array), 4);
    static const char *const states[] = {"finished", "finished", "dnf", "waiting"};
    for (size_t i = 0; i < 4; i++) {
        assert_line(json_array_get(array, i), &lines[i], states[i]);
    }
    json_decref(root);
}

TEST(json_of_a_race_without_anybody) {
    apex_race_result result = result_of(0);
    result.complete = false;
    result.car_names = NULL;
    json_t *root = parsed(&result);
    ck_assert(json_is_false(json_object_get(root, "complete")));
    ck_assert(json_is_array(json_object_get(root, "results")));
    ck_assert_uint_eq(json_array_size(json_object_get(root, "results")), 0);
    json_decref(root);
    char *text = apex_results_table(&result);
    ck_assert_ptr_nonnull(text);
    ck_assert_ptr_nonnull(strstr(text, "Results of race 9: ridgeway, 12 laps\n"));
    free(text);
}

// A cut in the middle of a character, or bytes of another code page.
TEST(a_name_of_odd_bytes_costs_nobody_a_line) {
    apex_race_result result = result_of(3);
    snprintf(lines[1].name, sizeof lines[1].name, "J\xf6rg \xc3");
    snprintf(result.race, sizeof result.race, "\xff");
    json_t *root = parsed(&result);
    ck_assert_str_eq(text_of(root, "race"), "\xef\xbf\xbd");
    const json_t *array = json_object_get(root, "results");
    ck_assert_uint_eq(json_array_size(array), 3);
    ck_assert_str_eq(text_of(json_array_get(array, 1), "name"), "J\xef\xbf\xbdrg \xef\xbf\xbd");
    ck_assert_str_eq(text_of(json_array_get(array, 0), "name"), lines[0].name);
    json_decref(root);
}

// By characters, which in a terminal are columns for the names here but the last.
static size_t columns_of(const char *from, const char *to) {
    size_t columns = 0;
    for (; from < to; from++) {
        columns += ((unsigned char)*from & 0xc0u) != 0x80u;
    }
    return columns;
}

static const char *line_of(const char *text, size_t number) {
    for (size_t i = 0; i < number; i++) {
        text = strchr(text, '\n') + 1;
    }
    return text;
}

static size_t column_of(const char *line, const char *what) {
    const char *at = strstr(line, what);
    ck_assert_msg(at != NULL && at < strchr(line, '\n'), "no %s in %s", what, line);
    return columns_of(line, at);
}

static size_t end_column_of(const char *line, const char *what) {
    return column_of(line, what) + columns_of(what, what + strlen(what));
}

TEST(the_table_lines_up) {
    apex_race_result result = result_of(4);
    char *text = apex_results_table(&result);
    ck_assert_ptr_nonnull(text);
    const char *head = line_of(text, 1);
    size_t width = columns_of(head, strchr(head, '\n'));
    for (size_t i = 0; i < 4; i++) {
        const char *line = line_of(text, 2 + i);
        ck_assert_uint_eq(columns_of(line, strchr(line, '\n')), width);
        ck_assert_uint_eq(column_of(line, lines[i].name), column_of(head, "name"));
        ck_assert_uint_eq(column_of(line, cars[lines[i].car]), column_of(head, "car"));
    }
    const char *first = line_of(text, 2);
    ck_assert_uint_eq(end_column_of(first, "  12"), end_column_of(head, "laps"));
    ck_assert_uint_eq(end_column_of(first, "59.999"), end_column_of(head, "best lap"));
    ck_assert_uint_eq(end_column_of(first, " 24:00:00.123"), end_column_of(head, "total"));
    // Cut off and not rounded: 59.9995 s is no minute.
    const char *second = line_of(text, 3);
    ck_assert_uint_eq(end_column_of(second, " 59.999"), end_column_of(head, "best lap"));
    ck_assert_uint_eq(end_column_of(second, " +1.500"), end_column_of(head, "gap"));
    ck_assert_uint_eq(end_column_of(line_of(text, 4), "did not finish"), width);
    free(text);
}

TEST(the_table_counts_one_lap_as_one) {
    apex_race_result result = result_of(1);
    result.laps = 1;
    lines[0].best_lap_us = 0;
    char *text = apex_results_table(&result);
    ck_assert_ptr_nonnull(strstr(text, "ridgeway, 1 lap\n"));
    const char *line = line_of(text, 2);
    ck_assert_uint_eq(end_column_of(line, " - "), end_column_of(line_of(text, 1), "best lap") + 1);
    free(text);
}

TEST(who_never_took_the_start_stands_below_the_table) {
    apex_race_result result = result_of(2);
    lines[2].left_why = APEX_LEAVE_KICKED; // and is not here any more
    result.apart = &lines[2];
    result.apart_count = 2;
    char *text = apex_results_table(&result);
    ck_assert_str_eq(line_of(text, 4), "did not start: stopped (kicked), waits\n");
    free(text);
    json_t *root = parsed(&result);
    const json_t *apart = json_object_get(root, "did_not_start");
    ck_assert_uint_eq(json_array_size(apart), 2);
    ck_assert_str_eq(text_of(json_array_get(apart, 0), "name"), "stopped");
    ck_assert(json_is_true(json_object_get(json_array_get(apart, 0), "kicked")));
    ck_assert(json_is_false(json_object_get(json_array_get(apart, 1), "kicked")));
    ck_assert_uint_eq(json_array_size(json_object_get(root, "results")), 2);
    json_decref(root);
}

// Boxes and places differ in the scene: 3, 1, 2, 4.
TEST(the_table_begins_with_the_place) {
    apex_race_result result = result_of(4);
    char *text = apex_results_table(&result);
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(strtol(line_of(text, 2 + i), NULL, 10), (long)i + 1);
    }
    free(text);
}

// A player who was kicked once and is back is present, whatever is still noted of that.
TEST(only_who_is_gone_was_kicked) {
    apex_race_result result = result_of(4);
    lines[2].left_why = lines[3].left_why = APEX_LEAVE_KICKED;
    lines[3].present = true;
    char *text = apex_results_table(&result);
    ck_assert_ptr_nonnull(text);
    size_t width = columns_of(line_of(text, 1), strchr(line_of(text, 1), '\n'));
    ck_assert_uint_eq(end_column_of(line_of(text, 4), " kicked"), width);
    ck_assert_uint_eq(end_column_of(line_of(text, 5), "did not finish"), width);
    free(text);
    json_t *root = parsed(&result);
    const json_t *array = json_object_get(root, "results");
    ck_assert(json_is_true(json_object_get(json_array_get(array, 2), "kicked")));
    ck_assert(json_is_false(json_object_get(json_array_get(array, 3), "kicked")));
    json_decref(root);
}

TEST(who_never_took_the_start_had_a_car) {
    apex_race_result result = result_of(2);
    lines[2].car = 2;
    result.apart = &lines[2];
    result.apart_count = 1;
    json_t *root = parsed(&result);
    const json_t *apart = json_array_get(json_object_get(root, "did_not_start"), 0);
    ck_assert_str_eq(text_of(apart, "car"), cars[2]);
    json_decref(root);
}

TEST(a_race_without_laps_is_an_open_session) {
    apex_race_result result = result_of(1);
    result.laps = 0;
    char *text = apex_results_table(&result);
    ck_assert_ptr_nonnull(strstr(text, "Results of race 9: ridgeway, open session\n"));
    free(text);
}
