// One or more messages of every kind, with values at the ends of their ranges.

#pragma once

#include "proto/proto.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

enum { CLIENT_SAMPLES = 20, SERVER_SAMPLES = 38, SAMPLE_LIST = 65, SAMPLE_BYTES_MAX = 1 << 16 };

// A text of `bytes` bytes, among them characters of two, three and four bytes.
static inline void sample_text(char *out, size_t bytes) {
    static const char start[] = "\xc3\x9f \xe2\x82\xac \xf0\x9f\x8f\x81 ";
    for (size_t i = 0; i < bytes; i++) {
        out[i] = i < sizeof start - 1 ? start[i] : (char)('!' + (char)(i % 90));
    }
    out[bytes] = 0;
}

#define SAMPLE_TEXT(field) sample_text(field, sizeof(field) - 1)

static inline void sample_controls(apex_controls_message *controls) {
    controls->first_tick = UINT32_MAX - APEX_CONTROLS_SAMPLES_MAX;
    controls->sample_count = APEX_CONTROLS_SAMPLES_MAX;
    for (int i = 0; i < APEX_CONTROLS_SAMPLES_MAX; i++) {
        static const int8_t gears[4] = {-1, 10, 126, 127};
        controls->samples[i] = (apex_control_sample){
            .steer = (int16_t)(i % 2 ? -32767 : 32767),
            .throttle = 255,
            .brake = (uint8_t)(254 - i),
            .clutch = 253,
            .handbrake = 252,
            .gear = gears[i % 4],
            .shift_up = 255,
            .shift_down = 128,
            .reset = 127,
            .aids_off = 63,
        };
    }
}

static inline void sample_clients(apex_client_message out[CLIENT_SAMPLES]) {
    memset(out, 0, CLIENT_SAMPLES * sizeof out[0]);
    apex_client_message *m = out;
    *m++ = (apex_client_message){.kind = APEX_CLIENT_HELLO};
    m->kind = APEX_CLIENT_HELLO;
    m->hello.protocol_version = UINT32_MAX;
    m->hello.has_token = true;
    memset(m->hello.resume_token, 0xA5, APEX_TOKEN_BYTES);
    SAMPLE_TEXT(m->hello.client);
    m++;
    m++->kind = APEX_CLIENT_JOIN;
    m->kind = APEX_CLIENT_JOIN;
    SAMPLE_TEXT(m->join.name);
    SAMPLE_TEXT(m->join.car);
    SAMPLE_TEXT(m->join.password);
    m->join.identity = (apex_identity){.has_key = true, .token_length = 1, .token = {0}};
    memset(m->join.identity.key, 0x11, APEX_WIRE_KEY_BYTES);
    memset(m->join.identity.signature, 0x22, APEX_WIRE_SIGNATURE_BYTES);
    m++;
    m++->kind = APEX_CLIENT_SPECTATE;
    m->kind = APEX_CLIENT_SPECTATE;
    SAMPLE_TEXT(m->spectate.password);
    m->spectate.identity.token_length = APEX_WIRE_LOBBY_TOKEN_BYTES;
    memset(m->spectate.identity.token, 0x33, APEX_WIRE_LOBBY_TOKEN_BYTES);
    m++;
    m->secret = 1;
    m++->kind = APEX_CLIENT_LEAVE;
    m->kind = APEX_CLIENT_DEF_REQUEST;
    m++->def_hash = UINT64_MAX;
    m->kind = APEX_CLIENT_TIME_REQUEST;
    m->secret = UINT64_MAX;
    m++->client_us = 0x0123456789ABCDEFu;
    m++->kind = APEX_CLIENT_SUBSCRIBE;
    m->kind = APEX_CLIENT_SUBSCRIBE;
    m++->subscribe = (apex_subscribe){240,  240,        true, true, APEX_ENCODING_DELTA,
                                      1184, UINT32_MAX, true, true, 240};
    m->kind = APEX_CLIENT_CONTROLS;
    m++->controls.sample_count = 1;
    m->kind = APEX_CLIENT_CONTROLS;
    sample_controls(&m->controls);
    m++;
    m->kind = APEX_CLIENT_CONTROLS;
    m->controls.first_tick = 1;
    m->controls.sample_count = 2;
    m->controls.samples[1] = (apex_control_sample){.steer = -1, .gear = 1};
    m->controls.ack = (apex_snapshot_ack){65536, UINT32_MAX, 65536};
    m->secret = 0x8877665544332211u;
    m++;
    m++->kind = APEX_CLIENT_SNAPSHOT_ACK;
    m->kind = APEX_CLIENT_SNAPSHOT_ACK;
    m++->snapshot_ack = (apex_snapshot_ack){1, 0x80000001u, 65536};
    m++->kind = APEX_CLIENT_PLAYBACK;
    m->kind = APEX_CLIENT_PLAYBACK;
    m++->playback = (apex_playback_wish){APEX_PLAY_PAUSE, 16000, UINT32_MAX};
    m++->kind = APEX_CLIENT_PIT_PLAN;
    m->kind = APEX_CLIENT_PIT_PLAN;
    m->pit_plan = (apex_wire_pit_plan){true, APEX_WIRE_FUEL_G_MAX, true, 5, true};
}

