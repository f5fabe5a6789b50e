/// The text of an answer, written into what the arena of a request has free.
#pragma once

#include "base/arena.h"
#include "base/text_writer.h"

/// Takes all the arena has left, until answer_text_end.
apex_text_writer answer_text_begin(apex_arena *arena);
/// Gives back what is not needed. @return the bytes, which live on the arena; NULL if they are cut.
const char *answer_text_end(apex_arena *arena, const apex_text_writer *text, size_t *length);
