/// The shape of the ground beside the road.
#pragma once

#include "track/ground/ribbon.h"

/// Widths of the shoulders, their banks and the bends that they fold in.
void track_ribbon_shape(track_ribbon *ribbon);
