/// What the delta*.c files share. Private to proto.
#pragma once

#include "proto/bits.h"
#include "proto/delta.h"

// --- Prediction ----------------------------------------------------------------------------------

/// A car and what it was, both in the units of near cars.
typedef struct delta_view {
    int32_t before[APEX_DELTA_FIELDS];
    int32_t now[APEX_DELTA_FIELDS]; ///< fields before the one that is predicted
    int32_t drift_y_cm;             ///< found together with that along x
    apex_delta_span span;
} delta_view;

/// Fields in their order: y comes after x.
int32_t delta_predict(delta_view *view, apex_delta_field field);

/// How many lowest bits the class leaves out.
static inline uint32_t delta_shift(apex_delta_class class, apex_delta_field field) {
    return class == APEX_DELTA_FAR ? apex_delta_fields[field].far_shift : 0;
}

static inline bool delta_has(apex_delta_class class, apex_delta_field field) {
    return class == APEX_DELTA_NEAR || !apex_delta_fields[field].is_near_only;
}

static inline uint32_t delta_bits(apex_delta_class class, apex_delta_field field) {
    return apex_delta_fields[field].bits - delta_shift(class, field);
}

/// Whether a value of the class fits the field.
bool delta_is_within(apex_delta_class class, apex_delta_field field, int64_t value);
/// A circle's value, or difference, the short way round; others stay.
int32_t delta_wrap(apex_delta_class class, apex_delta_field field, int32_t value);

// --- Codes ---------------------------------------------------------------------------------------

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

extern const delta_group delta_groups[DELTA_GROUPS];
uint32_t delta_symbol_count(uint32_t group);

/// Which codes: by class, and for near cars by the baseline's age.
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

/// What a car's change says of it, as numbers of symbols and what does not fit them.
typedef struct delta_difference {
    int32_t of[APEX_DELTA_FIELDS]; ///< from what was predicted
} delta_difference;

uint32_t delta_symbol(const delta_difference *difference, uint32_t group);
