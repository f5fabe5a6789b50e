// A visit to the pits, as the rules or his plan ask for it: in, to the box, and out again.
#pragma once

#include "driver/drive/situation.h"

// Takes the way into, along or out of the lane in place of the line, and slows down for it in time.
// @return false where he is on no such way; then nothing is changed but the acceleration that is
// planned here, for one who brakes for an entry further ahead.
bool driver_visit_follow(driver_now *now);
// The wish of one who follows it.
void driver_visit_wish(double skill, driver_now *now, driver_room *wish);
