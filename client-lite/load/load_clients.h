/// The load generator's clients: how they come in, drive, speak and end.
#pragma once

#include "client-lite/load/load_state.h"

void cli_load_one_create(cli_load_one *one, cli_load_crowd *load, uint32_t index);
void cli_load_one_start(cli_load_one *one, uint64_t time_us);
void cli_load_one_leave(cli_load_one *one, bool comes_again);
/// Lets those speak whose turn has come, so many at most.
void cli_load_turn(cli_load_crowd *load, uint32_t turns_max);
