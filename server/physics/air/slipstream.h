/// The wakes of cars, each felt by those behind it.
#pragma once

#include "physics/car/cars.h"
#include "physics/lanes/isa.h"

/// Substeps from one look to the next: 10 a second at 240 Hz.
enum { PHYSICS_SLIPSTREAM_SUBSTEPS = 24 };

/// The wake is felt up to here: the size of a cell.
#define PHYSICS_WAKE_M R(32.0)

typedef struct physics_wake_car {
    double x_m, y_m;
    real cos_course, sin_course; ///< of its motion
    real speed_mps, half_width_m, half_length_m, z_m;
    uint32_t slot;
    int32_t cell[2]; ///< column and row
} physics_wake_car;

/// Eight of those that leave a wake.
typedef struct physics_wakes {
    lanes_wide x_m, y_m;
    lanes cos_course, sin_course;
    lanes half_width_m, half_length_m, z_m;
    lanes_index slot, column, row;
} physics_wakes;

typedef struct physics_slipstream physics_slipstream;
/// @return the strongest of the wakes that a car drives in, 0..1.
typedef real physics_wakes_felt_fn(const physics_slipstream *slipstream,
                                   const physics_wake_car *car);

struct physics_slipstream {
    physics_wakes_felt_fn *felt; ///< as this processor does it best
    uint32_t capacity, bucket_mask;
    uint32_t *starts;       ///< [bucket] into wakes; one more at the end
    physics_wake_car *cars; ///< by slot
    physics_wakes *wakes;   ///< by bucket, eight together
    uint32_t count, wake_count;
};

static inline uint32_t physics_wake_bucket(const physics_slipstream *slipstream,
                                           const int32_t cell[2]) {
    uint32_t hash = (uint32_t)cell[0] * 0x9e3779b1u + (uint32_t)cell[1] * 0x85ebca77u;
    return (hash >> 8) & slipstream->bucket_mask;
}

real FOR_ISA(physics_wakes_felt)(const physics_slipstream *slipstream, const physics_wake_car *car);

/// @return NULL when memory is refused.
physics_slipstream *physics_slipstream_create(uint32_t capacity, physics_wakes_felt_fn *felt);
void physics_slipstream_destroy(physics_slipstream *slipstream);

/// Sets each car's slipstream, 0 in clean air to 1 right behind another. One thread.
void physics_slipstream_update(physics_slipstream *slipstream, physics_cars *cars);
