// Passes on the road: those where it is forbidden, and those of lapped cars that unlap themselves.
#pragma once

#include "race/control/control_state.h"

void race_passing_judge(race_control *control, const race_control_scene *scene, uint32_t slot,
                        race_verdicts *out);
