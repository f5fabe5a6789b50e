// Messages from a server to one client: handshake, definitions, time, notices.
#include "wire.pb-c.h"

#include "proto/codec/codec_fields.h"
#include "proto/codec/codec_messages.h"

#define WELCOME_FIELDS(D)                                   \
    D##_ANY(welcome, protocol_version);                     \
    D##_TEXT(welcome, server, 31);                          \
    D##_INT(welcome, uint32_t, tick_hz, 20, 240);           \
    D##_INT(welcome, uint32_t, snapshot_hz, 1, 240);        \
    D##_ANY(welcome, tick);                                 \
    D##_INT(welcome, uint32_t, speed_permille, 0, 1000000); \
    D##_TEXT(welcome, race, 63);                            \
    D##_INT(welcome, uint32_t, laps, 0, 999);               \
    D##_INT(welcome, uint32_t, player_capacity, 0, 8192);   \
    D##_FLAG(welcome, password_needed);

#define WORLD_FIELDS(D)                             \
    D##_ANY(world, physics_version);                \
    D##_INT(world, uint32_t, substep_hz, 20, 1000); \
    D##_REAL(world, gravity_mps2);                  \
    D##_REAL(world, air_density_kg_per_m3);         \
    D##_INT(world, uint32_t, damage, 0, 2);         \
    D##_FLAG(world, fuel_burns);                    \
    D##_FLAG(world, tyres_wear);                    \
    D##_FLAG(world, temperatures);

#define WELCOME_LAST_FIELDS(D)                           \
    D##_INT(welcome, uint32_t, resume_grace_s, 0, 3600); \
    D##_FLAG(welcome, watching_open);                    \
    D##_ANY(welcome, secret);                            \
    D##_FLAG(welcome, key_needed);                       \
    D##_FLAG(welcome, token_needed)

#define DEF_NAME_FIELDS(D)                                           \
    D##_ENUM(welcome_def, Apex__DefKind, apex_def_kind, kind, 1, 2); \
    D##_TEXT(welcome_def, name, 31);                                 \
    D##_ANY(welcome_def, hash);                                      \
    D##_INT(welcome_def, uint32_t, length, 1, 1048576);

#define JOINED_FIELDS(D)           \
    D##_ANY(joined, player);       \
    D##_ANY(joined, car);          \
    D##_TEXT(joined, car_def, 31); \
    D##_FLAG(joined, resumed);

#define DEF_FIELDS(D)                                        \
    D##_ENUM(def, Apex__DefKind, apex_def_kind, kind, 1, 2); \
    D##_TEXT(def, name, 31);                                 \
    D##_ANY(def, hash);

#define TIME_REPLY_FIELDS(D)        \
    D##_ANY(time_reply, client_us); \
    D##_ANY(time_reply, tick);      \
    D##_ANY(time_reply, into_tick_us);

