/// Delta snapshots: cars as small integers, each coded against what its viewer has of it already.
/// Both ends use the same table of fields, the same prediction and the same codes; decoding needs
/// no number of more than 32 bits. Thread-safe; no allocation. PROTOCOL.md describes every bit.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct apex_wire_car;

/// In the order in which they are predicted: each may lean on those before it.
typedef enum apex_delta_field {
    APEX_DELTA_GEAR,
    APEX_DELTA_FLAGS,
    APEX_DELTA_DAMAGE,
    APEX_DELTA_ACCELERATION, ///< along, 0.5 m/s^2
    APEX_DELTA_ALONG,        ///< velocity in the plan where the nose points, 0.05 m/s
    APEX_DELTA_ASIDE,        ///< and to its left
    APEX_DELTA_CLIMB,        ///< upwards
    APEX_DELTA_YAW_RATE,     ///< 1/64 rad/s
    APEX_DELTA_YAW,          ///< 1/8192 turn
    APEX_DELTA_X,            ///< cm
    APEX_DELTA_Y,
    APEX_DELTA_Z,
    APEX_DELTA_PITCH, ///< 1/2048 turn
    APEX_DELTA_ROLL,
    APEX_DELTA_RPM,      ///< 128 revolutions a minute
    APEX_DELTA_STEER,    ///< 1/64 rad
    APEX_DELTA_THROTTLE, ///< 1/15
    APEX_DELTA_BRAKE,
    APEX_DELTA_FIELDS
} apex_delta_field;

/// Classes of cars: those near the viewer, those further off, and those that it is told of only in
/// turn: as far ones, without what nobody sees of a dot.
typedef enum apex_delta_class {
    APEX_DELTA_NEAR,
    APEX_DELTA_FAR,
    APEX_DELTA_LISTED,
    APEX_DELTA_CLASSES
} apex_delta_class;

typedef struct apex_delta_field_spec {
    const char *name;
    uint8_t bits;
    uint8_t far_shift; ///< a far value is the near one without that many lowest bits
    bool is_signed;
    bool is_circle; ///< the largest value's neighbour is the smallest
    bool is_near_only;
    bool is_unlisted; ///< cars of the list lack it, too
} apex_delta_field_spec;

/// Near: 1 cm, 0.05 m/s, 0.04 degrees where the nose points and 0.2 for the rest. Positions reach
/// 42 km from the origin and 5 km high; speeds 204 m/s.
static const apex_delta_field_spec apex_delta_fields[APEX_DELTA_FIELDS] = {
    [APEX_DELTA_GEAR] = {.name = "gear", .bits = 5, .is_signed = true, .is_unlisted = true},
    [APEX_DELTA_FLAGS] = {.name = "flags", .bits = 8},
    [APEX_DELTA_DAMAGE] = {.name = "damage", .bits = 20, .is_near_only = true},
    [APEX_DELTA_ACCELERATION] =
        {.name = "acceleration", .bits = 9, .far_shift = 1, .is_signed = true, .is_unlisted = true},
    [APEX_DELTA_ALONG] = {.name = "along", .bits = 13, .far_shift = 2, .is_signed = true},
    [APEX_DELTA_ASIDE] =
        {.name = "aside", .bits = 13, .far_shift = 3, .is_signed = true, .is_unlisted = true},
    [APEX_DELTA_CLIMB] =
        {.name = "climb", .bits = 13, .far_shift = 3, .is_signed = true, .is_unlisted = true},
    [APEX_DELTA_YAW_RATE] = {.name = "yaw rate", .bits = 13, .far_shift = 3, .is_signed = true},
    [APEX_DELTA_YAW] = {.name = "yaw", .bits = 13, .far_shift = 4, .is_circle = true},
    [APEX_DELTA_X] = {.name = "x", .bits = 23, .far_shift = 4, .is_signed = true},
    [APEX_DELTA_Y] = {.name = "y", .bits = 23, .far_shift = 4, .is_signed = true},
    [APEX_DELTA_Z] = {.name = "z", .bits = 20, .far_shift = 4, .is_signed = true},
    [APEX_DELTA_PITCH] = {.name = "pitch", .bits = 11, .is_circle = true, .is_near_only = true},
    [APEX_DELTA_ROLL] = {.name = "roll", .bits = 11, .is_circle = true, .is_near_only = true},
    [APEX_DELTA_RPM] = {.name = "rpm", .bits = 8, .is_near_only = true},
    [APEX_DELTA_STEER] = {.name = "steer", .bits = 8, .is_signed = true, .is_near_only = true},
    [APEX_DELTA_THROTTLE] = {.name = "throttle", .bits = 4, .is_near_only = true},
    [APEX_DELTA_BRAKE] = {.name = "brake", .bits = 4, .is_near_only = true},
};

/// A car in one class's integers.
typedef struct apex_delta_car {
    uint32_t id; ///< as in Car: generation << 16 | slot, from 1
    int32_t q[APEX_DELTA_FIELDS];
} apex_delta_car;

static inline uint32_t apex_delta_slot(uint32_t id) {
    return id & 0xffff;
}

/// To the nearest integer that the field holds; a circle goes round.
int32_t apex_delta_quantise(apex_delta_field field, double value);
/// @param near_car of class NEAR.
apex_delta_car apex_delta_far_car(const apex_delta_car *near_car);
/// In the units of Car; what a car of the class lacks is 0.
void apex_delta_to_wire(const apex_delta_car *car, apex_delta_class class,
                        struct apex_wire_car *out);
/// A car's share of the sum that is the checksum of a packet.
uint16_t apex_delta_hash(const apex_delta_car *car);

