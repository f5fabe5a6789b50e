/// Race control on the wire: sessions, penalties, pits. Part of the public face of proto; include
/// "proto/proto.h".
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "proto/race_numbers.h"
#include "proto/wire_limits.h"

/// A driver's wishes for his next stop.
typedef struct apex_wire_pit_plan {
    bool stop;         ///< false: nothing but what he is ordered to
    uint32_t fuel_g;   ///< to fill up to, 0..APEX_WIRE_FUEL_G_MAX; 0: none
    bool tyres;        ///< new ones
    uint32_t compound; ///< of apex_race_session.compounds, from 0
    bool repair;
} apex_wire_pit_plan;

/// A session of an event.
typedef struct apex_session_line {
    uint32_t kind; ///< apex_wire_session
    char name[APEX_WIRE_NAME_BYTES];
    uint32_t laps;        ///< of a race; 0: by time alone
    uint32_t duration_ms; ///< 0: by laps alone
    uint32_t stops_min;   ///< mandatory pit stops
} apex_session_line;

/// The session that is on, of an event with sessions or rules.
typedef struct apex_race_session {
    uint32_t index, count; ///< from 0; a count of 0: an event without sessions
    uint32_t kind;         ///< apex_wire_session
    char name[APEX_WIRE_NAME_BYTES];
    uint32_t laps, duration_ms; ///< as in apex_session_line
    int64_t left_us;            ///< of a session by time; negative in overtime
    bool chequered;             ///< the flag is out
    uint32_t flag;              ///< apex_wire_flag, that is shown to all
    uint32_t lead_laps;         ///< the most that anybody has completed
    uint32_t session_count;     ///< 0: what was told before stands, of this list and the next two
    apex_session_line sessions[APEX_WIRE_SESSIONS_MAX];
    uint32_t class_count;
    char classes[APEX_WIRE_CLASSES_MAX][APEX_WIRE_NAME_BYTES];
    uint32_t compound_count; ///< of tyres
    char compounds[APEX_WIRE_COMPOUNDS_MAX][APEX_WIRE_NAME_BYTES];
} apex_race_session;

typedef struct apex_penalty_message {
    uint32_t number; ///< counts over the event, from 1
    uint32_t player;
    char name[APEX_WIRE_NAME_BYTES]; ///< of player, who may have left
    uint32_t offence;                ///< apex_wire_offence
    uint32_t kind;                   ///< apex_wire_penalty
    uint32_t state;                  ///< apex_wire_penalty_state
    uint32_t time_ms;                ///< of a time penalty and a stop-and-hold
    uint32_t places;                 ///< of a grid drop
    uint64_t given_us;               ///< on the session's clock
    uint32_t lap;                    ///< under way when it was given, from 1
    uint32_t due_lap;  ///< to be served before so many laps are complete; 0: no such term
    uint64_t added_us; ///< to the player's time, when it was or will be so
    bool by_stewards;
} apex_penalty_message;

/// Penalties as they are now.
typedef struct apex_penalties {
    bool complete; ///< forget those told before; else those listed are new or changed
    uint32_t count;
    const apex_penalty_message *penalties; ///< the newest last; decode: into the scratch
} apex_penalties;

/// Of a driver's own car, beside what standings and penalties tell.
typedef struct apex_conduct {
    uint32_t pit;           ///< apex_wire_pit
    uint32_t box;           ///< from 1; 0: he has none
    uint32_t stops;         ///< with work done, in this session
    uint32_t stops_counted; ///< of these, within the window of mandatory stops
    apex_wire_pit_plan plan;
    uint64_t plan_us;   ///< how long it would take now
    uint64_t left_us;   ///< of the stop under way
    uint64_t lane_us;   ///< of the newest visit, from line to line; of one under way, so far
    uint32_t lap_voids; ///< bits, of the lap under way
    uint32_t incident_points;
} apex_conduct;