static inline apex_wire_car sample_car(uint32_t id) {
    return (apex_wire_car){
        .id = id,
        .x_mm = id % 2 ? INT32_MIN : INT32_MAX,
        .y_mm = -1,
        .z_mm = (int32_t)id * 1000,
        .yaw_q = INT16_MIN,
        .pitch_q = INT16_MAX,
        .roll_q = 64,
        .vx_cmps = -64,
        .vy_cmps = INT16_MIN,
        .vz_cmps = INT16_MAX,
        .yaw_rate_q = -65,
        .steer_q = 63,
        .rpm = UINT16_MAX,
        .gear = (int8_t)(id % 12) - 1,
        .throttle = 255,
        .brake = 128,
        .flags = 127,
        .damage = 1,
        .damage_zones = 0xF0001,
    };
}

static inline apex_wire_standing sample_standing(uint32_t position) {
    apex_wire_standing line;
    memset(&line, 0, sizeof line);
    line.position = position;
    line.player = UINT32_MAX - position;
    SAMPLE_TEXT(line.name);
    SAMPLE_TEXT(line.car_def);
    line.state = position % 4;
    line.laps = UINT32_MAX;
    line.lap_m = -FLT_MAX;
    line.last_lap_us = UINT64_MAX;
    line.best_lap_us = UINT64_MAX - 1;
    line.total_us = UINT64_MAX - 2;
    line.gap_us = UINT64_MAX - 3;
    line.grid = 8192;
    line.kicked = position % 3 == 0;
    line.not_started = position % 5 == 0;
    line.class1 = position % 9;
    line.class_position = position + 1;
    line.number = 999 - position;
    line.best_counting_us = UINT64_MAX - 4;
    line.penalty_us = UINT64_MAX - 5;
    line.pit = position % 4;
    line.stops = position + 2;
    line.lap_voids = UINT32_MAX;
    line.incident_points = position + 3;
    line.points = position + 4;
    line.status = 3 - position % 4;
    line.ideal_us = UINT64_MAX - 6;
    line.trap_cmps = position + 5;
    line.sector_count = position % (APEX_WIRE_SECTORS_MAX + 1);
    line.sector = APEX_WIRE_SECTORS_MAX - 1;
    for (uint32_t i = 0; i < line.sector_count; i++) {
        line.sector_us[i] = i == 3 ? 0 : UINT64_MAX - i;
        line.best_sector_us[i] = i == 4 ? 0 : i;
    }
    return line;
}

typedef struct sample_lists {
    apex_wire_car cars[APEX_SNAPSHOT_CARS_MAX];
    apex_wire_standing lines[SAMPLE_LIST];
    apex_roster_entry entries[SAMPLE_LIST];
    apex_count counts[APEX_STATS_COUNTS_MAX];
    apex_playback_mark marks[APEX_PLAYBACK_MARKS_MAX];
    apex_race_event_message events[APEX_PAST_EVENTS_MAX];
    apex_penalty_message penalties[APEX_PENALTIES_LINES_MAX];
    uint8_t content[4096];
    apex_own_car own;
} sample_lists;

