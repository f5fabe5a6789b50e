/// A driver who is no bot: he steers in five steps, presses pedals whole, acts late, and minds
/// nobody. A script of those whose controls are hardest to foretell.
#pragma once

#include <stdint.h>

#include "client-lite/client.h"
#include "driver/driver.h"

enum { ROUGH_DRIVER_WISHES = 32 };

typedef struct rough_wish {
    uint64_t due_us;
    apex_control_sample sample;
} rough_wish;

typedef struct rough_driver {
    apex_driver driver;
    const apex_driver_plan *plan; // borrowed
    uint64_t late_us, drove_us;
    double drove_tick;
    rough_wish wishes[ROUGH_DRIVER_WISHES]; // a ring
    uint32_t first, end;
} rough_driver;

/// The client has its definitions. @param number in his field: they are 70 to 200 ms late, each
/// another time.
rough_driver rough_driver_create(const apex_client *client, uint32_t number);

/// After each frame. Does nothing where the client is not driving.
void rough_driver_drive(rough_driver *self, apex_client *client, uint64_t now_us);
