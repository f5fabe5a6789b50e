/// The keys of a race weekend in a race file: rules, pits, classes, entries and sessions. Each base
/// is an apex_race_file, of which the cars were read before, and the others in this order.
#pragma once

#include "content/fields/fields.h"
#include "content/fields/write_fields.h"

/// A preset's name, or a map of what differs from one.
bool content_read_rules(content_reader *reader, const yaml_node_t *node, void *base);
void content_write_rules(content_writer *writer, const void *base);

extern const content_table content_pits_table; ///< of apex_pits_def

/// Of the items of the next two.
extern const content_table content_class_table, content_entry_table;
bool content_read_classes(content_reader *reader, const yaml_node_t *node, void *base);
bool content_read_entries(content_reader *reader, const yaml_node_t *node, void *base);

extern const content_table content_session_table; ///< of content_session
bool content_read_sessions(content_reader *reader, const yaml_node_t *node, void *base);