// Every number another one.
static inline apex_own_car sample_own_car(uint32_t wheels) {
    apex_own_car own;
    memset(&own, 0, sizeof own); // to be compared as bytes
    for (int i = 0; i < 3; i++) {
        own.position_m[i] = 12345.0625 + i / 3.0;
        own.velocity_mps[i] = -80.5f + (float)i / 3.0f;
        own.angular_radps[i] = 1.0f / (float)(i + 3);
    }
    own.orientation[0] = 0.5, own.orientation[1] = -0.5;
    own.orientation[2] = 0.5, own.orientation[3] = 0.5;
    own.wheel_count = wheels;
    for (uint32_t i = 0; i < wheels; i++) {
        float f = (float)(i + 1);
        own.wheels[i] = (apex_own_wheel){100.5f * f, 0.001f * f, -0.002f * f, 0.01f * f,
                                         -0.3f * f,  80.0f + f,  200.0f + f,  0.0007f * f};
    }
    own.steer_rad = -0.0625f;
    own.engine_radps = 523.5f;
    own.fuel_kg = 41.25f;
    own.ballast_kg = 20.0f;
    own.boost = 0.7f;
    own.slipstream = 0.35f;
    own.shift_left_s = 0.05f;
    own.lean_rad = 0.6f;
    own.lean_radps = -0.15f;
    own.acceleration_mps2[0] = -9.5f;
    own.acceleration_mps2[1] = 7.25f;
    for (int zone = 0; zone < APEX_WIRE_ZONES; zone++) {
        own.damage[zone] = 0.125f * (float)(zone + 1);
    }
    own.gear = -1;
    own.gear_before = 10;
    own.shift_up_seen = 255;
    own.shift_down_seen = 128;
    own.reset_seen = 1;
    own.flags = APEX_OWN_FLAGS;
    return own;
}

static inline apex_penalty_message sample_penalty(uint32_t i) {
    apex_penalty_message penalty;
    memset(&penalty, 0, sizeof penalty);
    penalty.number = UINT32_MAX - i;
    penalty.player = i;
    SAMPLE_TEXT(penalty.name);
    penalty.offence = i % 21;
    penalty.kind = i % 7;
    penalty.state = i % 4;
    penalty.time_ms = UINT32_MAX - 1;
    penalty.places = i + 1;
    penalty.given_us = UINT64_MAX - i;
    penalty.lap = i + 2;
    penalty.due_lap = i + 3;
    penalty.added_us = UINT64_MAX - 1 - i;
    penalty.by_stewards = i % 2 == 1;
    return penalty;
}

static inline void sample_session(apex_race_session *session) {
    session->index = 11;
    session->count = 12;
    session->kind = 3;
    SAMPLE_TEXT(session->name);
    session->laps = 999;
    session->duration_ms = UINT32_MAX;
    session->left_us = INT64_MIN;
    session->chequered = true;
    session->flag = 3;
    session->lead_laps = UINT32_MAX - 1;
    session->session_count = APEX_WIRE_SESSIONS_MAX;
    for (uint32_t i = 0; i < APEX_WIRE_SESSIONS_MAX; i++) {
        session->sessions[i] =
            (apex_session_line){.kind = i % 4, .laps = 999 - i, .duration_ms = i, .stops_min = i};
        SAMPLE_TEXT(session->sessions[i].name);
    }
    session->class_count = APEX_WIRE_CLASSES_MAX;
    for (uint32_t i = 0; i < APEX_WIRE_CLASSES_MAX; i++) {
        SAMPLE_TEXT(session->classes[i]);
    }
    session->compound_count = 2;
    snprintf(session->compounds[0], sizeof session->compounds[0], "soft");
    SAMPLE_TEXT(session->compounds[1]);
}

