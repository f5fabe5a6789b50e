// The way out of the pits.
#pragma once

#include "driver/drive/situation.h"

bool driver_pits_follow(driver_now *now); // the lane in place of the line; false elsewhere
driver_room driver_pits_traffic(const driver_now *now, driver_room wish);
