/// Foresight tells where a car will be when controls set now act: its snapshot, driven on by the
/// controls that are under way, in a world of its own. Tyre deflections and loads are not in a
/// snapshot and start from rest, which a car at speed has forgotten within a hundredth of a second.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "client-lite/client.h"
#include "client-lite/input/controls.h"
#include "physics/physics.h"

/// Ticks that a car is driven ahead at most: what is farther off than a second is not foreseen.
enum { CLIENT_FORESIGHT_TICKS_MAX = 64 };

/// One world serves every pilot of the same car on the same track, one after the other.
typedef struct client_foresight client_foresight;

/// @param ground, car borrowed for its life. @param world the server's, see client_world_def.
/// NULL if there is no such world (odd rates, impossible rules), or no memory.
client_foresight *client_foresight_create(const apex_ground *ground, const apex_walls *walls,
                                          const apex_car_def *car, const apex_world_def *world);
void client_foresight_destroy(client_foresight *foresight);

/// Drives `car`, seen after `tick`, through the samples held for the ticks after it.
/// @return ticks gone ahead; 0 and *car as it was if there is nothing to go by: a car held or in
/// the air, or controls that do not reach back to the snapshot.
uint32_t client_foresight_run(client_foresight *foresight, const client_controls *controls,
                              uint32_t tick, apex_wire_car *car);

/// A sample as physics takes it.
apex_controls client_foresight_controls(const apex_control_sample *sample);
