// Every value outside its range is refused, with a sentence that names field and range. Later
// values of a field win over earlier ones, so a good message with one more field behind it is the
// bad one.

#include "test_proto_samples.h"
#include "support/base/check_main.h"

#include <math.h>
#include <string.h>

typedef enum wire_type { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 } wire_type;

typedef struct refusal {
    int kind;
    uint32_t element; // number of the repeated field to put the value into; 0: the message itself
    uint32_t number;
    wire_type type;
    uint64_t value;   // BYTES: how many, of 'a'
    const char *text; // BYTES that are not 'a's
    const char *why;
} refusal;

#define ZIGZAG(v) ((uint64_t)((uint32_t)(v) << 1 ^ ((v) < 0 ? UINT32_MAX : 0)))
#define INF32     0x7F800000u
#define NAN32     0x7FC00000u

static _Alignas(16) uint8_t memory[8 << 20];
static uint8_t body[1 << 20], bytes[1 << 20];
static sample_lists lists;

static uint8_t *put_varint(uint8_t *at, uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
        *at++ = (uint8_t)(value | 0x80);
    }
    *at++ = (uint8_t)value;
    return at;
}

static uint8_t *put_field(uint8_t *at, const refusal *bad) {
    at = put_varint(at, (uint64_t)bad->number << 3 | (uint64_t)bad->type);
    switch (bad->type) {
    case VARINT:
        return put_varint(at, bad->value);
    case FIXED32:
    case FIXED64: {
        size_t size = bad->type == FIXED32 ? 4 : 8;
        for (size_t i = 0; i < size; i++) {
            *at++ = (uint8_t)(bad->value >> 8 * i);
        }
        return at;
    }
    case BYTES:
        break;
    }
    at = put_varint(at, bad->text != NULL ? strlen(bad->text) : bad->value);
    if (bad->text != NULL) {
        memcpy(at, bad->text, strlen(bad->text));
        return at + strlen(bad->text);
    }
    memset(at, 'a', bad->value);
    return at + bad->value;
}

static uint8_t *put_bytes(uint8_t *at, uint32_t number, const uint8_t *content, size_t length) {
    at = put_varint(at, number << 3 | BYTES);
    at = put_varint(at, length);
    if (length) {
        memcpy(at, content, length);
    }
    return at + length;
}

static uint8_t *put_bad(uint8_t *at, const refusal *bad) {
    if (bad->element == 0) {
        return put_field(at, bad);
    }
    uint8_t element[1024];
    uint8_t *end = element;
    end = put_field(end, bad);
    return put_bytes(at, bad->element, element, (size_t)(end - element));
}

// The body of a good envelope, without its tag and length.
static size_t body_of(const uint8_t *envelope, size_t length, uint8_t *out) {
    size_t start = envelope[0] & 0x80 ? 3 : 2;
    while (envelope[start - 1] & 0x80) {
        start++;
    }
    memcpy(out, envelope + start, length - start);
    return length - start;
}

static size_t good_client(int kind, uint8_t *out) {
    apex_client_message message;
    memset(&message, 0, sizeof message);
    message.kind = (apex_client_message_kind)kind;
    if (message.kind == APEX_CLIENT_CONTROLS) {
        message.controls.sample_count = 1;
    }
    return apex_encode_client(&message, out, 1200);
}

static size_t good_server(int kind, uint8_t *out) {
    apex_server_message message;
    memset(&message, 0, sizeof message);
    message.kind = (apex_server_message_kind)kind;
    if (message.kind == APEX_SERVER_WELCOME) {
        message.welcome.tick_hz = 60;
        message.welcome.snapshot_hz = 20;
    } else if (message.kind == APEX_SERVER_DEF) {
        message.def.kind = APEX_DEF_CAR;
        message.def.bytes = lists.content;
        message.def.length = 10;
    } else if (message.kind == APEX_SERVER_SNAPSHOT) {
        message.snapshot.parts = 1;
    } else if (message.kind == APEX_SERVER_PLAYBACK_STATE) {
        message.playback_state.speed_permille = 1000;
    }
    return apex_encode_server(&message, out, 1200);
}

typedef size_t good_message(int kind, uint8_t *out);

static size_t make_bad(const refusal *bad, good_message *good) {
    uint8_t envelope[1200];
    size_t length = body_of(envelope, good(bad->kind, envelope), body);
    uint8_t *end = put_bad(body + length, bad);
    return (size_t)(put_bytes(bytes, (uint32_t)bad->kind, body, (size_t)(end - body)) - bytes);
}

