// Text on the arena of a request, which grows as it is written.

#include "api/answer/answer_text.h"

#include <string.h>

answer_text answer_text_begin(apex_arena *arena) {
    size_t room = (arena->capacity - arena->used) & ~(size_t)(APEX_ARENA_ALIGN - 1);
    return (answer_text){
        .arena = arena, .bytes = apex_arena_alloc(arena, room), .capacity = room, .is_cut = false};
}

void answer_text_put(answer_text *text, const char *bytes, size_t length) {
    if (text->bytes == NULL || length > text->capacity - text->length) {
        text->is_cut = true;
        return;
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

void answer_text_add(answer_text *text, const char *string) {
    answer_text_put(text, string, strlen(string));
}

// An order of thousands is mostly numbers, and printf would take most of the time.
void answer_text_count(answer_text *text, uint64_t count) {
    enum { DIGITS_MAX = 20 };
    char digits[DIGITS_MAX];
    size_t at = DIGITS_MAX;
    do {
        digits[--at] = (char)('0' + count % 10);
        count /= 10;
    } while (count > 0);
    answer_text_put(text, digits + at, DIGITS_MAX - at);
}

void answer_text_seconds(answer_text *text, int64_t us) {
    enum { DECIMALS = 6 };
    if (us < 0) {
        answer_text_add(text, "-");
    }
    uint64_t size = us < 0 ? 0 - (uint64_t)us : (uint64_t)us;
    answer_text_count(text, size / 1000000u);
    uint64_t rest = size % 1000000u;
    if (rest == 0) {
        return;
    }
    char decimals[1 + DECIMALS] = ".";
    for (int i = DECIMALS; i > 0; i--) {
        decimals[i] = (char)('0' + rest % 10);
        rest /= 10;
    }
    size_t length = sizeof decimals;
    while (decimals[length - 1] == '0') {
        length--;
    }
    answer_text_put(text, decimals, length);
}

const char *answer_text_end(answer_text *text, size_t *length) {
    *length = text->length;
    if (text->bytes == NULL || text->is_cut) {
        return NULL;
    }
    size_t used = (text->length + APEX_ARENA_ALIGN - 1) & ~(size_t)(APEX_ARENA_ALIGN - 1);
    text->arena->used -= text->capacity - (used < text->capacity ? used : text->capacity);
    return text->bytes;
}
