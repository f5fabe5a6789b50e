// The parts that car_message.c and track_message.c share: a place in a definition to name in a
// problem, and the macros that turn one list of a message's fields into both its encoder and its
// decoder. Private to defs.
#pragma once

#include "base/arena.h"
#include "base/assert.h"
#include "defs/defs.h"
#include "proto/proto.h"

#include <assert.h>
#include <math.h>
#include <protobuf-c/protobuf-c.h>
#include <string.h>

enum {
    // A decoder's memory, besides what it hands out: DEFS_BYTES_PER_BYTE for each byte of the
    // message and a base for its short ones. Real definitions need less than a third of it.
    DEFS_BYTES_PER_BYTE = 32,
    DEFS_BYTES_BASE = 64 * 1024,
};

// A place in a definition: a chain of callers' frames that is only read when something is refused.
typedef struct defs_place {
    const struct defs_place *up; // NULL at the root
    apex_def_problem *problem;   // may be NULL
    const char *name;
    int32_t index; // of an element, or -1
} defs_place;

static inline defs_place defs_part_of(const defs_place *up, const char *name, int32_t index) {
    return (defs_place){.up = up, .problem = up->problem, .name = name, .index = index};
}

/// Fills the problem for `field` of this place. @return false
bool defs_refuse(const defs_place *place, const char *field, const char *reason);
bool defs_finite(const double values[], size_t count);
/// The bits tell: -0.0 is not left out.
bool defs_is_set(double value);
/// A copy that every decoder accepts. The arena must have room.
char *defs_clean_text(apex_arena *arena, const char *text, size_t size);
/// From an arena that was made large enough; asserted.
void *defs_new(apex_arena *arena, size_t count, size_t size);

uint8_t *defs_pack(const ProtobufCMessage *message, size_t *length);
/// @return the message inside *arena, which the caller destroys in any case; NULL: refused.
ProtobufCMessage *defs_unpack(const ProtobufCMessageDescriptor *type, const uint8_t *bytes,
                              size_t length, apex_arena *arena, const defs_place *root);

// X_FIELDS(D) is a row of D##_KIND(field, ...), D being PUT or GET. In scope are `plain`, `pb`, and
// `arena` (PUT) or `place` (GET). DEFS_MESSAGE makes put_x and get_x of such a list.

#define PUT_REAL(field)                          \
    APEX_ASSERT(isfinite(plain->field));         \
    pb->has_##field = defs_is_set(plain->field); \
    pb->field = plain->field
