// The check of sessions.
#pragma once

#include "race/race.h"

bool weekend_sessions_ok(const apex_weekend_def *def, apex_weekend_problem *problem);
