// Writing bytes into the caller's buffer: numbers, messages, elements of lists, envelopes.
#include "proto/codec/codec_writer.h"

#include <assert.h>
#include <string.h>

size_t codec_varint_bytes(uint64_t value) {
    size_t bytes = 1;
    while (value >= 0x80) {
        value >>= 7;
        bytes++;
    }
    return bytes;
}

static uint32_t kind_tag(uint32_t kind) {
    return kind << 3 | PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED;
}

uint8_t *codec_put_varint(uint8_t *at, uint64_t value) {
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

size_t codec_body_bytes_max(size_t capacity, uint32_t kind) {
    size_t longest = 0;
    size_t tag_bytes = codec_varint_bytes(kind_tag(kind));
    for (size_t length_bytes = 1; capacity > tag_bytes + length_bytes; length_bytes++) {
        size_t room = capacity - tag_bytes - length_bytes;
        size_t countable = ((size_t)1 << 7 * length_bytes) - 1;
        if (room <= countable) {
            return room > longest ? room : longest;
        }
        longest = countable;
    }
    return longest;
}

static bool has_room(codec_writer *writer, size_t bytes) {
    writer->full = writer->full || bytes > writer->capacity - writer->length;
    return !writer->full;
}

void codec_write_bytes(codec_writer *writer, const uint8_t *bytes, size_t length) {
    if (has_room(writer, length)) {
        memcpy(writer->out + writer->length, bytes, length);
        writer->length += length;
    }
}

void codec_write(codec_writer *writer, const ProtobufCMessage *message) {
    if (has_room(writer, protobuf_c_message_get_packed_size(message))) {
        writer->length += protobuf_c_message_pack(message, writer->out + writer->length);
    }
}

void codec_write_element(codec_writer *writer, uint32_t number, const ProtobufCMessage *message) {
    assert(number < 16);
    size_t bytes = protobuf_c_message_get_packed_size(message);
    if (has_room(writer, 1 + codec_varint_bytes(bytes) + bytes)) {
        uint8_t *at = writer->out + writer->length;
        *at++ = (uint8_t)(number << 3 | PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED);
        at = codec_put_varint(at, bytes);
        at += protobuf_c_message_pack(message, at);
        writer->length = (size_t)(at - writer->out);
    }
}

// The body is written first, behind the length of the longest one that fits: only then is its own
// length known. A body that is much shorter than the buffer moves down by a byte or two.
codec_writer codec_body_writer(uint8_t *out, size_t capacity, uint32_t kind) {
    size_t tag_bytes = codec_varint_bytes(kind_tag(kind));
    if (capacity < tag_bytes + 1) {
        return (codec_writer){.out = out, .full = true};
    }
    size_t longest = codec_body_bytes_max(capacity, kind);
    return (codec_writer){.out = out + tag_bytes + codec_varint_bytes(longest),
                          .capacity = longest};
}

size_t codec_seal(const codec_writer *body, uint32_t kind, uint8_t *out) {
    if (body->full) {
        return 0;
    }
    uint8_t *start = codec_put_varint(codec_put_varint(out, kind_tag(kind)), body->length);
    if (start != body->out) {
        memmove(start, body->out, body->length);
    }
    return (size_t)(start - out) + body->length;
}
