/// Drivers whose cars nobody drives: warned, and put among the spectators.
#pragma once

#include "host/simulation/simulation.h"
#include "host/tick_frame.h"

/// Notes those that the race names in this tick; the others that it names are warned.
void host_demote_note(const host_frame *frame, host_clients *clients);
void host_send_warnings(const host_frame *frame, const host_clients *clients,
                        apex_sessions *sessions);
/// Puts those who were noted among the spectators, in the next tick.
void host_demote_waiting(host_clients *clients, apex_sessions *sessions,
                         host_simulation *simulation);
