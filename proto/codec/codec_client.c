// Messages from a client. Controls are the hot ones: one of them arrives for every few ticks of
// every player.
#include "wire.pb-c.h"

#include "proto/codec/codec_fields.h"
#include "proto/codec/codec_messages.h"

#define HELLO_FIELDS(D)               \
    D##_ANY(hello, protocol_version); \
    D##_TEXT(hello, client, 31);

#define JOIN_FIELDS(D)        \
    D##_TEXT(join, name, 31); \
    D##_TEXT(join, car, 31);  \
    D##_TEXT(join, password, 31);

#define SPECTATE_FIELDS(D) D##_TEXT(spectate, password, 31);

#define SUBSCRIBE_FIELDS(D)                                                              \
    D##_INT(subscribe, uint32_t, snapshot_hz, 0, 240);                                   \
    D##_INT(subscribe, uint32_t, telemetry_hz, 0, 240);                                  \
    D##_FLAG(subscribe, server_stats);                                                   \
    D##_FLAG(subscribe, standings);                                                      \
    D##_ENUM(subscribe, Apex__SnapshotEncoding, apex_snapshot_encoding, encoding, 0, 1); \
    D##_INT(subscribe, uint32_t, snapshot_bytes, 0, 1184);                               \
    D##_ANY(subscribe, focus_car);                                                       \
    D##_FLAG(subscribe, own_car);                                                        \
    D##_FLAG(subscribe, sectors);                                                        \
    D##_INT(subscribe, uint32_t, nearest_hz, 0, 240);

// The gear has a rule of its own besides.
#define SAMPLE_FIELDS(D)                              \
    D##_INT(controls, int16_t, steer, -32767, 32767); \
    D##_INT(controls, uint8_t, throttle, 0, 255);     \
    D##_INT(controls, uint8_t, brake, 0, 255);        \
    D##_INT(controls, uint8_t, clutch, 0, 255);       \
    D##_INT(controls, uint8_t, handbrake, 0, 255);    \
    D##_INT(controls, int8_t, gear, -1, 127);         \
    D##_INT(controls, uint8_t, shift_up, 0, 255);     \
    D##_INT(controls, uint8_t, shift_down, 0, 255);   \
    D##_INT(controls, uint8_t, reset, 0, 255);        \
    D##_INT(controls, uint8_t, aids_off, 0, 63);

// The last sample's tick must not wrap.
#define CONTROLS_FIELDS(D) D##_INT(controls, uint32_t, first_tick, 0, 4294967279);

static_assert(4294967279u == UINT32_MAX - APEX_CONTROLS_SAMPLES_MAX, "");

#define ACK_FIELDS(D)                                  \
    D##_INT(snapshot_ack, uint32_t, newest, 0, 65536); \
    D##_ANY(snapshot_ack, before);                     \
    D##_INT(snapshot_ack, uint32_t, repair, 0, 65536);

// The speed has a rule of its own besides.
#define PLAYBACK_FIELDS(D)                                          \
    D##_ENUM(playback, Apex__PlayWish, apex_play_wish, play, 0, 2); \
    D##_INT(playback, uint32_t, speed_permille, 0, 16000);          \
    D##_ANY(playback, seek);

static bool is_gear(int64_t gear) {
    return codec_within(gear, -1, 10) || gear == 126 || gear == 127;
}

static bool is_speed_wish(uint32_t permille) {
    return permille == 0 || permille >= APEX_PLAYBACK_SPEED_PERMILLE_MIN;
}

static_assert(APEX_PLAYBACK_SPEED_PERMILLE_MAX == 16000, "the limit of playback: speed_permille");

static void put_hello(codec_writer *writer, const apex_hello *plain) {
    Apex__Hello message = APEX__HELLO__INIT, *pb = &message;
    HELLO_FIELDS(PUT);
    if (plain->has_token) {
        message.resume_token = codec_bytes(plain->resume_token, APEX_TOKEN_BYTES);
    }
    codec_write(writer, &message.base);
}

static bool is_guest(const apex_identity *plain) {
    return !plain->has_key && plain->token_length == 0;
}

static Apex__Identity identity_of(const apex_identity *plain) {
    Apex__Identity message = APEX__IDENTITY__INIT;
    assert(plain->token_length <= APEX_WIRE_LOBBY_TOKEN_BYTES);
    if (plain->has_key) {
        message.key = codec_bytes(plain->key, APEX_WIRE_KEY_BYTES);
        message.signature = codec_bytes(plain->signature, APEX_WIRE_SIGNATURE_BYTES);
    }
    message.token = codec_bytes(plain->token, plain->token_length);
    return message;
}

static void put_join(codec_writer *writer, const apex_join *plain) {
    Apex__Join message = APEX__JOIN__INIT, *pb = &message;
    Apex__Identity identity = identity_of(&plain->identity);
    JOIN_FIELDS(PUT);
    pb->identity = is_guest(&plain->identity) ? NULL : &identity;
    codec_write(writer, &message.base);
}

