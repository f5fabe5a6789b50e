// Wandering about a terrain, from one place in sight to the next.
#pragma once

#include "driver/driver.h"

apex_controls driver_wander(apex_driver *driver, const apex_driver_plan *plan,
                            const apex_driver_view *view);
