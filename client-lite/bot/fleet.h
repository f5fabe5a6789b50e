/// Many bots on one loop: connecting a few at a time, driving, and telling what became of each.
#pragma once

#include "client-lite/bot/fleet_state.h"

/// Runs until every bot is done. @return an exit code.
int cli_fleet_run(const cli_fleet_def *def);
