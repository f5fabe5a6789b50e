/// The axles of a car file.
#pragma once

#include "content/fields/table.h"

/// Both of content_car_file.
bool content_read_axles(content_reader *reader, const yaml_node_t *node, void *base);
void content_write_axles(content_writer *writer, const void *base);

/// The keys of an axle, which the whole car may have for all of its axles.
extern const content_table content_tyre_table;         ///< of apex_tyre_def
extern const content_table content_suspension_table;   ///< of apex_suspension_def
extern const content_table content_differential_table; ///< of apex_differential_def
extern const content_table content_brake_table;        ///< of apex_brake_def
