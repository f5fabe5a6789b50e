/// The ground of a road, tile by tile.
#pragma once

#include "track/ground/ribbon.h"

apex_err track_lay_ground(const track_ribbon *ribbon, apex_track *track, apex_def_problem *problem);
/// No tiles at all: it is level everywhere.
void track_leave_level(const track_ribbon *ribbon, apex_track *track);
