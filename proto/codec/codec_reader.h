// The reader gives protobuf-c the caller's scratch in place of a heap and keeps why a message was
// refused.
#pragma once

#include "proto/proto.h"

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Scratch is given out front to back. Nothing is given back: what was unpacked is handed out, and a
// message that needs more than the scratch is refused.
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
/// @return the message of that type, in the reader's scratch, or NULL when it was refused.
ProtobufCMessage *codec_unpack(codec_reader *reader, const ProtobufCMessageDescriptor *type,
                               const uint8_t *bytes, size_t length);