#define GET_REAL(field)                                       \
    if (!defs_finite(&pb->field, 1)) {                        \
        return defs_refuse(place, #field, "is not a number"); \
    }                                                         \
    plain->field = pb->field

#define PUT_FLAG(field)             \
    pb->has_##field = plain->field; \
    pb->field = plain->field
#define GET_FLAG(field) plain->field = pb->field != 0

#define PUT_ANY(field)                   \
    pb->has_##field = plain->field != 0; \
    pb->field = plain->field
#define GET_ANY(field) plain->field = pb->field

#define PUT_ENUM(pb_type, type, field, high)                                  \
    APEX_ASSERT((int64_t)plain->field >= 0 && (int64_t)plain->field <= high); \
    pb->has_##field = plain->field != 0;                                      \
    pb->field = (pb_type)plain->field
#define GET_ENUM(pb_type, type, field, high)                       \
    if ((int64_t)pb->field < 0 || (int64_t)pb->field > high) {     \
        return defs_refuse(place, #field, "is outside 0.." #high); \
    }                                                              \
    plain->field = (type)pb->field

#define PUT_TEXT(field) pb->field = defs_clean_text(arena, plain->field, sizeof plain->field)
#define GET_TEXT(field)                                                                 \
    if (pb->field != NULL) {                                                            \
        size_t field##_length = strlen(pb->field);                                      \
        if (field##_length >= sizeof plain->field) {                                    \
            return defs_refuse(place, #field, "is too long");                           \
        }                                                                               \
        if (!apex_wire_text_ok(pb->field, field##_length)) {                            \
            return defs_refuse(place, #field, "has bytes that are no printable UTF-8"); \
        }                                                                               \
        memcpy(plain->field, pb->field, field##_length);                                \
    }

// Numbers in an array whose length is another field; ..._TOO: one more array of that length.
#define PUT_LIST(field, count, high)   \
    APEX_ASSERT(plain->count <= high); \
    PUT_NUMBERS(field, count)
#define GET_LIST(field, count, high)                                         \
    if (pb->n_##field > high) {                                              \
        return defs_refuse(place, #field, "has more than " #high " values"); \
    }                                                                        \
    plain->count = (uint32_t)pb->n_##field;                                  \
    GET_NUMBERS(field)
#define PUT_LIST_TOO(field, count, twin) PUT_NUMBERS(field, count)
#define GET_LIST_TOO(field, count, twin)                                       \
    if (pb->n_##field != plain->count) {                                       \
        return defs_refuse(place, #field, "has not as many values as " #twin); \
    }                                                                          \
    GET_NUMBERS(field)
#define PUT_NUMBERS(field, count)                         \
    APEX_ASSERT(defs_finite(plain->field, plain->count)); \
    pb->n_##field = plain->count;                         \
    pb->field = (double *)plain->field
#define GET_NUMBERS(field)                                                  \
    if (!defs_finite(pb->field, pb->n_##field)) {                           \
        return defs_refuse(place, #field, "has a value that is no number"); \
    }                                                                       \
    if (pb->n_##field > 0) {                                                \
        memcpy(plain->field, pb->field, pb->n_##field * sizeof(double));    \
    }

#define PUT_PART(kind, field) pb->field = put_##kind(arena, &plain->field)
#define GET_PART(kind, field)                                \
    {                                                        \
        defs_place inner = defs_part_of(place, #field, -1);  \
        if (pb->field == NULL) {                             \
            return defs_refuse(place, #field, "is missing"); \
        }                                                    \
        if (!get_##kind(&inner, pb->field, &plain->field)) { \
            return false;                                    \
        }                                                    \
    }

#define PUT_PARTS(kind, field, count, high)                         \
    APEX_ASSERT(plain->count <= high);                              \
    pb->n_##field = plain->count;                                   \
    pb->field = defs_new(arena, plain->count, sizeof pb->field[0]); \
    for (uint32_t i = 0; i < plain->count; i++) {                   \
        pb->field[i] = put_##kind(arena, &plain->field[i]);         \
    }
#define GET_PARTS(kind, field, count, high)                                    \
    if (pb->n_##field > high) {                                                \
        return defs_refuse(place, #field, "has more than " #high " elements"); \
    }                                                                          \
    for (uint32_t i = 0; i < (uint32_t)pb->n_##field; i++) {                   \
        defs_place inner = defs_part_of(place, #field, (int32_t)i);            \
        if (!get_##kind(&inner, pb->field[i], &plain->field[i])) {             \
            return false;                                                      \
        }                                                                      \
    }                                                                          \
    plain->count = (uint32_t)pb->n_##field

// Elements that the definition owns on the heap.
#define PUT_OWNED(kind, field, count, high) PUT_PARTS(kind, field, count, high)
#define GET_OWNED(kind, field, count, high)                           \
    if (pb->n_##field > 0 && pb->n_##field <= high) {                 \
        plain->field = calloc(pb->n_##field, sizeof plain->field[0]); \
        if (plain->field == NULL) {                                   \
            return defs_refuse(place, #field, "finds no memory");     \
        }                                                             \
    }                                                                 \
    GET_PARTS(kind, field, count, high)

#define DEFS_MESSAGE(kind, pb_type, INIT, type, FIELDS)                               \
    static pb_type *put_##kind(apex_arena *arena, const type *plain) {                \
        pb_type *pb = defs_new(arena, 1, sizeof *pb);                                 \
        *pb = (pb_type)INIT;                                                          \
        FIELDS(PUT);                                                                  \
        return pb;                                                                    \
    }                                                                                 \
    static bool get_##kind(const defs_place *place, const pb_type *pb, type *plain) { \
        FIELDS(GET);                                                                  \
        return true;                                                                  \
    }
