/// The cross-section of the ground, built along the lap.
#pragma once

#include "track/ground/ribbon.h"

apex_err track_ribbon_create(const apex_track_def *def, const apex_track *track,
                             track_ribbon *ribbon, apex_def_problem *problem);
void track_ribbon_destroy(track_ribbon *ribbon);
