// The steward: from the scene of a contact to shares and reasons. Pure: the same scene, the same
// fault. The rules are those of weekend racing (FIA driving standards guidelines, what amateurs
// add): who passes inside is entitled to room with his front axle beside the other's mirror before
// and at the apex, who passes outside with it ahead of the other's; one change of line in defence,
// none under braking; who follows keeps clear unless the one ahead brakes where nobody does, or
// moves across where he cannot stop; who comes back onto the road gives way
// (DECISIONS 69).
#pragma once

#include "race/fault/scene.h"
#include "race/fault_def.h"

// Fills shares, reason_count and reasons of *out, the heaviest reason first. Nothing is left out
// for want of speed: whether a contact was worth a judgement is for the caller to say.
void race_fault_judge(const race_scene *scene, apex_fault *out);
