/// Courses driven between cones.
#pragma once

#include "proving/rig/run.h"

/// Practises, then drives for the record; at the highest speed that goes if none is asked for.
void proving_manoeuvre_course(const proving_run *run);