static inline void sample_fill_lists(sample_lists *lists) {
    memset(lists, 0, sizeof *lists);
    for (uint32_t i = 0; i < APEX_SNAPSHOT_CARS_MAX; i++) {
        lists->cars[i] = sample_car(i + 1);
        snprintf(lists->counts[i].name, sizeof lists->counts[i].name, "reason-%u", i);
        lists->counts[i].count = UINT64_MAX - i;
    }
    lists->cars[APEX_SNAPSHOT_CARS_MAX - 1].id = UINT32_MAX;
    for (uint32_t i = 0; i < SAMPLE_LIST; i++) {
        lists->lines[i] = sample_standing(i + 1);
        lists->entries[i].player = UINT32_MAX - i;
        lists->entries[i].car = i;
        SAMPLE_TEXT(lists->entries[i].name);
        SAMPLE_TEXT(lists->entries[i].car_def);
        lists->entries[i].driven_by_server = i % 2 == 1;
        lists->entries[i].has_driver = i % 3 == 1;
        memset(lists->entries[i].driver, lists->entries[i].has_driver ? 0x66 : 0,
               APEX_WIRE_DRIVER_BYTES);
    }
    for (uint32_t i = 0; i < APEX_PLAYBACK_MARKS_MAX; i++) {
        lists->marks[i] = (apex_playback_mark){UINT32_MAX - APEX_PLAYBACK_MARKS_MAX + i, i % 26, i};
    }
    for (uint32_t i = 0; i < APEX_PAST_EVENTS_MAX; i++) {
        lists->events[i] =
            (apex_race_event_message){i % 26, i, 2, 3, 4, -(int64_t)i, UINT64_MAX - i, "", ""};
        SAMPLE_TEXT(lists->events[i].name);
    }
    for (uint32_t i = 0; i < APEX_PENALTIES_LINES_MAX; i++) {
        lists->penalties[i] = sample_penalty(i);
    }
    lists->own = sample_own_car(APEX_WIRE_WHEELS_MAX);
    for (size_t i = 0; i < sizeof lists->content; i++) {
        lists->content[i] = (uint8_t)(i * 7);
    }
}

static inline void sample_welcome(apex_welcome *welcome) {
    welcome->protocol_version = UINT32_MAX;
    SAMPLE_TEXT(welcome->server);
    memset(welcome->resume_token, 0x5A, APEX_TOKEN_BYTES);
    welcome->has_challenge = true;
    memset(welcome->server_key, 0x44, APEX_WIRE_KEY_BYTES);
    memset(welcome->challenge, 0x55, APEX_WIRE_CHALLENGE_BYTES);
    welcome->key_needed = welcome->token_needed = true;
    welcome->tick_hz = 240;
    welcome->snapshot_hz = 240;
    welcome->tick = UINT32_MAX;
    welcome->speed_permille = 1000000;
    SAMPLE_TEXT(welcome->race);
    welcome->laps = 999;
    welcome->player_capacity = 8192;
    welcome->password_needed = true;
    welcome->watching_open = true;
    welcome->world = (apex_world_rules){UINT32_MAX, 1000, 9.81, 1.2, 2, true, true, true};
    welcome->resume_grace_s = 3600;
    welcome->secret = 0x8877665544332211u;
    welcome->def_count = APEX_WIRE_DEFS_MAX;
    for (int i = 0; i < APEX_WIRE_DEFS_MAX; i++) {
        welcome->defs[i].kind = i == 0 ? APEX_DEF_TRACK : APEX_DEF_CAR;
        SAMPLE_TEXT(welcome->defs[i].name);
        welcome->defs[i].hash = UINT64_MAX - (uint64_t)i;
        welcome->defs[i].length = 1048576;
    }
}

static inline void sample_telemetry(apex_telemetry *telemetry) {
    *telemetry = (apex_telemetry){
        .tick = UINT32_MAX,
        .car = 8192,
        .speed_mps = FLT_MAX,
        .rpm = -FLT_MAX,
        .gear = -1,
        .throttle = FLT_MIN,
        .brake = 1.0f,
        .steer_rad = -0.5f,
        .acceleration_x_mps2 = 1.5f,
        .acceleration_y_mps2 = -2.5f,
        .lap_m = 4321.125f,
        .offset_m = -3.0f,
        .fuel_kg = 50.0f,
        .wheel_count = APEX_WIRE_WHEELS_MAX,
    };
    for (int i = 0; i < APEX_WIRE_WHEELS_MAX; i++) {
        float f = (float)(i + 1);
        apex_wheel_telemetry *wheel = &telemetry->wheels[i];
        wheel->load_n = 1000.0f * f;
        wheel->slip_ratio = -0.125f * f;
        wheel->slip_angle_rad = 0.25f * f;
        wheel->force_long_n = -FLT_MAX;
        wheel->force_lat_n = FLT_MAX;
        wheel->friction = 0.0625f * f;
        wheel->spin_radps = -100.0f * f;
        wheel->temperature_c = 90.0f + f;
        wheel->surface = i == 0 ? 255 : (uint32_t)i;
        wheel->sliding = i % 2 == 0;
    }
}

