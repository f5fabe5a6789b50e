// The parts of a replica, each filled by the file of its name.
#pragma once

#include "replicate/captured_cars.h"
#include "replicate/neighbours.h"
#include "replicate/rivals.h"

struct apex_replica {
    captured_cars cars;
    neighbour_grid grid;
    running_order order;
};

/// Captures poses, as apex_replica_capture does a race's.
/// @param poses [slot - 1], up to the slot `end`; nobody is there where its id's index is 0.
void replica_capture(apex_replica *replica, uint32_t tick, const apex_car_pose poses[],
                     uint32_t end);
