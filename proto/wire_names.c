// Names of the numbers of a race, as clients write them. The server's own (race/race_names.c) are
// the same.
#include "proto/proto.h"

#include <stddef.h>

static const char *const PHASES[] = {
    [APEX_WIRE_PHASE_LOBBY] = "lobby",         [APEX_WIRE_PHASE_GRID] = "grid",
    [APEX_WIRE_PHASE_COUNTDOWN] = "countdown", [APEX_WIRE_PHASE_RACE] = "race",
    [APEX_WIRE_PHASE_FINISH] = "finish",       [APEX_WIRE_PHASE_RESULTS] = "results",
    [APEX_WIRE_PHASE_OVER] = "over",
};

static const char *const EVENTS[] = {
    [APEX_WIRE_EVENT_PHASE] = "phase",
    [APEX_WIRE_EVENT_JOINED] = "joined",
    [APEX_WIRE_EVENT_LEFT] = "left",
    [APEX_WIRE_EVENT_LIGHTS] = "lights",
    [APEX_WIRE_EVENT_SECTOR] = "sector",
    [APEX_WIRE_EVENT_LAP] = "lap",
    [APEX_WIRE_EVENT_BEST_LAP] = "best-lap",
    [APEX_WIRE_EVENT_FINISHED] = "finished",
    [APEX_WIRE_EVENT_DNF] = "dnf",
    [APEX_WIRE_EVENT_RESET] = "reset",
    [APEX_WIRE_EVENT_CONTACT] = "contact",
    [APEX_WIRE_EVENT_ENGINE_BLEW] = "engine-blew",
    [APEX_WIRE_EVENT_OFF_TRACK] = "off-track",
    [APEX_WIRE_EVENT_WRONG_WAY] = "wrong-way",
    [APEX_WIRE_EVENT_IDLE] = "idle",
    [APEX_WIRE_EVENT_SESSION] = "session",
    [APEX_WIRE_EVENT_CHEQUERED] = "chequered",
    [APEX_WIRE_EVENT_LAP_VOID] = "lap-void",
    [APEX_WIRE_EVENT_OFFENCE] = "offence",
    [APEX_WIRE_EVENT_PENALTY] = "penalty",
    [APEX_WIRE_EVENT_CONTROL] = "control",
    [APEX_WIRE_EVENT_YELLOW] = "yellow",
    [APEX_WIRE_EVENT_BLUE] = "blue",
    [APEX_WIRE_EVENT_PIT] = "pit",
    [APEX_WIRE_EVENT_INCIDENT] = "incident",
    [APEX_WIRE_EVENT_FAULT] = "fault",
};

static const char *const STANDINGS[] = {
    [APEX_WIRE_STANDING_WAITING] = "waiting",
    [APEX_WIRE_STANDING_RUNNING] = "running",
    [APEX_WIRE_STANDING_FINISHED] = "finished",
    [APEX_WIRE_STANDING_DNF] = "dnf",
};

static const char *const OFFENCES[] = {
    [APEX_WIRE_OFFENCE_TRACK_LIMITS] = "track-limits",
    [APEX_WIRE_OFFENCE_JUMP_START] = "jump-start",
    [APEX_WIRE_OFFENCE_PIT_SPEED] = "pit-speed",
    [APEX_WIRE_OFFENCE_UNSAFE_RELEASE] = "unsafe-release",
    [APEX_WIRE_OFFENCE_PIT_EXIT_LINE] = "pit-exit-line",
    [APEX_WIRE_OFFENCE_PIT_REVERSE] = "pit-reverse",
    [APEX_WIRE_OFFENCE_WRONG_WAY] = "wrong-way",
    [APEX_WIRE_OFFENCE_BLOCKING] = "blocking",
    [APEX_WIRE_OFFENCE_BLUE_FLAG] = "blue-flag",
    [APEX_WIRE_OFFENCE_YELLOW_PASS] = "yellow-pass",
    [APEX_WIRE_OFFENCE_FULL_COURSE_SPEED] = "full-course-speed",
    [APEX_WIRE_OFFENCE_FULL_COURSE_PASS] = "full-course-pass",
    [APEX_WIRE_OFFENCE_RED_FLAG] = "red-flag",
    [APEX_WIRE_OFFENCE_FORMATION] = "formation",
    [APEX_WIRE_OFFENCE_CONTACT] = "contact",
    [APEX_WIRE_OFFENCE_INCIDENTS] = "incidents",
    [APEX_WIRE_OFFENCE_IDLE] = "idle",
    [APEX_WIRE_OFFENCE_LINK] = "link",
    [APEX_WIRE_OFFENCE_NOT_SERVED] = "not-served",
    [APEX_WIRE_OFFENCE_STOPS_MISSING] = "stops-missing",
    [APEX_WIRE_OFFENCE_STEWARDS] = "stewards",
};

