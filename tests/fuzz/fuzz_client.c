// links: client_commands client
// A server that says anything to a client: messages whole, with values at the ends of their types,
// and any bytes, in virtual time, to drivers and spectators that look at all that came. What the
// client says in answer must be legal, and nothing may be undefined.
#include "fuzz.h"

#include <string.h>

#include "client-lite/client_internal.h"
#include "client-lite/session/session.h"
#include "client-lite/session/session_receive.h"
#include "client-lite/text/text.h"
#include "client-lite/text/text_tables.h"

enum { CARS = 4, SHOWN_MAX = 64, SCRIPT_BYTES_MAX = 4096 };

typedef struct run {
    const uint8_t *script;
    size_t length, at;
    apex_client *client;
    client_session *session;
    uint64_t now_us;
    uint32_t tick; ///< that the last messages were about
    apex_wire_car cars[CARS];
} run;

static uint8_t message_bytes[APEX_MESSAGE_BYTES_MAX], scratch_bytes[APEX_DECODE_SCRATCH_BYTES];
static FILE *nowhere;

static uint8_t next(run *r) {
    return r->at < r->length ? r->script[r->at++] : 0;
}

static uint32_t any32(run *r) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        value = value << 8 | next(r);
    }
    return value;
}

static uint64_t any64(run *r) {
    static const uint64_t ends[] = {0, 1, INT32_MAX, UINT32_MAX, INT64_MAX, (uint64_t)INT64_MIN};
    uint8_t kind = next(r);
    return kind < 6 ? ends[kind] : (uint64_t)any32(r) << 32 | any32(r);
}

// Near the ends of the type, anywhere, or soon after the last.
static uint32_t any_tick(run *r) {
    static const uint32_t ends[] = {0, 1, INT32_MAX, 0x80000000u, UINT32_MAX - 1, UINT32_MAX};
    uint8_t kind = next(r);
    uint32_t tick = kind < 6 ? ends[kind] : (kind < 16 ? any32(r) : r->tick + kind % 16);
    r->tick = tick;
    return tick;
}

static int32_t any_time(run *r) {
    static const int32_t ends[] = {0, -1, INT32_MAX, INT32_MIN};
    uint8_t kind = next(r);
    return kind < 4 ? ends[kind] : (int32_t)any32(r);
}

static void drain(run *r) {
    const client_packet *packets;
    size_t count = client_outbox_packets(&r->session->outbox, &packets);
    for (size_t i = 0; i < count; i++) {
        apex_client_message said;
        apex_scratch scratch = {scratch_bytes, sizeof scratch_bytes};
        require(apex_decode_client(packets[i].bytes, packets[i].length, scratch, &said, NULL));
    }
    client_outbox_clear(&r->session->outbox);
}

static void tell(run *r, const apex_server_message *message) {
    size_t length = apex_encode_server(message, message_bytes, sizeof message_bytes);
    require(length > 0);
    client_session_receive(r->session, 0, message_bytes, length, r->now_us);
    drain(r);
}

static void tell_welcome(run *r) {
    static const uint32_t speeds[] = {1000, 0, 1, 1000000};
    apex_server_message message = {.kind = APEX_SERVER_WELCOME};
    apex_welcome *welcome = &message.welcome;
    *welcome = (apex_welcome){.protocol_version = APEX_PROTOCOL_VERSION,
                              .tick_hz = 20 + next(r) % 221,
                              .snapshot_hz = 1 + next(r) % 240,
                              .tick = any_tick(r),
                              .speed_permille = speeds[next(r) % 4],
                              .resume_grace_s = next(r) * 14u};
    tell(r, &message);
}

static void tell_joined(run *r) {
    apex_server_message message = {.kind = APEX_SERVER_JOINED};
    message.joined = (apex_joined){.player = next(r) % 3, .car = 1 + next(r) % CARS};
    tell(r, &message);
}

