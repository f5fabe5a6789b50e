/// Problems with a file, in words.
#pragma once

#include "content/content.h"

/// A problem of a file as a whole, behind those that are there. NULL is fine.
void content_note(apex_content_problems *all, const apex_content_problem *problem);
/// One of a place in the file, in order among those from `first` on. Line and column count from 0.
void content_insert(apex_content_problems *all, uint32_t first, const size_t at[2],
                    const apex_content_problem *problem);
__attribute__((format(printf, 2, 3))) void content_explain(apex_content_problem *problem,
                                                           const char *fmt, ...);
