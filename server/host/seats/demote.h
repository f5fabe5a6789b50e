/// Drivers whose cars nobody drives: warned, and put among the spectators.
#pragma once

#include "host/simulation/simulation.h"
#include "host/tick_frame.h"

/// What the race says of them in this tick: who is to watch, and then who is to be warned of it.
void host_demote_note(const host_frame *frame, host_clients *clients);
void host_send_warnings(const host_frame *frame, const host_clients *clients,
                        apex_sessions *sessions);
/// Those who were noted, in the next.
void host_demote_waiting(host_clients *clients, apex_sessions *sessions,
                         host_simulation *simulation);
