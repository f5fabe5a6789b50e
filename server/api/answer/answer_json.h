/// JSON written as it goes, in order, without a tree: commas, quotes and escapes are looked after
/// here. Members have keys; elements of arrays have NULL for one.
#pragma once

#include "api/answer/answer_text.h"

enum { ANSWER_JSON_DEPTH_MAX = 16 };

typedef struct answer_json {
    answer_text text;
    uint32_t depth;
    bool has_items[ANSWER_JSON_DEPTH_MAX];
} answer_json;

answer_json answer_json_begin(apex_arena *arena);
void answer_json_open(answer_json *json, const char *key, char bracket); ///< '{' or '['
void answer_json_close(answer_json *json, char bracket);                 ///< '}' or ']'
void answer_json_null(answer_json *json, const char *key);
void answer_json_bool(answer_json *json, const char *key, bool value);
void answer_json_count(answer_json *json, const char *key, uint64_t count);
void answer_json_metres(answer_json *json, const char *key, double metres); ///< to the millimetre
void answer_json_share(answer_json *json, const char *key, uint32_t ppm);   ///< 0 to 1
void answer_json_seconds(answer_json *json, const char *key, int64_t us);
/// The same, but null for 0, which stands for a time there is not.
void answer_json_time(answer_json *json, const char *key, uint64_t us);
/// What is not UTF-8, or no character that belongs in a line, becomes a question mark.
void answer_json_text(answer_json *json, const char *key, const char *value);
/// The value of a hash, which is more than a reader's numbers hold: "00c0ffee00c0ffee".
void answer_json_hash(answer_json *json, const char *key, uint64_t hash);
/// @return as answer_text_end.
const char *answer_json_end(answer_json *json, size_t *length);
