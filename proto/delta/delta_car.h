/// Cars' bits for packets. Private to proto.
#pragma once

#include "proto/delta/delta_codes.h"

typedef struct delta_source {
    const uint8_t *bytes;
    size_t length;
    uint64_t at; ///< in bits; beyond the end come zeros
} delta_source;

/// The bits that a car takes by itself.
DELTA_INLINE uint32_t delta_full_bits(apex_delta_class class) {
    uint32_t bits = 16;
#pragma GCC unroll 32
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        bits += delta_has(class, f) ? delta_bits(class, f) : 0;
    }
    return bits;
}

/// The difference of each field from what its baseline foretells.
void delta_differ(const apex_delta_car *car, const apex_delta_car *baseline, apex_delta_class class,
                  apex_delta_span span, delta_difference *out);
void delta_read_full(delta_source *source, apex_delta_class class, uint32_t slot,
                     apex_delta_car *out);
/// @return false for what no car is coded as.
bool delta_read_change(delta_source *source, const apex_delta_car *baseline, apex_delta_class class,
                       apex_delta_span span, apex_delta_car *out);
