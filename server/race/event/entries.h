// Joining, leaving and changing cars: what that is depends on the phase.
#pragma once

#include "race/event/event.h"
#include "race/field/event_log.h"
#include "race/field/field.h"
#include "race/timing/timing.h"

apex_err race_entry_join(const race_event *event, race_field *field, race_timing *timing,
                         race_log *log, const apex_race_command *command);
apex_err race_entry_leave(const race_event *event, race_field *field, race_timing *timing,
                          race_log *log, const apex_race_command *command);
apex_err race_entry_change_car(const race_event *event, race_field *field,
                               const apex_race_command *command);