static apex_wire_car any_car(run *r) {
    return (apex_wire_car){.x_mm = any_time(r),
                           .y_mm = any_time(r),
                           .z_mm = any_time(r),
                           .yaw_q = (int16_t)(next(r) << 8),
                           .vx_cmps = (int16_t)(next(r) << 8),
                           .vy_cmps = (int16_t)(next(r) << 8),
                           .yaw_rate_q = (int16_t)(next(r) << 8),
                           .flags = next(r)};
}

static void tell_whole(run *r) {
    apex_server_message message = {.kind = APEX_SERVER_SNAPSHOT};
    message.snapshot = (apex_snapshot_message){.tick = any_tick(r),
                                               .phase = next(r) % 7,
                                               .race_time_ms = any_time(r),
                                               .parts = 1,
                                               .controls_tick = any_tick(r),
                                               .controls_depth = any_time(r),
                                               .car_count = next(r) % CARS,
                                               .cars = r->cars};
    for (uint32_t i = 0; i < message.snapshot.car_count; i++) {
        r->cars[i] = any_car(r);
        r->cars[i].id = i + 1;
    }
    tell(r, &message);
}

static void tell_delta(run *r) {
    uint8_t bytes[512];
    bool is_raw = next(r) % 4 == 0;
    apex_server_message message = {.kind = APEX_SERVER_SNAPSHOT};
    apex_delta_head head = {.tick = any_tick(r),
                            .sequence = (uint16_t)any32(r),
                            .age_ticks = 1,
                            .spread = 15,
                            .has_race = next(r) % 2 != 0,
                            .has_controls = next(r) % 2 != 0,
                            .phase = next(r) % 7,
                            .race_time_ms = any_time(r),
                            .controls_age_ticks = next(r),
                            .controls_depth = (int8_t)next(r)};
    apex_delta_writer writer;
    apex_delta_begin(&writer, &head, bytes, sizeof bytes);
    size_t length = apex_delta_end(&writer);
    for (size_t i = 0; is_raw && i < 64; i++) {
        bytes[i] ^= next(r);
    }
    message.snapshot = (apex_snapshot_message){
        .delta = bytes, .delta_length = is_raw ? 1u + next(r) % 64u : length};
    tell(r, &message);
}

static void tell_time(run *r) {
    static const uint64_t ago_us[] = {0, 1000, 100000, 10000000};
    apex_server_message message = {.kind = APEX_SERVER_TIME_REPLY};
    uint8_t kind = next(r);
    message.time_reply =
        (apex_time_reply){.client_us = kind % 8 < 4 ? r->now_us - ago_us[kind % 4] : any64(r),
                          .tick = any_tick(r),
                          .into_tick_us = any32(r)};
    tell(r, &message);
}

static void tell_event(run *r) {
    apex_server_message message = {.kind = APEX_SERVER_RACE_EVENT};
    message.event = (apex_race_event_message){.kind = next(r) % 15,
                                              .tick = any_tick(r),
                                              .race_number = any32(r),
                                              .player = next(r) % 3,
                                              .other = next(r) % 3,
                                              .value = (int64_t)any64(r),
                                              .time_us = any64(r)};
    tell(r, &message);
}

static apex_wire_standing any_standing(run *r) {
    apex_wire_standing line = {.position = any32(r),
                               .player = next(r) % 3,
                               .state = next(r) % 4,
                               .laps = any32(r),
                               .lap_m = next(r) % 2 != 0 ? 3e38f : (float)any_time(r),
                               .last_lap_us = any64(r),
                               .best_lap_us = any64(r),
                               .total_us = any64(r),
                               .gap_us = any64(r)};
    memset(line.name, next(r) % 2 != 0 ? 'm' : 0, sizeof line.name - 1);
    return line;
}

static void tell_order(run *r) {
    apex_wire_standing lines[2] = {any_standing(r), any_standing(r)};
    apex_server_message message = {.kind = APEX_SERVER_STANDINGS};
    message.standings =
        (apex_standings){.tick = any_tick(r), .total = any32(r), .line_count = 2, .lines = lines};
    tell(r, &message);
    message = (apex_server_message){.kind = APEX_SERVER_RESULTS};
    message.results = (apex_results){.race_number = any32(r),
                                     .laps = any32(r),
                                     .line_count = 1,
                                     .apart_count = 1,
                                     .lines = lines,
                                     .apart = lines + 1};
    tell(r, &message);
}

