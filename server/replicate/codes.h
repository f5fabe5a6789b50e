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

typedef struct code_wish {
    uint32_t slot;
    apex_delta_class class;
    uint32_t age_ticks; ///< of the baseline; 0: by itself
} code_wish;

/// @return [slot * CODES_A_CAR], to be freed; NULL when memory is refused.
coded_car *codes_create(uint32_t capacity);
/// Of the same tick there may be two pasts: what was coded for one is of no use in the other.
void codes_forget(coded_car codes[], uint32_t capacity);
/// Coded once a tick for all viewers, by whichever worker comes first.
/// @param spare is used where the car has no place left.
const apex_delta_code *codes_get(coded_car codes[], const captured_cars *cars, code_wish wish,
                                 apex_delta_code *spare);
