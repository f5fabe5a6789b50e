// The red flag. A race that it has stopped goes on, by command, from the grid: in the order of the
// last gate that all had passed, each with the laps that he had complete there; so the lap under
// way is driven anew. If it does not go on, its result is that of the end of the lap two before the
// one that the leader was in (weekend.md 2.6).
#pragma once

#include "race/control/control_state.h"

// At the signal: places, and the laps of the result.
void race_red_note(race_control *control, const race_control_scene *scene);
// Follows his gates and lines, each tick; while the flag is out nothing counts.
void race_red_follow(const race_control *control, const race_player *player,
                     race_flag_watch *watch);
// A lap that is under way while it is out does not count.
void race_red_void(const race_control *control, const race_player *player, race_flag_watch *watch,
                   race_verdicts *out);

// Race times at the ends of his newest laps, the last first; 0 where there is none. Those after the
// signal are no ends of laps.
// @return laps complete
uint32_t race_red_lines(const race_flag_watch *watch, uint64_t out_us[RACE_LINES_KEPT]);

// The order of those who raced at the last red flag, and race still. @param slots room for all
// @return how many
uint32_t race_red_order(const race_control *control, const race_field *field, uint32_t slots[]);
