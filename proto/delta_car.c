// One car's bits: by itself, or as what it differs by from what its baseline foretells.

#include "proto/delta_car_private.h"

#include <assert.h>

// --- Bits ----------------------------------------------------------------------------------------

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

static uint32_t take(delta_source *source, uint32_t bits) {
    uint32_t value =
        bits_peek(source->bytes, source->length, source->at) & (uint32_t)bits_mask(bits);
    source->at += bits;
    return value;
}

// --- By itself -----------------------------------------------------------------------------------

uint32_t delta_full_bits(apex_delta_class class) {
    uint32_t bits = 16;
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        bits += delta_has(class, f) ? delta_bits(class, f) : 0;
    }
    return bits;
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

void delta_read_full(delta_source *source, apex_delta_class class, uint32_t slot,
                     apex_delta_car *out) {
    *out = (apex_delta_car){.id = take(source, 16) << 16 | slot};
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        if (!delta_has(class, f)) {
            continue;
        }
        uint32_t bits = delta_bits(class, f), value = take(source, bits);
        bool is_negative = apex_delta_fields[f].is_signed && value >> (bits - 1) != 0;
        out->q[f] = (int32_t)value - (is_negative ? 1 << bits : 0);
    }
}

// --- As a change ---------------------------------------------------------------------------------

static void open_view(delta_view *view, const apex_delta_car *baseline, apex_delta_class class,
                      apex_delta_span span) {
    view->span = span;
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        view->before[f] = baseline->q[f] * (1 << delta_shift(class, f));
    }
}

static int32_t foretell(delta_view *view, apex_delta_class class, uint32_t field) {
    return delta_predict(view, field) >> delta_shift(class, field);
}

static void see(delta_view *view, apex_delta_class class, uint32_t field, int32_t value) {
    view->now[field] = value * (1 << delta_shift(class, field));
}

void delta_differ(const apex_delta_car *car, const apex_delta_car *baseline, apex_delta_class class,
                  apex_delta_span span, delta_difference *out) {
    delta_view view;
    open_view(&view, baseline, class, span);
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        out->of[f] = 0;
        if (delta_has(class, f)) {
            out->of[f] = delta_wrap(class, f, car->q[f] - foretell(&view, class, f));
            see(&view, class, f, car->q[f]);
        }
    }
}

// A sign, and how far beyond the symbols: so many bits as a row of ones, then those bits.
static bool put_beyond(apex_delta_code *code, int32_t difference, uint32_t most) {
    uint32_t size = (uint32_t)(difference < 0 ? -difference : difference);
    uint32_t beyond = size - most;
    uint32_t length = 31 - (uint32_t)__builtin_clz(beyond);
    if (code->bits + 2 + 2 * length > CODE_BITS_MAX) {
        return false;
    }
    put(code, difference < 0, 1);
    put(code, (uint32_t)bits_mask(length), length + 1);
    put(code, beyond, length);
    return true;
}

