// Names of a race's numbers, as the server writes them. The wire's own (proto/wire_names.c) are the
// same.
#include "race/race.h"

static const char *const PHASES[] = {
    [APEX_PHASE_LOBBY] = "lobby",         [APEX_PHASE_GRID] = "grid",
    [APEX_PHASE_COUNTDOWN] = "countdown", [APEX_PHASE_RACE] = "race",
    [APEX_PHASE_FINISH] = "finish",       [APEX_PHASE_RESULTS] = "results",
    [APEX_PHASE_OVER] = "over",
};

static const char *const EVENTS[] = {
    [APEX_EVENT_PHASE] = "phase",
    [APEX_EVENT_JOINED] = "joined",
    [APEX_EVENT_LEFT] = "left",
    [APEX_EVENT_LIGHTS] = "lights",
    [APEX_EVENT_SECTOR] = "sector",
    [APEX_EVENT_LAP] = "lap",
    [APEX_EVENT_BEST_LAP] = "best-lap",
    [APEX_EVENT_FINISHED] = "finished",
    [APEX_EVENT_DNF] = "dnf",
    [APEX_EVENT_RESET] = "reset",
    [APEX_EVENT_CONTACT] = "contact",
    [APEX_EVENT_ENGINE_BLEW] = "engine-blew",
    [APEX_EVENT_OFF_TRACK] = "off-track",
    [APEX_EVENT_WRONG_WAY] = "wrong-way",
    [APEX_EVENT_IDLE] = "idle",
    [APEX_EVENT_SESSION] = "session",
    [APEX_EVENT_CHEQUERED] = "chequered",
    [APEX_EVENT_LAP_VOID] = "lap-void",
    [APEX_EVENT_OFFENCE] = "offence",
    [APEX_EVENT_PENALTY] = "penalty",
    [APEX_EVENT_CONTROL] = "control",
    [APEX_EVENT_YELLOW] = "yellow",
    [APEX_EVENT_BLUE] = "blue",
    [APEX_EVENT_PIT] = "pit",
    [APEX_EVENT_INCIDENT] = "incident",
    [APEX_EVENT_FAULT] = "fault",
};

static const char *const STANDINGS[] = {
    [APEX_STANDING_WAITING] = "waiting",
    [APEX_STANDING_RUNNING] = "running",
    [APEX_STANDING_FINISHED] = "finished",
    [APEX_STANDING_DNF] = "dnf",
};

#define NAME_OF(names, number) name_of(names, sizeof(names) / sizeof(names)[0], (uint32_t)(number))

static const char *name_of(const char *const names[], size_t count, uint32_t number) {
    return number < count ? names[number] : "unknown";
}

const char *apex_race_phase_name(apex_race_phase phase) {
    return NAME_OF(PHASES, phase);
}

const char *apex_race_event_name(apex_race_event_kind kind) {
    return NAME_OF(EVENTS, kind);
}

const char *apex_standing_state_name(apex_standing_state state) {
    return NAME_OF(STANDINGS, state);
}
