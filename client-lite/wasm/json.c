// A comma is written where the text before ends with a value.
#include "client-lite/wasm/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void page_json_begin(page_json *json) {
    json->length = 0;
    json->failed = false;
}

static bool has_room(page_json *json, size_t more) {
    if (json->failed || json->capacity - json->length >= more) {
        return !json->failed;
    }
    size_t capacity = json->capacity > 0 ? json->capacity : 4096;
    while (capacity - json->length < more) {
        capacity *= 2;
    }
    char *bytes = realloc(json->bytes, capacity);
    json->failed = bytes == NULL;
    if (bytes != NULL) {
        json->bytes = bytes;
        json->capacity = capacity;
    }
    return bytes != NULL;
}

static void put(page_json *json, const char *bytes, size_t length) {
    if (has_room(json, length)) {
        memcpy(json->bytes + json->length, bytes, length);
        json->length += length;
    }
}

static void put_quoted(page_json *json, const char *text) {
    put(json, "\"", 1);
    for (const char *at = text; *at != '\0'; at++) {
        unsigned char letter = (unsigned char)*at;
        if (letter == '"' || letter == '\\') {
            const char escaped[2] = {'\\', *at};
            put(json, escaped, 2);
        } else if (letter < 0x20) {
            char escaped[8];
            int length = snprintf(escaped, sizeof escaped, "\\u%04x", letter);
            put(json, escaped, (size_t)length);
        } else {
            put(json, at, 1);
        }
    }
    put(json, "\"", 1);
}

// The comma after the value before, and the key.
static void begin_value(page_json *json, const char *key) {
    char before = json->length > 0 && !json->failed ? json->bytes[json->length - 1] : '[';
    if (before != '[' && before != '{') {
        put(json, ",", 1);
    }
    if (key != NULL) {
        put_quoted(json, key);
        put(json, ":", 1);
    }
}

void page_json_open(page_json *json, const char *key, char bracket) {
    begin_value(json, key);
    put(json, &bracket, 1);
}

void page_json_close(page_json *json, char bracket) {
    put(json, &bracket, 1);
}

void page_json_text(page_json *json, const char *key, const char *text) {
    begin_value(json, key);
    put_quoted(json, text);
}

void page_json_whole(page_json *json, const char *key, int64_t value) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRId64, value);
    begin_value(json, key);
    put(json, digits, (size_t)length);
}

void page_json_number(page_json *json, const char *key, double value) {
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%.9g", isfinite(value) ? value : 0.0);
    begin_value(json, key);
    put(json, digits, (size_t)length);
}

void page_json_flag(page_json *json, const char *key, bool value) {
    begin_value(json, key);
    put(json, value ? "true" : "false", value ? 4 : 5);
}

void page_json_null(page_json *json, const char *key) {
    begin_value(json, key);
    put(json, "null", 4);
}
