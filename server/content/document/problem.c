/// Problems as text, and the list of them in the order of their file.
#include "content/document/problem.h"

#include <stdarg.h>
#include <stdio.h>

void content_explain(apex_content_problem *problem, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(problem->text, sizeof problem->text, fmt, args);
    va_end(args);
}

static bool is_before(const size_t at[2], const apex_content_problems *all, uint32_t other) {
    return at[0] < all->lines[other] || (at[0] == all->lines[other] && at[1] < all->columns[other]);
}

// In the order of the file: fields are read in the order of their table.
void content_insert(apex_content_problems *all, uint32_t first, const size_t at[2],
                    const apex_content_problem *problem) {
    if (all->count == APEX_CONTENT_PROBLEMS_MAX) {
        all->has_more = true;
        return;
    }
    uint32_t place = all->count++;
    for (; place > first && is_before(at, all, place - 1); place--) {
        all->at[place] = all->at[place - 1];
        all->lines[place] = all->lines[place - 1];
        all->columns[place] = all->columns[place - 1];
    }
    all->at[place] = *problem;
    all->lines[place] = at[0];
    all->columns[place] = at[1];
}

void content_note(apex_content_problems *all, const apex_content_problem *problem) {
    if (all != NULL) {
        content_insert(all, all->count, (const size_t[2]){0, 0}, problem);
    }
}
