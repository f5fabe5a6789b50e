// A car feels its neighbours' wakes: eight wakes at a time.

#include "physics/air/slipstream.h"

static const real WAKE_SPREAD = R(0.03); ///< widening per distance
static const real WAKE_HEIGHT_M = R(3.0);

// @return the share of the wakes that acts at `car`: all of it right behind the car that leaves it,
// nothing beside.
LANES_INLINE lanes wakes_at(const physics_wake_car *car, const physics_wakes *ahead) {
    lanes dx = lanes_narrow(wide_subtract(ahead->x_m, wide_all(car->x_m)));
    lanes dy = lanes_narrow(wide_subtract(ahead->y_m, wide_all(car->y_m)));
    lanes along = dx * ahead->cos_course + dy * ahead->sin_course;
    lanes gap = along - ahead->half_length_m - car->half_length_m;
    lanes_mask is_felt = lanes_more(along, lanes_zero()) &
                         lanes_less(gap, lanes_all(PHYSICS_WAKE_M)) &
                         lanes_at_most(lanes_abs(ahead->z_m - car->z_m), lanes_all(WAKE_HEIGHT_M));
    gap = lanes_max(gap, lanes_zero());
    lanes across = lanes_abs(dy * ahead->cos_course - dx * ahead->sin_course);
    lanes width = ahead->half_width_m + car->half_width_m + WAKE_SPREAD * gap;
    lanes inside = lanes_share(R(1.0) - across / width);
    lanes with = car->cos_course * ahead->cos_course + car->sin_course * ahead->sin_course;
    lanes felt = inside * (R(1.0) - gap / PHYSICS_WAKE_M) * lanes_max(with, lanes_zero());
    return lanes_keep(is_felt, felt);
}

// Those of eight, counted from `begin` to `end`, that were left in a cell by others: more than one
// cell may share a bucket.
LANES_INLINE lanes_mask are_of(const physics_wakes *wakes, const int32_t cell[2], int32_t begin,
                               int32_t end, uint32_t slot) {
    const lanes_index lane = {0, 1, 2, 3, 4, 5, 6, 7};
    lanes_index is_one = (lane >= begin) & (lane < end) & (wakes->column == cell[0]) &
                         (wakes->row == cell[1]) & (wakes->slot != (int32_t)slot);
    return __builtin_convertvector(is_one, lanes_mask);
}

real FOR_ISA(physics_wakes_felt)(const physics_slipstream *slipstream,
                                 const physics_wake_car *car) {
    lanes most = lanes_zero();
    real strongest = R(0.0);
    for (int32_t k = 0; k < 9; k++) {
        const int32_t cell[2] = {car->cell[0] + k % 3 - 1, car->cell[1] + k / 3 - 1};
        uint32_t bucket = physics_wake_bucket(slipstream, cell);
        uint32_t begin = slipstream->starts[bucket], end = slipstream->starts[bucket + 1];
        for (uint32_t at = begin / PHYSICS_LANES * PHYSICS_LANES; at < end; at += PHYSICS_LANES) {
            const physics_wakes *wakes = &slipstream->wakes[at / PHYSICS_LANES];
            lanes_mask are_there =
                are_of(wakes, cell, (int32_t)(begin - at), (int32_t)(end - at), car->slot);
            most = lanes_max(most, lanes_keep(are_there, wakes_at(car, wakes)));
        }
    }
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        strongest = real_max(strongest, most[lane]);
    }
    return strongest;
}
