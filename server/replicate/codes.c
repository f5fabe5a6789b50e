// Codes of cars: each is made once a tick for everybody, by whichever worker comes first.
//
// A cache for each worker coded nearly everything twice on two cores. Nobody waits: a worker that
// finds a code half written makes it again for itself, so bytes are the same for any number of
// workers (DECISIONS 26).
#include "replicate/codes.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum { CLASS_SHIFT = 6, READY = 1 << 7, TICK_SHIFT = 8 };
_Static_assert(APEX_DELTA_AGE_MAX < 1 << CLASS_SHIFT, "an age's bits");

static size_t place_count(uint32_t car_capacity) {
    return (car_capacity + (size_t)1) * CODES_A_CAR;
}

apex_replica_codes *apex_replica_codes_create(uint32_t car_capacity) {
    APEX_ASSERT(car_capacity > 0 && car_capacity < UINT16_MAX);
    size_t bytes = sizeof(apex_replica_codes) + place_count(car_capacity) * sizeof(coded_car);
    apex_replica_codes *codes = aligned_alloc(_Alignof(apex_replica_codes), bytes);
    if (codes != NULL) {
        memset(codes, 0, bytes);
        codes->car_capacity = car_capacity;
    }
    return codes;
}

void apex_replica_codes_destroy(apex_replica_codes *codes) {
    free(codes);
}

void apex_replica_codes_forget(apex_replica_codes *codes) {
    for (size_t i = 0; i < place_count(codes->car_capacity); i++) {
        codes->at[i].of = 0;
    }
}

static void code_far_change(const captured_cars *cars, const apex_delta_car *baseline,
                            apex_delta_span span, uint32_t slot, apex_delta_code *out) {
    apex_delta_car before = apex_delta_far_car(baseline);
    apex_delta_code_change(&cars->far_row[slot], &before, APEX_DELTA_FAR, span, out);
}

static void code(const captured_cars *cars, code_wish wish, apex_delta_code *out) {
    const apex_delta_car *car = captured_newest(cars, wish.slot);
    bool is_near = wish.class == APEX_DELTA_NEAR;
    if (wish.age_ticks == 0) {
        apex_delta_code_full(is_near ? car : &cars->far_row[wish.slot], wish.class, out);
        return;
    }
    apex_delta_span span = {.age_ticks = wish.age_ticks, .tick_hz = cars->tick_hz};
    uint32_t then = cars->tick - wish.age_ticks;
    const apex_delta_car *baseline = &captured_row(cars, then)[wish.slot];
    if (is_near) {
        apex_delta_code_change(car, baseline, wish.class, span, out);
    } else {
        code_far_change(cars, baseline, span, wish.slot, out);
    }
}

// A place of an earlier tick belongs to the thread that claims it first; one of this tick that is
// not ready is being written, and what it will hold is coded again rather than waited for.
const apex_delta_code *codes_get(apex_replica_codes *codes, const captured_cars *cars,
                                 code_wish wish, apex_delta_code *spare) {
    APEX_ASSERT(wish.slot > 0 && wish.slot <= codes->car_capacity);
    APEX_ASSERT(wish.age_ticks <= APEX_DELTA_AGE_MAX);
    uint64_t tick = (uint64_t)cars->tick << TICK_SHIFT;
    uint64_t claimed = tick | (uint64_t)wish.class << CLASS_SHIFT | wish.age_ticks;
    uint32_t first = wish.age_ticks + (wish.class == APEX_DELTA_FAR ? CODES_A_CAR / 2 : 0);
    coded_car *places = &codes->at[(size_t)wish.slot * CODES_A_CAR];
    for (uint32_t i = 0; i < CODES_A_CAR; i++) {
        coded_car *at = &places[(first + i) % CODES_A_CAR];
        uint64_t of = atomic_load_explicit(&at->of, memory_order_acquire);
        if (of == (claimed | READY)) {
            return &at->code;
        }
        bool is_free = of >> TICK_SHIFT != cars->tick;
        if (is_free && atomic_compare_exchange_strong(&at->of, &of, claimed)) {
            code(cars, wish, &at->code);
            atomic_store_explicit(&at->of, claimed | READY, memory_order_release);
            return &at->code;
        }
    }
    code(cars, wish, spare);
    return spare;
}
