// A server that a test plays itself: it says messages to a session and reads what comes back, in
// virtual time.
#pragma once

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "client-lite/session/session.h"
#include "client-lite/session/session_receive.h"

enum { SCRIPT_SENT_MAX = 4096, SCRIPT_STEP_US = 8000 };

typedef struct script {
    client_session *session;
    uint64_t now_us;
    apex_client_message *sent; // everything the session said since the last forgetting
    size_t sent_count;
    uint8_t *bytes;
    void *scratch;
} script;

static inline apex_client_def script_def(void) {
    return (apex_client_def){.name = "ada",
                             .password = "secret",
                             .controls_lead_ticks = 2,
                             .connect_timeout_us = 5000000,
                             .silence_timeout_us = 5000000};
}

static inline script script_begin(const apex_client_def *def) {
    script self = {.now_us = 1000000,
                   .sent = calloc(SCRIPT_SENT_MAX, sizeof(apex_client_message)),
                   .bytes = malloc(APEX_MESSAGE_BYTES_MAX),
                   .scratch = malloc(APEX_DECODE_SCRATCH_BYTES)};
    ck_assert_int_eq(client_session_create(def, &self.session), APEX_OK);
    client_session_begin(self.session, "race.example:26000", self.now_us);
    return self;
}

static inline void script_end(script *self) {
    client_session_destroy(self->session);
    free(self->sent);
    free(self->bytes);
    free(self->scratch);
}

static inline void script_drain(script *self) {
    const client_packet *packets;
    size_t count = client_outbox_packets(&self->session->outbox, &packets);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_lt(self->sent_count, SCRIPT_SENT_MAX);
        apex_client_message *message = &self->sent[self->sent_count++];
        apex_scratch scratch = {self->scratch, APEX_DECODE_SCRATCH_BYTES};
        const char *why = "";
        ck_assert_msg(
            apex_decode_client(packets[i].bytes, packets[i].length, scratch, message, &why),
            "the session sent what a server refuses: %s", why);
        ck_assert_int_eq(packets[i].channel, apex_client_message_channel(message->kind));
    }
    client_outbox_clear(&self->session->outbox);
}

static inline void script_step(script *self, uint64_t step_us) {
    self->now_us += step_us;
    client_session_update(self->session, self->now_us);
    script_drain(self);
}

static inline void script_run(script *self, uint64_t duration_us) {
    for (uint64_t ran_us = 0; ran_us < duration_us; ran_us += SCRIPT_STEP_US) {
        script_step(self, SCRIPT_STEP_US);
    }
}

static inline void script_tell(script *self, const apex_server_message *message) {
    size_t length = apex_encode_server(message, self->bytes, APEX_MESSAGE_BYTES_MAX);
    ck_assert_uint_gt(length, 0);
    client_session_receive(self->session, (uint8_t)apex_server_message_channel(message->kind),
                           self->bytes, length, self->now_us);
    script_drain(self);
}

// The n-th newest message the session said of a kind; NULL if there were fewer.
static inline const apex_client_message *script_said(const script *self,
                                                     apex_client_message_kind kind, size_t nth) {
    for (size_t i = self->sent_count; i > 0; i--) {
        if (self->sent[i - 1].kind == kind && nth-- == 0) {
            return &self->sent[i - 1];
        }
    }
    return NULL;
}

static inline size_t script_count(const script *self, apex_client_message_kind kind) {
    size_t count = 0;
    for (size_t i = 0; i < self->sent_count; i++) {
        count += self->sent[i].kind == kind;
    }
    return count;
}

static inline apex_server_message script_welcome(void) {
    apex_server_message message = {.kind = APEX_SERVER_WELCOME};
    message.welcome.protocol_version = APEX_PROTOCOL_VERSION;
    strcpy(message.welcome.server, "apex-server 0.1.0");
    message.welcome.tick_hz = 60;
    message.welcome.snapshot_hz = 20;
    message.welcome.tick = 600;
    message.welcome.speed_permille = 1000;
    strcpy(message.welcome.race, "ridgeway");
    message.welcome.laps = 3;
    message.welcome.player_capacity = 64;
    return message;
}

// As far as JOINING (or LOADING, if the session wants definitions).
static inline void script_welcomed(script *self, const apex_server_message *welcome) {
    client_session_opened(self->session, self->now_us);
    script_drain(self);
    script_tell(self, welcome);
}

static inline apex_server_message script_joined(uint32_t player, uint32_t car) {
    apex_server_message message = {.kind = APEX_SERVER_JOINED};
    message.joined.player = player;
    message.joined.car = car;
    strcpy(message.joined.car_def, "boxster-s");
    return message;
}

static inline void script_driving(script *self) {
    apex_server_message welcome = script_welcome();
    apex_server_message joined = script_joined(7, 3);
    script_welcomed(self, &welcome);
    script_tell(self, &joined);
    ck_assert_int_eq(self->session->state, APEX_CLIENT_DRIVING);
}

static inline apex_server_message script_refusal(apex_server_message_kind kind, apex_reason reason,
                                                 const char *text, bool closing) {
    apex_server_message message = {.kind = kind};
    message.reject.reason = reason;
    message.reject.closing = closing;
    strcpy(message.reject.text, text);
    return message;
}

static inline apex_server_message script_snapshot(uint32_t tick, const apex_wire_car cars[],
                                                  uint32_t count) {
    apex_server_message message = {.kind = APEX_SERVER_SNAPSHOT};
    message.snapshot = (apex_snapshot_message){
        .tick = tick, .phase = 3, .race_time_ms = 1000, .parts = 1, .car_count = count};
    message.snapshot.cars = cars;
    return message;
}
