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

/// "countdown", "best-lap", "running"; "unknown" for what this version does not know.
const char *apex_wire_phase_name(uint32_t phase);
const char *apex_wire_event_name(uint32_t event);
const char *apex_wire_standing_name(uint32_t state);
