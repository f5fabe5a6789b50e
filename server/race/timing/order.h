// The running order.
#pragma once

#include "race/field/event_log.h"
#include "race/field/field.h"
#include "race/timing/timing.h"

void race_order_update(race_timing *timing, const race_field *field);
// @return whether nobody in it should stand before the one ahead of him.
bool race_order_is_sorted(const race_timing *timing, const race_field *field);
// Ranks those who came home since the last time, and tells of them.
void race_order_finish(race_timing *timing, race_field *field, race_log *log);
