/// A document being read: where the reader stands in it, and what it found wrong.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

#include "content/content.h"

enum { CONTENT_FIELD_PATH_BYTES = 128 };

/// A document being read. Every function that returns false has noted why here. The first problem
/// ends the reading, unless all are gathered: then the other fields of a map and the other items of
/// a list are read all the same, into a struct that nobody uses.
typedef struct content_source content_source;
typedef struct content_reader {
    yaml_document_t document;
    const yaml_node_t *root;
    const char *label;
    const char *text;
    const content_source *source;        ///< of files beside this one; NULL: there are none
    char path[CONTENT_FIELD_PATH_BYTES]; ///< of the field being read, "axles[1].tyre"
    size_t path_length;
    uint16_t *section_of_point; ///< of a track written as sections; else NULL
    size_t section_point_count;
    apex_err err; ///< of the first problem, like the next
    apex_content_problem problem;
    apex_content_problems *all; ///< NULL: the first is enough
    uint32_t others_count;      ///< of them, those of other files
} content_reader;

/// Notes a problem at a place in the file, headed by the present path if there is one.
/// @return false, so that callers can return it.
__attribute__((format(printf, 4, 5))) bool content_fail(content_reader *reader, yaml_mark_t at,
                                                        apex_err err, const char *fmt, ...);

/// From here on all problems are noted in `all`, behind those that are there; NULL: only the first.
void content_gather(content_reader *reader, apex_content_problems *all);
/// After a problem: whether the next field or item is to be read.
bool content_goes_on(const content_reader *reader);
/// Both return the length to give back to content_pop.
size_t content_push_key(content_reader *reader, const char *key);
size_t content_push_index(content_reader *reader, size_t index);
void content_pop(content_reader *reader, size_t length);
