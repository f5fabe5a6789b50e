/// What a lobby waits for, and for how long, as people see it.
#pragma once

#include "race/race.h"

enum { HOST_WAITING_BYTES = 96 };

/// What is left of the lobby is in real time, whatever the race's speed.
apex_race_status host_race_status(const apex_race *race, uint32_t speed_permille);
/// What a lobby waits for and how long: "waiting for 2 more drivers; starts in 23 s with who is
/// here". @return out, "" if the race is past it
const char *host_waiting(const apex_race_status *status, char out[HOST_WAITING_BYTES]);
