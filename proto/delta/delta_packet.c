// Packets of cars: a head, cars by rising slots, cars of the list, and a checksum.
#include "proto/delta/delta_car.h"

#include <assert.h>

enum {
    TICK_BITS = 16,
    SEQUENCE_BITS = 8,
    CHECKSUM_BITS = 16,
    AGE_BITS = 6,
    COUNT_BITS = 8,
    LISTED_BITS = 7,
    SPREAD_BITS = 4,
    PHASE_BITS = 3,
    TIME_BITS = 32,
    CONTROLS_BITS = 8,
    SLOT_BITS = 16,
    UPPER_BITS = 16, ///< of an id, above the slot
    FLAGS_BITS = 8,
    SPREAD_ROW = 15, ///< each slot is the one after the last
};

/// The bits before those of a car: '0' a change of the head's age, '10' of another age,
/// '110' a near car by itself, '111' a far one.
enum { KIND_CHANGE = 0, KIND_AGED = 1, KIND_NEAR = 3, KIND_FAR = 7 };

// Up to 64 bits, and none above them. Whole words go out as they fill.
static inline void put(apex_delta_writer *writer, uint64_t value, uint32_t bits) {
    uint32_t at = (uint32_t)(writer->bits % 64);
    assert((value & ~bits_mask(bits)) == 0);
    writer->held |= value << at;
    writer->bits += bits;
    if (at + bits >= 64) {
        assert(writer->bits / 8 <= writer->capacity);
        memcpy(writer->out + (writer->bits / 64 - 1) * 8, &writer->held, sizeof writer->held);
        writer->held = at > 0 ? value >> (64 - at) : 0;
    }
}

// Its lowest bits.
static inline void put_low(apex_delta_writer *writer, uint32_t value, uint32_t bits) {
    put(writer, value & bits_mask(bits), bits);
}

static void put_code(apex_delta_writer *writer, const apex_delta_code *code) {
    uint32_t left = code->bits;
    for (uint32_t i = 0; left > 0; i++) {
        uint32_t bits = left < 64 ? left : 64;
        put(writer, code->words[i], bits);
        left -= bits;
    }
    writer->sum += code->hash;
}

static uint64_t gaps_bits(const uint16_t slots[], uint32_t count, uint32_t spread) {
    uint64_t bits = (uint64_t)count * (1 + spread);
    for (uint32_t i = 1; i < count; i++) {
        bits += (slots[i] - slots[i - 1] - 1u) >> spread;
    }
    return bits;
}

// Rice codes are shortest where the spread is about the mean gap's logarithm.
uint32_t apex_delta_spread(const uint16_t slots[], uint32_t count) {
    uint32_t others = count > 0 ? slots[count - 1] - slots[0] - (count - 1) : 0u, spread = 0;
    if (others == 0) {
        return SPREAD_ROW;
    }
    while (spread + 1 < SPREAD_ROW && others >> (spread + 1) >= count) {
        spread++;
    }
    bool is_wider = spread + 1 < SPREAD_ROW &&
                    gaps_bits(slots, count, spread + 1) < gaps_bits(slots, count, spread);
    return is_wider ? spread + 1 : spread;
}

// So many ones, and a zero.
static inline void put_row(apex_delta_writer *writer, uint32_t ones) {
    for (; ones >= 63; ones -= 63) {
        put(writer, bits_mask(63), 63);
    }
    put(writer, bits_mask(ones), ones + 1);
}

// The first slot is told as it is, the others by how many lie between it and the one before.
static inline void put_slot(apex_delta_writer *writer, uint32_t slot) {
    if (writer->slot == 0) {
        uint32_t length = 31 - (uint32_t)__builtin_clz(slot);
        put_row(writer, length);
        put_low(writer, slot, length);
    } else if (writer->spread != SPREAD_ROW) {
        uint32_t gap = slot - writer->slot - 1;
        put_row(writer, gap >> writer->spread);
        put_low(writer, gap, writer->spread);
    }
    assert(slot > writer->slot);
    writer->slot = slot;
}

