/// One file of any kind: found by name, read, and laid if it is a track.
#pragma once

#include "content/document/reader.h"

/// The file that is to be read, and the places for its contents.
typedef struct content_wanted {
    apex_content_kind kind;
    bool laid;
    void *out; ///< the definition, or NULL if a car's is not asked for
    apex_car_published *published;
    const content_source *source; ///< NULL: from memory
    apex_content_problems *all;   ///< NULL: the first is enough
} content_wanted;

/// Reads the `kind` key.
bool content_read_kind(content_reader *reader, apex_content_kind *out);
/// @param problem NULL if nobody asks.
apex_err content_parse(const char *text, size_t length, const char *label, content_wanted what,
                       apex_content_problem *problem);
/// By name or path; of a race also whether what it names is there.
apex_err content_load(const char *name, const char *directory, content_wanted what,
                      apex_content_problem *problem);
