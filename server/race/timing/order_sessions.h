// Who stands before whom in a session: against the clock by the best lap that counts, in a race by
// the way that was driven and, where that is the same, by time.
#pragma once

#include "race/field/field.h"

// Each is a total order of entries.
bool race_stands_by_best(const race_field *field, uint32_t a_entry, uint32_t b_entry);
bool race_stands_by_way(const race_field *field, uint32_t a_entry, uint32_t b_entry);
bool race_stands_by_result(const race_field *field, uint32_t a_entry, uint32_t b_entry);
