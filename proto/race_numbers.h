/// Numbers of the race as the wire has them: its phases, what happens in it, how players stand.
/// Part of the public face of proto; include "proto/proto.h".
#pragma once

#include <stdint.h>

/// The phase of a race, an event in it and the state of a player, as numbers of the wire: messages
/// carry them as integers, and a newer server may know more of them.
typedef enum apex_wire_phase {
    APEX_WIRE_PHASE_LOBBY,
    APEX_WIRE_PHASE_GRID,
    APEX_WIRE_PHASE_COUNTDOWN,
    APEX_WIRE_PHASE_RACE,
    APEX_WIRE_PHASE_FINISH,
    APEX_WIRE_PHASE_RESULTS,
    APEX_WIRE_PHASE_OVER,
    APEX_WIRE_PHASES
} apex_wire_phase;

typedef enum apex_wire_event {
    APEX_WIRE_EVENT_PHASE,
    APEX_WIRE_EVENT_JOINED,
    APEX_WIRE_EVENT_LEFT,
    APEX_WIRE_EVENT_LIGHTS,
    APEX_WIRE_EVENT_SECTOR,
    APEX_WIRE_EVENT_LAP,
    APEX_WIRE_EVENT_BEST_LAP,
    APEX_WIRE_EVENT_FINISHED,
    APEX_WIRE_EVENT_DNF,
    APEX_WIRE_EVENT_RESET,
    APEX_WIRE_EVENT_CONTACT,
    APEX_WIRE_EVENT_ENGINE_BLEW,
    APEX_WIRE_EVENT_OFF_TRACK,
    APEX_WIRE_EVENT_WRONG_WAY,
    APEX_WIRE_EVENT_IDLE,
    APEX_WIRE_EVENT_SESSION,
    APEX_WIRE_EVENT_CHEQUERED,
    APEX_WIRE_EVENT_LAP_VOID,
    APEX_WIRE_EVENT_OFFENCE,
    APEX_WIRE_EVENT_PENALTY,
    APEX_WIRE_EVENT_CONTROL,
    APEX_WIRE_EVENT_YELLOW,
    APEX_WIRE_EVENT_BLUE,
    APEX_WIRE_EVENT_PIT,
    APEX_WIRE_EVENT_INCIDENT,
    APEX_WIRE_EVENT_FAULT,
    APEX_WIRE_EVENTS
} apex_wire_event;

typedef enum apex_wire_standing_state {
    APEX_WIRE_STANDING_WAITING,
    APEX_WIRE_STANDING_RUNNING,
    APEX_WIRE_STANDING_FINISHED,
    APEX_WIRE_STANDING_DNF,
    APEX_WIRE_STANDING_STATES
} apex_wire_standing_state;

typedef enum apex_wire_offence {
    APEX_WIRE_OFFENCE_TRACK_LIMITS,
    APEX_WIRE_OFFENCE_JUMP_START,
    APEX_WIRE_OFFENCE_PIT_SPEED,
    APEX_WIRE_OFFENCE_UNSAFE_RELEASE,
    APEX_WIRE_OFFENCE_PIT_EXIT_LINE,
    APEX_WIRE_OFFENCE_PIT_REVERSE,
    APEX_WIRE_OFFENCE_WRONG_WAY,
    APEX_WIRE_OFFENCE_BLOCKING,
    APEX_WIRE_OFFENCE_BLUE_FLAG,
    APEX_WIRE_OFFENCE_YELLOW_PASS,
    APEX_WIRE_OFFENCE_FULL_COURSE_SPEED,
    APEX_WIRE_OFFENCE_FULL_COURSE_PASS,
    APEX_WIRE_OFFENCE_RED_FLAG,
    APEX_WIRE_OFFENCE_FORMATION,
    APEX_WIRE_OFFENCE_CONTACT,
    APEX_WIRE_OFFENCE_INCIDENTS,
    APEX_WIRE_OFFENCE_IDLE,
    APEX_WIRE_OFFENCE_LINK,
    APEX_WIRE_OFFENCE_NOT_SERVED,
    APEX_WIRE_OFFENCE_STOPS_MISSING,
    APEX_WIRE_OFFENCE_STEWARDS,
    APEX_WIRE_OFFENCES
} apex_wire_offence;

typedef enum apex_wire_penalty {
    APEX_WIRE_PENALTY_WARNING,
    APEX_WIRE_PENALTY_TIME,
    APEX_WIRE_PENALTY_DRIVE_THROUGH,
    APEX_WIRE_PENALTY_STOP_AND_HOLD,
    APEX_WIRE_PENALTY_GRID_DROP,
    APEX_WIRE_PENALTY_LAP_DELETED,
    APEX_WIRE_PENALTY_DISQUALIFIED,
    APEX_WIRE_PENALTY_KINDS
} apex_wire_penalty;

typedef enum apex_wire_penalty_state {
    APEX_WIRE_PENALTY_STATE_OPEN,
    APEX_WIRE_PENALTY_STATE_SERVED,
    APEX_WIRE_PENALTY_STATE_CONVERTED,
    APEX_WIRE_PENALTY_STATE_CANCELLED,
    APEX_WIRE_PENALTY_STATES
} apex_wire_penalty_state;

typedef enum apex_wire_flag {
    APEX_WIRE_FLAG_GREEN,
    APEX_WIRE_FLAG_FULL_COURSE,
    APEX_WIRE_FLAG_ENDING,
    APEX_WIRE_FLAG_RED,
    APEX_WIRE_FLAGS
} apex_wire_flag;

typedef enum apex_wire_session {
    APEX_WIRE_SESSION_PRACTICE,
    APEX_WIRE_SESSION_QUALIFYING,
    APEX_WIRE_SESSION_WARM_UP,
    APEX_WIRE_SESSION_RACE,
    APEX_WIRE_SESSION_KINDS
} apex_wire_session;

typedef enum apex_wire_pit {
    APEX_WIRE_PIT_ROAD,
    APEX_WIRE_PIT_LANE,
    APEX_WIRE_PIT_STOPPED,
    APEX_WIRE_PIT_LEAVING,
    APEX_WIRE_PIT_PHASES
} apex_wire_pit;

typedef enum apex_wire_result {
    APEX_WIRE_RESULT_CLASSIFIED,
    APEX_WIRE_RESULT_NOT_CLASSIFIED,
    APEX_WIRE_RESULT_NOT_STARTED,
    APEX_WIRE_RESULT_DISQUALIFIED,
    APEX_WIRE_RESULT_STATUSES
} apex_wire_result;

/// "countdown", "best-lap", "running"; "unknown" for what this version does not know.
const char *apex_wire_phase_name(uint32_t phase);
const char *apex_wire_event_name(uint32_t event);
const char *apex_wire_standing_name(uint32_t state);
const char *apex_wire_offence_name(uint32_t offence);
const char *apex_wire_penalty_name(uint32_t penalty);
const char *apex_wire_penalty_state_name(uint32_t penalty_state);
const char *apex_wire_flag_name(uint32_t flag);
const char *apex_wire_session_name(uint32_t session);
const char *apex_wire_pit_name(uint32_t pit);
const char *apex_wire_result_name(uint32_t result);
