/// A table of points read as a line.
#pragma once

#include "content/import/import_line.h"
#include "content/import/import_refuse.h"

/// Reads all points. On success free line->text_line, line->along_m and the definition's points.
apex_err import_read(const import_text *from, const char *text, size_t length, import_line *line);
