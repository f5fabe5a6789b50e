// An answer takes the rest of an arena, and gives back what it did not need.
#include "api/answer/answer_text.h"

static size_t aligned_down(size_t bytes) {
    return bytes & ~(size_t)(APEX_ARENA_ALIGN - 1);
}

apex_text_writer answer_text_begin(apex_arena *arena) {
    size_t room = aligned_down(arena->capacity - arena->used);
    return apex_text_in(apex_arena_alloc(arena, room), room);
}

const char *answer_text_end(apex_arena *arena, const apex_text_writer *text, size_t *length) {
    *length = text->length;
    if (text->bytes == NULL || text->is_cut) {
        return NULL;
    }
    arena->used -= aligned_down(text->capacity - text->length);
    return text->bytes;
}
