/// Text written piece by piece into memory: into a piece that the caller has, or into one that
/// grows. Text that does not fit is left out and noted, so that no caller has to look after each
/// piece.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct apex_text_writer {
    char *bytes; ///< `length` of them are written; no 0 follows
    size_t length, capacity;
    bool is_lent; ///< the caller's bytes; else from malloc, for the holder to free
    bool is_cut;  ///< something did not fit, or there was no memory
} apex_text_writer;

/// @param bytes the caller's, of `capacity`; NULL, for which nothing fits, will do.
apex_text_writer apex_text_in(char *bytes, size_t capacity);
apex_text_writer apex_text_growing(void); ///< all 0 is one too

void apex_text_put(apex_text_writer *text, const char *bytes, size_t length);
void apex_text_add(apex_text_writer *text, const char *string);
/// As printf does, up to 63 bytes of it.
__attribute__((format(printf, 2, 3))) void apex_text_format(apex_text_writer *text,
                                                            const char *format, ...);
void apex_text_count(apex_text_writer *text, uint64_t count);
/// Microseconds as seconds, to the last digit: "-2.5", "83.000001".
void apex_text_seconds(apex_text_writer *text, int64_t us);

/// Ends a text that grows. @return it with a 0 at its end, for the caller to free; NULL if it is
/// cut.
char *apex_text_take(apex_text_writer *text);
