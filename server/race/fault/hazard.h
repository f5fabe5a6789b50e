// Cars that are where nobody expects them: spun, coming back onto the road, driving against the
// lap.
#pragma once

#include "race/fault/scene.h"
#include "race/fault_def.h"

// Adds the reasons of both cars that are one, and of who could have kept clear of them.
// @return whether there was one: then it is no matter who passed whom
bool race_hazards_judge(const race_scene *scene, apex_fault *out);
