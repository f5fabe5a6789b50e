/// Walls along the road.
#pragma once

#include "track/ground/ribbon.h"

/// The definition's walls, and the one between road and pit lane.
apex_err track_lay_road_walls(const apex_track_def *def, const track_ribbon *ribbon,
                              apex_track *track, apex_def_problem *problem);
