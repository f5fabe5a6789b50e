/// Points of a track file: of the centre line, and of walls.
#pragma once

#include "content/fields/table.h"

/// Of content_track_file.
bool content_read_points(content_reader *reader, const yaml_node_t *node, void *base);
/// Both of apex_track_free_wall.
bool content_read_wall_points(content_reader *reader, const yaml_node_t *node, void *base);
void content_write_wall_points(content_writer *writer, const void *base);
