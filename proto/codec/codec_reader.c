// An allocator for protobuf-c over the caller's scratch, and what unpacks messages with it.
#include "proto/codec/codec_reader.h"

#include <assert.h>
#include <string.h>

enum {
    SCRATCH_ALIGNMENT = 16,
};

static const char too_large[] = "message needs more memory than the decoder was given";

static void *take(void *data, size_t bytes) {
    codec_reader *reader = data;
    size_t padding = -(uintptr_t)reader->free & (SCRATCH_ALIGNMENT - 1);
    size_t left = (size_t)(reader->end - reader->free);
    if (padding > left || bytes > left - padding) {
        reader->full = true;
        return NULL;
    }
    uint8_t *taken = reader->free + padding;
    reader->free = taken + bytes;
    return taken;
}

static void give_back(void *data, void *pointer) {
    (void)data;
    (void)pointer;
}

codec_reader codec_reader_over(apex_scratch scratch) {
    uint8_t *first = scratch.memory;
    return (codec_reader){
        .allocator = {.alloc = take, .free = give_back},
        .free = first,
        .end = first + scratch.bytes,
    };
}

void *codec_take(codec_reader *reader, size_t count, size_t element_bytes) {
    assert(count <= APEX_MESSAGE_BYTES_MAX);
    void *taken = take(reader, count * element_bytes);
    if (taken == NULL) {
        codec_refuse(reader, too_large);
        return NULL;
    }
    return memset(taken, 0, count * element_bytes);
}

bool codec_refuse(codec_reader *reader, const char *why) {
    reader->why = why;
    return false;
}

ProtobufCMessage *codec_unpack(codec_reader *reader, const ProtobufCMessageDescriptor *type,
                               const uint8_t *bytes, size_t length) {
    reader->allocator.allocator_data = reader;
    ProtobufCMessage *message = protobuf_c_message_unpack(type, &reader->allocator, length, bytes);
    if (message == NULL) {
        codec_refuse(reader, reader->full ? too_large : "bytes are no message");
    }
    return message;
}
