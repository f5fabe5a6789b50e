/// The terrain of a track file.
#pragma once

#include "content/fields/table.h"

/// Of content_track_file.
bool content_read_terrain(content_reader *reader, const yaml_node_t *node, void *base);
