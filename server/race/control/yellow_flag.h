// Yellow flags: the cars that are in harm's way, and the stretches where that is shown.
#pragma once

#include "race/control/control_state.h"

// Notes the car, and whether it is in harm's way.
void race_yellow_see(race_control *control, const race_field *field, uint32_t slot,
                     const race_control_sight *sight);
void race_yellow_wave(race_control *control, race_log *log);
// A lap through double yellow does not count, against the clock.
void race_yellow_void(race_control *control, const race_control_scene *scene,
                      const race_player *player, race_verdicts *out);
// He gets up to speed: for some seconds he is not slow.
void race_yellow_excuse(race_control *control, uint32_t slot);
void race_yellow_excuse_all(race_control *control);
