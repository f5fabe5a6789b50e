// One car's bits: by itself, or as what it differs by from what its baseline foretells.
#include "proto/delta/delta_car.h"
#include "proto/delta/delta_predict.h"

#include <assert.h>

enum { CODE_BITS_MAX = 64 * APEX_DELTA_CODE_WORDS };

static void put(apex_delta_code *code, uint32_t value, uint32_t bits) {
    assert(bits <= 32 && code->bits + bits <= CODE_BITS_MAX);
    uint32_t word = code->bits / 64, at = code->bits % 64;
    uint64_t wide = value & bits_mask(bits);
    code->words[word] |= wide << at;
    if (at + bits > 64) {
        code->words[word + 1] |= wide >> (64 - at);
    }
    code->bits += bits;
}

static void clear(apex_delta_code *code) {
    *code = (apex_delta_code){.bits = 0};
}

void apex_delta_code_full(const apex_delta_car *car, apex_delta_class class, apex_delta_code *out) {
    clear(out);
    out->is_full = true;
    out->hash = apex_delta_hash(car);
    put(out, car->id >> 16, 16);
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        if (delta_has(class, f)) {
            assert(delta_is_within(class, f, car->q[f]));
            put(out, (uint32_t)car->q[f], delta_bits(class, f));
        }
    }
}

DELTA_INLINE void differ(const apex_delta_car *car, const apex_delta_car *baseline,
                         apex_delta_class class, apex_delta_span span, delta_difference *out) {
    delta_view view;
    delta_open_view(&view, baseline, class, span);
#pragma GCC unroll 32
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        out->of[f] = 0;
        if (delta_has(class, f)) {
            out->of[f] = delta_wrap(class, f, car->q[f] - delta_foretell(&view, class, f));
            delta_see(&view, class, f, car->q[f]);
        }
    }
}

void delta_differ(const apex_delta_car *car, const apex_delta_car *baseline, apex_delta_class class,
                  apex_delta_span span, delta_difference *out) {
    if (class == APEX_DELTA_NEAR) {
        differ(car, baseline, APEX_DELTA_NEAR, span, out);
    } else {
        differ(car, baseline, APEX_DELTA_FAR, span, out);
    }
}

// A sign, and how far beyond the symbols: so many bits as a row of ones, then those bits.
static bool put_beyond(apex_delta_code *code, int32_t difference, uint32_t most) {
    uint32_t size = (uint32_t)(difference < 0 ? -difference : difference);
    uint32_t beyond = size - most;
    uint32_t length = 31 - (uint32_t)__builtin_clz(beyond);
    if (code->bits + 2 + 2 * length >= CODE_BITS_MAX) {
        return false;
    }
    put(code, difference < 0, 1);
    put(code, (uint32_t)bits_mask(length), length + 1);
    put(code, beyond, length);
    return true;
}

// Gear, flags and damage: whether it has changed, and then to what.
static void put_rare(apex_delta_code *code, const apex_delta_car *car, apex_delta_class class,
                     const delta_difference *difference) {
    for (uint32_t f = 0; f < DELTA_RARE_FIELDS; f++) {
        if (delta_has(class, f)) {
            put(code, difference->of[f] != 0, 1);
            put(code, (uint32_t)car->q[f], difference->of[f] != 0 ? delta_bits(class, f) : 0);
        }
    }
}

// @return false for what is too long for any code.
DELTA_INLINE bool put_group(apex_delta_code *code, const delta_codes *codes, uint32_t g,
                            const delta_difference *difference) {
    const delta_group *group = &delta_groups[g];
    uint32_t symbol = delta_symbol(difference, g);
    if (code->bits + codes->length[symbol] >= CODE_BITS_MAX) {
        return false;
    }
    put(code, codes->code[symbol], codes->length[symbol]);
#pragma GCC unroll 8
    for (uint32_t i = 0; i < group->field_count; i++) {
        int32_t value = difference->of[group->fields[i]];
        if (delta_is_beyond(group, i, value) && !put_beyond(code, value, group->most[i])) {
            return false;
        }
    }
    return true;
}

// @return whether it is no longer than the car by itself.
DELTA_INLINE bool put_change(apex_delta_code *code, const apex_delta_car *car,
                             const apex_delta_car *baseline, apex_delta_class class,
                             apex_delta_span span) {
    delta_difference difference;
    differ(car, baseline, class, span, &difference);
    const delta_codes *codes = delta_codes_of(delta_code_set(class, span));
#pragma GCC unroll 8
    for (uint32_t g = 0; g < DELTA_GROUPS; g++) {
        if (!put_group(code, &codes[g], g, &difference)) {
            return false;
        }
    }
    uint32_t most = delta_full_bits(class);
    if (code->bits <= most && delta_has_rare(&difference)) {
        put_rare(code, car, class, &difference);
    }
    return code->bits <= most;
}

void apex_delta_code_change(const apex_delta_car *car, const apex_delta_car *baseline,
                            apex_delta_class class, apex_delta_span span, apex_delta_code *out) {
    assert(car->id == baseline->id);
    assert(span.age_ticks >= 1 && span.age_ticks <= APEX_DELTA_AGE_MAX);
    clear(out);
    bool is_shorter = class == APEX_DELTA_NEAR
                          ? put_change(out, car, baseline, APEX_DELTA_NEAR, span)
                          : put_change(out, car, baseline, APEX_DELTA_FAR, span);
    if (!is_shorter) {
        apex_delta_code_full(car, class, out);
        return;
    }
    out->hash = apex_delta_hash(car);
}
