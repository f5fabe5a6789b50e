// Each car is coded once a tick for everybody, by whichever worker comes first.
#include "replicate/replica_private.h"

enum { CLASS_SHIFT = 6, READY = 1 << 7, TICK_SHIFT = 8 };
_Static_assert(APEX_DELTA_AGE_MAX < 1 << CLASS_SHIFT, "an age's bits");

static void code_far_change(const apex_replica *replica, const apex_delta_car *baseline,
                            apex_delta_span span, uint32_t slot, apex_delta_code *out) {
    apex_delta_car before = apex_delta_far_car(baseline);
    apex_delta_code_change(&replica->far_row[slot], &before, APEX_DELTA_FAR, span, out);
}

static void code(const apex_replica *replica, code_wish wish, apex_delta_code *out) {
    const apex_delta_car *car = replica_newest(replica, wish.slot);
    bool is_near = wish.class == APEX_DELTA_NEAR;
    if (wish.age_ticks == 0) {
        apex_delta_code_full(is_near ? car : &replica->far_row[wish.slot], wish.class, out);
        return;
    }
    apex_delta_span span = {.age_ticks = wish.age_ticks, .tick_hz = replica->tick_hz};
    uint32_t then = replica->tick - wish.age_ticks;
    const apex_delta_car *baseline = &replica_row(replica, then)[wish.slot];
    if (is_near) {
        apex_delta_code_change(car, baseline, wish.class, span, out);
    } else {
        code_far_change(replica, baseline, span, wish.slot, out);
    }
}

// A place of an earlier tick belongs to whoever claims it first; one of this tick that is not ready
// is being written, and what it will hold is coded again rather than waited for.
const apex_delta_code *replica_code(const apex_replica *replica, code_wish wish,
                                    apex_delta_code *spare) {
    uint64_t tick = (uint64_t)replica->tick << TICK_SHIFT;
    uint64_t claimed = tick | (uint64_t)wish.class << CLASS_SHIFT | wish.age_ticks;
    uint32_t first = wish.age_ticks + (wish.class == APEX_DELTA_FAR ? CODES_A_CAR / 2 : 0);
    coded_car *places = &replica->codes[(size_t)wish.slot * CODES_A_CAR];
    for (uint32_t i = 0; i < CODES_A_CAR; i++) {
        coded_car *at = &places[(first + i) % CODES_A_CAR];
        uint64_t of = atomic_load_explicit(&at->of, memory_order_acquire);
        if (of == (claimed | READY)) {
            return &at->code;
        }
        bool is_free = of >> TICK_SHIFT != replica->tick;
        if (is_free && atomic_compare_exchange_strong(&at->of, &of, claimed)) {
            code(replica, wish, &at->code);
            atomic_store_explicit(&at->of, claimed | READY, memory_order_release);
            return &at->code;
        }
    }
    code(replica, wish, spare);
    return spare;
}
