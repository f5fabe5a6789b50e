/// The sessions of an event: what each is, how it ends, whom it takes from earlier ones and where
/// they start. Part of the public face of race; include "race/race.h". Times are seconds, speeds
/// m/s; places and laps count from 1.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "physics/physics.h"

enum { APEX_SESSIONS_MAX = 12, APEX_SESSION_FEEDS_MAX = 6, APEX_POINTS_PLACES_MAX = 32 };

typedef enum apex_session_kind {
    APEX_SESSION_PRACTICE,
    APEX_SESSION_QUALIFYING,
    APEX_SESSION_WARM_UP,
    APEX_SESSION_RACE,
} apex_session_kind;

enum { APEX_SESSION_KINDS = APEX_SESSION_RACE + 1 };

const char *apex_session_kind_name(apex_session_kind kind);

typedef enum apex_start_kind {
    APEX_START_STANDING, ///< lights; the hold after the last is drawn by lot
    APEX_START_ROLLING,  ///< behind a leader at a set speed, in two rows, places kept to the line
} apex_start_kind;

/// The order in which a feed reads drivers.
typedef enum apex_order_by {
    APEX_BY_RESULT,   ///< of the session that is named
    APEX_BY_BEST_LAP, ///< that counts, in that session; those without one behind, by its result
    APEX_BY_POINTS,   ///< so far in this event; a tie by more wins, seconds, ..., then by entry
    APEX_BY_ENTRY,    ///< places of the entry list; those without one behind, as they came
    APEX_BY_LOT,      ///< drawn with the event's seed
    APEX_BY_ARRIVAL,  ///< as they came
} apex_order_by;

enum { APEX_ORDERS_BY = APEX_BY_ARRIVAL + 1 };

const char *apex_order_by_name(apex_order_by by);

#define APEX_SESSION_NONE UINT32_MAX ///< a feed of an order that is no session's
#define APEX_REVERSE_ALL  UINT32_MAX

/// A stretch of drivers that a session takes. Sorted, then the first of them reversed, then those
/// without a time put to the back (weekend.md 1.3).
typedef struct apex_session_feed {
    uint32_t session; ///< an earlier one, from 0; APEX_SESSION_NONE with BY_POINTS and what follows
    apex_order_by by;
    uint32_t from, to; ///< places in that order; to 0: to the last
    uint32_t reversed; ///< the first so many of the stretch, back to front
    uint32_t class1;   ///< of this class alone, from 1; 0: all
} apex_session_feed;

typedef struct apex_session_def {
    char name[APEX_NAME_BYTES];
    apex_session_kind kind;
    uint32_t laps;     ///< of a race, 1..999; 0: by time alone
    double duration_s; ///< 0: by laps alone. Of both in a race, whichever comes first ends it
    bool extra_lap;    ///< of a race by time: one more lap after the one in which it ran out
    double overtime_s; ///< not of a race: so long after the end a lap that was begun may be ended
    double finish_wait_s;              ///< of a race: for the others after the winner
    double results_s;                  ///< results stand, cars may roll out; then the next session
    apex_start_kind start;             ///< of a race
    double rolling_mps;                ///< of a rolling start, 10..60
    uint32_t stops_min;                ///< of a race: mandatory pit stops with work done
    double window_from_s, window_to_s; ///< of race time, in which they count; both 0: always
    uint32_t compounds;                ///< bits of the event's that may be driven on; 0: all
    bool takes_rest;                   ///< those whom no feed takes start behind; else they watch
    uint32_t feed_count;               ///< 0: a race takes the result of the session before it
    apex_session_feed feeds[APEX_SESSION_FEEDS_MAX];
    uint32_t points_count; ///< of a race: places that score
    uint32_t points[APEX_POINTS_PLACES_MAX];
    uint32_t best_lap_points;
} apex_session_def;

/// 10 minutes, or a race, which has neither laps nor time yet.
apex_session_def apex_default_session_def(apex_session_kind kind);