void apex_delta_begin(apex_delta_writer *writer, const apex_delta_head *head, uint8_t *out,
                      size_t capacity) {
    assert(head->car_count <= APEX_DELTA_CARS_MAX && head->listed_count <= APEX_DELTA_LISTED_MAX);
    *writer = (apex_delta_writer){.out = out,
                                  .capacity = capacity,
                                  .spread = head->spread,
                                  .age_ticks = head->age_ticks,
                                  .is_plain = head->is_plain,
                                  .sum = head->tick + (head->tick >> 16)};
    put_low(writer, head->tick, TICK_BITS);
    put_low(writer, head->sequence, SEQUENCE_BITS);
    put_low(writer, head->age_ticks, AGE_BITS);
    put_low(writer, head->car_count, COUNT_BITS);
    put_low(writer, head->spread, SPREAD_BITS);
    put(writer, head->is_plain, 1);
    put(writer, head->has_race, 1);
    put(writer, head->has_controls, 1);
    put(writer, head->listed_count > 0, 1);
    if (head->has_race) {
        put_low(writer, head->phase, PHASE_BITS);
        put_low(writer, (uint32_t)head->race_time_ms, TIME_BITS);
    }
    if (head->has_controls) {
        put_low(writer, head->controls_age_ticks, CONTROLS_BITS);
        put_low(writer, (uint32_t)head->controls_depth, CONTROLS_BITS);
    }
    if (head->listed_count > 0) {
        put_low(writer, head->listed_count, LISTED_BITS);
    }
}

void apex_delta_add(apex_delta_writer *writer, uint32_t slot, uint32_t age_ticks,
                    apex_delta_class class, const apex_delta_code *code) {
    put_slot(writer, slot);
    bool is_common = !code->is_full && age_ticks == writer->age_ticks;
    assert(is_common || !writer->is_plain);
    if (is_common) {
        put(writer, KIND_CHANGE, writer->is_plain ? 0 : 1);
    } else if (code->is_full) {
        put(writer, class == APEX_DELTA_NEAR ? KIND_NEAR : KIND_FAR, 3);
    } else {
        put(writer, KIND_AGED, 2);
        put(writer, age_ticks, AGE_BITS);
    }
    put_code(writer, code);
}

static bool follows(const apex_delta_listed *before, const apex_delta_car *car) {
    return apex_delta_slot(car->id) == apex_delta_slot(before->id) + 1;
}

static bool has_same_upper(const apex_delta_listed *before, const apex_delta_car *car) {
    return car->id >> UPPER_BITS == before->id >> UPPER_BITS;
}

// Of the fields after flags.
DELTA_INLINE uint32_t listed_body_bits(void) {
    uint32_t bits = 0;
#pragma GCC unroll 32
    for (uint32_t f = APEX_DELTA_FLAGS + 1; f < APEX_DELTA_FIELDS; f++) {
        bits += delta_has(APEX_DELTA_LISTED, f) ? delta_bits(APEX_DELTA_LISTED, f) : 0;
    }
    return bits;
}

uint32_t apex_delta_listed_bits(const apex_delta_listed *before, const apex_delta_car *car) {
    uint32_t bits = 3 + listed_body_bits();
    bits += follows(before, car) ? 0 : SLOT_BITS;
    bits += has_same_upper(before, car) ? 0 : UPPER_BITS;
    return bits + (car->q[APEX_DELTA_FLAGS] == before->flags ? 0 : FLAGS_BITS);
}

// A bit says that something is not as with the car before; then it follows.
static inline void put_unless(apex_delta_writer *writer, bool is_same, uint32_t value,
                              uint32_t bits) {
    put(writer, !is_same, 1);
    if (!is_same) {
        put_low(writer, value, bits);
    }
}

// In as few words as hold them: which those are the compiler knows.
DELTA_INLINE void put_body(apex_delta_writer *writer, const apex_delta_car *car) {
    uint64_t word = 0;
    uint32_t filled = 0;
#pragma GCC unroll 32
    for (uint32_t f = APEX_DELTA_FLAGS + 1; f < APEX_DELTA_FIELDS; f++) {
        if (delta_has(APEX_DELTA_LISTED, f)) {
            uint32_t bits = delta_bits(APEX_DELTA_LISTED, f);
            assert(bits > 0 && delta_is_within(APEX_DELTA_LISTED, f, car->q[f]));
            if (filled + bits > 64) {
                put(writer, word, filled);
                word = filled = 0;
            }
            word |= ((uint64_t)(uint32_t)car->q[f] & bits_mask(bits)) << filled;
            filled += bits;
        }
    }
    put(writer, word, filled);
}

