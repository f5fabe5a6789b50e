// Envelopes: the messages of either side, and the channel on which each travels.
#include "wire.pb-c.h"

#include "proto/codec/codec_messages.h"

#include <assert.h>
#include <string.h>

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
static_assert((int)APEX_CLIENT_PIT_PLAN == APEX__CLIENT_MESSAGE__BODY_PIT_PLAN, "");
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
static_assert((int)APEX_SERVER_SESSION_STATE == APEX__SERVER_MESSAGE__BODY_SESSION_STATE, "");
static_assert((int)APEX_SERVER_PENALTIES == APEX__SERVER_MESSAGE__BODY_PENALTIES, "");
static_assert((int)APEX_SERVER_CONDUCT == APEX__SERVER_MESSAGE__BODY_CONDUCT, "");

size_t apex_encode_client(const apex_client_message *message, uint8_t *out, size_t capacity) {
    assert(apex_is_client_message_kind((int)message->kind));
    size_t secret_bytes = message->secret != 0 ? CODEC_SECRET_BYTES : 0;
    if (capacity < secret_bytes) {
        return 0;
    }
    codec_writer body = codec_body_writer(out, capacity - secret_bytes, (uint32_t)message->kind);
    codec_put_client(&body, message);
    size_t length = codec_seal(&body, (uint32_t)message->kind, out);
    if (length == 0 || secret_bytes == 0) {
        return length;
    }
    codec_put_secret(out + length, message->secret);
    return length + secret_bytes;
}

size_t apex_encode_server(const apex_server_message *message, uint8_t *out, size_t capacity) {
    assert(message->kind >= APEX_SERVER_WELCOME && message->kind < APEX_SERVER_MESSAGE_KINDS);
    codec_writer body = codec_body_writer(out, capacity, (uint32_t)message->kind);
    codec_put_server(&body, message);
    return codec_seal(&body, (uint32_t)message->kind, out);
}

bool codec_unpack_client(codec_reader *reader, const uint8_t *bytes, size_t length,
                         apex_client_message *out) {
    const Apex__ClientMessage *message = (const Apex__ClientMessage *)codec_unpack(
        reader, &apex__client_message__descriptor, bytes, length);
    if (message == NULL || !codec_get_client(reader, message, out)) {
        return false;
    }
    out->secret = message->secret;
    return true;
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
    if (!ok && why != NULL) {
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
        const Apex__ServerMessage *message = (const Apex__ServerMessage *)codec_unpack(
            &reader, &apex__server_message__descriptor, bytes, length);
        ok = message != NULL && codec_get_server(&reader, message, out);
    }
    if (!ok && why != NULL) {
        *why = reader.why;
    }
    return ok;
}

bool apex_is_client_message_kind(int kind) {
    return (kind >= APEX_CLIENT_HELLO && kind <= APEX_CLIENT_SNAPSHOT_ACK) ||
           kind == APEX_CLIENT_PLAYBACK || kind == APEX_CLIENT_PIT_PLAN;
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
