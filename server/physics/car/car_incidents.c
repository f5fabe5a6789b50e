// Incidents, which are rare within a substep: a car flies, lands, or its numbers leave their range.

#include "physics/car/car_incidents.h"
#include "base/assert.h"
#include "physics/car/orientation.h"
#include "physics/car/stance.h"

#include <math.h>

void physics_flight_change(physics_cars *cars, uint32_t slot) {
    APEX_ASSERT(apex_pool_is_index_live(&cars->pool, slot));
    physics_block *block = &cars->blocks[slot / PHYSICS_LANES];
    physics_drive *drive = &cars->drives[slot / PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    bool was_airborne = block->airborne[lane];
    block->airborne[lane] = !was_airborne;
    drive->is_airborne[lane] = was_airborne ? 0 : -1;
    real vx = block->velocity_mps[0][lane], vy = block->velocity_mps[1][lane];
    real vz = block->velocity_mps[2][lane];
    if (was_airborne) {
        physics_event_raise(&cars->events, slot, APEX_CAR_LANDED, (double)vz);
    } else {
        physics_event_raise(&cars->events, slot, APEX_CAR_TOOK_OFF,
                            (double)real_sqrt(vx * vx + vy * vy + vz * vz));
    }
}

static double within_the_world_m(double position_m) {
    return fabs(position_m) < 1e7 ? position_m : 0.0; // no for a NaN, too
}

void physics_stop_bad_car(physics_cars *cars, uint32_t slot) {
    APEX_ASSERT(apex_pool_is_index_live(&cars->pool, slot));
    physics_car car;
    physics_block_get(cars, slot, &car);
    const double *q = car.orientation;
    double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    double x[3] = {1.0, 0.0, 0.0}, y[3], z[3];
    if (fabs(norm - 1.0) < 1e-3) {
        physics_quaternion_axes(q, x, y, z);
    }
    if (!real_is_finite(car.fuel_kg)) {
        car.fuel_kg = R(0.0);
    }
    apex_placement at = {.x_m = within_the_world_m(car.position_m[0]),
                         .y_m = within_the_world_m(car.position_m[1]),
                         .z_m = within_the_world_m(car.position_m[2])};
    physics_car_place(cars, &car, &at);
    const double up[3] = {0.0, 0.0, 1.0};
    if (x[0] * x[0] + x[1] * x[1] > 1e-12) {
        physics_car_orient(&car, x, up);
    }
    physics_block_put(cars, slot, &car);
    physics_event_raise(&cars->events, slot, APEX_CAR_STOPPED_BAD, (double)slot);
}
