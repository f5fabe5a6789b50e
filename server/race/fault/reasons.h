// The table of reasons: what each weighs, and how it is said.
#pragma once

#include "race/fault_def.h"

int32_t race_reason_weight(apex_fault_reason_kind kind);
// Appends one with its weight. A ninth is dropped: eight are more than anybody reads.
void race_reason_add(apex_fault *fault, apex_fault_reason_kind kind, uint32_t whom,
                     const double values[2]);
// The heaviest first; those of one weight stay in the order in which they were added.
void race_reasons_sort(apex_fault *fault);
// Shares from the reasons: half of the difference of what weighs on the two, about 50, to the
// nearest 10.
void race_reasons_share(apex_fault *fault);
