/// One run of the load generator: thousands of clients on one loop.
#pragma once

#include "client-lite/load/report/load_def.h"

/// Runs to the end. @return an exit code.
int cli_load_run(const cli_load_def *wanted);
