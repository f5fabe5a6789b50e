// A reader of protobuf's wire by itself: the codec of today must not vouch for that of before.
#include "before_control.h"

#include "support/base/check_main.h"

// An enumeration and the highest value of it that was known then.
typedef struct known_enum {
    uint32_t kind;    // of the message, its field in the envelope
    uint32_t element; // the repeated field that it stands in; 0: the message itself
    uint32_t number;
    uint64_t highest;
} known_enum;

enum { RACE_EVENT = 9, KINDS_KNOWN = 17 };

static const known_enum enums[] = {
    {2, 0, 1, 34},                  // Reject.reason
    {15, 0, 1, 34},                 // Goodbye.reason
    {6, 0, 2, 6},                   // Snapshot.phase
    {9, 0, 1, 14},                  // RaceEvent.kind
    {10, 0, 1, 6},                  // RaceState.phase
    {12, 3, 5, 3},                  // Standing.state, of Standings
    {13, 5, 5, 3},                  // of Results
    {13, 6, 5, 3},  {16, 7, 2, 14}, // Mark.kind
    {17, 1, 1, 14},                 // RaceEvent.kind, of PastEvents
};

typedef struct wire_at {
    const uint8_t *at, *end;
} wire_at;

typedef struct wire_field {
    uint32_t number, type;
    uint64_t value;
    wire_at inner; // of type 2
} wire_field;

static uint64_t varint(wire_at *wire) {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
        ck_assert(wire->at < wire->end);
        uint8_t byte = *wire->at++;
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
    ck_abort_msg("a varint has no end");
    return 0;
}

static bool next_field(wire_at *wire, wire_field *out) {
    if (wire->at == wire->end) {
        return false;
    }
    uint64_t tag = varint(wire);
    *out = (wire_field){.number = (uint32_t)(tag >> 3), .type = (uint32_t)(tag & 7)};
    size_t skipped = 0;
    if (out->type == 0) {
        out->value = varint(wire);
    } else if (out->type == 2) {
        skipped = (size_t)varint(wire);
        out->inner = (wire_at){wire->at, wire->at + skipped};
    } else {
        ck_assert(out->type == 1 || out->type == 5);
        skipped = out->type == 1 ? 8 : 4;
    }
    ck_assert_uint_le(skipped, (size_t)(wire->end - wire->at));
    wire->at += skipped;
    return true;
}

static bool knows(uint32_t kind, uint32_t element, const wire_field *field) {
    for (size_t i = 0; i < sizeof enums / sizeof enums[0]; i++) {
        const known_enum *known = &enums[i];
        if (known->kind == kind && known->element == element && known->number == field->number &&
            field->type == 0 && field->value > known->highest) {
            return false;
        }
    }
    return true;
}

static bool knows_all(uint32_t kind, wire_at body) {
    wire_field field, inner;
    while (next_field(&body, &field)) {
        if (!knows(kind, 0, &field)) {
            return false;
        }
        bool is_list = false;
        for (size_t i = 0; i < sizeof enums / sizeof enums[0]; i++) {
            is_list |= enums[i].kind == kind && enums[i].element == field.number;
        }
        while (is_list && field.type == 2 && next_field(&field.inner, &inner)) {
            if (!knows(kind, field.number, &inner)) {
                return false;
            }
        }
    }
    return true;
}

before_verdict before_control_reads(const uint8_t *bytes, size_t length) {
    wire_at envelope = {bytes, bytes + length};
    wire_field body;
    ck_assert(next_field(&envelope, &body) && body.type == 2);
    ck_assert_ptr_eq(envelope.at, envelope.end);
    if (body.number > KINDS_KNOWN) {
        return BEFORE_DROPS_KIND;
    }
    if (knows_all(body.number, body.inner)) {
        return BEFORE_TAKES;
    }
    return body.number == RACE_EVENT ? BEFORE_DROPS_EVENT : BEFORE_DROPS_MESSAGE;
}
