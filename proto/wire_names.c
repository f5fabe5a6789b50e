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
