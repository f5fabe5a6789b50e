// The pedals and the gear.
#pragma once

#include "driver/drive/situation.h"

int8_t driver_pedals_gear(const driver_now *now);
// Throttle or brake for the speed that now->room leaves.
void driver_pedals_hold(const driver_now *now, double skill, apex_controls *controls);
