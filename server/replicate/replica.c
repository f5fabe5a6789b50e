// The replica of a race from which deltas are coded: made, and filled once a tick.
#include "replicate/replica.h"

#include <stdlib.h>

#include "base/assert.h"
#include "replicate/replica_validator.h"

static bool create_parts(apex_replica *replica, uint32_t car_capacity, uint32_t tick_hz) {
    return captured_cars_create(&replica->cars, car_capacity, tick_hz) &&
           running_order_create(&replica->order, car_capacity) &&
           neighbour_grid_create(&replica->grid, car_capacity);
}

apex_replica *apex_replica_create(uint32_t car_capacity, uint32_t tick_hz) {
    APEX_ASSERT(car_capacity > 0 && car_capacity < UINT16_MAX);
    APEX_ASSERT(tick_hz > 0 && tick_hz <= APEX_DELTA_TICK_HZ_MAX);
    apex_replica *replica = calloc(1, sizeof *replica);
    if (replica != NULL && !create_parts(replica, car_capacity, tick_hz)) {
        apex_replica_destroy(replica);
        return NULL;
    }
    return replica;
}

void apex_replica_destroy(apex_replica *replica) {
    if (replica == NULL) {
        return;
    }
    neighbour_grid_destroy(&replica->grid);
    running_order_destroy(&replica->order);
    captured_cars_destroy(&replica->cars);
    free(replica);
}

void apex_replica_forget(apex_replica *replica) {
    captured_cars_forget(&replica->cars);
    running_order_forget(&replica->order);
}

void replica_capture(apex_replica *replica, uint32_t tick, const apex_car_pose poses[],
                     uint32_t end) {
    captured_cars_take(&replica->cars, tick, poses, end);
    neighbour_grid_fill(&replica->grid, &replica->cars);
}

void apex_replica_capture(apex_replica *replica, const apex_race *race) {
    uint32_t tick = (uint32_t)apex_world_tick(apex_race_world(race)), end;
    const apex_car_pose *poses = apex_race_poses(race, &end);
    replica_capture(replica, tick, poses, end);
    running_order_update(&replica->order, &replica->cars, race);
    APEX_VALIDATE(replica_validate(&replica->cars, &replica->order));
}

const apex_delta_car *apex_replica_car(const apex_replica *replica, uint32_t tick, uint32_t slot) {
    if (slot == 0 || slot > replica->cars.capacity || !captured_has(&replica->cars, tick)) {
        return NULL;
    }
    const apex_delta_car *car = &captured_row(&replica->cars, tick)[slot];
    return car->id != 0 ? car : NULL;
}
