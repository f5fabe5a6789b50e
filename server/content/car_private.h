/// What reading a car file needs beyond the car.
#pragma once

#include "content/content_private.h"

/// apex_car_def comes first, so that one base pointer serves the tables of both.
typedef struct content_car_file {
    apex_car_def car;
    apex_axle_def axle; ///< what every axle starts from
} content_car_file;

extern const content_table content_car_table;  ///< of content_car_file
extern const content_table content_axle_table; ///< of apex_axle_def

bool content_read_axles(content_reader *reader, const yaml_node_t *node, void *base);
void content_write_axles(content_writer *writer, const void *base);
