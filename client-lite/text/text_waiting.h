/// A sentence for people in a lobby: whom the race waits for, and how long.
#pragma once

#include <stdbool.h>

#include "client-lite/text/text.h"

/// What a lobby waits for and how long: "waiting for 2 more drivers; starts in 23 s with who is
/// here". @return false if the race is past it, or nothing is waited for any more.
bool client_text_waiting(const apex_race_state *race, char out[CLIENT_EVENT_BYTES]);
