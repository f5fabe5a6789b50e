// What the rules ask of the server's drivers, before they drive.
#pragma once

#include "race/race_private.h"

void race_order_drivers(apex_race *race);
// At the line: what one of them plans for his next stop.
void race_plan_stop(apex_race *race, uint32_t slot);
