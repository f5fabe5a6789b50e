/// What reading a car file needs beyond the car.
#pragma once

#include "content/document/reader.h"

/// Air drag may be given as what it comes to, instead of coefficient and area. apex_aero_def comes
/// first, so that one base pointer serves the keys of both.
typedef struct content_aero {
    apex_aero_def def;
    double drag_n_per_mps2; ///< half of coefficient, area and density; 0: by coefficient and area
    double air_density_kg_per_m3; ///< that drag_n_per_mps2 refers to
} content_aero;

/// apex_car_def comes first, so that one base pointer serves the tables of both.
typedef struct content_car_file {
    apex_car_def car;
    apex_axle_def axle; ///< what every axle starts from
    content_aero aero;
    apex_car_published published;
} content_car_file;

extern const content_table content_car_table;  ///< of content_car_file
extern const content_table content_axle_table; ///< of apex_axle_def

bool content_read_axles(content_reader *reader, const yaml_node_t *node, void *base);
void content_write_axles(content_writer *writer, const void *base);
