/// Classes and entries as they are read.
#pragma once

#include "content/fields/fields.h"

/// The definition comes first, so that one base pointer serves the keys of both.
typedef struct content_race_class {
    apex_race_class_def def;
    const apex_race_file *file; ///< whose cars it may have
} content_race_class;

typedef struct content_race_entry {
    apex_race_entry_def def;
    char car[APEX_CONTENT_PATH_BYTES]; ///< as it stands in the file, like the next; empty: any
    char class_name[APEX_NAME_BYTES];
} content_race_entry;

/// What shows their keys.
extern const content_race_class content_first_class;
extern const content_race_entry content_first_entry;
