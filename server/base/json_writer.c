// JSON as it is written: each value puts the comma, the line and the key before itself
// (DECISIONS 48).
#include "base/json_writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/utf8.h"

apex_json_writer apex_json_begin(apex_text_writer to, uint32_t lines_depth) {
    return (apex_json_writer){.text = to, .lines_depth = lines_depth};
}

void apex_json_restart(apex_json_writer *json) {
    apex_text_writer text = json->text;
    text.length = 0;
    text.is_cut = false;
    *json = apex_json_begin(text, json->lines_depth);
}

static void put_line(apex_json_writer *json) {
    apex_text_put(&json->text, "\n", 1);
    for (uint32_t i = 0; i < json->depth; i++) {
        apex_text_put(&json->text, "  ", 2);
    }
}

static void put_colon(apex_json_writer *json) {
    apex_text_put(&json->text, ": ", json->lines_depth == APEX_JSON_COMPACT ? 1 : 2);
}

static void begin_item(apex_json_writer *json) {
    bool has_line = json->depth > 0 && json->depth <= json->lines_depth;
    if (json->has_items[json->depth]) {
        bool has_blank = json->lines_depth != APEX_JSON_COMPACT && !has_line;
        apex_text_put(&json->text, ", ", has_blank ? 2 : 1);
    }
    json->has_items[json->depth] = true;
    if (has_line) {
        put_line(json);
    }
}

static void begin_value(apex_json_writer *json, const char *key) {
    if (json->has_key) {
        json->has_key = false;
        return;
    }
    begin_item(json);
    if (key != NULL) {
        apex_text_put(&json->text, "\"", 1);
        apex_text_add(&json->text, key);
        apex_text_put(&json->text, "\"", 1);
        put_colon(json);
    }
}

// @return the length of the text's beginning that needs no escape.
static size_t plain_length(const char *text, size_t length) {
    size_t plain = 0;
    while (plain < length) {
        char c = text[plain];
        size_t step = c >= ' ' && c < 0x7f ? 1 : apex_utf8_length(text + plain, length - plain);
        if (step == 0 || apex_utf8_is_hidden(text + plain, step) || c == '"' || c == '\\') {
            break;
        }
        plain += step;
    }
    return plain;
}

// Beyond 16 bits JSON takes the two halves of UTF-16.
static void put_code(apex_text_writer *out, uint32_t code) {
    if (code >= 0x10000) {
        apex_text_format(out, "\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10),
                         0xdc00 + ((code - 0x10000) & 0x3ff));
    } else {
        apex_text_format(out, "\\u%04x", code);
    }
}

// @return bytes of the text that it stands for.
static size_t put_escape(apex_text_writer *out, const char *text, size_t length) {
    size_t step = apex_utf8_length(text, length);
    if (step == 0) {
        apex_text_add(out, "\xef\xbf\xbd");
        return 1;
    }
    if (apex_utf8_is_hidden(text, step)) {
        put_code(out, apex_utf8_code(text, step));
    } else {
        apex_text_put(out, "\\", 1);
        apex_text_put(out, text, step);
    }
    return step;
}

static void put_quoted(apex_text_writer *out, const char *text) {
    apex_text_put(out, "\"", 1);
    for (size_t left = strlen(text); left > 0;) {
        size_t plain = plain_length(text, left);
        apex_text_put(out, text, plain);
        text += plain;
        left -= plain;
        if (left > 0) {
            size_t escaped = put_escape(out, text, left);
            text += escaped;
            left -= escaped;
        }
    }
    apex_text_put(out, "\"", 1);
}

void apex_json_open(apex_json_writer *json, const char *key, char bracket) {
    APEX_ASSERT(json->depth < APEX_JSON_DEPTH_MAX && (bracket == '{' || bracket == '['));
    begin_value(json, key);
    apex_text_put(&json->text, &bracket, 1);
    json->brackets[json->depth] = bracket == '{' ? '}' : ']';
    json->has_items[++json->depth] = false;
}

void apex_json_close(apex_json_writer *json) {
    APEX_ASSERT(json->depth > 0);
    bool had_lines = json->has_items[json->depth] && json->depth <= json->lines_depth;
    json->depth--;
    if (had_lines) {
        put_line(json);
    }
    apex_text_put(&json->text, &json->brackets[json->depth], 1);
}

void apex_json_key(apex_json_writer *json, const char *key) {
    APEX_ASSERT(!json->has_key);
    begin_item(json);
    put_quoted(&json->text, key);
    put_colon(json);
    json->has_key = true;
}

void apex_json_null(apex_json_writer *json, const char *key) {
    begin_value(json, key);
    apex_text_add(&json->text, "null");
}

void apex_json_bool(apex_json_writer *json, const char *key, bool value) {
    begin_value(json, key);
    apex_text_add(&json->text, value ? "true" : "false");
}

void apex_json_count(apex_json_writer *json, const char *key, uint64_t count) {
    begin_value(json, key);
    apex_text_count(&json->text, count);
}

void apex_json_integer(apex_json_writer *json, const char *key, int64_t value) {
    begin_value(json, key);
    apex_text_format(&json->text, "%" PRId64, value);
}

void apex_json_number(apex_json_writer *json, const char *key, double value, int digits) {
    APEX_ASSERT(digits >= 1 && digits <= 17);
    begin_value(json, key);
    if (isfinite(value)) {
        apex_text_format(&json->text, "%.*g", digits, value);
    } else {
        apex_text_add(&json->text, "null");
    }
}

void apex_json_real(apex_json_writer *json, const char *key, double value, int digits) {
    apex_json_number(json, key, value, digits);
    if (isfinite(value) && value == floor(value) && fabs(value) < pow(10.0, digits)) {
        apex_text_add(&json->text, ".0");
    }
}

void apex_json_seconds(apex_json_writer *json, const char *key, int64_t us) {
    begin_value(json, key);
    apex_text_seconds(&json->text, us);
}

void apex_json_time(apex_json_writer *json, const char *key, uint64_t us) {
    if (us == 0) {
        apex_json_null(json, key);
    } else {
        apex_json_seconds(json, key, (int64_t)us);
    }
}

void apex_json_text(apex_json_writer *json, const char *key, const char *value) {
    begin_value(json, key);
    put_quoted(&json->text, value);
}

void apex_json_hash(apex_json_writer *json, const char *key, uint64_t hash) {
    char digits[APEX_HASH_HEX_BYTES];
    apex_hash_to_hex(hash, digits);
    apex_json_text(json, key, digits);
}

void apex_json_print(apex_json_writer *json, FILE *out) {
    APEX_ASSERT(json->depth == 0 && !json->text.is_lent);
    apex_text_put(&json->text, "\n", 1);
    APEX_ASSERT(!json->text.is_cut);
    fwrite(json->text.bytes, 1, json->text.length, out);
    free(json->text.bytes);
    json->text = apex_text_growing();
}
