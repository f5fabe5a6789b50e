// The racing line: offset_m of every station, for little curvature.
#pragma once

#include "driver/plan/plan_stations.h"

void driver_line_place(apex_driver_plan *plan); // x_m and y_m from offset_m
void driver_line_relax(apex_driver_plan *plan);
// Index that is `by` stations on; wraps on a lap, stops at the ends of a stretch.
uint32_t driver_line_index(const apex_driver_plan *plan, uint32_t from, int64_t by);
