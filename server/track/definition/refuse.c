// A refusal, parted into the field and the reason.
#include "track/definition/refuse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

apex_err track_refuse(apex_def_problem *problem, const char *format, ...) {
    if (problem == NULL) {
        return APEX_ERR_INVALID;
    }
    char text[sizeof problem->field + sizeof problem->reason];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *colon = strstr(text, ": ");
    size_t field_bytes = colon != NULL ? (size_t)(colon - text) : 0;
    const char *reason = colon != NULL ? colon + 2 : text;
    snprintf(problem->field, sizeof problem->field, "%.*s", (int)field_bytes, text);
    snprintf(problem->reason, sizeof problem->reason, "%.*s", (int)sizeof problem->reason - 1,
             reason);
    return APEX_ERR_INVALID;
}
