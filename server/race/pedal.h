// When a pedal counts as pressed, to the driver of the tick and to the rules alike.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { RACE_PEDAL_REST = 12 }; // what a worn pedal that is let go says is no wish

static inline bool race_pedal_is_pressed(uint8_t pedal) {
    return pedal > RACE_PEDAL_REST;
}
