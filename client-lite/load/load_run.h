/// One run of the load generator: thousands of clients on one loop.
#pragma once

#include "client-lite/keyring/entry.h"
#include "client-lite/load/report/load_def.h"

/// Runs to the end. @param entry how the clients come in. @return an exit code.
int cli_load_run(const cli_load_def *wanted, cli_entry *entry);