static_assert((int)APEX_DEF_CAR == APEX__DEF_KIND__DEF_CAR, "");
static_assert((int)APEX_DEF_TRACK == APEX__DEF_KIND__DEF_TRACK, "");
static_assert((int)APEX_REASON_NONE == APEX__REASON__REASON_NONE, "");
static_assert((int)APEX_REASON_VERSION == APEX__REASON__REASON_VERSION, "");
static_assert((int)APEX_REASON_SERVER_FULL == APEX__REASON__REASON_SERVER_FULL, "");
static_assert((int)APEX_REASON_RACE_FULL == APEX__REASON__REASON_RACE_FULL, "");
static_assert((int)APEX_REASON_PASSWORD == APEX__REASON__REASON_PASSWORD, "");
static_assert((int)APEX_REASON_UNKNOWN_CAR == APEX__REASON__REASON_UNKNOWN_CAR, "");
static_assert((int)APEX_REASON_ALREADY_JOINED == APEX__REASON__REASON_ALREADY_JOINED, "");
static_assert((int)APEX_REASON_BAD_NAME == APEX__REASON__REASON_BAD_NAME, "");
static_assert((int)APEX_REASON_OUT_OF_ORDER == APEX__REASON__REASON_OUT_OF_ORDER, "");
static_assert((int)APEX_REASON_BAD_MESSAGE == APEX__REASON__REASON_BAD_MESSAGE, "");
static_assert((int)APEX_REASON_RATE == APEX__REASON__REASON_RATE, "");
static_assert((int)APEX_REASON_KICKED == APEX__REASON__REASON_KICKED, "");
static_assert((int)APEX_REASON_SHUTDOWN == APEX__REASON__REASON_SHUTDOWN, "");
static_assert((int)APEX_REASON_TIMEOUT == APEX__REASON__REASON_TIMEOUT, "");
static_assert((int)APEX_REASON_RACE_CLOSED == APEX__REASON__REASON_RACE_CLOSED, "");
static_assert((int)APEX_REASON_ADDRESS_LIMIT == APEX__REASON__REASON_ADDRESS_LIMIT, "");
static_assert((int)APEX_REASON_UNKNOWN_DEF == APEX__REASON__REASON_UNKNOWN_DEF, "");
static_assert((int)APEX_REASON_EVENT_OVER == APEX__REASON__REASON_EVENT_OVER, "");
static_assert((int)APEX_REASON_RESUMED == APEX__REASON__REASON_RESUMED, "");
static_assert((int)APEX_REASON_IDLE == APEX__REASON__REASON_IDLE, "");
static_assert((int)APEX_REASON_SEAL_NEEDED == APEX__REASON__REASON_SEAL_NEEDED, "");
static_assert((int)APEX_REASON_SERVER_KEY == APEX__REASON__REASON_SERVER_KEY, "");
static_assert((int)APEX_REASON_KEY == APEX__REASON__REASON_KEY, "");
static_assert((int)APEX_REASON_KEY_NEEDED == APEX__REASON__REASON_KEY_NEEDED, "");
static_assert((int)APEX_REASON_NAME_HELD == APEX__REASON__REASON_NAME_HELD, "");
static_assert((int)APEX_REASON_NOT_LISTED == APEX__REASON__REASON_NOT_LISTED, "");
static_assert((int)APEX_REASON_TOKEN_NEEDED == APEX__REASON__REASON_TOKEN_NEEDED, "");
static_assert((int)APEX_REASON_TOKEN_INVALID == APEX__REASON__REASON_TOKEN_INVALID, "");
static_assert((int)APEX_REASON_TOKEN_ISSUER == APEX__REASON__REASON_TOKEN_ISSUER, "");
static_assert((int)APEX_REASON_TOKEN_AUDIENCE == APEX__REASON__REASON_TOKEN_AUDIENCE, "");
static_assert((int)APEX_REASON_TOKEN_EARLY == APEX__REASON__REASON_TOKEN_EARLY, "");
static_assert((int)APEX_REASON_TOKEN_EXPIRED == APEX__REASON__REASON_TOKEN_EXPIRED, "");
static_assert((int)APEX_REASON_TOKEN_HOLDER == APEX__REASON__REASON_TOKEN_HOLDER, "");
static_assert((int)APEX_REASON_TOKEN_USED == APEX__REASON__REASON_TOKEN_USED, "");
static_assert((int)APEX_REASON_LOCKDOWN == APEX__REASON__REASON_LOCKDOWN, "");

static void put_def_name(codec_writer *writer, const apex_def_name *plain) {
    Apex__DefName message = APEX__DEF_NAME__INIT, *pb = &message;
    DEF_NAME_FIELDS(PUT);
    codec_write_element(writer, 12, &message.base);
}

static void put_world(codec_writer *writer, const apex_world_rules *plain) {
    Apex__WorldRules message = APEX__WORLD_RULES__INIT, *pb = &message;
    WORLD_FIELDS(PUT);
    codec_write_element(writer, 13, &message.base);
}

static void put_rest_of_welcome(codec_writer *writer, const apex_welcome *plain) {
    Apex__Welcome message = APEX__WELCOME__INIT, *pb = &message;
    WELCOME_LAST_FIELDS(PUT);
    if (plain->has_challenge) {
        pb->server_key = codec_bytes(plain->server_key, APEX_WIRE_KEY_BYTES);
        pb->challenge = codec_bytes(plain->challenge, APEX_WIRE_CHALLENGE_BYTES);
    }
    codec_write(writer, &message.base);
}

static void put_welcome(codec_writer *writer, const apex_welcome *plain) {
    Apex__Welcome message = APEX__WELCOME__INIT, *pb = &message;
    assert(plain->def_count <= APEX_WIRE_DEFS_MAX);
    WELCOME_FIELDS(PUT);
    message.resume_token = codec_bytes(plain->resume_token, APEX_TOKEN_BYTES);
    codec_write(writer, &message.base);
    for (uint32_t i = 0; i < plain->def_count; i++) {
        put_def_name(writer, &plain->defs[i]);
    }
    if (plain->world.substep_hz != 0) {
        put_world(writer, &plain->world);
    }
    put_rest_of_welcome(writer, plain); // fields go in the order of their numbers
}

