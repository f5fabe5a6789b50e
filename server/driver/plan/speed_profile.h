// The speed at every station.
#pragma once

#include "driver/plan/plan_stations.h"

void driver_pace_plan(apex_driver_plan *plan);
