/// The rules of an event: for each judge whether it is on, and its numbers. Part of the public face
/// of race; include "race/race.h". Seconds, metres, m/s.
#pragma once

#include "race/penalty_def.h"

typedef enum apex_rules_preset {
    APEX_RULES_FREE,   ///< nobody judges: as in an event without rules
    APEX_RULES_CLUB,   ///< told and warned, seconds for what harms others
    APEX_RULES_LEAGUE, ///< all of it
} apex_rules_preset;

enum { APEX_RULES_PRESETS = APEX_RULES_LEAGUE + 1 };

typedef struct apex_limits_rule {
    bool on;
    bool lenient;   ///< an excursion counts only if time was gained by it
    double carry_m; ///< off so near the end of a lap voids the next lap, too; 0: the last tenth
} apex_limits_rule;

typedef struct apex_start_rule {
    bool on;
    double move_m; ///< moved so far before the lights went out
} apex_start_rule;

typedef struct apex_pit_rule {
    bool on;
    double tolerance_mps; ///< over the lane's limit
    double release_gap_s; ///< leaves its box with another so near behind in the lane; 0: never told
    bool exit_line;       ///< the line at the exit is judged
} apex_pit_rule;

typedef struct apex_direction_rule {
    bool on;
    double wrong_s; ///< against the lap, faster than 20 km/h
} apex_direction_rule;

typedef struct apex_blocking_rule {
    bool on;
    double slow_mps, slow_s; ///< on the road, while others race
} apex_blocking_rule;

/// By race distance (weekend.md 2.6).
typedef struct apex_blue_rule {
    bool on;
    double notice_s, shown_s; ///< behind by so much: told early, shown
    double ignored_s;         ///< shown for so long in reach of each other: an offence; 0: never
} apex_blue_rule;

typedef struct apex_yellow_rule {
    bool on;
    double stretch_m;  ///< the lap is cut into stretches of about so much, 100..300
    double slow_share; ///< of the speed that is driven there, for a second
    double clear_s;    ///< it ends so long after
} apex_yellow_rule;

typedef struct apex_full_course_rule {
    bool on; ///< may be called; judged while it is out
    double limit_mps;
    double auto_s;  ///< called by itself when a car stands in harm's way so long; 0: by command
    double clear_s; ///< from the notice that it ends to green
} apex_full_course_rule;

/// In the manner of iRacing: only the worst of a chain of 3 s counts.
typedef struct apex_incident_rule {
    bool on;
    uint32_t off, lost, wall, heavy; ///< points of each; a light contact is told with 0
    double heavy_mps;                ///< closing speed from which a contact is heavy
    uint32_t points_max;             ///< more are the offence INCIDENTS; 0: no limit
} apex_incident_rule;

typedef struct apex_fault_rule {
    bool on;
    double closing_mps; ///< below this, and without loss of place or control, nothing is judged
    uint32_t share;     ///< from so much of the fault, 0..100, a contact is the offence CONTACT
} apex_fault_rule;

/// When who is a ghost. Nobody ever becomes solid inside another.
typedef struct apex_courtesy_rule {
    bool lane;       ///< in the pit lane, from line to line; so it is in an event without rules
    bool lapped;     ///< who is lapped, slow, and has a leader close behind
    double joined_s; ///< the first seconds of a latecomer
} apex_courtesy_rule;

typedef struct apex_rules_def {
    apex_rules_preset preset; ///< which it was made from, for people
    apex_limits_rule limits;
    apex_start_rule start;
    apex_pit_rule pits;
    apex_direction_rule direction;
    apex_blocking_rule blocking;
    apex_blue_rule blue;
    apex_yellow_rule yellow;
    apex_full_course_rule full_course;
    apex_incident_rule incidents;
    apex_fault_rule fault;
    apex_courtesy_rule courtesy;
    apex_penalty_def penalties;
    double classified_share; ///< of the winner's laps, to be classified; 0: everybody is
    bool flag_needed;        ///< to be classified one has to take the flag
} apex_rules_def;

apex_rules_def apex_preset_rules(apex_rules_preset preset);
const char *apex_rules_preset_name(apex_rules_preset preset);
