/// Players whose link broke: the server drives until they are back.
#pragma once

#include "host/simulation/simulation.h"
#include "host/tick_frame.h"

void host_resume_lost(host_frame *frame, host_simulation *simulation, host_client *client);
void host_resume_back(host_frame *frame, host_clients *clients, apex_sessions *sessions,
                      host_simulation *simulation, host_client *client);
/// Who asks to drive.
typedef struct host_newcomer {
    host_client *client;
    const char *name; ///< tidied
} host_newcomer;

/// A driver who is here comes by another link, under his name, and proves it by his key: he goes on
/// there, and the old link is told so. @return false: he is not here.
bool host_resume_elsewhere(host_frame *frame, host_clients *clients, apex_sessions *sessions,
                           host_simulation *simulation, const host_newcomer *newcomer);
/// To those whose controls for the coming tick are here, or have been waited for long enough.
void host_resume_hand_back(host_frame *frame, host_clients *clients, host_simulation *simulation);
