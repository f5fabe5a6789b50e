/// JSON (RFC 8259) written as it goes, in order, without a tree: commas, quotes, escapes and lines
/// are looked after here, for every program that writes some. Members of objects have keys;
/// elements of arrays, and the outermost value, have NULL for one. Keys are the program's own, with
/// nothing to escape, or go through apex_json_key.
///
/// Times are whole microseconds (DECISIONS 39). JSON has them either as such (`*_us`: the client's
/// --json, events.jsonl) or as seconds with up to six decimals that are the same microseconds
/// exactly
/// (`*_s`: the API, results files). A reader multiplies and rounds to be back at them, and does not
/// cut: 1.001 times 1e6 is 1000999.9999999999.
#pragma once

#include <stdio.h>

#include "base/text_writer.h"

enum {
    APEX_JSON_DEPTH_MAX = 16,
    APEX_JSON_COMPACT = 0,                     ///< no blanks, no lines: for programs
    APEX_JSON_LINES_ALL = APEX_JSON_DEPTH_MAX, ///< a line for each value, indented by two
};

typedef struct apex_json_writer {
    apex_text_writer text;
    uint32_t lines_depth;
    uint32_t depth;
    char brackets[APEX_JSON_DEPTH_MAX]; ///< that close what is open
    bool has_items[APEX_JSON_DEPTH_MAX + 1];
    bool has_key; ///< written by apex_json_key
} apex_json_writer;

/// @param lines_depth APEX_JSON_COMPACT; else values down to this depth have lines of their own,
/// and deeper ones stand in a row, with a blank after each comma and colon.
apex_json_writer apex_json_begin(apex_text_writer to, uint32_t lines_depth);

/// Begins anew in the same memory, however far it had come.
void apex_json_restart(apex_json_writer *json);

void apex_json_open(apex_json_writer *json, const char *key, char bracket); ///< '{' or '['
void apex_json_close(apex_json_writer *json);                               ///< the innermost
/// The key of the next value, which then has NULL for one: a name from outside.
void apex_json_key(apex_json_writer *json, const char *key);
void apex_json_null(apex_json_writer *json, const char *key);
void apex_json_bool(apex_json_writer *json, const char *key, bool value);
void apex_json_count(apex_json_writer *json, const char *key, uint64_t count);
void apex_json_integer(apex_json_writer *json, const char *key, int64_t value);
/// To so many digits, at most 17; 9 bring a float back to the bit. Numbers that are not finite
/// become null.
void apex_json_number(apex_json_writer *json, const char *key, double value, int digits);
/// The same, but whole ones have a ".0", for readers that tell 2.0 from 2.
void apex_json_real(apex_json_writer *json, const char *key, double value, int digits);
/// Microseconds as seconds, to the last digit.
void apex_json_seconds(apex_json_writer *json, const char *key, int64_t us);
/// The same, but null for 0, which stands for a time there is not.
void apex_json_time(apex_json_writer *json, const char *key, uint64_t us);
/// Bytes that are no UTF-8 become U+FFFD each, and controls are escaped, those of terminals too.
void apex_json_text(apex_json_writer *json, const char *key, const char *value);
/// As text, because it is more than a reader's numbers hold: "00c0ffee00c0ffee".
void apex_json_hash(apex_json_writer *json, const char *key, uint64_t hash);

/// Ends a document that grows: writes it and the end of its line, and frees it. Without the memory
/// for it the process stops.
void apex_json_print(apex_json_writer *json, FILE *out);
