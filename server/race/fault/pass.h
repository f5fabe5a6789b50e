// Two cars beside each other in a corner: who was entitled to room, and who left none.
#pragma once

#include "race/fault/scene.h"
#include "race/fault_def.h"

void race_pass_judge(const race_scene *scene, apex_fault *out);
