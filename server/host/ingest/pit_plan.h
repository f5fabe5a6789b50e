/// A driver's plan for the pits becomes a command to the race.
#pragma once

#include "host/clients/clients.h"
#include "host/setup.h"
#include "host/simulation/simulation.h"

void host_take_pit_plan(const host_setup *setup, apex_sessions *sessions,
                        host_simulation *simulation, const host_client *client,
                        const apex_wire_pit_plan *plan);
