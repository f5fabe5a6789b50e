/// Commands to the race: from wherever they come, they are applied and recorded in one order.
#pragma once

#include "host/simulation/simulation.h"

/// @return what the race says; APEX_ERR_STATE where commands are refused.
apex_err host_apply(host_simulation *simulation, const apex_race_command *command);
/// A join, whose player is filled in, and whose name is noted. @return APEX_ERR_FULL, or as
/// host_apply.
apex_err host_seat(host_simulation *simulation, apex_race_command *join);
/// Nothing for a null player, and for one who has left already.
void host_drop_player(host_simulation *simulation, apex_player_id player, apex_leave_why why);
