/// The sockets of `netsim`: one to listen on, and for each client one of its own towards the
/// server, so that the server tells clients apart as it would without a relay.
#pragma once

#include "client-lite/netsim/relay_def.h"

/// Runs until interrupted or until the time is up. @return an exit code.
int cli_relay_run(const cli_relay_def *def);
