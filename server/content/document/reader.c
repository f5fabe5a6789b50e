/// The path to the field that is being read, and the problems noted at its place in the file.
#include "content/document/reader.h"

#include <stdarg.h>
#include <stdio.h>

#include "content/document/problem.h"

void content_gather(content_reader *reader, apex_content_problems *all) {
    reader->all = all;
    reader->others_count = all != NULL ? all->count : 0;
}

bool content_goes_on(const content_reader *reader) {
    return reader->all != NULL && !reader->all->has_more && reader->err != APEX_ERR_NO_MEMORY;
}

bool content_fail(content_reader *reader, yaml_mark_t at, apex_err err, const char *fmt, ...) {
    apex_content_problem problem = {{0}};
    int used =
        snprintf(problem.text, sizeof problem.text, "%s:%zu:%zu: %s%s", reader->label, at.line + 1,
                 at.column + 1, reader->path, reader->path_length > 0 ? ": " : "");
    if (used >= 0 && (size_t)used < sizeof problem.text) {
        va_list args;
        va_start(args, fmt);
        vsnprintf(problem.text + used, sizeof problem.text - (size_t)used, fmt, args);
        va_end(args);
    }
    if (reader->all == NULL || reader->err == APEX_OK) {
        reader->err = err;
        reader->problem = problem;
    }
    if (reader->all != NULL) {
        content_insert(reader->all, reader->others_count, (const size_t[2]){at.line, at.column},
                       &problem);
    }
    return false;
}

static size_t push(content_reader *reader, const char *text) {
    size_t before = reader->path_length;
    size_t room = sizeof reader->path - before;
    int added = snprintf(reader->path + before, room, "%s", text);
    if (added > 0) {
        reader->path_length = before + ((size_t)added < room ? (size_t)added : room - 1);
    }
    return before;
}

size_t content_push_key(content_reader *reader, const char *key) {
    char text[64];
    snprintf(text, sizeof text, "%s%s", reader->path_length > 0 ? "." : "", key);
    return push(reader, text);
}

size_t content_push_index(content_reader *reader, size_t index) {
    char text[32];
    snprintf(text, sizeof text, "[%zu]", index);
    return push(reader, text);
}

void content_pop(content_reader *reader, size_t length) {
    reader->path_length = length;
    reader->path[length] = '\0';
}