static const char *const PENALTY_KINDS[] = {
    [APEX_WIRE_PENALTY_WARNING] = "warning",
    [APEX_WIRE_PENALTY_TIME] = "time",
    [APEX_WIRE_PENALTY_DRIVE_THROUGH] = "drive-through",
    [APEX_WIRE_PENALTY_STOP_AND_HOLD] = "stop-and-hold",
    [APEX_WIRE_PENALTY_GRID_DROP] = "grid-drop",
    [APEX_WIRE_PENALTY_LAP_DELETED] = "lap-deleted",
    [APEX_WIRE_PENALTY_DISQUALIFIED] = "disqualified",
};

static const char *const PENALTY_STATES[] = {
    [APEX_WIRE_PENALTY_STATE_OPEN] = "open",
    [APEX_WIRE_PENALTY_STATE_SERVED] = "served",
    [APEX_WIRE_PENALTY_STATE_CONVERTED] = "converted",
    [APEX_WIRE_PENALTY_STATE_CANCELLED] = "cancelled",
};

static const char *const FLAGS[] = {
    [APEX_WIRE_FLAG_GREEN] = "green",
    [APEX_WIRE_FLAG_FULL_COURSE] = "full-course",
    [APEX_WIRE_FLAG_ENDING] = "ending",
    [APEX_WIRE_FLAG_RED] = "red",
};

static const char *const SESSION_KINDS[] = {
    [APEX_WIRE_SESSION_PRACTICE] = "practice",
    [APEX_WIRE_SESSION_QUALIFYING] = "qualifying",
    [APEX_WIRE_SESSION_WARM_UP] = "warm-up",
    [APEX_WIRE_SESSION_RACE] = "race",
};

static const char *const PIT_PHASES[] = {
    [APEX_WIRE_PIT_ROAD] = "road",
    [APEX_WIRE_PIT_LANE] = "lane",
    [APEX_WIRE_PIT_STOPPED] = "stopped",
    [APEX_WIRE_PIT_LEAVING] = "leaving",
};

static const char *const RESULT_STATUSES[] = {
    [APEX_WIRE_RESULT_CLASSIFIED] = "classified",
    [APEX_WIRE_RESULT_NOT_CLASSIFIED] = "not-classified",
    [APEX_WIRE_RESULT_NOT_STARTED] = "not-started",
    [APEX_WIRE_RESULT_DISQUALIFIED] = "disqualified",
};

#define NAME_OF(names, number) name_of(names, sizeof(names) / sizeof(names)[0], (uint32_t)(number))

static const char *name_of(const char *const names[], size_t count, uint32_t number) {
    return number < count ? names[number] : "unknown";
}

const char *apex_wire_phase_name(uint32_t phase) {
    return NAME_OF(PHASES, phase);
}

const char *apex_wire_event_name(uint32_t event) {
    return NAME_OF(EVENTS, event);
}

const char *apex_wire_standing_name(uint32_t state) {
    return NAME_OF(STANDINGS, state);
}

const char *apex_wire_offence_name(uint32_t offence) {
    return NAME_OF(OFFENCES, offence);
}

const char *apex_wire_penalty_name(uint32_t penalty) {
    return NAME_OF(PENALTY_KINDS, penalty);
}

const char *apex_wire_penalty_state_name(uint32_t penalty_state) {
    return NAME_OF(PENALTY_STATES, penalty_state);
}

const char *apex_wire_flag_name(uint32_t flag) {
    return NAME_OF(FLAGS, flag);
}

const char *apex_wire_session_name(uint32_t session) {
    return NAME_OF(SESSION_KINDS, session);
}

const char *apex_wire_pit_name(uint32_t pit) {
    return NAME_OF(PIT_PHASES, pit);
}

const char *apex_wire_result_name(uint32_t result) {
    return NAME_OF(RESULT_STATUSES, result);
}
