/// A sentence for people in a lobby: the drivers that the race waits for, and how long.
#pragma once

#include <stdbool.h>

#include "proto/proto.h"

/// As apex_lobby_text. @return false if the race is past it, or nothing is waited for any more.
bool client_text_waiting(const apex_race_state *race, char out[APEX_LOBBY_TEXT_BYTES]);
