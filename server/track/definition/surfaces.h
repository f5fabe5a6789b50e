/// The surfaces and wall materials that a track knows by name: the built-in ones and its own.
#pragma once

#include "track/laid_track.h"

/// Built-in surfaces and materials, then the definition's own (or changed ones in their place).
apex_err track_collect_surfaces(const apex_track_def *def, apex_track *track,
                                apex_def_problem *problem);
apex_err track_collect_materials(const apex_track_def *def, apex_track *track,
                                 apex_def_problem *problem);
/// @return the index, or -1 if there is none of that name.
int track_find_surface(const apex_track *track, const char *name);
int track_find_material(const apex_track *track, const char *name);
