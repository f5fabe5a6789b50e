// Codes of cars: each is made once a tick for all viewers and shared by the workers.
#pragma once

#include <stdatomic.h>

#include "replicate/captured_cars.h"

enum { CODES_A_CAR = 8 };

/// A code and what it is the code of: once coded it stays for the rest of the tick.
typedef struct coded_car {
    _Alignas(64) _Atomic uint64_t of; ///< see codes.c
    apex_delta_code code;
} coded_car;

/// What all cars are coded as, a car's after another's.
struct apex_replica_codes {
    uint32_t car_capacity;
    coded_car at[]; ///< [slot * CODES_A_CAR]
};

typedef struct code_wish {
    uint32_t slot;
    apex_delta_class class;
    uint32_t age_ticks; ///< of the baseline; 0: by itself
} code_wish;

/// Coded once a tick for all viewers, by whichever worker comes first.
/// @param spare is used where the car has no place left.
const apex_delta_code *codes_get(apex_replica_codes *codes, const captured_cars *cars,
                                 code_wish wish, apex_delta_code *spare);
