// A plan, asked at a lap distance.
#pragma once

#include "driver/plan/plan_stations.h"

driver_point driver_plan_at(const apex_driver_plan *plan, double s_m);
