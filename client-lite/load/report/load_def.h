/// The options of a run of the load generator.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "client-lite/cli/endpoint.h"
#include "client-lite/load/crowd/crowd.h"

typedef struct cli_load_def {
    client_endpoint server;
    uint32_t clients, spectators;
    double ramp_per_s, seconds, churn_per_s;
    client_crowd_manner manner;
    uint32_t seed, decode_every;
    const char *profile, *car;
    const char *fail_if; ///< NULL: nothing
    bool allow_refused;  ///< it is no failure if fewer get in than were asked for
    bool json;
} cli_load_def;
