/// Prefix codes of what cars do, and the symbols that they code. Private to proto.
#pragma once

#include "proto/delta/delta_values.h"

/// Small differences of fields that move together make one symbol. A field's share of it is its
/// difference from -most to most, or one more value: that it is larger, and follows by itself.
enum { DELTA_GROUPS = 5, DELTA_GROUP_FIELDS_MAX = 5, DELTA_SYMBOLS_MAX = 256 };

typedef struct delta_group {
    uint8_t field_count;
    uint8_t fields[DELTA_GROUP_FIELDS_MAX];
    uint8_t most[DELTA_GROUP_FIELDS_MAX];
    bool tells_rare; ///< its lowest bit says whether a field of no group has changed
} delta_group;

/// Fields of no group.
enum { DELTA_RARE_FIELDS = APEX_DELTA_ACCELERATION };

static const delta_group delta_groups[DELTA_GROUPS] = {
    {.field_count = 2,
     .fields = {APEX_DELTA_ACCELERATION, APEX_DELTA_ALONG},
     .most = {3, 2},
     .tells_rare = true},
    {.field_count = 2, .fields = {APEX_DELTA_ASIDE, APEX_DELTA_YAW_RATE}, .most = {3, 3}},
    {.field_count = 3, .fields = {APEX_DELTA_YAW, APEX_DELTA_X, APEX_DELTA_Y}, .most = {1, 1, 1}},
    {.field_count = 4,
     .fields = {APEX_DELTA_CLIMB, APEX_DELTA_Z, APEX_DELTA_PITCH, APEX_DELTA_ROLL},
     .most = {1, 1, 1, 1}},
    {.field_count = 4,
     .fields = {APEX_DELTA_RPM, APEX_DELTA_STEER, APEX_DELTA_THROTTLE, APEX_DELTA_BRAKE},
     .most = {1, 1, 1, 1}},
};
uint32_t delta_symbol_count(uint32_t group);

/// The sets of codes: by class, and for near cars by the baseline's age.
enum { DELTA_CODE_SETS = 4 };
uint32_t delta_code_set(apex_delta_class class, apex_delta_span span);

enum { DELTA_CODE_BITS_MAX = 15, DELTA_SHORT_BITS = 8, DELTA_SHORT_CODES = 1 << DELTA_SHORT_BITS };

/// Canonical prefix codes, as they stand in the stream from the lowest bit.
typedef struct delta_codes {
    uint16_t code[DELTA_SYMBOLS_MAX];
    uint8_t length[DELTA_SYMBOLS_MAX];
    uint16_t symbol[DELTA_SYMBOLS_MAX];             ///< by length, then by number
    uint16_t short_symbol[DELTA_SHORT_CODES];       ///< [next bits] where the code is short
    uint8_t short_length[DELTA_SHORT_CODES];        ///< 0: it is longer
    uint16_t first_symbol[DELTA_CODE_BITS_MAX + 2]; ///< of each length
    uint32_t first_code[DELTA_CODE_BITS_MAX + 2];   ///< of each length, highest bit first
} delta_codes;

/// [group]
const delta_codes *delta_codes_of(uint32_t set);
/// Lengths of all codes of a group, a letter each: 'a' is 1 bit.
extern const char *const delta_code_lengths[DELTA_CODE_SETS][DELTA_GROUPS];

/// A car's change as numbers of symbols, and the rest that does not fit them.
typedef struct delta_difference {
    int32_t of[APEX_DELTA_FIELDS]; ///< from what was predicted
} delta_difference;

/// @return whether gear, flags or damage have changed.
DELTA_INLINE bool delta_has_rare(const delta_difference *difference) {
    int32_t any = 0;
#pragma GCC unroll 8
    for (uint32_t f = 0; f < DELTA_RARE_FIELDS; f++) {
        any |= difference->of[f];
    }
    return any != 0;
}

DELTA_INLINE bool delta_is_beyond(const delta_group *group, uint32_t i, int32_t value) {
    int32_t most = group->most[i];
    return value > most || value < -most;
}

DELTA_INLINE uint32_t delta_symbol(const delta_difference *difference, uint32_t g) {
    const delta_group *group = &delta_groups[g];
    uint32_t symbol = 0;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < group->field_count; i++) {
        int32_t value = difference->of[group->fields[i]], most = group->most[i];
        uint32_t share = (uint32_t)(delta_is_beyond(group, i, value) ? 2 * most + 1 : value + most);
        symbol = symbol * (2u * group->most[i] + 2u) + share;
    }
    return group->tells_rare ? 2 * symbol + delta_has_rare(difference) : symbol;
}
