/// The rules and pits of a race file.
#pragma once

#include "content/fields/fields.h"
#include "content/fields/write_fields.h"

/// Both of an apex_race_file: a preset's name, or a map of what differs from one.
bool content_read_rules(content_reader *reader, const yaml_node_t *node, void *base);
void content_write_rules(content_writer *writer, const void *base);

extern const content_table content_pits_table; ///< of apex_pits_def
