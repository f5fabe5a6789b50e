/// One run of `watch`: a spectator on one loop that tells what is new of the race.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "client-lite/cli/endpoint.h"
#include "client-lite/keyring/entry.h"

typedef struct cli_watch_def {
    client_endpoint server;
    cli_entry *entry; ///< how it comes in; borrowed
    double seconds;   ///< 0: until the event is over
    uint32_t races;   ///< 0: all that there are
    bool once, json, plain, laps, no_reconnect;
} cli_watch_def;

/// Runs until the event is over, or interrupted. @return an exit code.
int cli_watch_run(const cli_watch_def *def);