void apex_delta_add_listed(apex_delta_writer *writer, const apex_delta_car *car) {
    const apex_delta_listed *before = &writer->listed;
    int32_t flags = car->q[APEX_DELTA_FLAGS];
    put_unless(writer, follows(before, car), apex_delta_slot(car->id), SLOT_BITS);
    put_unless(writer, has_same_upper(before, car), car->id >> UPPER_BITS, UPPER_BITS);
    put_unless(writer, flags == before->flags, (uint32_t)flags, FLAGS_BITS);
    put_body(writer, car);
    writer->listed = (apex_delta_listed){.id = car->id, .flags = flags};
    writer->sum += delta_hash(car, APEX_DELTA_LISTED);
}

size_t apex_delta_end(apex_delta_writer *writer) {
    put_low(writer, writer->sum, CHECKSUM_BITS);
    size_t length = (size_t)(writer->bits + 7) / 8, whole = (size_t)(writer->bits / 64) * 8;
    assert(length <= writer->capacity);
    memcpy(writer->out + whole, &writer->held, length - whole);
    return length;
}

static inline uint32_t take(apex_delta_reader *reader, uint32_t bits) {
    uint32_t value =
        bits_peek(reader->bytes, reader->length, reader->at) & (uint32_t)bits_mask(bits);
    reader->at += bits;
    return value;
}

// A row of ones, and the zero at its end; a longer one than may be ends where it is too long.
static inline uint32_t take_ones(apex_delta_reader *reader, uint32_t most) {
    uint32_t count = 0, ones;
    do {
        ones = bits_ones(bits_peek(reader->bytes, reader->length, reader->at));
        reader->at += ones;
        count += ones;
    } while (ones == 32 && count < most);
    reader->at++;
    return count < most ? count : most;
}

static int32_t signed_of(uint32_t value, uint32_t bits) {
    return (int32_t)value - (value >> (bits - 1) != 0 ? 1 << bits : 0);
}

// The number with these lowest bits that is nearest to one that is known.
static uint32_t nearest(uint32_t low, uint32_t bits, uint32_t known) {
    return known + (uint32_t)signed_of((low - known) & (uint32_t)bits_mask(bits), bits);
}

bool apex_delta_open(apex_delta_reader *reader, const uint8_t *bytes, size_t length,
                     const apex_delta_known *known) {
    assert(known->tick_hz >= 1 && known->tick_hz <= APEX_DELTA_TICK_HZ_MAX);
    *reader = (apex_delta_reader){.bytes = bytes, .length = length, .tick_hz = known->tick_hz};
    apex_delta_head *head = &reader->head;
    head->tick = nearest(take(reader, TICK_BITS), TICK_BITS, known->tick);
    head->sequence = (uint16_t)nearest(take(reader, SEQUENCE_BITS), SEQUENCE_BITS, known->sequence);
    head->age_ticks = take(reader, AGE_BITS);
    head->car_count = take(reader, COUNT_BITS);
    head->spread = take(reader, SPREAD_BITS);
    head->is_plain = take(reader, 1) != 0;
    head->has_race = take(reader, 1) != 0;
    head->has_controls = take(reader, 1) != 0;
    bool has_list = take(reader, 1) != 0;
    if (head->has_race) {
        head->phase = take(reader, PHASE_BITS);
        head->race_time_ms = (int32_t)take(reader, TIME_BITS);
    }
    if (head->has_controls) {
        head->controls_age_ticks = take(reader, CONTROLS_BITS);
        head->controls_depth = signed_of(take(reader, CONTROLS_BITS), CONTROLS_BITS);
    }
    head->listed_count = has_list ? take(reader, LISTED_BITS) : 0;
    reader->sum = head->tick + (head->tick >> 16);
    return reader->at <= 8 * length;
}

