/// A lobby's wait in words: for whom, and for how long.
#pragma once

#include "proto/proto.h"
#include "race/race.h"

enum { HOST_WAITING_BYTES = APEX_LOBBY_TEXT_BYTES };

/// What is left of the lobby is in real time, whatever the race's speed.
apex_race_status host_race_status(const apex_race *race, uint32_t speed_permille);
/// What a lobby waits for, as apex_lobby_text. @return out, "" if the race is past it
const char *host_waiting(const apex_race_status *status, char out[HOST_WAITING_BYTES]);
