// Controls of the tick: the players' own, or those of the server's driver.
#pragma once

#include "race/field/field.h"

enum { RACE_PEDAL_REST = 12 }; // what a worn pedal that is let go says is no wish

static inline bool race_drive_presses(uint8_t pedal) {
    return pedal > RACE_PEDAL_REST;
}

void race_drive(race_field *field, const apex_controls controls[], apex_jobs *jobs);
