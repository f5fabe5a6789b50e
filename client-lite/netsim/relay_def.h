/// The options of `netsim`.
#pragma once

#include <stdbool.h>

#include "client-lite/cli/endpoint.h"
#include "client-lite/netsim/netsim_relay.h"

typedef struct cli_relay_def {
    client_endpoint listen, to;
    netsim_relay_def relay;
    double seconds; ///< 0: until interrupted
    bool quiet, json;
} cli_relay_def;
