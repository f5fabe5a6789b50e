/// JSON, written from front to back into memory that grows. Commas come by themselves.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct page_json {
    char *bytes;
    size_t length, capacity;
    bool failed; ///< out of memory: what there is is not whole
} page_json;

void page_json_begin(page_json *json);

/// @param key NULL in an array, and for the outermost value.
void page_json_open(page_json *json, const char *key, char bracket);
void page_json_close(page_json *json, char bracket);
void page_json_text(page_json *json, const char *key, const char *text);
void page_json_whole(page_json *json, const char *key, int64_t value);
/// What is no number becomes 0. Nine digits bring a float back to the bit.
void page_json_number(page_json *json, const char *key, double value);
void page_json_flag(page_json *json, const char *key, bool value);
void page_json_null(page_json *json, const char *key);
