/// The pit lane of a track file.
#pragma once

#include "content/fields/table.h"

extern const content_table content_pit_table; ///< of apex_track_pit_lane
extern const apex_track_pit_lane content_first_pit_lane;
/// Sides of a road in words: a choice of apex_track_side.
extern const char *const content_sides[];

/// Both of content_track_file.
bool content_read_pit_lane(content_reader *reader, const yaml_node_t *node, void *base);
/// With its key; nothing of a track without one.
void content_write_pit_lane(content_writer *writer, const void *base);
