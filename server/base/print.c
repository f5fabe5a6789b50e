// One rule for all that prints what strangers wrote.
#include "base/print.h"

#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"

enum { LINE_BYTES = 1024, PIECE_BYTES = 256, ESCAPED_BYTES_MAX = 16 };

// @return bytes of the text that it stands for.
static size_t put_character(apex_text_writer *out, const char *text, size_t left) {
    size_t length = apex_utf8_length(text, left);
    if (length > 0 && !apex_utf8_is_hidden(text, length)) {
        apex_text_put(out, text, length);
        return length;
    }
    length = length > 0 ? length : 1;
    for (size_t i = 0; i < length; i++) {
        apex_text_format(out, "\\x%02x", (unsigned char)text[i]);
    }
    return length;
}

void apex_print_escaped(apex_text_writer *out, const char *text) {
    for (size_t left = strlen(text); left > 0;) {
        size_t taken = put_character(out, text, left);
        text += taken;
        left -= taken;
    }
}

void apex_print_text(FILE *out, const char *text) {
    char bytes[PIECE_BYTES];
    apex_text_writer piece = apex_text_in(bytes, sizeof bytes);
    for (size_t left = strlen(text); left > 0;) {
        size_t taken = put_character(&piece, text, left);
        text += taken;
        left -= taken;
        if (left == 0 || piece.length > sizeof bytes - ESCAPED_BYTES_MAX) {
            fwrite(piece.bytes, 1, piece.length, out);
            piece.length = 0;
        }
    }
}

void apex_print_line(FILE *out, const char *format, ...) {
    char text[LINE_BYTES];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length >= 0) {
        apex_print_text(out, text);
    }
    fputc('\n', out);
}
