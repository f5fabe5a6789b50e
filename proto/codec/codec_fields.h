// Macros that turn one list of a message's fields into both its encoder and its decoder.
#pragma once

#include "proto/codec/codec_reader.h"
#include "proto/proto.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool codec_within(int64_t value, int64_t low, int64_t high) {
    return value >= low && value <= high;
}

// A list names each field once: LIST(D) is a row of D##_KIND(message, ...) with D either PUT (plain
// to protobuf, asserted) or GET (protobuf to plain, checked). They expect `plain`, `pb` and, for
// GET, `reader` in scope. Limits are literals because the sentence of a refusal is made of them.

#define PUT_INT(message, type, field, low, high)                              \
    assert(codec_within((int64_t)plain->field, (int64_t)low, (int64_t)high)); \
    pb->field = plain->field
#define GET_INT(message, type, field, low, high)                                          \
    if (!codec_within((int64_t)pb->field, (int64_t)low, (int64_t)high)) {                 \
        return codec_refuse(reader, #message ": " #field " is outside " #low ".." #high); \
    }                                                                                     \
    plain->field = (type)pb->field

#define PUT_ENUM(message, pb_type, type, field, low, high)                    \
    assert(codec_within((int64_t)plain->field, (int64_t)low, (int64_t)high)); \
    pb->field = (pb_type)plain->field
#define GET_ENUM(message, pb_type, type, field, low, high) GET_INT(message, type, field, low, high)

// Every value of the type is legal.
#define PUT_ANY(message, field) pb->field = plain->field
#define GET_ANY(message, field) plain->field = pb->field

#define PUT_FLAG(message, field) pb->field = plain->field
#define GET_FLAG(message, field) plain->field = pb->field != 0

#define PUT_REAL(message, field)    \
    assert(isfinite(plain->field)); \
    pb->field = plain->field
#define GET_REAL(message, field)                                              \
    if (!isfinite(pb->field)) {                                               \
        return codec_refuse(reader, #message ": " #field " is not a number"); \
    }                                                                         \
    plain->field = pb->field

// `limit` is the longest text in bytes, without its zero. protobuf-c ends a text at its first zero
// byte, so what may follow one is never seen.
#define PUT_TEXT(message, field, limit)                                           \
    static_assert(sizeof(plain->field) == limit + 1, "the limit is the array's"); \
    assert(memchr(plain->field, 0, limit + 1));                                   \
    assert(apex_wire_text_ok(plain->field, strlen(plain->field)));                \
    pb->field = (char *)plain->field
#define GET_TEXT(message, field, limit)                                                           \
    {                                                                                             \
        size_t field##_length = strlen(pb->field);                                                \
        if (field##_length > limit) {                                                             \
            return codec_refuse(reader, #message ": " #field " is longer than " #limit " bytes"); \
        }                                                                                         \
        if (!apex_wire_text_ok(pb->field, field##_length)) {                                      \
            return codec_refuse(reader,                                                           \
                                #message ": " #field " has bytes that are no printable UTF-8");   \
        }                                                                                         \
        memcpy(plain->field, pb->field, field##_length + 1);                                      \
    }
