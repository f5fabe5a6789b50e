// What the cars that were at the line in a tick come to, in a session: whether the flag is out, and
// who has taken it.
#pragma once

#include "race/race_private.h"

// After everybody has been timed.
void race_settle_crossings(apex_race *race);
// By order, see race_chequered_call.
apex_err race_end_session(apex_race *race);