static const apex_scratch scratch = {memory, sizeof memory};

#define CLIENT(name, element, number, type, value, why) \
    { APEX_CLIENT_##name, element, number, type, value, NULL, why }
#define SERVER(name, element, number, type, value, why) \
    { APEX_SERVER_##name, element, number, type, value, NULL, why }

static const refusal clients[] = {
    CLIENT(HELLO, 0, 2, BYTES, 32, "hello: client is longer than 31 bytes"),
    CLIENT(HELLO, 0, 3, BYTES, 15, "hello: resume_token is not 16 bytes long"),
    CLIENT(HELLO, 0, 3, BYTES, 17, "hello: resume_token is not 16 bytes long"),
    CLIENT(JOIN, 4, 1, BYTES, 31, "identity: key is not 32 bytes long"),
    CLIENT(JOIN, 4, 2, BYTES, 63, "identity: signature is not 64 bytes long beside a key"),
    CLIENT(JOIN, 4, 1, BYTES, 32, "identity: signature is not 64 bytes long beside a key"),
    CLIENT(SPECTATE, 2, 2, BYTES, 64, "identity: signature is not 64 bytes long beside a key"),
    CLIENT(SPECTATE, 2, 3, BYTES, 401, "identity: token is longer than 400 bytes"),
    CLIENT(JOIN, 0, 1, BYTES, 32, "join: name is longer than 31 bytes"),
    CLIENT(JOIN, 0, 2, BYTES, 32, "join: car is longer than 31 bytes"),
    CLIENT(JOIN, 0, 3, BYTES, 32, "join: password is longer than 31 bytes"),
    {APEX_CLIENT_JOIN, 0, 1, BYTES, 0, "a\x1b[2J",
     "join: name has bytes that are no printable UTF-8"},
    {APEX_CLIENT_HELLO, 0, 2, BYTES, 0, "\xff",
     "hello: client has bytes that are no printable UTF-8"},
    CLIENT(SPECTATE, 0, 1, BYTES, 32, "spectate: password is longer than 31 bytes"),
    CLIENT(SUBSCRIBE, 0, 1, VARINT, 241, "subscribe: snapshot_hz is outside 0..240"),
    CLIENT(SUBSCRIBE, 0, 5, VARINT, 2, "subscribe: encoding is outside 0..1"),
    CLIENT(SUBSCRIBE, 0, 6, VARINT, 1185, "subscribe: snapshot_bytes is outside 0..1184"),
    CLIENT(SNAPSHOT_ACK, 0, 1, VARINT, 65537, "snapshot_ack: newest is outside 0..65536"),
    CLIENT(SNAPSHOT_ACK, 0, 3, VARINT, 65537, "snapshot_ack: repair is outside 0..65536"),
    CLIENT(CONTROLS, 3, 1, VARINT, 65537, "snapshot_ack: newest is outside 0..65536"),
    CLIENT(SUBSCRIBE, 0, 2, VARINT, 241, "subscribe: telemetry_hz is outside 0..240"),
    CLIENT(SUBSCRIBE, 0, 10, VARINT, 241, "subscribe: nearest_hz is outside 0..240"),
    CLIENT(CONTROLS, 0, 1, VARINT, 4294967280u, "controls: first_tick is outside 0..4294967279"),
    CLIENT(CONTROLS, 2, 1, VARINT, ZIGZAG(32768), "controls: steer is outside -32767..32767"),
    CLIENT(CONTROLS, 2, 1, VARINT, ZIGZAG(-32768), "controls: steer is outside -32767..32767"),
    CLIENT(CONTROLS, 2, 2, VARINT, 256, "controls: throttle is outside 0..255"),
    CLIENT(CONTROLS, 2, 3, VARINT, UINT32_MAX, "controls: brake is outside 0..255"),
    CLIENT(CONTROLS, 2, 4, VARINT, 256, "controls: clutch is outside 0..255"),
    CLIENT(CONTROLS, 2, 5, VARINT, 256, "controls: handbrake is outside 0..255"),
    CLIENT(CONTROLS, 2, 6, VARINT, ZIGZAG(-2), "controls: gear is not -1..10, 126 or 127"),
    CLIENT(CONTROLS, 2, 6, VARINT, ZIGZAG(11), "controls: gear is not -1..10, 126 or 127"),
    CLIENT(CONTROLS, 2, 6, VARINT, ZIGZAG(125), "controls: gear is not -1..10, 126 or 127"),
    CLIENT(CONTROLS, 2, 6, VARINT, ZIGZAG(128), "controls: gear is not -1..10, 126 or 127"),
    CLIENT(CONTROLS, 2, 7, VARINT, 256, "controls: shift_up is outside 0..255"),
    CLIENT(CONTROLS, 2, 8, VARINT, 256, "controls: shift_down is outside 0..255"),
    CLIENT(CONTROLS, 2, 9, VARINT, 256, "controls: reset is outside 0..255"),
    CLIENT(CONTROLS, 2, 10, VARINT, 64, "controls: aids_off is outside 0..63"),
    CLIENT(PLAYBACK, 0, 1, VARINT, 3, "playback: play is outside 0..2"),
    CLIENT(PLAYBACK, 0, 2, VARINT, 1, "playback: speed_permille is neither 0 nor 125..16000"),
    CLIENT(PLAYBACK, 0, 2, VARINT, 124, "playback: speed_permille is neither 0 nor 125..16000"),
    CLIENT(PLAYBACK, 0, 2, VARINT, 16001, "playback: speed_permille is outside 0..16000"),
    CLIENT(PIT_PLAN, 0, 2, VARINT, 1000001, "pit_plan: fuel_g is outside 0..1000000"),
    CLIENT(PIT_PLAN, 0, 4, VARINT, 6, "pit_plan: compound is outside 0..5"),
};

static const refusal servers[] = {
    SERVER(WELCOME, 0, 2, BYTES, 32, "welcome: server is longer than 31 bytes"),
    SERVER(WELCOME, 0, 3, BYTES, 15, "welcome: resume_token is not 16 bytes long"),
    SERVER(WELCOME, 0, 3, BYTES, 0, "welcome: resume_token is not 16 bytes long"),
    SERVER(WELCOME, 0, 17, BYTES, 33, "welcome: server_key is not 32 bytes long"),
    SERVER(WELCOME, 0, 17, BYTES, 32,
           "welcome: challenge is not 32 bytes long beside a server_key"),
    SERVER(WELCOME, 0, 18, BYTES, 31,
           "welcome: challenge is not 32 bytes long beside a server_key"),
    SERVER(WELCOME, 0, 4, VARINT, 19, "welcome: tick_hz is outside 20..240"),
    SERVER(WELCOME, 0, 4, VARINT, 241, "welcome: tick_hz is outside 20..240"),
    SERVER(WELCOME, 0, 5, VARINT, 0, "welcome: snapshot_hz is outside 1..240"),
    SERVER(WELCOME, 0, 5, VARINT, 241, "welcome: snapshot_hz is outside 1..240"),
    SERVER(WELCOME, 0, 7, VARINT, 1000001, "welcome: speed_permille is outside 0..1000000"),
    SERVER(WELCOME, 0, 8, BYTES, 64, "welcome: race is longer than 63 bytes"),
    SERVER(WELCOME, 0, 9, VARINT, 1000, "welcome: laps is outside 0..999"),
    SERVER(WELCOME, 0, 10, VARINT, 8193, "welcome: player_capacity is outside 0..8192"),
    SERVER(WELCOME, 0, 14, VARINT, 3601, "welcome: resume_grace_s is outside 0..3600"),
    SERVER(WELCOME, 12, 2, BYTES, 1, "welcome_def: kind is outside 1..2"),
    SERVER(WELCOME, 12, 1, VARINT, 3, "welcome_def: kind is outside 1..2"),
    SERVER(WELCOME, 12, 1, VARINT, 1, "welcome_def: length is outside 1..1048576"),
    SERVER(REJECT, 0, 2, BYTES, 160, "reject: text is longer than 159 bytes"),
    {APEX_SERVER_REJECT, 0, 2, BYTES, 0, "a\nb",
     "reject: text has bytes that are no printable UTF-8"},
    SERVER(GOODBYE, 0, 2, BYTES, 160, "goodbye: text is longer than 159 bytes"),
    SERVER(NOTICE, 0, 1, BYTES, 160, "notice: text is longer than 159 bytes"),
    SERVER(JOINED, 0, 3, BYTES, 32, "joined: car_def is longer than 31 bytes"),
    SERVER(DEF, 0, 1, VARINT, 0, "def: kind is outside 1..2"),
    SERVER(DEF, 0, 1, VARINT, 3, "def: kind is outside 1..2"),
    SERVER(DEF, 0, 2, BYTES, 32, "def: name is longer than 31 bytes"),
    SERVER(DEF, 0, 4, BYTES, 0, "def: content is empty"),
    SERVER(SNAPSHOT, 0, 2, VARINT, 7, "snapshot: phase is outside 0..6"),
    SERVER(SNAPSHOT, 0, 2, VARINT, UINT64_MAX, "snapshot: phase is outside 0..6"),
    SERVER(SNAPSHOT, 0, 4, VARINT, 8192, "snapshot: part is outside 0..8191"),
    SERVER(SNAPSHOT, 0, 5, VARINT, 0, "snapshot: parts is outside 1..8192"),
    SERVER(SNAPSHOT, 0, 5, VARINT, 8193, "snapshot: parts is outside 1..8192"),
    SERVER(SNAPSHOT, 0, 4, VARINT, 1, "snapshot: part is not below parts"),
    SERVER(SNAPSHOT, 0, 10, BYTES, 1, "snapshot: has cars beside a delta"),
    SERVER(SNAPSHOT, 0, 10, BYTES, 1185, "snapshot: delta is longer than 1184 bytes"),
    SERVER(SNAPSHOT, 8, 2, VARINT, 1, "car: id is outside 1..4294967295"),
    SERVER(TELEMETRY, 0, 3, FIXED32, INF32, "telemetry: speed_mps is not a number"),
    SERVER(TELEMETRY, 0, 4, FIXED32, NAN32, "telemetry: rpm is not a number"),
    SERVER(TELEMETRY, 0, 5, VARINT, ZIGZAG(-2), "telemetry: gear is outside -1..10"),
    SERVER(TELEMETRY, 0, 5, VARINT, ZIGZAG(11), "telemetry: gear is outside -1..10"),
    SERVER(TELEMETRY, 0, 6, FIXED32, NAN32, "telemetry: throttle is not a number"),
    SERVER(TELEMETRY, 0, 7, FIXED32, NAN32, "telemetry: brake is not a number"),
    SERVER(TELEMETRY, 0, 8, FIXED32, NAN32, "telemetry: steer_rad is not a number"),
    SERVER(TELEMETRY, 0, 9, FIXED32, NAN32, "telemetry: acceleration_x_mps2 is not a number"),
    SERVER(TELEMETRY, 0, 10, FIXED32, NAN32, "telemetry: acceleration_y_mps2 is not a number"),
    SERVER(TELEMETRY, 0, 11, FIXED32, NAN32, "telemetry: lap_m is not a number"),
    SERVER(TELEMETRY, 0, 12, FIXED32, NAN32, "telemetry: offset_m is not a number"),
    SERVER(TELEMETRY, 0, 13, FIXED32, NAN32, "telemetry: fuel_kg is not a number"),
    SERVER(TELEMETRY, 14, 1, FIXED32, NAN32, "wheel: load_n is not a number"),
    SERVER(TELEMETRY, 14, 2, FIXED32, NAN32, "wheel: slip_ratio is not a number"),
    SERVER(TELEMETRY, 14, 3, FIXED32, NAN32, "wheel: slip_angle_rad is not a number"),
    SERVER(TELEMETRY, 14, 4, FIXED32, NAN32, "wheel: force_long_n is not a number"),
    SERVER(TELEMETRY, 14, 5, FIXED32, NAN32, "wheel: force_lat_n is not a number"),
    SERVER(TELEMETRY, 14, 6, FIXED32, NAN32, "wheel: friction is not a number"),
    SERVER(TELEMETRY, 14, 7, FIXED32, NAN32, "wheel: spin_radps is not a number"),
    SERVER(TELEMETRY, 14, 8, FIXED32, INF32 | 1u << 31, "wheel: temperature_c is not a number"),
    SERVER(TELEMETRY, 14, 9, VARINT, 256, "wheel: surface is outside 0..255"),
    SERVER(STATS, 14, 1, BYTES, 32, "count: name is longer than 31 bytes"),
    SERVER(RACE_EVENT, 0, 1, VARINT, 26, "race_event: kind is outside 0..25"),
    SERVER(RACE_EVENT, 0, 8, BYTES, 32, "race_event: name is longer than 31 bytes"),
    SERVER(RACE_EVENT, 0, 9, BYTES, 32, "race_event: other_name is longer than 31 bytes"),
    SERVER(PAST_EVENTS, 1, 1, VARINT, 26, "race_event: kind is outside 0..25"),
    SERVER(PAST_EVENTS, 1, 8, BYTES, 32, "race_event: name is longer than 31 bytes"),
    SERVER(PAST_EVENTS, 2, 1, VARINT, 26, "race_event: kind is outside 0..25"),
    SERVER(SESSION_STATE, 0, 2, VARINT, 13, "session_state: count is outside 0..12"),
    SERVER(SESSION_STATE, 0, 3, VARINT, 4, "session_state: kind is outside 0..3"),
    SERVER(SESSION_STATE, 0, 4, BYTES, 32, "session_state: name is longer than 31 bytes"),
    SERVER(SESSION_STATE, 0, 5, VARINT, 1000, "session_state: laps is outside 0..999"),
    SERVER(SESSION_STATE, 0, 9, VARINT, 4, "session_state: flag is outside 0..3"),
    SERVER(SESSION_STATE, 11, 1, VARINT, 4, "session_line: kind is outside 0..3"),
    SERVER(SESSION_STATE, 11, 2, BYTES, 32, "session_line: name is longer than 31 bytes"),
    SERVER(SESSION_STATE, 11, 3, VARINT, 1000, "session_line: laps is outside 0..999"),
    SERVER(SESSION_STATE, 0, 12, BYTES, 32, "session_state: name is longer than 31 bytes"),
    {APEX_SERVER_SESSION_STATE, 0, 13, BYTES, 0, "a\nb",
     "session_state: name has bytes that are no printable UTF-8"},
    SERVER(PENALTIES, 2, 1, VARINT, 0, "penalty: number is outside 1..4294967295"),
    SERVER(PENALTIES, 0, 2, BYTES, 0, "penalty: number is outside 1..4294967295"),
    SERVER(CONDUCT, 0, 1, VARINT, 4, "conduct: pit is outside 0..3"),
    SERVER(CONDUCT, 5, 2, VARINT, 1000001, "pit_plan: fuel_g is outside 0..1000000"),
    SERVER(RACE_STATE, 0, 1, VARINT, 7, "race_state: phase is outside 0..6"),
    SERVER(ROSTER, 2, 3, BYTES, 32, "roster: name is longer than 31 bytes"),
    SERVER(ROSTER, 2, 4, BYTES, 32, "roster: car_def is longer than 31 bytes"),
    SERVER(ROSTER, 2, 6, BYTES, 15, "roster: driver is not 16 bytes long"),
    SERVER(ROSTER, 2, 6, BYTES, 17, "roster: driver is not 16 bytes long"),
    SERVER(STANDINGS, 3, 3, BYTES, 32, "standing: name is longer than 31 bytes"),
    SERVER(STANDINGS, 3, 4, BYTES, 32, "standing: car_def is longer than 31 bytes"),
    SERVER(STANDINGS, 3, 5, VARINT, 4, "standing: state is outside 0..3"),
    SERVER(STANDINGS, 3, 7, FIXED32, INF32, "standing: lap_m is not a number"),
    SERVER(STANDINGS, 3, 13, VARINT, 8, "standing: sector is outside 0..7"),
    SERVER(STANDINGS, 3, 14, VARINT, 1, "standing: best_sector_us is not as long as sector_us"),
    SERVER(STANDINGS, 3, 15, VARINT, 1, "standing: best_sector_us is not as long as sector_us"),
    SERVER(STANDINGS, 3, 23, VARINT, 4, "standing: pit is outside 0..3"),
    SERVER(STANDINGS, 3, 28, VARINT, 4, "standing: status is outside 0..3"),
    SERVER(RESULTS, 0, 2, BYTES, 32, "results: track is longer than 31 bytes"),
    SERVER(RESULTS, 5, 5, VARINT, 4, "standing: state is outside 0..3"),
    SERVER(RESULTS, 6, 5, VARINT, 4, "standing: state is outside 0..3"),
    SERVER(PLAYBACK_STATE, 0, 1, VARINT, 1, "playback_state: tick is past last_tick"),
    SERVER(PLAYBACK_STATE, 0, 4, VARINT, 124,
           "playback_state: speed_permille is outside 125..16000"),
    SERVER(PLAYBACK_STATE, 0, 4, VARINT, 16001,
           "playback_state: speed_permille is outside 125..16000"),
    SERVER(PLAYBACK_STATE, 7, 2, VARINT, 26, "mark: kind is outside 0..25"),
    SERVER(PLAYBACK_STATE, 8, 2, VARINT, 26, "mark: kind is outside 0..25"),
};

enum {
    CLIENT_REFUSALS = sizeof clients / sizeof clients[0],
    SERVER_REFUSALS = sizeof servers / sizeof servers[0],
};

TEST_OVER(client_values_out_of_range, 0, CLIENT_REFUSALS) {
    size_t length = make_bad(&clients[_i], good_client);
    apex_client_message got;
    const char *why = "";
    ck_assert(!apex_decode_client(bytes, length, scratch, &got, &why));
    ck_assert_str_eq(why, clients[_i].why);
    ck_assert(!apex_decode_client(bytes, length, scratch, &got, NULL));
}

TEST_OVER(server_values_out_of_range, 0, SERVER_REFUSALS) {
    memset(lists.content, 1, sizeof lists.content);
    size_t length = make_bad(&servers[_i], good_server);
    apex_server_message got;
    const char *why = "";
    ck_assert(!apex_decode_server(bytes, length, scratch, &got, &why));
    ck_assert_str_eq(why, servers[_i].why);
    ck_assert(!apex_decode_server(bytes, length, scratch, &got, NULL));
}

// Without the bad field the same messages are good, or the tests above show nothing.
TEST(the_messages_are_good_before) {
    memset(lists.content, 1, sizeof lists.content);
    apex_client_message client;
    apex_server_message server;
    for (int kind = 1; kind < APEX_CLIENT_MESSAGE_KINDS; kind++) {
        if (!apex_is_client_message_kind(kind)) {
            continue;
        }
        size_t length = good_client(kind, bytes);
        ck_assert(apex_decode_client(bytes, length, scratch, &client, NULL));
        ck_assert_int_eq((int)client.kind, kind);
    }
    for (int kind = 1; kind < APEX_SERVER_MESSAGE_KINDS; kind++) {
        size_t length = good_server(kind, bytes);
        ck_assert(apex_decode_server(bytes, length, scratch, &server, NULL));
        ck_assert_int_eq((int)server.kind, kind);
    }
}

// Cars have many fields, so their ranges are a table of their own.
TEST(car_values_out_of_range) {
    static const struct {
        uint32_t number;
        int32_t low, high;
        bool is_signed;
        const char *name;
    } fields[] = {
        {5, -32768, 32767, true, "yaw"},
        {6, -32768, 32767, true, "pitch"},
        {7, -32768, 32767, true, "roll"},
        {8, -32768, 32767, true, "vx_cmps"},
        {9, -32768, 32767, true, "vy_cmps"},
        {10, -32768, 32767, true, "vz_cmps"},
        {11, -32768, 32767, true, "yaw_rate"},
        {12, -32768, 32767, true, "steer"},
        {13, 0, 65535, false, "rpm"},
        {14, -1, 10, true, "gear"},
        {15, 0, 255, false, "throttle"},
        {16, 0, 255, false, "brake"},
        {17, 0, 255, false, "flags"},
        {18, 0, 255, false, "damage"},
        {19, 0, 1048575, false, "damage_zones"},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        for (int step = 0; step < 4; step++) {
            const int32_t values[4] = {fields[i].low - 1, fields[i].low, fields[i].high,
                                       fields[i].high + 1};
            int32_t value = values[step];
            if (value < 0 && !fields[i].is_signed) {
                continue;
            }
            uint8_t car[32];
            uint8_t *end = put_varint(put_varint(car, 1 << 3), 7);
            end = put_varint(end, fields[i].number << 3);
            end = put_varint(end, fields[i].is_signed ? ZIGZAG(value) : (uint64_t)value);
            uint8_t *at = put_varint(put_varint(body, 5 << 3), 1); // parts
            at = put_bytes(at, 8, car, (size_t)(end - car));
            at = put_bytes(bytes, APEX_SERVER_SNAPSHOT, body, (size_t)(at - body));
            apex_server_message got;
            const char *why = "";
            bool good = apex_decode_server(bytes, (size_t)(at - bytes), scratch, &got, &why);
            ck_assert_int_eq(good, step == 1 || step == 2);
            if (!good) {
                char expected[96];
                snprintf(expected, sizeof expected, "car: %s is outside %d..%d", fields[i].name,
                         (int)fields[i].low, (int)fields[i].high);
                ck_assert_str_eq(why, expected);
            }
        }
    }
}

static const char *refuse_server(size_t body_length, int kind) {
    uint8_t *end = put_bytes(bytes, (uint32_t)kind, body, body_length);
    apex_server_message got;
    const char *why = "";
    bool good = apex_decode_server(bytes, (size_t)(end - bytes), scratch, &got, &why);
    return good ? "accepted" : why;
}

TEST(cars_must_be_sorted) {
    static const uint8_t ids[4][2] = {{1, 2}, {2, 1}, {3, 3}, {255, 255}};
    for (int i = 0; i < 4; i++) {
        const uint8_t pair[] = {5 << 3,          1,          8 << 3 | 2, 2, 8,
                                ids[i][0] & 127, 8 << 3 | 2, 2,          8, ids[i][1] & 127};
        memcpy(body, pair, sizeof pair);
        ck_assert_str_eq(refuse_server(sizeof pair, APEX_SERVER_SNAPSHOT),
                         i == 0 ? "accepted" : "snapshot: cars are not sorted by id");
    }
}

// A row of `count` ones, packed.
static size_t row(uint8_t *at, uint32_t number, uint8_t count) {
    at[0] = (uint8_t)(number << 3 | 2 | 0x80);
    at[1] = (uint8_t)(number >> 4);
    at[2] = count;
    memset(at + 3, 1, count);
    return (size_t)count + 3;
}

// `count` elements of `number`, each made of the bytes given.
static size_t many(uint8_t *at, uint32_t number, size_t count, const char *element) {
    uint8_t *start = at;
    for (size_t i = 0; i < count; i++) {
        at = put_bytes(at, number, (const uint8_t *)element, strlen(element));
    }
    return (size_t)(at - start);
}

TEST(lists_that_are_too_long) {
    size_t head = body_of(bytes, good_server(APEX_SERVER_WELCOME, bytes), body);
    size_t length = head + many(body + head, 12, APEX_WIRE_DEFS_MAX + 1, "\x08\x01\x20\x01");
    ck_assert_str_eq(refuse_server(length, APEX_SERVER_WELCOME),
                     "welcome: there are more than 17 defs");
    length = head + many(body + head, 12, APEX_WIRE_DEFS_MAX, "\x08\x01\x20\x01");
    ck_assert_str_eq(refuse_server(length, APEX_SERVER_WELCOME), "accepted");

    body[0] = 5 << 3; // parts
    body[1] = 1;
    length = 2 + many(body + 2, 8, APEX_SNAPSHOT_CARS_MAX + 1, "\x08\x01");
    ck_assert_str_eq(refuse_server(length, APEX_SERVER_SNAPSHOT),
                     "snapshot: there are more than 64 cars");
    length = many(body, 14, APEX_WIRE_WHEELS_MAX + 1, "");
    ck_assert_str_eq(refuse_server(length, APEX_SERVER_TELEMETRY),
                     "telemetry: there are more than 8 wheels");
    length = many(body, 14, APEX_STATS_COUNTS_MAX + 1, "");
    ck_assert_str_eq(refuse_server(length, APEX_SERVER_STATS),
                     "server_stats: there are more than 64 counts");
    ck_assert_str_eq(refuse_server(row(body, 17, APEX_CONTROLS_DEPTHS + 1), APEX_SERVER_STATS),
                     "server_stats: there are more than 17 controls_depths");
    ck_assert_str_eq(refuse_server(row(body, 17, APEX_CONTROLS_DEPTHS), APEX_SERVER_STATS),
                     "accepted");
    ck_assert_str_eq(refuse_server(row(body, 18, APEX_CONTROLS_GAPS + 1), APEX_SERVER_STATS),
                     "server_stats: there are more than 8 controls_gaps");
    ck_assert_str_eq(refuse_server(row(body, 18, APEX_CONTROLS_GAPS), APEX_SERVER_STATS),
                     "accepted");
    length = many(body, 2, APEX_ROSTER_ENTRIES_MAX + 1, "");
    ck_assert_str_eq(refuse_server(length, APEX_SERVER_ROSTER),
                     "roster: there are more than 8192 entries");
    length = many(body, 2, APEX_ROSTER_ENTRIES_MAX, "");
    ck_assert_str_eq(refuse_server(length, APEX_SERVER_ROSTER), "accepted");
    length = many(body, 3, APEX_STANDINGS_LINES_MAX + 1, "");
    ck_assert_str_eq(refuse_server(length, APEX_SERVER_STANDINGS),
                     "standings: there are more than 65 lines");
    length = many(body, 5, APEX_RESULTS_LINES_MAX + 1, "");
    ck_assert_str_eq(refuse_server(length, APEX_SERVER_RESULTS),
                     "results: there are more than 8192 lines");
    ck_assert_str_eq(refuse_server(row(body, 4, APEX_WIRE_SECTORS_MAX + 1), APEX_SERVER_STANDINGS),
                     "standings: there are more than 8 sectors");
    ck_assert_str_eq(refuse_server(row(body, 4, APEX_WIRE_SECTORS_MAX), APEX_SERVER_STANDINGS),
                     "accepted");
    head = body_of(bytes, good_server(APEX_SERVER_PLAYBACK_STATE, bytes), body);
    length = head + many(body + head, 7, APEX_PLAYBACK_MARKS_MAX + 1, "");
    ck_assert_str_eq(refuse_server(length, APEX_SERVER_PLAYBACK_STATE),
                     "playback_state: there are more than 256 marks");
    length = head + many(body + head, 7, APEX_PLAYBACK_MARKS_MAX, "");
    ck_assert_str_eq(refuse_server(length, APEX_SERVER_PLAYBACK_STATE), "accepted");
    length = many(body, 5, APEX_RESULTS_LINES_MAX, "");
    ck_assert_str_eq(refuse_server(length, APEX_SERVER_RESULTS), "accepted");
}

TEST(controls_carry_one_to_sixteen_samples) {
    for (size_t count = 0; count <= 17; count++) {
        size_t length = many(body, 2, count, "");
        uint8_t *end = put_bytes(bytes, APEX_CLIENT_CONTROLS, body, length);
        apex_client_message got;
        const char *why = "";
        bool good = apex_decode_client(bytes, (size_t)(end - bytes), scratch, &got, &why);
        ck_assert_int_eq(good, count >= 1 && count <= 16);
        if (good) {
            ck_assert_uint_eq(got.controls.sample_count, count);
        } else {
            ck_assert_str_eq(why, "controls: the count of samples is outside 1..16");
        }
    }
}

static const char *refuse_client(const void *message, size_t length) {
    apex_client_message got;
    const char *why = "";
    return apex_decode_client(message, length, scratch, &got, &why) ? "accepted" : why;
}

TEST(bytes_that_are_no_message) {
    static uint8_t many_bytes[APEX_DATAGRAM_BYTES_MAX + 1];
    ck_assert_str_eq(refuse_client("", 0), "message is not 1..1200 bytes long");
    ck_assert_str_eq(refuse_client(many_bytes, sizeof many_bytes),
                     "message is not 1..1200 bytes long");
    ck_assert_str_eq(refuse_client("\xff\xff\xff\xff", 4), "bytes are no message");
    ck_assert_str_eq(refuse_client("\x0a\x05\x08", 3), "bytes are no message");
    // 10 is reserved, 15 is a server's Goodbye
    ck_assert_str_eq(refuse_client("\x52\x00", 2), "message has no body that this version knows");
    ck_assert_str_eq(refuse_client("\x7a\x00", 2), "message has no body that this version knows");
    ck_assert_str_eq(refuse_client("\x22\x00", 2), "accepted"); // Leave
    apex_server_message got;
    const char *why = "";
    ck_assert(!apex_decode_server((const uint8_t *)"\xaa\x01\x00", 3, scratch, &got, &why));
    ck_assert_str_eq(why, "message has no body that this version knows");
    ck_assert(!apex_decode_server(bytes, 0, scratch, &got, &why));
    ck_assert_str_eq(why, "message is not 1..1048576 bytes long");
    ck_assert(!apex_decode_server(bytes, APEX_MESSAGE_BYTES_MAX + 1, scratch, &got, &why));
    ck_assert_str_eq(why, "message is not 1..1048576 bytes long");
}
