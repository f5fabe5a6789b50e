/// What another driver will do in the next quarter of a second: nobody knows, and what he did last
/// is the best guess. Which of two guesses serves better is found out for each driver, since every
/// snapshot tells what has become of the last ones.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "physics/physics.h"
#include "proto/proto.h"

typedef enum client_rival_rule {
    CLIENT_RIVAL_HOLDS, ///< pedals stay as they were last told
    CLIENT_RIVAL_TAPS,  ///< they are pressed and let go of in turn: their mean of late
    CLIENT_RIVAL_RULES
} client_rival_rule;

enum { CLIENT_RIVAL_PEDALS_KEPT = 32 };

typedef struct client_pedals {
    double throttle, brake; ///< 0..1
} client_pedals;

/// All zero: nothing was told yet.
typedef struct client_rival_controls {
    client_rival_rule rule;
    uint32_t taps_ticks; ///< over which the mean is
    uint32_t count;      ///< told so far
    uint32_t ticks[CLIENT_RIVAL_PEDALS_KEPT];
    client_pedals told[CLIENT_RIVAL_PEDALS_KEPT]; ///< [count % KEPT] is next
    double errors[CLIENT_RIVAL_RULES];            ///< mean squares of three seconds
} client_rival_controls;

/// @param horizon_ticks by which the car is predicted ahead: as far as guesses are judged.
void client_rival_controls_told(client_rival_controls *self, uint32_t tick,
                                const apex_wire_car *told, uint32_t tick_hz,
                                uint32_t horizon_ticks);
/// @param steer_rad that the car is taken to have; held, without the steering aid, which would ease
/// it once more.
apex_controls client_rival_controls_now(const client_rival_controls *self, const apex_car_def *def,
                                        double steer_rad, int8_t gear);
