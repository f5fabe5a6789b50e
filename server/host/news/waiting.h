/// A lobby's wait in words: the players it waits for, and the time it does.
#pragma once

#include "proto/proto.h"
#include "race/race.h"

enum { HOST_WAITING_BYTES = APEX_LOBBY_TEXT_BYTES };

/// The rest of the lobby's time is in real time, whatever the race's speed.
apex_race_status host_race_status(const apex_race *race, uint32_t speed_permille);
/// A lobby's wait, as apex_lobby_text. @return out, "" if the race is past it
const char *host_waiting(const apex_race_status *status, char out[HOST_WAITING_BYTES]);
