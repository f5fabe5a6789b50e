// The hands at the wheel: the player's own, or those of the server's driver.
#pragma once

#include "race/field/field.h"

apex_err race_takeover(race_field *field, const apex_race_command *command);
apex_err race_handback(race_field *field, apex_player_id id);
