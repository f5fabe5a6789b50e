/// Drivers whom a race that runs as fast as it can waits for.
#pragma once

#include "host/clients/clients.h"
#include "host/clients/goodbye.h"
#include "host/setup.h"

/// @return whether players' controls make ticks due, not a clock.
bool host_is_led(const host_setup *setup, const host_ending *ending);
/// For players to come, in real time.
bool host_is_lobby_waiting(const apex_race *race);
/// Whether somebody's controls for the coming tick are missing.
bool host_is_anybody_awaited(const host_clients *clients, const apex_race *race);
/// Controls have come; `tick` is the coming one.
void host_await_heard(host_client *client, uint32_t tick);
/// Those who are awaited have had their time.
void host_await_no_longer(host_clients *clients, const apex_race *race);
