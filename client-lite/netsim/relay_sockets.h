/// The sockets of `netsim`: one to listen on, and for each client one of its own towards the
/// server, so that the server tells clients apart as it would without a relay.
#pragma once

#include "client-lite/cli/cli.h"
#include "client-lite/netsim/netsim_relay.h"

typedef struct cli_relay_def {
    client_endpoint listen, to;
    netsim_relay_def relay;
    double seconds; ///< 0: until interrupted
    bool quiet, json;
} cli_relay_def;

/// Runs until interrupted or until the time is up. @return an exit code.
int cli_relay_run(const cli_relay_def *def);

// --- What is printed -----------------------------------------------------------------------------

/// Where it listens, as "10.0.0.1:26001".
void cli_relay_say_begin(const cli_relay_def *def, const char *listen);
/// Over the line before, on a terminal.
void cli_relay_say_status(const netsim_relay_count *count);
void cli_relay_say_end(const cli_relay_def *def, const netsim_relay_count *count,
                       uint64_t send_errors, double seconds);