static bool take_beyond(delta_source *source, uint32_t most, int32_t *out) {
    enum { LENGTH_MAX = 26 };
    bool is_negative = take(source, 1) != 0;
    uint32_t length = 0;
    while (length <= LENGTH_MAX && take(source, 1) != 0) {
        length++;
    }
    if (length > LENGTH_MAX) {
        return false;
    }
    int32_t beyond = (int32_t)((1u << length | take(source, length)) - 1);
    int32_t size = beyond + (int32_t)most + 1;
    *out = is_negative ? -size : size;
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
static bool put_group(apex_delta_code *code, const delta_codes *codes, uint32_t g,
                      const delta_difference *difference) {
    const delta_group *group = &delta_groups[g];
    uint32_t symbol = delta_symbol(difference, g);
    if (code->bits + codes->length[symbol] > CODE_BITS_MAX) {
        return false;
    }
    put(code, codes->code[symbol], codes->length[symbol]);
    for (uint32_t i = 0; i < group->field_count; i++) {
        int32_t value = difference->of[group->fields[i]], most = group->most[i];
        bool is_beyond = value > most || value < -most;
        if (is_beyond && !put_beyond(code, value, group->most[i])) {
            return false;
        }
    }
    return true;
}

static bool has_rare(const delta_difference *difference) {
    for (uint32_t f = 0; f < DELTA_RARE_FIELDS; f++) {
        if (difference->of[f] != 0) {
            return true;
        }
    }
    return false;
}

// @return whether it is no longer than the car by itself.
static bool put_change(apex_delta_code *code, const apex_delta_car *car, apex_delta_class class,
                       uint32_t set, const delta_difference *difference) {
    const delta_codes *codes = delta_codes_of(set);
    for (uint32_t g = 0; g < DELTA_GROUPS; g++) {
        if (!put_group(code, &codes[g], g, difference)) {
            return false;
        }
    }
    uint32_t most = delta_full_bits(class);
    if (code->bits <= most && has_rare(difference)) {
        put_rare(code, car, class, difference);
    }
    return code->bits <= most;
}

void apex_delta_code_change(const apex_delta_car *car, const apex_delta_car *baseline,
                            apex_delta_class class, apex_delta_span span, apex_delta_code *out) {
    assert(car->id == baseline->id);
    assert(span.age_ticks >= 1 && span.age_ticks <= APEX_DELTA_AGE_MAX);
    delta_difference difference;
    delta_differ(car, baseline, class, span, &difference);
    clear(out);
    if (!put_change(out, car, class, delta_code_set(class, span), &difference)) {
        apex_delta_code_full(car, class, out);
        return;
    }
    out->hash = apex_delta_hash(car);
}

// --- Decoding a change ---------------------------------------------------------------------------

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

static bool take_symbol(delta_source *source, const delta_codes *codes, uint32_t *out) {
    uint32_t next = bits_peek(source->bytes, source->length, source->at) & (DELTA_SHORT_CODES - 1);
    if (codes->short_length[next] == 0) {
        return take_long_symbol(source, codes, out);
    }
    *out = codes->short_symbol[next];
    source->at += codes->short_length[next];
    return true;
}

static bool take_group(delta_source *source, const delta_codes *codes, const delta_group *group,
                       delta_difference *out, bool *is_rare) {
    uint32_t symbol;
    if (!take_symbol(source, codes, &symbol)) {
        return false;
    }
    if (group->tells_rare) {
        *is_rare = symbol % 2 != 0;
        symbol /= 2;
    }
    for (uint32_t i = group->field_count; i-- > 0;) {
        uint32_t values = 2u * group->most[i] + 2u;
        out->of[group->fields[i]] = (int32_t)(symbol % values) - group->most[i];
        symbol /= values;
    }
    for (uint32_t i = 0; i < group->field_count; i++) {
        int32_t *value = &out->of[group->fields[i]];
        if (*value > group->most[i] && !take_beyond(source, group->most[i], value)) {
            return false;
        }
    }
    return true;
}

/// Gear, flags and damage as they are now, where they have changed.
typedef struct rare_news {
    bool is_new[DELTA_RARE_FIELDS];
    int32_t value[DELTA_RARE_FIELDS];
} rare_news;

static void take_rare(delta_source *source, apex_delta_class class, rare_news *out) {
    for (uint32_t f = 0; f < DELTA_RARE_FIELDS; f++) {
        out->is_new[f] = delta_has(class, f) && take(source, 1) != 0;
        if (!out->is_new[f]) {
            continue;
        }
        uint32_t bits = delta_bits(class, f), value = take(source, bits);
        bool is_negative = apex_delta_fields[f].is_signed && value >> (bits - 1) != 0;
        out->value[f] = (int32_t)value - (is_negative ? 1 << bits : 0);
    }
}

bool delta_read_change(delta_source *source, const apex_delta_car *baseline, apex_delta_class class,
                       apex_delta_span span, apex_delta_car *out) {
    delta_difference difference = {{0}};
    rare_news rare = {{false}, {0}};
    const delta_codes *codes = delta_codes_of(delta_code_set(class, span));
    bool is_rare = false;
    for (uint32_t g = 0; g < DELTA_GROUPS; g++) {
        if (!take_group(source, &codes[g], &delta_groups[g], &difference, &is_rare)) {
            return false;
        }
    }
    if (is_rare) {
        take_rare(source, class, &rare);
    }
    delta_view view;
    open_view(&view, baseline, class, span);
    *out = (apex_delta_car){.id = baseline->id};
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        if (!delta_has(class, f)) {
            continue;
        }
        int64_t value = (int64_t)foretell(&view, class, f) + difference.of[f];
        if (f < DELTA_RARE_FIELDS && rare.is_new[f]) {
            value = rare.value[f];
        }
        if (apex_delta_fields[f].is_circle) {
            value &= ((int64_t)1 << delta_bits(class, f)) - 1;
        }
        if (!delta_is_within(class, f, value)) {
            return false;
        }
        out->q[f] = (int32_t)value;
        see(&view, class, f, out->q[f]);
    }
    return true;
}
