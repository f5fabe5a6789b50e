// Controls for what a driver wants.
#pragma once

#include "driver/drive/situation.h"

// Turns the wheel and presses the pedals; backs out when the car is stuck.
apex_controls driver_act(apex_driver *driver, driver_now *now);

typedef struct driver_order {
    double steer_rad;
    double speed_mps;
} driver_order;

// Does what is ordered, as far as the tyres can; backs out when it is stuck.
apex_controls driver_obey(apex_driver *driver, const apex_driver_plan *plan,
                          const apex_driver_view *view, driver_order order);
