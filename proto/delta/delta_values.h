/// Values of a car's fields in each class: which it has, in how many bits. Private to proto.
#pragma once

#include "proto/delta.h"
#include "proto/delta/bits.h"

/// Most of what cars are coded by stands in tables of constants: inlined where a field or a group
/// is known to the compiler, it costs no look-up.
#define DELTA_INLINE static inline __attribute__((always_inline))

/// The number of lowest bits that the class leaves out.
DELTA_INLINE uint32_t delta_shift(apex_delta_class class, apex_delta_field field) {
    return class == APEX_DELTA_NEAR ? 0 : apex_delta_fields[field].far_shift;
}

DELTA_INLINE bool delta_has(apex_delta_class class, apex_delta_field field) {
    const apex_delta_field_spec *spec = &apex_delta_fields[field];
    return class == APEX_DELTA_NEAR ||
           (!spec->is_near_only && (class == APEX_DELTA_FAR || !spec->is_unlisted));
}

DELTA_INLINE uint32_t delta_bits(apex_delta_class class, apex_delta_field field) {
    return apex_delta_fields[field].bits - delta_shift(class, field);
}

/// @return whether a value of the class fits the field.
DELTA_INLINE bool delta_is_within(apex_delta_class class, apex_delta_field field, int32_t value) {
    uint32_t count = 1u << delta_bits(class, field);
    uint32_t above_low = (uint32_t)value + (apex_delta_fields[field].is_signed ? count / 2 : 0);
    return above_low < count;
}

/// A circle's value, or difference, the short way round; others stay.
DELTA_INLINE int32_t delta_wrap(apex_delta_class class, apex_delta_field field, int32_t value) {
    if (!apex_delta_fields[field].is_circle) {
        return value;
    }
    int32_t turn = 1 << delta_bits(class, field), within = value & (turn - 1);
    return within < turn / 2 ? within : within - turn;
}

/// As apex_delta_hash, of a car of the class: what it lacks is 0, and not looked at.
DELTA_INLINE uint16_t delta_hash(const apex_delta_car *car, apex_delta_class class) {
    const uint32_t PRIME = 16777619;
    uint32_t hash = (2166136261u ^ car->id) * PRIME;
#pragma GCC unroll 32
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        hash = (hash ^ (delta_has(class, f) ? (uint32_t)car->q[f] : 0)) * PRIME;
    }
    return (uint16_t)(hash >> 16);
}
