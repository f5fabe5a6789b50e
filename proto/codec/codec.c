// The envelopes, and the two ends that every message shares: a writer into the caller's buffer and
// an allocator for protobuf-c over the caller's scratch.
#include "wire.pb-c.h"

#include "proto/codec/codec_private.h"

enum {
    SCRATCH_ALIGNMENT = 16,
};

// A message's kind is its field number in the envelope.
static_assert((int)APEX_CLIENT_HELLO == APEX__CLIENT_MESSAGE__BODY_HELLO, "");
static_assert((int)APEX_CLIENT_JOIN == APEX__CLIENT_MESSAGE__BODY_JOIN, "");
static_assert((int)APEX_CLIENT_SPECTATE == APEX__CLIENT_MESSAGE__BODY_SPECTATE, "");
static_assert((int)APEX_CLIENT_LEAVE == APEX__CLIENT_MESSAGE__BODY_LEAVE, "");
static_assert((int)APEX_CLIENT_DEF_REQUEST == APEX__CLIENT_MESSAGE__BODY_DEF_REQUEST, "");
static_assert((int)APEX_CLIENT_TIME_REQUEST == APEX__CLIENT_MESSAGE__BODY_TIME_REQUEST, "");
static_assert((int)APEX_CLIENT_SUBSCRIBE == APEX__CLIENT_MESSAGE__BODY_SUBSCRIBE, "");
static_assert((int)APEX_CLIENT_CONTROLS == APEX__CLIENT_MESSAGE__BODY_CONTROLS, "");
static_assert((int)APEX_CLIENT_SNAPSHOT_ACK == APEX__CLIENT_MESSAGE__BODY_SNAPSHOT_ACK, "");
static_assert((int)APEX_CLIENT_PLAYBACK == APEX__CLIENT_MESSAGE__BODY_PLAYBACK, "");
static_assert((int)APEX_SERVER_WELCOME == APEX__SERVER_MESSAGE__BODY_WELCOME, "");
static_assert((int)APEX_SERVER_REJECT == APEX__SERVER_MESSAGE__BODY_REJECT, "");
static_assert((int)APEX_SERVER_JOINED == APEX__SERVER_MESSAGE__BODY_JOINED, "");
static_assert((int)APEX_SERVER_DEF == APEX__SERVER_MESSAGE__BODY_DEF, "");
static_assert((int)APEX_SERVER_TIME_REPLY == APEX__SERVER_MESSAGE__BODY_TIME_REPLY, "");
static_assert((int)APEX_SERVER_SNAPSHOT == APEX__SERVER_MESSAGE__BODY_SNAPSHOT, "");
static_assert((int)APEX_SERVER_TELEMETRY == APEX__SERVER_MESSAGE__BODY_TELEMETRY, "");
static_assert((int)APEX_SERVER_STATS == APEX__SERVER_MESSAGE__BODY_SERVER_STATS, "");
static_assert((int)APEX_SERVER_RACE_EVENT == APEX__SERVER_MESSAGE__BODY_RACE_EVENT, "");
static_assert((int)APEX_SERVER_RACE_STATE == APEX__SERVER_MESSAGE__BODY_RACE_STATE, "");
static_assert((int)APEX_SERVER_ROSTER == APEX__SERVER_MESSAGE__BODY_ROSTER, "");
static_assert((int)APEX_SERVER_STANDINGS == APEX__SERVER_MESSAGE__BODY_STANDINGS, "");
static_assert((int)APEX_SERVER_RESULTS == APEX__SERVER_MESSAGE__BODY_RESULTS, "");
static_assert((int)APEX_SERVER_NOTICE == APEX__SERVER_MESSAGE__BODY_NOTICE, "");
static_assert((int)APEX_SERVER_GOODBYE == APEX__SERVER_MESSAGE__BODY_GOODBYE, "");
static_assert((int)APEX_SERVER_PLAYBACK_STATE == APEX__SERVER_MESSAGE__BODY_PLAYBACK_STATE, "");
static_assert((int)APEX_SERVER_PAST_EVENTS == APEX__SERVER_MESSAGE__BODY_PAST_EVENTS, "");

static const char too_large[] = "message needs more memory than the decoder was given";

// --- Reader --------------------------------------------------------------------------------------

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
    if (!taken) {
        codec_refuse(reader, too_large);
        return NULL;
    }
    return memset(taken, 0, count * element_bytes);
}

bool codec_refuse(codec_reader *reader, const char *why) {
    reader->why = why;
    return false;
}

// --- Writer --------------------------------------------------------------------------------------

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

// --- Envelopes -----------------------------------------------------------------------------------

