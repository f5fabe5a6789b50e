/// Real time: the libuv loop that runs a server's ticks on absolute deadlines, listens to signals
/// and to the operator's standard input, and does blocking work on libuv's threads. The only place
/// that reads the clock.
#pragma once

#include "host/host.h"

uint64_t server_monotonic_us(void);
uint64_t server_unix_us(void);

/// Runs until the server is finished. @param speed times real time; 0 as fast as possible.
/// @return the exit code: 0, or 130 when a second signal cut it short.
int server_loop_run(apex_server *server, double speed);
