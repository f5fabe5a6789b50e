/// A struct written as a file.
#pragma once

#include <stdio.h>

#include "content/fields/table.h"

struct content_writer {
    FILE *out;
    int indent;
    const char *kind;
};

/// Writes every field with its value and its help. With `unlike` only fields that differ from it.
void content_write_map(content_writer *writer, const content_table *table, const void *base,
                       const void *unlike);
/// "1, 2.5", each number as short as it reads back to itself.
void content_write_reals(FILE *out, const double *values, size_t count);
bool content_fields_equal(const content_table *table, const void *a, const void *b);
