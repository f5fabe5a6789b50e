/// The check of a definition before its curve is known.
#pragma once

#include "track/track.h"

/// Every range and name that can be told without the curve.
apex_err track_check_def(const apex_track_def *def, apex_def_problem *problem);