static void tell_playback(run *r) {
    uint32_t last_tick = any_tick(r), tick = any_tick(r);
    apex_server_message message = {.kind = APEX_SERVER_PLAYBACK_STATE};
    message.playback_state = (apex_playback_state){.tick = tick < last_tick ? tick : last_tick,
                                                   .last_tick = last_tick,
                                                   .playing = next(r) % 2 != 0,
                                                   .seeking = next(r) % 2 != 0,
                                                   .speed_permille = 125u + 8u * next(r),
                                                   .epoch = next(r) % 2};
    tell(r, &message);
}

static void tell_bytes(run *r) {
    size_t length = next(r);
    length = length < r->length - r->at ? length : r->length - r->at;
    client_session_receive(r->session, 0, r->script + r->at, length, r->now_us);
    r->at += length;
    drain(r);
}

static void pass_time(run *r) {
    static const uint64_t spans_us[] = {1, 1000, 16667, 50000, 300000, 2000000};
    r->now_us += spans_us[next(r) % 6];
    client_session_update(r->session, r->now_us);
    drain(r);
    uint64_t due_us = client_session_due_us(r->session, r->now_us);
    require(due_us == UINT64_MAX || due_us <= r->now_us + 60000000);
}

// As a program that shows all of it does.
static void look(run *r) {
    apex_client_pose poses[SHOWN_MAX];
    require(apex_client_shown(r->client, r->now_us, poses, SHOWN_MAX) <= SHOWN_MAX);
    (void)apex_client_predicted(r->client, r->now_us, &poses[0]);
    (void)apex_client_showing_of(r->client);
    (void)apex_client_stats_of(r->client);
    size_t count = 0;
    const apex_race_event_message *events = apex_client_events(r->client, &count);
    for (size_t i = 0; i < count; i++) {
        char sentence[CLIENT_EVENT_BYTES];
        (void)client_text_sentence(r->client, &events[i], sentence);
    }
    const apex_standings *order = apex_client_standings(r->client);
    const apex_results *results = apex_client_results(r->client);
    if (order != NULL) {
        (void)client_text_order(nowhere, order, &(client_table_style){.columns = 60});
    }
    if (results != NULL) {
        client_text_results(nowhere, results, &(client_table_style){0});
    }
}

static void begin(run *r) {
    uint8_t flags = next(r);
    apex_client_def def = apex_default_client_def();
    def.spectate = (flags & 1) != 0;
    def.show = true;
    def.own_car_only = (flags & 2) != 0;
    def.decode_every = (flags & 4) != 0 ? 2 : 0;
    def.controls_lead_ticks = flags >> 4;
    require(apex_client_create(&def, &r->client) == APEX_OK);
    r->session = client_session_of(r->client);
    r->now_us = 20000000;
    client_session_begin(r->session, "race.example:26000", r->now_us);
    client_session_opened(r->session, r->now_us);
    drain(r);
    r->tick = 600;
    tell_welcome(r);
    tell_joined(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const ops[])(run *) = {tell_welcome, tell_joined, tell_whole, tell_delta,
                                         tell_time,    tell_event,  tell_order, tell_playback,
                                         tell_bytes,   pass_time,   look,       pass_time,
                                         tell_whole,   tell_delta,  tell_time,  look};
    if (nowhere == NULL) {
        nowhere = fopen("/dev/null", "w");
        require(nowhere != NULL);
    }
    run r = {.script = data, .length = size < SCRIPT_BYTES_MAX ? size : SCRIPT_BYTES_MAX};
    begin(&r);
    while (r.at < r.length) {
        ops[next(&r) % 16](&r);
    }
    apex_client_destroy(r.client);
    return 0;
}
