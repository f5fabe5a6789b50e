// What the codec*.c files share: the reader and the writer, and the macros that turn one list of a
// message's fields into both its encoder and its decoder. Private to proto.
#pragma once

#include "proto/proto.h"

#include <assert.h>
#include <math.h>
#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Gives protobuf-c the caller's scratch, front to back. Nothing is given back: what was unpacked is
// handed out, and a message that needs more than the scratch is refused.
typedef struct codec_reader {
    ProtobufCAllocator allocator;
    uint8_t *free, *end;
    bool full;
    const char *why;
} codec_reader;

codec_reader codec_reader_over(apex_scratch scratch);
/// @return zeroed memory aligned for any type, or NULL (and reader->full) when it is used up.
void *codec_take(codec_reader *reader, size_t count, size_t element_bytes);
bool codec_refuse(codec_reader *reader, const char *why); // always false

// Bytes of the body of an envelope. Once something did not fit, nothing more is written.
typedef struct codec_writer {
    uint8_t *out;
    size_t capacity, length;
    bool full;
} codec_writer;

void codec_write(codec_writer *writer, const ProtobufCMessage *message);
// An element of a repeated field. Protobuf allows a message to be written in pieces, and a list
// written element by element needs no memory for all of it at once.
void codec_write_element(codec_writer *writer, uint32_t number, const ProtobufCMessage *message);
void codec_write_bytes(codec_writer *writer, const uint8_t *bytes, size_t length);

size_t codec_varint_bytes(uint64_t value);
uint8_t *codec_put_varint(uint8_t *at, uint64_t value);
/// The longest body of an envelope of `capacity` bytes: less than all that its tag and length leave
/// where one byte more would need a longer length.
size_t codec_body_bytes_max(size_t capacity, uint32_t kind);

// codec_snapshot.c: the cars of a snapshot, the bulk of all that a server sends.
struct Apex__Snapshot;
void codec_put_snapshot(codec_writer *writer, const apex_snapshot_message *plain);
bool codec_get_snapshot(codec_reader *reader, const struct Apex__Snapshot *pb,
                        apex_snapshot_message *plain);

// codec_own_car.c: the viewer's own car, exactly.
struct Apex__OwnCar;
void codec_put_own(codec_writer *writer, const apex_own_car *own);
bool codec_get_own(codec_reader *reader, const struct Apex__OwnCar *pb, const apex_own_car **out);

// codec_client.c
struct Apex__ClientMessage;
void codec_put_client(codec_writer *writer, const apex_client_message *message);
bool codec_get_client(codec_reader *reader, const struct Apex__ClientMessage *pb,
                      apex_client_message *out);
struct Apex__Controls;
bool codec_get_controls(codec_reader *reader, const struct Apex__Controls *pb,
                        apex_controls_message *plain);

// codec_controls.c
/// @return whether the bytes are controls as encoders write them; then *ok says whether their
/// values are good. Otherwise protobuf-c has to look.
bool codec_read_controls(codec_reader *reader, const uint8_t *bytes, size_t length,
                         apex_client_message *out, bool *ok);

// codec.c: any client's message, by protobuf-c.
bool codec_unpack_client(codec_reader *reader, const uint8_t *bytes, size_t length,
                         apex_client_message *out);

// codec_server.c and, for lists of people, codec_race.c
struct Apex__ServerMessage;
void codec_put_server(codec_writer *writer, const apex_server_message *message);
bool codec_get_server(codec_reader *reader, const struct Apex__ServerMessage *pb,
                      apex_server_message *out);
void codec_put_race(codec_writer *writer, const apex_server_message *message);
bool codec_get_race(codec_reader *reader, const struct Apex__ServerMessage *pb,
                    apex_server_message *out);

static inline bool codec_within(int64_t value, int64_t low, int64_t high) {
    return value >= low && value <= high;
}

// --- Field lists ---------------------------------------------------------------------------------
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
