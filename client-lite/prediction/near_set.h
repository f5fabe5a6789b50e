/// Which cars are near enough to race with: those that could be met within seconds.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/proto.h"

enum { CLIENT_NEAR_MAX = 12 };

/// Sets in which a car stays for a second at least; all zero: nobody is near.
typedef struct client_near_car {
    uint32_t car;
    uint32_t since_tick;
    double reach_s; ///< until it could be met, at the latest look
} client_near_car;

typedef struct client_near_set {
    client_near_car cars[CLIENT_NEAR_MAX]; ///< the nearest first
    uint32_t count;
} client_near_set;

/// Seconds until two cars could touch: the gap by the speed at which it closes, or by a pace at
/// which drivers close gaps when they want to.
double client_near_reach_s(const apex_wire_car *own, const apex_wire_car *other);

/// All cars, as they are known at a tick.
typedef struct client_near_view {
    const apex_wire_car *own; ///< NULL: nobody is near
    const apex_wire_car *cars;
    size_t count;
    uint32_t tick, tick_hz;
    double glide_s; ///< that it takes to bring a car to the own one's moment
} client_near_view;

/// Looks at all cars anew.
void client_near_update(client_near_set *self, const client_near_view *view);
bool client_near_has(const client_near_set *self, uint32_t car);
