/// Physics' state of a car from what a snapshot tells of it, which is less: tyres, springs, fuel
/// and temperatures are not told, and the rest is rounded.
#pragma once

#include "client-lite/client.h"
#include "physics/physics.h"
#include "proto/proto.h"

/// The expectation of a car after some tick: as it was predicted.
typedef struct client_expected_state {
    const apex_car_state *state;
    const apex_client_pose *pose; ///< of the same tick
} client_expected_state;

/// @param fresh of a car of this kind that nothing has happened to: what is not known of it is as
/// there, and wheels roll.
void client_state_of_wire(const apex_car_def *def, const apex_wire_car *told,
                          const apex_car_state *fresh, apex_car_state *out);
/// What is told is rounded, so it stands for an interval: the state is the one in it that is
/// nearest to what was expected. What is not told is as expected, slip of the wheels included.
void client_state_of_wire_near(const apex_car_def *def, const apex_wire_car *told,
                               const client_expected_state *expected, apex_car_state *out);
