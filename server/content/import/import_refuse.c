/// The refusal of a table of points: why, and where in it.
#include "content/import/import_refuse.h"

#include <stdarg.h>
#include <stdio.h>

#include "content/document/problem.h"

apex_err import_refuse(const import_text *from, uint32_t line, uint32_t column, const char *fmt,
                       ...) {
    char why[APEX_CONTENT_TEXT_BYTES];
    va_list args;
    va_start(args, fmt);
    vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    if (line > 0) {
        content_explain(from->problem, "%s:%u:%u: %s", from->label, line, column, why);
    } else {
        content_explain(from->problem, "%s: %s", from->label, why);
    }
    return APEX_ERR_PARSE;
}
