// Controls, read without protobuf-c: nine of ten messages that a server gets. They are read into
// the structs that protobuf-c would make of them, so that values are judged in one place. Forms
// that no encoder of today writes are left to protobuf-c: unknown fields, pieces of messages, long
// numbers.
#include "wire.pb-c.h"

#include "proto/codec/codec_fields.h"
#include "proto/codec/codec_messages.h"

enum {
    NUMBER_BYTES_MAX = 5,
    LENGTH_BYTES_MAX = 2, // up to 16383, and a message has no more than 1200
    TAG_CONTROLS = APEX__CLIENT_MESSAGE__BODY_CONTROLS << 3 | PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED,
    TAG_SECRET = 12 << 3 | PROTOBUF_C_WIRE_TYPE_64BIT,
    TAG_FIRST_TICK = 1 << 3 | PROTOBUF_C_WIRE_TYPE_VARINT,
    TAG_SAMPLE = 2 << 3 | PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED,
    TAG_ACK = 3 << 3 | PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED,
};

typedef struct span {
    const uint8_t *at, *end;
} span;

// Of a number of more than 32 bits the upper ones are dropped, as protobuf-c does.
static bool read_varint(span *from, int bytes_max, uint32_t *value) {
    *value = 0;
    for (int i = 0; i < bytes_max && from->at < from->end; i++) {
        uint8_t byte = *from->at++;
        *value |= (uint32_t)(byte & 0x7F) << 7 * i;
        if (byte < 0x80) {
            return true;
        }
    }
    return false;
}

static bool read_length(span *from, span *inside) {
    uint32_t length;
    if (!read_varint(from, LENGTH_BYTES_MAX, &length) || length > (size_t)(from->end - from->at)) {
        return false;
    }
    *inside = (span){from->at, from->at + length};
    from->at += length;
    return true;
}

static bool read_fixed(span *from, uint32_t *value) {
    if (from->end - from->at < 4) {
        return false;
    }
    *value = 0;
    for (int i = 0; i < 4; i++) {
        *value |= (uint32_t)*from->at++ << 8 * i;
    }
    return true;
}

// The bits of a field as its struct has them.
static bool read_number(span *from, uint32_t wire_type, ProtobufCType type, uint32_t *bits) {
    switch (type) {
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_SINT32:
        if (wire_type != PROTOBUF_C_WIRE_TYPE_VARINT ||
            !read_varint(from, NUMBER_BYTES_MAX, bits)) {
            return false;
        }
        *bits = type == PROTOBUF_C_TYPE_SINT32 ? *bits >> 1 ^ -(*bits & 1) : *bits;
        return true;
    case PROTOBUF_C_TYPE_FIXED32:
        return wire_type == PROTOBUF_C_WIRE_TYPE_32BIT && read_fixed(from, bits);
    default:
        return false;
    }
}

// A message of 32-bit numbers only, numbered without gaps, each with a tag of one byte.
static bool read_numbers(span from, ProtobufCMessage *message) {
    const ProtobufCMessageDescriptor *type = message->descriptor;
    while (from.at < from.end) {
        uint8_t tag = *from.at++;
        uint32_t index = (tag >> 3) - 1u, bits;
        if (index >= type->n_fields) {
            return false;
        }
        const ProtobufCFieldDescriptor *field = &type->fields[index];
        assert(field->id == index + 1 && field->label == PROTOBUF_C_LABEL_NONE);
        if (!read_number(&from, tag & 7, field->type, &bits)) {
            return false;
        }
        memcpy((uint8_t *)message + field->offset, &bits, sizeof bits);
    }
    return true;
}

typedef struct controls_parts {
    Apex__Controls controls;
    Apex__SnapshotAck ack;
    Apex__ControlSample samples[APEX_CONTROLS_SAMPLES_MAX];
    Apex__ControlSample *list[APEX_CONTROLS_SAMPLES_MAX];
} controls_parts;

static bool read_sample(span from, controls_parts *parts) {
    if (parts->controls.n_samples == APEX_CONTROLS_SAMPLES_MAX) {
        return false;
    }
    Apex__ControlSample *sample = &parts->samples[parts->controls.n_samples];
    *sample = (Apex__ControlSample)APEX__CONTROL_SAMPLE__INIT;
    parts->list[parts->controls.n_samples++] = sample;
    return read_numbers(from, &sample->base);
}

// A second one would have to be mixed with the first.
static bool read_ack(span from, controls_parts *parts) {
    if (parts->controls.ack != NULL) {
        return false;
    }
    parts->controls.ack = &parts->ack;
    parts->ack = (Apex__SnapshotAck)APEX__SNAPSHOT_ACK__INIT;
    return read_numbers(from, &parts->ack.base);
}

static bool read_field(span *from, controls_parts *parts) {
    span inside;
    switch (*from->at++) {
    case TAG_FIRST_TICK:
        return read_varint(from, NUMBER_BYTES_MAX, &parts->controls.first_tick);
    case TAG_SAMPLE:
        return read_length(from, &inside) && read_sample(inside, parts);
    case TAG_ACK:
        return read_length(from, &inside) && read_ack(inside, parts);
    default:
        return false;
    }
}

void codec_put_secret(uint8_t *at, uint64_t secret) {
    *at++ = TAG_SECRET;
    for (int i = 0; i < 8; i++) {
        *at++ = (uint8_t)(secret >> 8 * i);
    }
}

// It is all that may follow the body, and need not.
static bool read_secret(span from, uint64_t *secret) {
    uint32_t low = 0, high = 0;
    *secret = 0;
    if (from.at == from.end) {
        return true;
    }
    if (*from.at++ != TAG_SECRET || !read_fixed(&from, &low) || !read_fixed(&from, &high)) {
        return false;
    }
    *secret = (uint64_t)high << 32 | low;
    return from.at == from.end;
}

bool codec_read_controls(codec_reader *reader, const uint8_t *bytes, size_t length,
                         apex_client_message *out, bool *ok) {
    span from = {bytes, bytes + length}, body;
    if (length == 0 || *from.at++ != TAG_CONTROLS || !read_length(&from, &body) ||
        !read_secret(from, &out->secret)) {
        return false;
    }
    controls_parts parts;
    parts.controls = (Apex__Controls)APEX__CONTROLS__INIT;
    parts.controls.samples = parts.list;
    while (body.at < body.end) {
        if (!read_field(&body, &parts)) {
            return false;
        }
    }
    out->kind = APEX_CLIENT_CONTROLS;
    *ok = codec_get_controls(reader, &parts.controls, &out->controls);
    return true;
}
