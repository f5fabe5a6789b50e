// The check of classes and the list of entries.
#pragma once

#include "race/race.h"

bool weekend_entries_ok(const apex_weekend_def *def, uint32_t car_count,
                        apex_weekend_problem *problem);