static inline void sample_server_people(apex_server_message *m, const sample_lists *lists);
static inline void sample_server_control(apex_server_message *m, const sample_lists *lists);

static inline void sample_servers(apex_server_message out[SERVER_SAMPLES],
                                  const sample_lists *lists) {
    memset(out, 0, SERVER_SAMPLES * sizeof out[0]);
    apex_server_message *m = out;
    m->kind = APEX_SERVER_WELCOME;
    m->welcome.tick_hz = 20;
    m++->welcome.snapshot_hz = 1;
    m->kind = APEX_SERVER_WELCOME;
    sample_welcome(&m++->welcome);
    m++->kind = APEX_SERVER_REJECT;
    m->kind = APEX_SERVER_REJECT;
    m->reject.reason = APEX_REASON_IDLE;
    m->reject.closing = true;
    SAMPLE_TEXT(m->reject.text);
    m++;
    m++->kind = APEX_SERVER_JOINED;
    m->kind = APEX_SERVER_JOINED;
    m->joined.player = UINT32_MAX;
    m->joined.car = UINT32_MAX - 1;
    SAMPLE_TEXT(m->joined.car_def);
    m->joined.resumed = true;
    m++;
    m->kind = APEX_SERVER_DEF;
    m->def = (apex_def_content){.kind = APEX_DEF_TRACK, .hash = 1, .bytes = lists->content};
    m->def.length = sizeof lists->content;
    SAMPLE_TEXT(m->def.name);
    m++;
    m->kind = APEX_SERVER_TIME_REPLY;
    m++->time_reply = (apex_time_reply){UINT64_MAX, UINT32_MAX, UINT32_MAX - 1};
    m->kind = APEX_SERVER_SNAPSHOT;
    m->snapshot.parts = 1;
    m++->snapshot.cars = lists->cars;
    m->kind = APEX_SERVER_SNAPSHOT;
    m++->snapshot = (apex_snapshot_message){
        UINT32_MAX,      6,           INT32_MIN, 8191, 8192, UINT32_MAX - 1, INT32_MAX,
        SAMPLE_LIST - 1, lists->cars, NULL,      0,    NULL, false};
    m->kind = APEX_SERVER_SNAPSHOT;
    m->snapshot.delta = lists->content;
    m->snapshot.own = &lists->own;
    m++->snapshot.delta_length = APEX_DELTA_BYTES_MAX;
    m->kind = APEX_SERVER_SNAPSHOT;
    m++->snapshot = (apex_snapshot_message){
        .parts = 1, .car_count = 2, .cars = lists->cars, .own = &lists->own};
    m->kind = APEX_SERVER_TELEMETRY;
    m++->telemetry.gear = 10;
    m->kind = APEX_SERVER_TELEMETRY;
    sample_telemetry(&m++->telemetry);
    m->kind = APEX_SERVER_STATS;
    m++->stats.refused = lists->counts;
    m->kind = APEX_SERVER_STATS;
    m->stats = (apex_server_stats){.tick = 1, .uptime_s = 2, .clients = 3, .players = 4};
    m->stats.tick_us_p50 = 5;
    m->stats.tick_us_p99 = 6;
    m->stats.tick_us_max = 7;
    m->stats.late_us_p99 = 8;
    m->stats.ticks_dropped = UINT32_MAX;
    m->stats.bytes_in = UINT64_MAX;
    m->stats.bytes_out = UINT64_MAX - 1;
    m->stats.packets_in = UINT64_MAX - 2;
    m->stats.cpu_us = UINT64_MAX - 4;
    m->stats.packets_out = UINT64_MAX - 3;
    m->stats.controls_used = UINT64_MAX - 4;
    m->stats.controls_missed = UINT64_MAX - 5;
    for (uint32_t i = 0; i < APEX_CONTROLS_DEPTHS; i++) {
        m->stats.controls_depths[i] = i == 3 ? 0 : UINT64_MAX - i;
    }
    m->stats.controls_gaps[2] = 7; // rows end early
    m->stats.refused_count = APEX_STATS_COUNTS_MAX;
    m++->stats.refused = lists->counts;
    sample_server_people(m, lists);
}

