/// The output of `netsim`.
#pragma once

#include "client-lite/netsim/relay_def.h"

/// Says at which address it listens, as "10.0.0.1:26001".
void cli_relay_say_begin(const cli_relay_def *def, const char *listen);
/// Over the line before, on a terminal.
void cli_relay_say_status(const netsim_relay_count *count);
void cli_relay_say_end(const cli_relay_def *def, const netsim_relay_count *count,
                       uint64_t send_errors, double seconds);
