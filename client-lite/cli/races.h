/// A count of races, for subcommands that end after so many.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "client-lite/client.h"

enum { CLI_RACES_MAX = 1000000 };

/// An event may go on and on; a program that wants some races of it counts their results.
typedef struct cli_races {
    uint32_t wanted; ///< 0: all that there are
    uint32_t first;  ///< number of the first that was seen; 0: none yet
} cli_races;

/// @return whether so many races have come to results. To be asked after each update of the client.
bool cli_races_are_done(cli_races *races, const apex_client *client);
