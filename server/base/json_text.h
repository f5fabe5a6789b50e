/// A string of JSON, for reports that print as they go and build no tree.

#pragma once

#include <stdio.h>

/// Writes `text` in quotes, with quotes, backslashes and U+0000..001F escaped, which is all that
/// JSON asks for (RFC 8259, section 7). Other bytes pass through: UTF-8 stays what it is, and what
/// is none stays none. A stream that fails says so itself (ferror).
void apex_json_text(FILE *out, const char *text);