static void put_spectate(codec_writer *writer, const apex_spectate *plain) {
    Apex__Spectate message = APEX__SPECTATE__INIT, *pb = &message;
    Apex__Identity identity = identity_of(&plain->identity);
    SPECTATE_FIELDS(PUT);
    pb->identity = is_guest(&plain->identity) ? NULL : &identity;
    codec_write(writer, &message.base);
}

static void put_subscribe(codec_writer *writer, const apex_subscribe *plain) {
    Apex__Subscribe message = APEX__SUBSCRIBE__INIT, *pb = &message;
    SUBSCRIBE_FIELDS(PUT);
    codec_write(writer, &message.base);
}

static void put_sample(codec_writer *writer, const apex_control_sample *plain) {
    Apex__ControlSample message = APEX__CONTROL_SAMPLE__INIT, *pb = &message;
    assert(is_gear(plain->gear));
    SAMPLE_FIELDS(PUT);
    codec_write_element(writer, 2, &message.base);
}

static Apex__SnapshotAck ack_of(const apex_snapshot_ack *plain) {
    Apex__SnapshotAck message = APEX__SNAPSHOT_ACK__INIT, *pb = &message;
    ACK_FIELDS(PUT);
    return message;
}

static void put_controls(codec_writer *writer, const apex_controls_message *plain) {
    Apex__Controls message = APEX__CONTROLS__INIT, *pb = &message;
    assert(codec_within(plain->sample_count, 1, APEX_CONTROLS_SAMPLES_MAX));
    Apex__SnapshotAck ack = ack_of(&plain->ack);
    CONTROLS_FIELDS(PUT);
    pb->ack = plain->ack.newest != 0 || plain->ack.repair != 0 ? &ack : NULL;
    codec_write(writer, &message.base);
    for (uint32_t i = 0; i < plain->sample_count; i++) {
        put_sample(writer, &plain->samples[i]);
    }
}

static void put_playback(codec_writer *writer, const apex_playback_wish *plain) {
    Apex__Playback message = APEX__PLAYBACK__INIT, *pb = &message;
    assert(is_speed_wish(plain->speed_permille));
    PLAYBACK_FIELDS(PUT);
    codec_write(writer, &message.base);
}

void codec_put_client(codec_writer *writer, const apex_client_message *message) {
    switch (message->kind) {
    case APEX_CLIENT_HELLO:
        put_hello(writer, &message->hello);
        break;
    case APEX_CLIENT_JOIN:
        put_join(writer, &message->join);
        break;
    case APEX_CLIENT_SPECTATE:
        put_spectate(writer, &message->spectate);
        break;
    case APEX_CLIENT_DEF_REQUEST: {
        Apex__DefRequest request = APEX__DEF_REQUEST__INIT;
        request.hash = message->def_hash;
        codec_write(writer, &request.base);
        break;
    }
    case APEX_CLIENT_TIME_REQUEST: {
        Apex__TimeRequest request = APEX__TIME_REQUEST__INIT;
        request.client_us = message->client_us;
        codec_write(writer, &request.base);
        break;
    }
    case APEX_CLIENT_SUBSCRIBE:
        put_subscribe(writer, &message->subscribe);
        break;
    case APEX_CLIENT_CONTROLS:
        put_controls(writer, &message->controls);
        break;
    case APEX_CLIENT_SNAPSHOT_ACK: {
        Apex__SnapshotAck ack = ack_of(&message->snapshot_ack);
        codec_write(writer, &ack.base);
        break;
    }
    case APEX_CLIENT_PLAYBACK:
        put_playback(writer, &message->playback);
        break;
    case APEX_CLIENT_PIT_PLAN: {
        Apex__PitPlan plan;
        codec_fill_pit_plan(&plan, &message->pit_plan);
        codec_write(writer, &plan.base);
        break;
    }
    case APEX_CLIENT_LEAVE: // has no fields
    case APEX_CLIENT_MESSAGE_KINDS:
        break;
    }
}

static bool get_hello(codec_reader *reader, const Apex__Hello *pb, apex_hello *plain) {
    HELLO_FIELDS(GET);
    if (pb->resume_token.len != 0 && pb->resume_token.len != APEX_TOKEN_BYTES) {
        return codec_refuse(reader, "hello: resume_token is not 16 bytes long");
    }
    plain->has_token = pb->resume_token.len != 0;
    if (plain->has_token) {
        memcpy(plain->resume_token, pb->resume_token.data, APEX_TOKEN_BYTES);
    }
    return true;
}

