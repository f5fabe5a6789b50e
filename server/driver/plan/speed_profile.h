// The speed at every station.
#pragma once

#include "driver/plan/plan_stations.h"

void driver_set_speeds(apex_driver_plan *plan);
