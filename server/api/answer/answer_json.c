// JSON as it is written, on the arena of a request.

#include "api/answer/answer_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "proto/proto.h"

answer_json answer_json_begin(apex_arena *arena) {
    return (answer_json){.text = answer_text_begin(arena)};
}

static void quote(answer_text *out, const char *text) {
    enum { PIECE_BYTES = 512 };
    char checked[PIECE_BYTES];
    size_t length = strlen(text);
    if (!apex_wire_text_ok(text, length)) {
        apex_wire_text(checked, sizeof checked, text);
        text = checked;
        length = strlen(text);
    }
    answer_text_put(out, "\"", 1);
    // No control characters are left: quotes and backslashes are all there is to escape.
    for (size_t at = 0; at < length;) {
        size_t plain = strcspn(text + at, "\"\\");
        answer_text_put(out, text + at, plain);
        at += plain;
        if (at < length) {
            answer_text_put(out, "\\", 1);
            answer_text_put(out, text + at++, 1);
        }
    }
    answer_text_put(out, "\"", 1);
}

static void begin_item(answer_json *json, const char *key) {
    if (json->has_items[json->depth]) {
        answer_text_put(&json->text, ",", 1);
    }
    json->has_items[json->depth] = true;
    if (key != NULL) { // ours, without anything to escape
        answer_text_put(&json->text, "\"", 1);
        answer_text_add(&json->text, key);
        answer_text_put(&json->text, "\":", 2);
    }
}

void answer_json_open(answer_json *json, const char *key, char bracket) {
    APEX_ASSERT(json->depth + 1 < ANSWER_JSON_DEPTH_MAX);
    begin_item(json, key);
    answer_text_put(&json->text, &bracket, 1);
    json->has_items[++json->depth] = false;
}

void answer_json_close(answer_json *json, char bracket) {
    APEX_ASSERT(json->depth > 0);
    json->depth--;
    answer_text_put(&json->text, &bracket, 1);
}

void answer_json_null(answer_json *json, const char *key) {
    begin_item(json, key);
    answer_text_add(&json->text, "null");
}

void answer_json_bool(answer_json *json, const char *key, bool value) {
    begin_item(json, key);
    answer_text_add(&json->text, value ? "true" : "false");
}

void answer_json_count(answer_json *json, const char *key, uint64_t count) {
    begin_item(json, key);
    answer_text_count(&json->text, count);
}

void answer_json_metres(answer_json *json, const char *key, double metres) {
    double mm = isfinite(metres) && fabs(metres) < 1e12 ? metres * 1e3 : 0.0;
    answer_json_seconds(json, key, llround(mm) * 1000);
}

void answer_json_seconds(answer_json *json, const char *key, int64_t us) {
    begin_item(json, key);
    answer_text_seconds(&json->text, us);
}

// Millionths are written as microseconds are.
void answer_json_share(answer_json *json, const char *key, uint32_t ppm) {
    answer_json_seconds(json, key, ppm);
}

void answer_json_time(answer_json *json, const char *key, uint64_t us) {
    if (us == 0) {
        answer_json_null(json, key);
    } else {
        answer_json_seconds(json, key, (int64_t)us);
    }
}

void answer_json_text(answer_json *json, const char *key, const char *value) {
    begin_item(json, key);
    quote(&json->text, value);
}

void answer_json_hash(answer_json *json, const char *key, uint64_t hash) {
    char digits[20];
    snprintf(digits, sizeof digits, "%016" PRIx64, hash);
    answer_json_text(json, key, digits);
}

const char *answer_json_end(answer_json *json, size_t *length) {
    APEX_ASSERT(json->depth == 0);
    answer_text_put(&json->text, "\n", 1);
    return answer_text_end(&json->text, length);
}
