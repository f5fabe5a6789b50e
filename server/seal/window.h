// Which of the last 1,024 datagrams of a connection have been received.
#pragma once

#include "seal/seal.h"

enum { SEAL_WINDOW = 64 * APEX_SEAL_WINDOW_WORDS };

// False for a counter that was received, or is too old to tell.
bool seal_window_is_new(const apex_seal_receiver *receiver, uint64_t counter);

// Only of a counter that is new, and only once its datagram has proved genuine.
void seal_window_add(apex_seal_receiver *receiver, uint64_t counter);
