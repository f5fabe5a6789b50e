/// One bot of a fleet, from its connection to its end.
#pragma once

#include "client-lite/bot/fleet_state.h"

/// Gives it a name, a skill and a lane.
void cli_bot_init(cli_fleet *fleet, uint32_t index);
/// Connects it.
void cli_bot_start(cli_fleet *fleet, uint32_t index);
/// Hears, drives and speaks. Only while RUNNING.
void cli_bot_update(cli_bot_one *bot, uint64_t time_us);
