// The blue flag: somebody faster is behind, who has a lap more or, against the clock, is on a lap
// that may count.
#pragma once

#include "race/control/control_state.h"

// Before anybody is judged.
void race_blue_lead(race_control *control, const race_field *field);
void race_blue_judge(race_control *control, const race_control_scene *scene, uint32_t slot,
                     race_verdicts *out);
