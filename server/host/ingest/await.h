/// Drivers whom a race that runs as fast as it can waits for.
#pragma once

#include "host/clients/clients.h"

/// Controls have come; `tick` is the coming one.
void host_await_heard(host_client *client, uint32_t tick);
