/// The text of an answer, written piece by piece into what an arena has free. What does not fit is
/// left out and noted, so that nobody has to look after each piece.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct answer_text {
    apex_arena *arena;
    char *bytes;
    size_t length, capacity;
    bool is_cut;
} answer_text;

/// Takes all the arena has left, until answer_text_end.
answer_text answer_text_begin(apex_arena *arena);
void answer_text_put(answer_text *text, const char *bytes, size_t length);
void answer_text_add(answer_text *text, const char *string);
void answer_text_count(answer_text *text, uint64_t count);
/// Microseconds as seconds, to the last digit: "-2.5", "83.000001".
void answer_text_seconds(answer_text *text, int64_t us);
/// Gives back what is not needed. @return the bytes, which live on the arena; NULL if they are cut.
const char *answer_text_end(answer_text *text, size_t *length);