static void put_reject(codec_writer *writer, const apex_refusal *plain) {
    Apex__Reject message = APEX__REJECT__INIT, *pb = &message;
    assert((unsigned)plain->reason < APEX_REASON_COUNT);
    message.reason = (Apex__Reason)plain->reason;
    PUT_TEXT(reject, text, 159);
    PUT_FLAG(reject, closing);
    codec_write(writer, &message.base);
}

static void put_goodbye(codec_writer *writer, const apex_refusal *plain) {
    Apex__Goodbye message = APEX__GOODBYE__INIT, *pb = &message;
    assert((unsigned)plain->reason < APEX_REASON_COUNT);
    message.reason = (Apex__Reason)plain->reason;
    PUT_TEXT(goodbye, text, 159);
    codec_write(writer, &message.base);
}

static void put_joined(codec_writer *writer, const apex_joined *plain) {
    Apex__Joined message = APEX__JOINED__INIT, *pb = &message;
    JOINED_FIELDS(PUT);
    codec_write(writer, &message.base);
}

static void put_def(codec_writer *writer, const apex_def_content *plain) {
    Apex__Def message = APEX__DEF__INIT, *pb = &message;
    assert(plain->length > 0);
    DEF_FIELDS(PUT);
    message.content = (ProtobufCBinaryData){plain->length, (uint8_t *)plain->bytes};
    codec_write(writer, &message.base);
}

static void put_time_reply(codec_writer *writer, const apex_time_reply *plain) {
    Apex__TimeReply message = APEX__TIME_REPLY__INIT, *pb = &message;
    TIME_REPLY_FIELDS(PUT);
    codec_write(writer, &message.base);
}

static void put_notice(codec_writer *writer, const apex_notice *plain) {
    Apex__Notice message = APEX__NOTICE__INIT, *pb = &message;
    PUT_TEXT(notice, text, 159);
    codec_write(writer, &message.base);
}

void codec_put_server(codec_writer *writer, const apex_server_message *message) {
    switch (message->kind) {
    case APEX_SERVER_WELCOME:
        put_welcome(writer, &message->welcome);
        break;
    case APEX_SERVER_REJECT:
        put_reject(writer, &message->reject);
        break;
    case APEX_SERVER_JOINED:
        put_joined(writer, &message->joined);
        break;
    case APEX_SERVER_DEF:
        put_def(writer, &message->def);
        break;
    case APEX_SERVER_TIME_REPLY:
        put_time_reply(writer, &message->time_reply);
        break;
    case APEX_SERVER_SNAPSHOT:
        codec_put_snapshot(writer, &message->snapshot);
        break;
    case APEX_SERVER_TELEMETRY:
        codec_put_telemetry(writer, &message->telemetry);
        break;
    case APEX_SERVER_STATS:
        codec_put_stats(writer, &message->stats);
        break;
    case APEX_SERVER_NOTICE:
        put_notice(writer, &message->notice);
        break;
    case APEX_SERVER_GOODBYE:
        put_goodbye(writer, &message->goodbye);
        break;
    default:
        codec_put_race(writer, message);
        break;
    }
}

static bool get_def_name(codec_reader *reader, const Apex__DefName *pb, apex_def_name *plain) {
    DEF_NAME_FIELDS(GET);
    return true;
}

static bool get_world(codec_reader *reader, const Apex__WorldRules *pb, apex_world_rules *plain) {
    WORLD_FIELDS(GET);
    return true;
}

static bool get_challenge(codec_reader *reader, const Apex__Welcome *pb, apex_welcome *plain) {
    size_t key_bytes = pb->server_key.len, bytes = pb->challenge.len;
    if (key_bytes != 0 && key_bytes != APEX_WIRE_KEY_BYTES) {
        return codec_refuse(reader, "welcome: server_key is not 32 bytes long");
    }
    if (bytes != (key_bytes == 0 ? 0 : APEX_WIRE_CHALLENGE_BYTES)) {
        return codec_refuse(reader, "welcome: challenge is not 32 bytes long beside a server_key");
    }
    plain->has_challenge = bytes != 0;
    if (plain->has_challenge) {
        memcpy(plain->server_key, pb->server_key.data, key_bytes);
        memcpy(plain->challenge, pb->challenge.data, bytes);
    }
    return true;
}

