/// One run of a manoeuvre: what was asked for, and where its figures go.
#pragma once

#include "proving/rig/rig.h"

/// One run under way: what was asked for, the rig it is driven on, and where figures go.
typedef struct proving_run {
    const apex_manoeuvre_def *def;
    proving_rig *rig;
    apex_manoeuvre_result *result;
} proving_run;

void proving_run_add(const proving_run *run, const char *name, const char *unit, double value);
double proving_run_side(const proving_run *run); ///< 1 left, -1 right
