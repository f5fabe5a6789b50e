// Text that is put together in memory, the caller's or its own.
#include "base/text_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

apex_text_writer apex_text_in(char *bytes, size_t capacity) {
    return (apex_text_writer){
        .bytes = bytes, .capacity = bytes != NULL ? capacity : 0, .is_lent = true};
}

apex_text_writer apex_text_growing(void) {
    return (apex_text_writer){0};
}

static void grow(apex_text_writer *text, size_t more) {
    enum { FIRST_BYTES = 4096 };
    size_t capacity = text->capacity > 0 ? text->capacity : FIRST_BYTES;
    while (capacity - text->length < more) {
        capacity *= 2;
    }
    char *bytes = realloc(text->bytes, capacity);
    if (bytes != NULL) {
        text->bytes = bytes;
        text->capacity = capacity;
    }
}

void apex_text_put(apex_text_writer *text, const char *bytes, size_t length) {
    if (!text->is_lent && length > text->capacity - text->length) {
        grow(text, length);
    }
    if (length > text->capacity - text->length) {
        text->is_cut = true;
        return;
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

void apex_text_add(apex_text_writer *text, const char *string) {
    apex_text_put(text, string, strlen(string));
}

void apex_text_format(apex_text_writer *text, const char *format, ...) {
    char piece[64];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length > 0) {
        apex_text_put(text, piece,
                      (size_t)length < sizeof piece ? (size_t)length : sizeof piece - 1);
    }
}

// An order of thousands is mostly numbers, and printf would take most of the time.
void apex_text_count(apex_text_writer *text, uint64_t count) {
    enum { DIGITS_MAX = 20 };
    char digits[DIGITS_MAX];
    size_t at = DIGITS_MAX;
    do {
        digits[--at] = (char)('0' + count % 10);
        count /= 10;
    } while (count > 0);
    apex_text_put(text, digits + at, DIGITS_MAX - at);
}

void apex_text_seconds(apex_text_writer *text, int64_t us) {
    enum { DECIMALS = 6 };
    if (us < 0) {
        apex_text_add(text, "-");
    }
    uint64_t size = us < 0 ? 0 - (uint64_t)us : (uint64_t)us;
    apex_text_count(text, size / 1000000u);
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
    apex_text_put(text, decimals, length);
}

char *apex_text_take(apex_text_writer *text) {
    APEX_ASSERT(!text->is_lent);
    apex_text_put(text, "", 1);
    char *bytes = text->bytes;
    if (text->is_cut) {
        free(bytes);
        bytes = NULL;
    }
    *text = apex_text_growing();
    return bytes;
}
