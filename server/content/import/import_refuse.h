/// The refusal of a table of points.
#pragma once

#include <stdint.h>

#include "content/content.h"

/// The text that is read, for reading and refusing.
typedef struct import_text {
    const char *label;
    apex_content_problem *problem;
} import_text;

/// Notes `file:line:column: why`.
/// @return PARSE, for the caller to hand on.
__attribute__((format(printf, 4, 5))) apex_err import_refuse(const import_text *from, uint32_t line,
                                                             uint32_t column, const char *fmt, ...);