/// From the packet that carried the baseline to this one.
typedef struct apex_delta_span {
    uint32_t age_ticks; ///< 1..APEX_DELTA_AGE_MAX
    uint32_t tick_hz;   ///< 1..APEX_DELTA_TICK_HZ_MAX
} apex_delta_span;

enum {
    APEX_DELTA_AGE_MAX = 63,
    APEX_DELTA_TICK_HZ_MAX = 1000,
    APEX_DELTA_CODE_WORDS = 5,
};

/// Bits, the first in the lowest of the first word.
typedef struct apex_delta_code {
    uint64_t words[APEX_DELTA_CODE_WORDS];
    uint32_t bits;
    uint16_t hash; ///< of the car
    bool is_full;
} apex_delta_code;

/// The car by itself.
void apex_delta_code_full(const apex_delta_car *car, apex_delta_class class, apex_delta_code *out);
/// The car as a change of its baseline, of the same id and class; by itself where that is shorter.
void apex_delta_code_change(const apex_delta_car *car, const apex_delta_car *baseline,
                            apex_delta_class class, apex_delta_span span, apex_delta_code *out);

typedef struct apex_delta_head {
    uint32_t tick;      ///< of the state; 16 bits travel
    uint16_t sequence;  ///< of the viewer's packets; what is acknowledged; 8 bits travel
    uint32_t age_ticks; ///< of most baselines
    bool is_plain;      ///< of all: and no car comes by itself
    bool has_race;
    uint32_t phase;       ///< with has_race, apex_wire_phase
    int32_t race_time_ms; ///< with has_race
    bool has_controls;
    uint32_t controls_age_ticks; ///< with has_controls: since the newest controls that were used on
                                 ///< their tick, 0..255
    int32_t controls_depth;      ///< with has_controls, -128..127
    uint32_t car_count;          ///< 0..APEX_DELTA_CARS_MAX
    uint32_t spread;             ///< see apex_delta_spread
    uint32_t listed_count;       ///< cars of the list that follow, 0..APEX_DELTA_LISTED_MAX
} apex_delta_head;

enum { APEX_DELTA_CARS_MAX = 255, APEX_DELTA_LISTED_MAX = 127 };

/// The spread by which slots that rise are told in the fewest bits. @param slots rising
uint32_t apex_delta_spread(const uint16_t slots[], uint32_t count);

/// The fields that a car of the list may share with the one before it; zeros before the first.
typedef struct apex_delta_listed {
    uint32_t id;
    int32_t flags;
} apex_delta_listed;

/// The bits that a car of the list takes.
uint32_t apex_delta_listed_bits(const apex_delta_listed *before, const apex_delta_car *car);
enum { APEX_DELTA_LISTED_BITS_MAX = 128 };

typedef struct apex_delta_writer {
    uint8_t *out;
    size_t capacity;
    uint64_t bits; ///< written
    uint64_t held;
    uint32_t slot, spread, age_ticks;
    bool is_plain;
    uint32_t sum;
    apex_delta_listed listed; ///< the last
} apex_delta_writer;

/// Longest head and the end, in bits: what cars may not have of a packet.
#define APEX_DELTA_FRAME_BITS 160u

/// @param out of at least 32 bytes
void apex_delta_begin(apex_delta_writer *writer, const apex_delta_head *head, uint8_t *out,
                      size_t capacity);
/// Cars, their slots rising; as many as the head says. @param age_ticks of the baseline, if any.
void apex_delta_add(apex_delta_writer *writer, uint32_t slot, uint32_t age_ticks,
                    apex_delta_class class, const apex_delta_code *code);
/// Cars of the list, each by itself; as many as the head says. They take fewest bits where their
/// slots follow each other. @param car of class LISTED or FAR: what it has beyond is left out.
void apex_delta_add_listed(apex_delta_writer *writer, const apex_delta_car *car);
/// @return bytes.
size_t apex_delta_end(apex_delta_writer *writer);

/// The knowledge that a receiver has before a packet comes.
typedef struct apex_delta_known {
    uint32_t tick;     ///< within 2^15 of the packet's
    uint16_t sequence; ///< within 2^7 of the packet's
    uint32_t tick_hz;
} apex_delta_known;

typedef struct apex_delta_reader {
    const uint8_t *bytes;
    size_t length;
    uint64_t at; ///< bits read
    apex_delta_head head;
    uint32_t tick_hz, slot, read;
    uint32_t sum;
    apex_delta_listed listed; ///< the last
} apex_delta_reader;

typedef struct apex_delta_entry {
    uint32_t slot;
    bool is_full;
    apex_delta_class class; ///< of a full car; a change has its baseline's
    uint32_t age_ticks;     ///< of a change's baseline
} apex_delta_entry;

/// @return false if the bytes are no packet.
bool apex_delta_open(apex_delta_reader *reader, const uint8_t *bytes, size_t length,
                     const apex_delta_known *known);
/// The next car: call head.car_count times, and apex_delta_read_car after each.
bool apex_delta_next(apex_delta_reader *reader, apex_delta_entry *out);
/// @param baseline of the class given, the car with this slot as it was age_ticks before; NULL for
/// a full car. @return false for values outside their ranges.
bool apex_delta_read_car(apex_delta_reader *reader, const apex_delta_entry *entry,
                         const apex_delta_car *baseline, apex_delta_class class,
                         apex_delta_car *out);
/// After all cars, head.listed_count times.
bool apex_delta_read_listed(apex_delta_reader *reader, apex_delta_car *out);
/// @return whether the checksum holds and nothing is left: only then is any of it true.
bool apex_delta_close(apex_delta_reader *reader);
