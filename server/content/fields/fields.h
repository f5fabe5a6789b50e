/// A map of a document read into a struct.
#pragma once

#include "content/fields/table.h"

/// Reads a map into the struct at `base`; keys left out leave their members as they are.
bool content_read_map(content_reader *reader, const yaml_node_t *node, const content_table *table,
                      void *base);
