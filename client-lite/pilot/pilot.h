/// A bot's eyes and hands: from what a client knows to what a driver sees, and from what the driver
/// wants to controls.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "client-lite/client.h"
#include "client-lite/prediction/foresight.h"
#include "driver/driver.h"

typedef struct client_pilot {
    apex_driver driver;
    const apex_driver_plan *plan;
    client_foresight *foresight; ///< of a client that does not look ahead (def.ahead); NULL: the
                                 ///< car is only moved on by its velocity
    double skill;
    double drove_tick; ///< for which the last controls were; 0: none yet
    bool home;         ///< over the finish line: now only bring the car round safely
} client_pilot;

client_pilot client_pilot_create(const apex_driver_plan *plan, double skill, double lane_m);
/// Reads the client's events of the last update (own finish, next race). Call after every update.
void client_pilot_listen(client_pilot *pilot, const apex_client *client);
/// Sets the client's controls by what it shows ahead (def.ahead) or by its newest snapshot. Does
/// nothing without a car.
void client_pilot_drive(client_pilot *pilot, apex_client *client, uint64_t now_us);

/// Own car, moved on by its velocity, and the nearest others, as the driver sees them.
/// @param ahead_s time from the snapshot until the controls act.
apex_driver_view client_pilot_view(const apex_client_view *seen, double ahead_s);
/// The same by what apex_client_ahead shows: at the moment of the own car, which is the first.
/// Others, shown at an earlier one, are moved on to it by their velocity.
apex_driver_view client_pilot_view_ahead(const apex_client_pose poses[], size_t count,
                                         double tick_hz);
