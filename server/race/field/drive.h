// Controls of the tick: the players' own, or those of the server's driver.
#pragma once

#include "race/field/field.h"

void race_drive(race_field *field, const apex_controls controls[], apex_jobs *jobs);
