/// A car being read: the car, and what its file says beside it.
#pragma once

#include "content/content.h"

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
    apex_axle_def axle; ///< from which every axle starts
    content_aero aero;
    apex_car_published published;
} content_car_file;
