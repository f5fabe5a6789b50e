/// Bridges where a line crosses itself.
#pragma once

#include "content/import/import_line.h"
#include "content/import/import_refuse.h"

/// Lifts the later of two branches over the earlier one wherever the line crosses itself.
apex_err import_bridges(const import_text *from, import_line *line);
