/// The handle of a player. Part of the public face of race; include "race/race.h".
#pragma once

#include <stdint.h>

/// Somebody with a car in the race; zero is nobody.
typedef struct apex_player_id {
    uint16_t index1;
    uint16_t generation;
} apex_player_id;