static bool take_slot(apex_delta_reader *reader) {
    const uint32_t SLOT_MAX = 0xffff;
    uint32_t spread = reader->head.spread, gap = 0;
    if (reader->slot == 0) {
        uint32_t length = take_ones(reader, SLOT_BITS);
        reader->slot = 1u << length | take(reader, length);
        return length < SLOT_BITS;
    }
    if (spread != SPREAD_ROW) {
        uint32_t high = take_ones(reader, (SLOT_MAX >> spread) + 1);
        gap = high << spread | take(reader, spread);
    }
    reader->slot += gap + 1;
    return reader->slot <= SLOT_MAX;
}

bool apex_delta_next(apex_delta_reader *reader, apex_delta_entry *out) {
    assert(reader->read < reader->head.car_count);
    reader->read++;
    if (!take_slot(reader)) {
        return false;
    }
    *out = (apex_delta_entry){.slot = reader->slot, .age_ticks = reader->head.age_ticks};
    if (!reader->head.is_plain && take(reader, 1) != 0) {
        out->is_full = take(reader, 1) != 0;
        if (out->is_full) {
            out->class = take(reader, 1) != 0 ? APEX_DELTA_FAR : APEX_DELTA_NEAR;
        } else {
            out->age_ticks = take(reader, AGE_BITS);
        }
    }
    return (out->is_full || out->age_ticks > 0) && reader->at <= 8 * (uint64_t)reader->length;
}

static delta_source source_of(const apex_delta_reader *reader) {
    return (delta_source){.bytes = reader->bytes, .length = reader->length, .at = reader->at};
}

bool apex_delta_read_car(apex_delta_reader *reader, const apex_delta_entry *entry,
                         const apex_delta_car *baseline, apex_delta_class class,
                         apex_delta_car *out) {
    delta_source source = source_of(reader);
    apex_delta_span span = {.age_ticks = entry->age_ticks, .tick_hz = reader->tick_hz};
    bool is_read = true;
    if (entry->is_full) {
        delta_read_full(&source, entry->class, entry->slot, out);
    } else {
        is_read = delta_read_change(&source, baseline, class, span, out);
    }
    reader->at = source.at;
    reader->sum += is_read ? apex_delta_hash(out) : 0;
    return is_read && reader->at <= 8 * (uint64_t)reader->length;
}

static inline uint32_t take_unless(apex_delta_reader *reader, uint32_t as_before, uint32_t bits) {
    return take(reader, 1) != 0 ? take(reader, bits) : as_before;
}

bool apex_delta_read_listed(apex_delta_reader *reader, apex_delta_car *out) {
    const apex_delta_listed *before = &reader->listed;
    uint32_t slot = take_unless(reader, apex_delta_slot(before->id + 1), SLOT_BITS);
    uint32_t upper = take_unless(reader, before->id >> UPPER_BITS, UPPER_BITS);
    uint32_t flags = take_unless(reader, (uint32_t)before->flags, FLAGS_BITS);
    *out = (apex_delta_car){.id = upper << UPPER_BITS | slot};
    out->q[APEX_DELTA_FLAGS] = (int32_t)flags;
#pragma GCC unroll 32
    for (uint32_t f = APEX_DELTA_FLAGS + 1; f < APEX_DELTA_FIELDS; f++) {
        if (delta_has(APEX_DELTA_LISTED, f)) {
            uint32_t bits = delta_bits(APEX_DELTA_LISTED, f), value = take(reader, bits);
            out->q[f] = apex_delta_fields[f].is_signed ? signed_of(value, bits) : (int32_t)value;
        }
    }
    reader->listed = (apex_delta_listed){.id = out->id, .flags = (int32_t)flags};
    reader->sum += delta_hash(out, APEX_DELTA_LISTED);
    return slot > 0 && reader->at <= 8 * (uint64_t)reader->length;
}

bool apex_delta_close(apex_delta_reader *reader) {
    uint32_t checksum = take(reader, CHECKSUM_BITS);
    bool is_end = (reader->at + 7) / 8 == reader->length;
    return is_end && checksum == (reader->sum & 0xffff);
}
