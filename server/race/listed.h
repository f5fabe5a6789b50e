// The list of entries of an event, as it is asked for a driver.
#pragma once

#include "race/race.h"

// NULL: he is not on it.
const apex_race_entry_def *race_entry_named(const apex_entry_list_def *list, const char *name);
// The class of a driver who is on the list, or not (NULL), in one of the race's cars; 0: none.
uint32_t race_entry_class(const apex_entry_list_def *list, const apex_race_entry_def *entry,
                          uint32_t car);
