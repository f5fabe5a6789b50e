// Prefix codes of what cars do: built once from their lengths.
//
// Fields that move together make one symbol: 15.5 bits of entropy cost 17.2, where a code for each
// field costs 24.7. An arithmetic coder would come nearer, 13.8 is the best published for car-like
// data, but its bits cannot be shared: 26,000 updates a tick for 2,000 viewers are 6,000 different
// ones. The codes come from watching 24 cars race with contacts on four tracks
// (tests/bench/train_delta_codes), for three ages of the baseline and for far cars;
// replicate.bits_per_update is another race than those. Damage, gear and flags change so seldom
// that a symbol's lowest bit says so for all three (DECISIONS 26).
#include "proto/delta/delta_codes.h"

#include <assert.h>
#include <stdatomic.h>

uint32_t delta_symbol_count(uint32_t group) {
    uint32_t count = delta_groups[group].tells_rare ? 2 : 1;
    for (uint32_t i = 0; i < delta_groups[group].field_count; i++) {
        count *= 2u * delta_groups[group].most[i] + 2u;
    }
    return count;
}

// Of near cars by the baseline's age, up to 1/12 s and 1/6 s; of far ones.
uint32_t delta_code_set(apex_delta_class class, apex_delta_span span) {
    if (class == APEX_DELTA_FAR) {
        return 3;
    }
    return span.age_ticks * 12 <= span.tick_hz ? 0 : (span.age_ticks * 6 <= span.tick_hz ? 1 : 2);
}

static delta_codes tables[DELTA_CODE_SETS][DELTA_GROUPS];

static uint16_t reversed(uint32_t code, uint32_t length) {
    uint32_t out = 0;
    for (uint32_t bit = 0; bit < length; bit++) {
        out |= (code >> bit & 1) << (length - 1 - bit);
    }
    return (uint16_t)out;
}

// All that the bits after the code may be.
static void note_short(delta_codes *codes, uint32_t symbol) {
    uint32_t length = codes->length[symbol], step = 1u << length;
    for (uint32_t bits = codes->code[symbol]; bits < DELTA_SHORT_CODES; bits += step) {
        codes->short_symbol[bits] = (uint16_t)symbol;
        codes->short_length[bits] = (uint8_t)length;
    }
}

static void build(const char *lengths, uint32_t symbol_count, delta_codes *out) {
    uint32_t code = 0, place = 0;
    for (uint32_t length = 1; length <= DELTA_CODE_BITS_MAX; length++) {
        code <<= 1;
        out->first_code[length] = code;
        out->first_symbol[length] = (uint16_t)place;
        for (uint32_t symbol = 0; symbol < symbol_count; symbol++) {
            if ((uint32_t)(lengths[symbol] - 'a' + 1) != length) {
                continue;
            }
            out->length[symbol] = (uint8_t)length;
            out->code[symbol] = reversed(code++, length);
            out->symbol[place++] = (uint16_t)symbol;
            if (length <= DELTA_SHORT_BITS) {
                note_short(out, symbol);
            }
        }
    }
    out->first_symbol[DELTA_CODE_BITS_MAX + 1] = (uint16_t)place;
    assert(place == symbol_count && code == 1u << DELTA_CODE_BITS_MAX);
}

static void build_all(void) {
    for (uint32_t set = 0; set < DELTA_CODE_SETS; set++) {
        for (uint32_t group = 0; group < DELTA_GROUPS; group++) {
            build(delta_code_lengths[set][group], delta_symbol_count(group), &tables[set][group]);
        }
    }
}

enum { UNBUILT, BEING_BUILT, BUILT };
static _Atomic int tables_state = UNBUILT;

// The first thread that comes builds; one that comes meanwhile waits the microseconds that takes.
__attribute__((cold, noinline)) static void need_tables(void) {
    int unbuilt = UNBUILT;
    if (atomic_compare_exchange_strong(&tables_state, &unbuilt, BEING_BUILT)) {
        build_all();
        atomic_store_explicit(&tables_state, BUILT, memory_order_release);
    }
    while (atomic_load_explicit(&tables_state, memory_order_acquire) != BUILT) {}
}

const delta_codes *delta_codes_of(uint32_t set) {
    if (atomic_load_explicit(&tables_state, memory_order_acquire) != BUILT) {
        need_tables();
    }
    return tables[set];
}
