/// Hosting: from a command line to races that run. Files are loaded, servers made, the page opened.
#pragma once

#include "host/host.h"
#include "program/server_options.h"

typedef struct server_hosting server_hosting;

/// @param options as long as the hosting. @return what was wrong, with a sentence in `why`.
apex_err hosting_create(const server_options *options, server_hosting **out,
                        char why[APEX_HOST_WHY_BYTES]);
/// @return the exit code.
int hosting_run(server_hosting *hosting);
void hosting_destroy(server_hosting *hosting); ///< NULL is fine