static bool get_identity(codec_reader *reader, const Apex__Identity *pb, apex_identity *plain) {
    if (pb->key.len != 0 && pb->key.len != APEX_WIRE_KEY_BYTES) {
        return codec_refuse(reader, "identity: key is not 32 bytes long");
    }
    if (pb->signature.len != (pb->key.len == 0 ? 0 : APEX_WIRE_SIGNATURE_BYTES)) {
        return codec_refuse(reader, "identity: signature is not 64 bytes long beside a key");
    }
    if (pb->token.len > APEX_WIRE_LOBBY_TOKEN_BYTES) {
        return codec_refuse(reader, "identity: token is longer than 400 bytes");
    }
    plain->has_key = pb->key.len != 0;
    if (plain->has_key) {
        memcpy(plain->key, pb->key.data, pb->key.len);
        memcpy(plain->signature, pb->signature.data, pb->signature.len);
    }
    plain->token_length = (uint32_t)pb->token.len;
    if (plain->token_length != 0) {
        memcpy(plain->token, pb->token.data, pb->token.len);
    }
    return true;
}

static bool get_join(codec_reader *reader, const Apex__Join *pb, apex_join *plain) {
    JOIN_FIELDS(GET);
    return pb->identity == NULL || get_identity(reader, pb->identity, &plain->identity);
}

static bool get_spectate(codec_reader *reader, const Apex__Spectate *pb, apex_spectate *plain) {
    SPECTATE_FIELDS(GET);
    return pb->identity == NULL || get_identity(reader, pb->identity, &plain->identity);
}

static bool get_subscribe(codec_reader *reader, const Apex__Subscribe *pb, apex_subscribe *plain) {
    SUBSCRIBE_FIELDS(GET);
    return true;
}

static bool get_sample(codec_reader *reader, const Apex__ControlSample *pb,
                       apex_control_sample *plain) {
    if (!is_gear(pb->gear)) {
        return codec_refuse(reader, "controls: gear is not -1..10, 126 or 127");
    }
    SAMPLE_FIELDS(GET);
    return true;
}

static bool get_ack(codec_reader *reader, const Apex__SnapshotAck *pb, apex_snapshot_ack *plain) {
    ACK_FIELDS(GET);
    return true;
}

bool codec_get_controls(codec_reader *reader, const Apex__Controls *pb,
                        apex_controls_message *plain) {
    CONTROLS_FIELDS(GET);
    if (!codec_within((int64_t)pb->n_samples, 1, APEX_CONTROLS_SAMPLES_MAX)) {
        return codec_refuse(reader, "controls: the count of samples is outside 1..16");
    }
    plain->sample_count = (uint32_t)pb->n_samples;
    for (uint32_t i = 0; i < plain->sample_count; i++) {
        if (!get_sample(reader, pb->samples[i], &plain->samples[i])) {
            return false;
        }
    }
    return pb->ack == NULL || get_ack(reader, pb->ack, &plain->ack);
}

static bool get_playback(codec_reader *reader, const Apex__Playback *pb,
                         apex_playback_wish *plain) {
    if (!is_speed_wish(pb->speed_permille)) {
        return codec_refuse(reader, "playback: speed_permille is neither 0 nor 125..16000");
    }
    PLAYBACK_FIELDS(GET);
    return true;
}

bool codec_get_client(codec_reader *reader, const Apex__ClientMessage *pb,
                      apex_client_message *out) {
    out->kind = (apex_client_message_kind)pb->body_case;
    switch (pb->body_case) {
    case APEX__CLIENT_MESSAGE__BODY_HELLO:
        return get_hello(reader, pb->hello, &out->hello);
    case APEX__CLIENT_MESSAGE__BODY_JOIN:
        return get_join(reader, pb->join, &out->join);
    case APEX__CLIENT_MESSAGE__BODY_SPECTATE:
        return get_spectate(reader, pb->spectate, &out->spectate);
    case APEX__CLIENT_MESSAGE__BODY_LEAVE:
        return true;
    case APEX__CLIENT_MESSAGE__BODY_DEF_REQUEST:
        out->def_hash = pb->def_request->hash;
        return true;
    case APEX__CLIENT_MESSAGE__BODY_TIME_REQUEST:
        out->client_us = pb->time_request->client_us;
        return true;
    case APEX__CLIENT_MESSAGE__BODY_SUBSCRIBE:
        return get_subscribe(reader, pb->subscribe, &out->subscribe);
    case APEX__CLIENT_MESSAGE__BODY_CONTROLS:
        return codec_get_controls(reader, pb->controls, &out->controls);
    case APEX__CLIENT_MESSAGE__BODY_SNAPSHOT_ACK:
        return get_ack(reader, pb->snapshot_ack, &out->snapshot_ack);
    case APEX__CLIENT_MESSAGE__BODY_PLAYBACK:
        return get_playback(reader, pb->playback, &out->playback);
    case APEX__CLIENT_MESSAGE__BODY_PIT_PLAN:
        return codec_get_pit_plan(reader, pb->pit_plan, &out->pit_plan);
    default:
        return codec_refuse(reader, "message has no body that this version knows");
    }
}
