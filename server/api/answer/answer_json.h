/// An answer in JSON, on the arena of a request, with the values that only answers have.
#pragma once

#include "base/arena.h"
#include "base/json_writer.h"

/// Takes all the arena has left, until answer_json_end.
apex_json_writer answer_json_begin(apex_arena *arena);
void answer_json_metres(apex_json_writer *json, const char *key, double metres); ///< to the mm
void answer_json_share(apex_json_writer *json, const char *key, uint32_t ppm);   ///< 0 to 1
/// Bytes that are not UTF-8, and characters that do not belong in a line, become question marks.
void answer_json_text(apex_json_writer *json, const char *key, const char *value);
/// @return as answer_text_end.
const char *answer_json_end(apex_arena *arena, apex_json_writer *json, size_t *length);
