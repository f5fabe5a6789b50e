/// A race as the command line gives it: its file, and the options over that.
#pragma once

#include "program/server_options.h"

/// Reads it, and the files that are read with it: the password's, and the list of drivers.
typedef struct given_race {
    apex_race_file file;         ///< with the password in it
    apex_listed_driver *drivers; ///< NULL: no list
    uint32_t driver_count;
} given_race;

/// @param race from 0. @return false with a sentence in `why`; nothing is to be freed then.
bool given_race_read(const server_options *options, uint32_t race, given_race *out,
                     char why[APEX_HOST_WHY_BYTES]);
void given_race_free(given_race *given);
