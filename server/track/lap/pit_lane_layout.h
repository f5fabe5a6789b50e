/// The pit lane laid beside the road.
#pragma once

#include "track/laid_track.h"

/// Takes the lane over, once stations are laid; refuses what cannot lie along this road.
apex_err track_lay_pits(const apex_track_def *def, apex_track *track, apex_def_problem *problem);
