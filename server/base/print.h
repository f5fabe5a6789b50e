/// Texts of strangers, out of files and off the wire, for a terminal: what could act on it, hide,
/// or turn a line's direction round is shown as its bytes, "\x1b" (apex_utf8_is_hidden).
#pragma once

#include <stdio.h>

#include "base/text_writer.h"

/// Adds a text with each hidden character, and each byte that is no UTF-8, escaped: at most four
/// bytes for one.
void apex_print_escaped(apex_text_writer *out, const char *text);
/// The same to a stream. A text may be of any length.
void apex_print_text(FILE *out, const char *text);
/// Prints one line, up to 1,023 bytes before they are escaped, and its end. Line ends within it are
/// escaped, too.
__attribute__((format(printf, 2, 3))) void apex_print_line(FILE *out, const char *format, ...);