static bool get_welcome(codec_reader *reader, const Apex__Welcome *pb, apex_welcome *plain) {
    WELCOME_FIELDS(GET);
    WELCOME_LAST_FIELDS(GET);
    if (pb->resume_token.len != APEX_TOKEN_BYTES) {
        return codec_refuse(reader, "welcome: resume_token is not 16 bytes long");
    }
    memcpy(plain->resume_token, pb->resume_token.data, APEX_TOKEN_BYTES);
    if (!get_challenge(reader, pb, plain)) {
        return false;
    }
    if (pb->n_defs > APEX_WIRE_DEFS_MAX) {
        return codec_refuse(reader, "welcome: there are more than 17 defs");
    }
    plain->def_count = (uint32_t)pb->n_defs;
    for (uint32_t i = 0; i < plain->def_count; i++) {
        if (!get_def_name(reader, pb->defs[i], &plain->defs[i])) {
            return false;
        }
    }
    return pb->world == NULL || get_world(reader, pb->world, &plain->world);
}

// A server of later date may have reasons of its own; its text still tells people.
static apex_reason reason_of(Apex__Reason reason) {
    return (unsigned)reason < APEX_REASON_COUNT ? (apex_reason)reason : APEX_REASON_NONE;
}

static bool get_reject(codec_reader *reader, const Apex__Reject *pb, apex_refusal *plain) {
    plain->reason = reason_of(pb->reason);
    GET_TEXT(reject, text, 159);
    GET_FLAG(reject, closing);
    return true;
}

static bool get_goodbye(codec_reader *reader, const Apex__Goodbye *pb, apex_refusal *plain) {
    plain->reason = reason_of(pb->reason);
    GET_TEXT(goodbye, text, 159);
    return true;
}

static bool get_joined(codec_reader *reader, const Apex__Joined *pb, apex_joined *plain) {
    JOINED_FIELDS(GET);
    return true;
}

static bool get_def(codec_reader *reader, const Apex__Def *pb, apex_def_content *plain) {
    DEF_FIELDS(GET);
    if (pb->content.len == 0) {
        return codec_refuse(reader, "def: content is empty");
    }
    plain->bytes = pb->content.data;
    plain->length = pb->content.len;
    return true;
}

static bool get_time_reply(codec_reader *reader, const Apex__TimeReply *pb,
                           apex_time_reply *plain) {
    (void)reader;
    TIME_REPLY_FIELDS(GET);
    return true;
}

static bool get_notice(codec_reader *reader, const Apex__Notice *pb, apex_notice *plain) {
    GET_TEXT(notice, text, 159);
    return true;
}

bool codec_get_server(codec_reader *reader, const Apex__ServerMessage *pb,
                      apex_server_message *out) {
    out->kind = (apex_server_message_kind)pb->body_case;
    switch (pb->body_case) {
    case APEX__SERVER_MESSAGE__BODY_WELCOME:
        return get_welcome(reader, pb->welcome, &out->welcome);
    case APEX__SERVER_MESSAGE__BODY_REJECT:
        return get_reject(reader, pb->reject, &out->reject);
    case APEX__SERVER_MESSAGE__BODY_JOINED:
        return get_joined(reader, pb->joined, &out->joined);
    case APEX__SERVER_MESSAGE__BODY_DEF:
        return get_def(reader, pb->def, &out->def);
    case APEX__SERVER_MESSAGE__BODY_TIME_REPLY:
        return get_time_reply(reader, pb->time_reply, &out->time_reply);
    case APEX__SERVER_MESSAGE__BODY_SNAPSHOT:
        return codec_get_snapshot(reader, pb->snapshot, &out->snapshot);
    case APEX__SERVER_MESSAGE__BODY_TELEMETRY:
        return codec_get_telemetry(reader, pb->telemetry, &out->telemetry);
    case APEX__SERVER_MESSAGE__BODY_SERVER_STATS:
        return codec_get_stats(reader, pb->server_stats, &out->stats);
    case APEX__SERVER_MESSAGE__BODY_NOTICE:
        return get_notice(reader, pb->notice, &out->notice);
    case APEX__SERVER_MESSAGE__BODY_GOODBYE:
        return get_goodbye(reader, pb->goodbye, &out->goodbye);
    default:
        return codec_get_race(reader, pb, out);
    }
}
