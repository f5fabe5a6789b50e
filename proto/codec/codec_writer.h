// The writer puts the body of an envelope into the caller's buffer, and the envelope around it.
#pragma once

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes of the body of an envelope. Once something did not fit, nothing more is written.
typedef struct codec_writer {
    uint8_t *out;
    size_t capacity, length;
    bool full;
} codec_writer;

/// Bytes as protobuf-c has them, which it only reads.
static inline ProtobufCBinaryData codec_bytes(const uint8_t *bytes, size_t length) {
    return (ProtobufCBinaryData){length, length == 0 ? NULL : (uint8_t *)(uintptr_t)bytes};
}

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

/// The writer of the body of an envelope of that kind, which is to go to `out`.
codec_writer codec_body_writer(uint8_t *out, size_t capacity, uint32_t kind);
/// Puts tag and length before the body. @return the envelope's bytes, or 0 if they did not fit.
size_t codec_seal(const codec_writer *body, uint32_t kind, uint8_t *out);