// The body is written first, behind the length of the longest one that fits: only then is its own
// length known. A body that is much shorter than the buffer moves down by a byte or two.
static codec_writer body_writer(uint8_t *out, size_t capacity, uint32_t kind) {
    size_t tag_bytes = codec_varint_bytes(kind_tag(kind));
    if (capacity < tag_bytes + 1) {
        return (codec_writer){.out = out, .full = true};
    }
    size_t longest = codec_body_bytes_max(capacity, kind);
    return (codec_writer){.out = out + tag_bytes + codec_varint_bytes(longest),
                          .capacity = longest};
}

static size_t seal(const codec_writer *body, uint32_t kind, uint8_t *out) {
    if (body->full) {
        return 0;
    }
    uint8_t *start = codec_put_varint(codec_put_varint(out, kind_tag(kind)), body->length);
    if (start != body->out) {
        memmove(start, body->out, body->length);
    }
    return (size_t)(start - out) + body->length;
}

size_t apex_encode_client(const apex_client_message *message, uint8_t *out, size_t capacity) {
    assert(apex_is_client_message_kind((int)message->kind));
    codec_writer body = body_writer(out, capacity, (uint32_t)message->kind);
    codec_put_client(&body, message);
    return seal(&body, (uint32_t)message->kind, out);
}

size_t apex_encode_server(const apex_server_message *message, uint8_t *out, size_t capacity) {
    assert(message->kind >= APEX_SERVER_WELCOME && message->kind < APEX_SERVER_MESSAGE_KINDS);
    codec_writer body = body_writer(out, capacity, (uint32_t)message->kind);
    codec_put_server(&body, message);
    return seal(&body, (uint32_t)message->kind, out);
}

static ProtobufCMessage *unpack(codec_reader *reader, const ProtobufCMessageDescriptor *type,
                                const uint8_t *bytes, size_t length) {
    reader->allocator.allocator_data = reader;
    ProtobufCMessage *message = protobuf_c_message_unpack(type, &reader->allocator, length, bytes);
    if (!message) {
        codec_refuse(reader, reader->full ? too_large : "bytes are no message");
    }
    return message;
}

bool codec_unpack_client(codec_reader *reader, const uint8_t *bytes, size_t length,
                         apex_client_message *out) {
    const Apex__ClientMessage *message = (const Apex__ClientMessage *)unpack(
        reader, &apex__client_message__descriptor, bytes, length);
    return message && codec_get_client(reader, message, out);
}

bool apex_decode_client(const uint8_t *bytes, size_t length, apex_scratch scratch,
                        apex_client_message *out, const char **why) {
    codec_reader reader = codec_reader_over(scratch);
    memset(out, 0, sizeof *out);
    bool ok = false;
    if (length == 0 || length > APEX_DATAGRAM_BYTES_MAX) {
        codec_refuse(&reader, "message is not 1..1200 bytes long");
    } else if (!codec_read_controls(&reader, bytes, length, out, &ok)) {
        ok = codec_unpack_client(&reader, bytes, length, out);
    }
    if (!ok && why) {
        *why = reader.why;
    }
    return ok;
}

bool apex_decode_server(const uint8_t *bytes, size_t length, apex_scratch scratch,
                        apex_server_message *out, const char **why) {
    codec_reader reader = codec_reader_over(scratch);
    memset(out, 0, sizeof *out);
    bool ok = false;
    if (length == 0 || length > APEX_MESSAGE_BYTES_MAX) {
        codec_refuse(&reader, "message is not 1..1048576 bytes long");
    } else {
        const Apex__ServerMessage *message = (const Apex__ServerMessage *)unpack(
            &reader, &apex__server_message__descriptor, bytes, length);
        ok = message && codec_get_server(&reader, message, out);
    }
    if (!ok && why) {
        *why = reader.why;
    }
    return ok;
}

bool apex_is_client_message_kind(int kind) {
    return (kind >= APEX_CLIENT_HELLO && kind <= APEX_CLIENT_SNAPSHOT_ACK) ||
           kind == APEX_CLIENT_PLAYBACK;
}

int apex_client_message_channel(apex_client_message_kind kind) {
    bool is_state = kind == APEX_CLIENT_CONTROLS || kind == APEX_CLIENT_TIME_REQUEST ||
                    kind == APEX_CLIENT_SNAPSHOT_ACK;
    return is_state ? APEX_CHANNEL_STATE : APEX_CHANNEL_RELIABLE;
}

int apex_server_message_channel(apex_server_message_kind kind) {
    switch (kind) {
    case APEX_SERVER_SNAPSHOT:
    case APEX_SERVER_TELEMETRY:
    case APEX_SERVER_TIME_REPLY:
        return APEX_CHANNEL_STATE;
    default:
        return APEX_CHANNEL_RELIABLE;
    }
}
