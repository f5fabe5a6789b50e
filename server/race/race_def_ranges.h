/// Between what the numbers of a race may lie, each said once: the check of definitions and the
/// keys of race files read it here.
#pragma once

#include "base/range.h"

#define APEX_RANGE_apex_race_def_laps            0, APEX_RACE_LAPS_MAX
#define APEX_RANGE_apex_race_def_player_capacity 1, APEX_CARS_MAX
#define APEX_RANGE_apex_race_def_start_players   0, APEX_CARS_MAX
#define APEX_RANGE_apex_race_def_lobby_s         0, APEX_RACE_SECONDS_MAX
#define APEX_RANGE_apex_race_def_countdown_s     0, 600
#define APEX_RANGE_apex_race_def_finish_wait_s   0, 86400
#define APEX_RANGE_apex_race_def_race_s_max      0, 604800
#define APEX_RANGE_apex_race_def_results_s       0, 86400
#define APEX_RANGE_apex_race_def_stuck_s         0, 600
#define APEX_RANGE_apex_race_def_idle_s          0, 86400
#define APEX_RANGE_apex_race_def_reset_wait_s    0, 600
#define APEX_RANGE_apex_race_def_races           0, 100000