static inline void sample_server_people(apex_server_message *m, const sample_lists *lists) {
    m++->kind = APEX_SERVER_RACE_EVENT;
    m->kind = APEX_SERVER_RACE_EVENT;
    m->event = (apex_race_event_message){14, UINT32_MAX, 2, 3, 4, INT64_MIN, UINT64_MAX, "", ""};
    SAMPLE_TEXT(m->event.name);
    SAMPLE_TEXT(m->event.other_name);
    m++;
    m->kind = APEX_SERVER_RACE_STATE;
    m++->race_state = (apex_race_state){6,    UINT32_MAX, INT64_MIN,      999,           8192,
                                        8191, 8190,       UINT64_MAX - 1, UINT64_MAX - 2};
    m->kind = APEX_SERVER_ROSTER;
    m++->roster = (apex_roster){true, SAMPLE_LIST, lists->entries};
    m->kind = APEX_SERVER_STANDINGS;
    m++->standings = (apex_standings){UINT32_MAX,   8192, SAMPLE_LIST,
                                      lists->lines, 8,    {UINT64_MAX, 0, 1, 2, 3, 4, 5, 6}};
    m->kind = APEX_SERVER_RESULTS;
    m->results.race_number = UINT32_MAX;
    SAMPLE_TEXT(m->results.track);
    m->results.laps = 999;
    m->results.state_hash = UINT64_MAX;
    m->results.line_count = SAMPLE_LIST;
    m->results.lines = lists->lines;
    m->results.apart_count = 7;
    m->results.apart = lists->lines + 3;
    m++->results.seed = UINT64_MAX - 5;
    m->kind = APEX_SERVER_NOTICE;
    SAMPLE_TEXT(m->notice.text);
    m++;
    m++->kind = APEX_SERVER_GOODBYE;
    m->kind = APEX_SERVER_GOODBYE;
    m->goodbye.reason = APEX_REASON_SHUTDOWN;
    SAMPLE_TEXT(m->goodbye.text);
    m++;
    m->kind = APEX_SERVER_ROSTER;
    m++->roster.entries = lists->entries;
    m->kind = APEX_SERVER_STANDINGS;
    m++->standings.lines = lists->lines;
    m->kind = APEX_SERVER_RESULTS;
    m->results.apart = lists->lines;
    m++->results.lines = lists->lines;
    m->kind = APEX_SERVER_PAST_EVENTS;
    m++->past_events.events = lists->events;
    m->kind = APEX_SERVER_PAST_EVENTS;
    m++->past_events = (apex_past_events){APEX_PAST_EVENTS_MAX, lists->events};
    m->kind = APEX_SERVER_PLAYBACK_STATE;
    m->playback_state.speed_permille = APEX_PLAYBACK_SPEED_PERMILLE_MIN;
    m++->playback_state.marks = lists->marks;
    m->kind = APEX_SERVER_PLAYBACK_STATE;
    m->playback_state = (apex_playback_state){.tick = UINT32_MAX,
                                              .last_tick = UINT32_MAX,
                                              .playing = true,
                                              .seeking = true,
                                              .speed_permille = APEX_PLAYBACK_SPEED_PERMILLE_MAX,
                                              .epoch = UINT32_MAX,
                                              .mark_count = APEX_PLAYBACK_MARKS_MAX,
                                              .marks = lists->marks};
    sample_server_control(m + 1, lists);
}

static inline void sample_server_control(apex_server_message *m, const sample_lists *lists) {
    m++->kind = APEX_SERVER_SESSION_STATE;
    m->kind = APEX_SERVER_SESSION_STATE;
    sample_session(&m++->session);
    m->kind = APEX_SERVER_PENALTIES;
    m++->penalties.penalties = lists->penalties;
    m->kind = APEX_SERVER_PENALTIES;
    m++->penalties = (apex_penalties){true, APEX_PENALTIES_LINES_MAX, lists->penalties};
    m++->kind = APEX_SERVER_CONDUCT;
    m->kind = APEX_SERVER_CONDUCT;
    m->conduct = (apex_conduct){3,
                                UINT32_MAX,
                                UINT32_MAX - 1,
                                UINT32_MAX - 2,
                                {true, APEX_WIRE_FUEL_G_MAX, true, 5, true},
                                UINT64_MAX,
                                UINT64_MAX - 1,
                                UINT64_MAX - 2,
                                1023,
                                UINT32_MAX - 3};
}
