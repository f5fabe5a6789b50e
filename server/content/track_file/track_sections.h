/// A centre line of straights and bends.
#pragma once

#include "content/fields/table.h"

/// Both of content_track_file; what is written is an example.
bool content_read_sections(content_reader *reader, const yaml_node_t *node, void *base);
void content_write_sections(content_writer *writer, const void *base);
