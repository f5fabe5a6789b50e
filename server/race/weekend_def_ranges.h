/// Between what the numbers of a weekend may lie, each said once: the check of definitions, the
/// keys of race files and replays read it here.
#pragma once

#include "base/range.h"

#define APEX_RANGE_apex_session_feed_from         1, APEX_CARS_MAX
#define APEX_RANGE_apex_session_feed_to           0, APEX_CARS_MAX
#define APEX_RANGE_apex_session_def_laps          0, APEX_RACE_LAPS_MAX
#define APEX_RANGE_apex_session_def_duration_s    0, 86400
#define APEX_RANGE_apex_session_def_overtime_s    0, 3600
#define APEX_RANGE_apex_session_def_finish_wait_s 0, 86400
#define APEX_RANGE_apex_session_def_results_s     0, 86400
#define APEX_RANGE_apex_session_def_rolling_mps   10, 60
#define APEX_RANGE_apex_session_def_stops_min     0, 50
#define APEX_RANGE_apex_session_def_window_from_s 0, 86400
#define APEX_RANGE_apex_session_def_window_to_s   0, 86400
// Points of a place, or of the best lap.
#define APEX_RANGE_apex_session_def_points 0, 1000

#define APEX_RANGE_apex_limits_rule_carry_m           0, 2000
#define APEX_RANGE_apex_start_rule_move_m             0.05, 10
#define APEX_RANGE_apex_pit_rule_tolerance_mps        0, 10
#define APEX_RANGE_apex_pit_rule_release_gap_s        0, 10
#define APEX_RANGE_apex_direction_rule_wrong_s        1, 120
#define APEX_RANGE_apex_blocking_rule_slow_mps        0, 20
#define APEX_RANGE_apex_blocking_rule_slow_s          1, 600
#define APEX_RANGE_apex_blue_rule_notice_s            0, 10
#define APEX_RANGE_apex_blue_rule_shown_s             0.2, 10
#define APEX_RANGE_apex_blue_rule_ignored_s           0, 120
#define APEX_RANGE_apex_yellow_rule_stretch_m         100, 300
#define APEX_RANGE_apex_yellow_rule_slow_share        0.05, 0.9
#define APEX_RANGE_apex_yellow_rule_clear_s           0, 60
#define APEX_RANGE_apex_full_course_rule_limit_mps    5, 60
#define APEX_RANGE_apex_full_course_rule_auto_s       0, 600
#define APEX_RANGE_apex_full_course_rule_clear_s      3, 60
#define APEX_RANGE_apex_incident_rule_off             0, 100
#define APEX_RANGE_apex_incident_rule_lost            0, 100
#define APEX_RANGE_apex_incident_rule_wall            0, 100
#define APEX_RANGE_apex_incident_rule_heavy           0, 100
#define APEX_RANGE_apex_incident_rule_heavy_mps       0, 50
#define APEX_RANGE_apex_incident_rule_points_max      0, 10000
#define APEX_RANGE_apex_fault_rule_closing_mps        0, 50
#define APEX_RANGE_apex_fault_rule_share              1, 100
#define APEX_RANGE_apex_courtesy_rule_joined_s        0, 60
#define APEX_RANGE_apex_rules_def_classified_share    0, 1
#define APEX_RANGE_apex_penalty_def_serve_within_laps 1, 20
#define APEX_RANGE_apex_penalty_def_drive_through_s   0, 600
#define APEX_RANGE_apex_penalty_def_unserved_hold_s   0, 600
#define APEX_RANGE_apex_penalty_def_time_s_max        0, 3600
#define APEX_RANGE_apex_penalty_step_count            1, 1000
// Seconds, or places.
#define APEX_RANGE_apex_penalty_step_amount 0, APEX_PENALTY_AMOUNT_MAX

#define APEX_RANGE_apex_compound_def_grip         0.5, 1.5
#define APEX_RANGE_apex_compound_def_wear         0, 10
#define APEX_RANGE_apex_compound_def_best_c       0, 200
#define APEX_RANGE_apex_pits_def_base_s           0, 600
#define APEX_RANGE_apex_pits_def_tyres_axle_s     0, 600
#define APEX_RANGE_apex_pits_def_fuel_kg_per_s    0.01, 1000
#define APEX_RANGE_apex_pits_def_repair_percent_s 0, 600
#define APEX_RANGE_apex_pits_def_engine_s         0, 3600
#define APEX_RANGE_apex_pit_plan_fuel_kg          0, 1000

#define APEX_RANGE_apex_race_entry_def_number     0, 999
#define APEX_RANGE_apex_race_entry_def_ballast_kg 0, 200
#define APEX_RANGE_apex_race_entry_def_restrictor 0, 0.5
#define APEX_RANGE_apex_race_entry_def_grid       0, APEX_CARS_MAX
// Of one place.
#define APEX_RANGE_apex_entry_list_def_success_kg 0, 200

#define APEX_RANGE_apex_race_command_seconds 1, 86400
