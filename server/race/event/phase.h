// Lobby, grid, countdown, race, finish, results, and again or over.
#pragma once

#include "race/event/event.h"
#include "race/field/event_log.h"
#include "race/field/field.h"
#include "race/timing/timing.h"

static inline bool race_phase_is_running(apex_race_phase phase) {
    return phase == APEX_PHASE_RACE || phase == APEX_PHASE_FINISH;
}

// The states that a phase knows: before a race all wait, and after it nobody runs.
static inline bool race_phase_allows(apex_race_phase phase, apex_standing_state state) {
    return phase <= APEX_PHASE_COUNTDOWN
               ? state == APEX_STANDING_WAITING
               : race_phase_is_running(phase) || state != APEX_STANDING_RUNNING;
}

apex_err race_phase_start(race_event *event, race_field *field, race_timing *timing, race_log *log);
apex_err race_phase_restart(race_event *event, race_field *field, race_timing *timing,
                            race_log *log);
// @return whether the race is over: its runners are to be judged, and then classified.
bool race_phase_advance(race_event *event, race_field *field, race_timing *timing, race_log *log);
void race_phase_classify(race_event *event, race_field *field, race_timing *timing, race_log *log);
// On to the next race, without results of this one; of an event with sessions.
apex_err race_phase_skip(race_event *event, race_field *field, race_timing *timing, race_log *log);
void race_phase_close(race_event *event, const race_field *field, race_log *log); // no more races
