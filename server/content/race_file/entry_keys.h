/// The classes and entries of a race file.
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

/// Both of an apex_race_file: classes after its cars, entries after both.
bool content_read_classes(content_reader *reader, const yaml_node_t *node, void *base);
bool content_read_entries(content_reader *reader, const yaml_node_t *node, void *base);

/// Of the items, and what shows their keys.
extern const content_table content_class_table, content_entry_table;
extern const content_race_class content_first_class;
extern const content_race_entry content_first_entry;
