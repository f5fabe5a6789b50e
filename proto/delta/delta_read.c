// One car's bits, read: a car by itself, or what it differs by from what its baseline foretells.
// Either class of cars has code of its own, in which the tables are numbers and the loops unrolled.
#include "proto/delta/delta_car.h"
#include "proto/delta/delta_predict.h"

DELTA_INLINE uint32_t take(delta_source *source, uint32_t bits) {
    uint32_t value =
        bits_peek(source->bytes, source->length, source->at) & (uint32_t)bits_mask(bits);
    source->at += bits;
    return value;
}

DELTA_INLINE int32_t take_value(delta_source *source, apex_delta_class class,
                                apex_delta_field field) {
    uint32_t bits = delta_bits(class, field), value = take(source, bits);
    bool is_negative = apex_delta_fields[field].is_signed && value >> (bits - 1) != 0;
    return (int32_t)value - (is_negative ? 1 << bits : 0);
}

void delta_read_full(delta_source *source, apex_delta_class class, uint32_t slot,
                     apex_delta_car *out) {
    *out = (apex_delta_car){.id = take(source, 16) << 16 | slot};
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        out->q[f] = delta_has(class, f) ? take_value(source, class, f) : 0;
    }
}

static bool take_long_symbol(delta_source *source, const delta_codes *codes, uint32_t *out) {
    uint32_t bits = bits_peek(source->bytes, source->length, source->at), code = 0;
    for (uint32_t length = 1; length <= DELTA_CODE_BITS_MAX; length++) {
        code = code << 1 | (bits >> (length - 1) & 1);
        uint32_t count = codes->first_symbol[length + 1] - codes->first_symbol[length];
        uint32_t place = code - codes->first_code[length];
        if (code >= codes->first_code[length] && place < count) {
            *out = codes->symbol[codes->first_symbol[length] + place];
            source->at += length;
            return true;
        }
    }
    return false;
}

DELTA_INLINE bool take_symbol(delta_source *source, const delta_codes *codes, uint32_t *out) {
    uint32_t next = bits_peek(source->bytes, source->length, source->at) & (DELTA_SHORT_CODES - 1);
    if (codes->short_length[next] == 0) {
        return take_long_symbol(source, codes, out);
    }
    *out = codes->short_symbol[next];
    source->at += codes->short_length[next];
    return true;
}

static bool take_beyond(delta_source *source, uint32_t most, int32_t *out) {
    enum { LENGTH_MAX = 26 };
    bool is_negative = take(source, 1) != 0;
    uint32_t length = bits_ones(bits_peek(source->bytes, source->length, source->at));
    if (length > LENGTH_MAX) {
        return false;
    }
    source->at += length + 1;
    int32_t beyond = (int32_t)((1u << length | take(source, length)) - 1);
    int32_t size = beyond + (int32_t)most + 1;
    *out = is_negative ? -size : size;
    return true;
}

DELTA_INLINE bool take_group(delta_source *source, const delta_codes *codes,
                             const delta_group *group, delta_difference *out, bool *is_rare) {
    uint32_t symbol;
    if (!take_symbol(source, codes, &symbol)) {
        return false;
    }
    if (group->tells_rare) {
        *is_rare = symbol % 2 != 0;
        symbol /= 2;
    }
#pragma GCC unroll 8
    for (uint32_t i = group->field_count; i-- > 0;) {
        uint32_t values = 2u * group->most[i] + 2u;
        out->of[group->fields[i]] = (int32_t)(symbol % values) - group->most[i];
        symbol /= values;
    }
#pragma GCC unroll 8
    for (uint32_t i = 0; i < group->field_count; i++) {
        int32_t *value = &out->of[group->fields[i]];
        if (*value > group->most[i] && !take_beyond(source, group->most[i], value)) {
            return false;
        }
    }
    return true;
}

// Gear, flags and damage come as they are now, where they have changed.
DELTA_INLINE void take_rare(delta_source *source, const apex_delta_car *baseline,
                            apex_delta_class class, delta_difference *out) {
#pragma GCC unroll 8
    for (uint32_t f = 0; f < DELTA_RARE_FIELDS; f++) {
        if (delta_has(class, f) && take(source, 1) != 0) {
            out->of[f] = take_value(source, class, f) - baseline->q[f];
        }
    }
}

DELTA_INLINE bool take_differences(delta_source *source, const apex_delta_car *baseline,
                                   apex_delta_class class, apex_delta_span span,
                                   delta_difference *out) {
    const delta_codes *codes = delta_codes_of(delta_code_set(class, span));
    bool is_rare = false;
#pragma GCC unroll 8
    for (uint32_t f = 0; f < DELTA_RARE_FIELDS; f++) {
        out->of[f] = 0;
    }
#pragma GCC unroll 8
    for (uint32_t g = 0; g < DELTA_GROUPS; g++) {
        if (!take_group(source, &codes[g], &delta_groups[g], out, &is_rare)) {
            return false;
        }
    }
    if (is_rare) {
        take_rare(source, baseline, class, out);
    }
    return true;
}

// Values foretold of a car within its ranges, and those that may be read beyond, are below 2^29.
DELTA_INLINE bool add_difference(const delta_difference *difference, delta_view *view,
                                 apex_delta_class class, apex_delta_field field, int32_t *out) {
    int32_t value = delta_foretell(view, class, field) + difference->of[field];
    if (apex_delta_fields[field].is_circle) {
        value &= (1 << delta_bits(class, field)) - 1;
    }
    if (!delta_is_within(class, field, value)) {
        return false;
    }
    *out = value;
    delta_see(view, class, field, value);
    return true;
}

DELTA_INLINE bool read_change(delta_source *source, const apex_delta_car *baseline,
                              apex_delta_class class, apex_delta_span span, apex_delta_car *out) {
    delta_difference difference;
    if (!take_differences(source, baseline, class, span, &difference)) {
        return false;
    }
    delta_view view;
    delta_open_view(&view, baseline, class, span);
    out->id = baseline->id;
#pragma GCC unroll 32
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        if (!delta_has(class, f)) {
            out->q[f] = 0;
        } else if (!add_difference(&difference, &view, class, f, &out->q[f])) {
            return false;
        }
    }
    return true;
}

bool delta_read_change(delta_source *source, const apex_delta_car *baseline, apex_delta_class class,
                       apex_delta_span span, apex_delta_car *out) {
    return class == APEX_DELTA_NEAR ? read_change(source, baseline, APEX_DELTA_NEAR, span, out)
                                    : read_change(source, baseline, APEX_DELTA_FAR, span, out);
}
