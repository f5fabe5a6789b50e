/// Offences, and the penalties that they bring. Part of the public face of race; include
/// "race/race.h".
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum apex_offence {
    APEX_OFFENCE_TRACK_LIMITS, ///< all wheels off the road, and time gained
    APEX_OFFENCE_JUMP_START,
    APEX_OFFENCE_PIT_SPEED,
    APEX_OFFENCE_UNSAFE_RELEASE,
    APEX_OFFENCE_PIT_EXIT_LINE, ///< a wheel over the line that parts exit road and track
    APEX_OFFENCE_PIT_REVERSE,   ///< backwards in the lane
    APEX_OFFENCE_WRONG_WAY,
    APEX_OFFENCE_BLOCKING, ///< stands where others race
    APEX_OFFENCE_BLUE_FLAG,
    APEX_OFFENCE_YELLOW_PASS,
    APEX_OFFENCE_FULL_COURSE_SPEED,
    APEX_OFFENCE_FULL_COURSE_PASS,
    APEX_OFFENCE_RED_FLAG,  ///< raced on under it
    APEX_OFFENCE_FORMATION, ///< place not kept, or too fast, before a rolling start
    APEX_OFFENCE_CONTACT,   ///< by the share of fault
    APEX_OFFENCE_INCIDENTS, ///< more points than the event allows
    APEX_OFFENCE_IDLE,
    APEX_OFFENCE_LINK, ///< a line so bad that others cannot race beside it
    APEX_OFFENCE_NOT_SERVED,
    APEX_OFFENCE_STOPS_MISSING, ///< mandatory pit stops
    APEX_OFFENCE_STEWARDS,      ///< whatever they thought of
} apex_offence;

enum { APEX_OFFENCES = APEX_OFFENCE_STEWARDS + 1 };

const char *apex_offence_name(apex_offence offence);

typedef enum apex_penalty_kind {
    APEX_PENALTY_WARNING,       ///< and nothing else; of track limits, the black-and-white flag
    APEX_PENALTY_TIME,          ///< seconds: stood at the next stop before work, else added
    APEX_PENALTY_DRIVE_THROUGH, ///< through the lane without a stop
    APEX_PENALTY_STOP_AND_HOLD, ///< seconds: stood in the box, and no work
    APEX_PENALTY_GRID_DROP,     ///< places, at the next race's grid
    APEX_PENALTY_LAP_DELETED,   ///< the lap of the offence, as a best lap
    APEX_PENALTY_DISQUALIFIED,
} apex_penalty_kind;

enum { APEX_PENALTY_KINDS = APEX_PENALTY_DISQUALIFIED + 1 };

const char *apex_penalty_kind_name(apex_penalty_kind kind);

typedef enum apex_penalty_state {
    APEX_PENALTY_OPEN,
    APEX_PENALTY_SERVED,
    APEX_PENALTY_CONVERTED, ///< into a harder one, or into time after the flag
    APEX_PENALTY_CANCELLED, ///< by stewards
} apex_penalty_state;

enum { APEX_PENALTY_STATES = APEX_PENALTY_CANCELLED + 1 };

const char *apex_penalty_state_name(apex_penalty_state state);

enum {
    APEX_PENALTY_STEPS_MAX = 48,
    APEX_PENALTIES_EACH_MAX = 16,
    APEX_PENALTY_AMOUNT_MAX = 3600, ///< seconds or places
};

/// A row of the table: what the count-th offence of a kind brings, and all after it up to the next
/// row of that kind.
typedef struct apex_penalty_step {
    apex_offence offence;
    uint32_t count; ///< from 1, in one session
    apex_penalty_kind kind;
    double amount; ///< seconds of TIME and STOP_AND_HOLD, places of GRID_DROP; else 0
} apex_penalty_step;

/// How long a penalty may wait, and what it turns into (weekend.md 2.3).
///
/// What has to hold: no two rows of one offence have the same count (their order does not matter);
/// an amount is above 0 where the kind has one, at most APEX_PENALTY_AMOUNT_MAX, whole for places,
/// and 0 elsewhere. A row of NOT_SERVED is never read: the members below decide that.
typedef struct apex_penalty_def {
    uint32_t serve_within_laps; ///< crossings of the line after the notice; more, and it converts
    double drive_through_s;     ///< added when it can be served no more; the hold of one likewise,
                                ///< on top of its own seconds
    double unserved_hold_s;     ///< of the stop-and-hold that an ignored drive-through turns into;
                                ///< 0: it is treated as an ignored stop-and-hold itself
    bool unserved_disqualifies; ///< an ignored stop-and-hold; else it converts into time
    double time_s_max;          ///< a sum of seconds past this disqualifies; 0: never
    uint32_t step_count;
    apex_penalty_step steps[APEX_PENALTY_STEPS_MAX];
} apex_penalty_def;

/// A penalty of somebody. Its number counts over the event, from 1; 0 is none.
typedef struct apex_penalty {
    uint32_t number;
    apex_offence offence;
    apex_penalty_kind kind;
    apex_penalty_state state;
    double amount;
    uint64_t given_us; ///< on the session's clock
    uint32_t lap;      ///< under way when it was given, from 1
    uint32_t due_lap;  ///< to be served before so many laps are complete; 0: no such term
    uint64_t added_us; ///< to his time, when it was or will be so
    bool by_stewards;
} apex_penalty;
