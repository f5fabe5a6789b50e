// Sessions of drivers with keys and tokens: who comes, what he signs, and what is said to him.
#pragma once

#include <stdio.h>
#include <string.h>

#include "support/base/check_main.h"
#include "support/net/session_scene.h"

enum { FRAME_BYTES = 4 * 1024 * 1024, NOW_S = 1700000000, FAR_US = 20000000 };

static session_scene *scene;
static apex_sessions_def def;
static apex_driver_key ada, bob, lobby;
static uint8_t elsewhere[APEX_SEAL_KEY_BYTES], bindings[2][APEX_SEAL_BINDING_BYTES];
static apex_server_message heard;

static inline void make_key(uint8_t first, apex_driver_key *out) {
    uint8_t secret[APEX_DRIVER_SECRET_BYTES] = {first, 1, 2, 3};
    apex_driver_key_of(secret, out);
}

static inline void begin(void) {
    ck_assert(apex_identity_begin());
    make_key(1, &ada);
    make_key(2, &bob);
    make_key(3, &lobby);
    memset(elsewhere, 0x55, sizeof elsewhere);
    memset(bindings[0], 0xB0, sizeof bindings[0]);
    memset(bindings[1], 0xB1, sizeof bindings[1]);
    def = apex_default_sessions_def();
    def.entry.has_server_key = true;
    memset(def.entry.server_key, 0xAA, sizeof def.entry.server_key);
    // Scenes begin at one second, and drivers come a hundred seconds later.
    def.entry.unix_ahead_us = (NOW_S - 101) * UINT64_C(1000000);
    def.entry.began_us = 1000000;
    def.entry.race = 2;
}

static inline void trust_lobby(void) {
    def.entry.lobby_count = 1;
    memcpy(def.entry.lobbies[0], lobby.key, sizeof lobby.key);
}

static inline void open_scene(void) {
    scene = scene_open(def, FRAME_BYTES);
    scene_round(scene, 100000000);
}

static inline void end(void) {
    scene_close(scene);
    scene = NULL;
}

// Comes from an address of its own and is welcomed. @return what it is to sign.
static inline apex_welcome come(uint16_t number, apex_link_trust trust) {
    char address[APEX_ADDRESS_BYTES];
    snprintf(address, sizeof address, "10.0.%u.1", number);
    scene_connect(scene, number, address);
    apex_link_event *event = &scene->events[scene->event_count - 1];
    event->trust = trust;
    if (trust == APEX_LINK_SEALED) {
        memcpy(event->binding, bindings[number % 2], sizeof event->binding);
    }
    apex_client_message hello = scene_message(APEX_CLIENT_HELLO);
    scene_say(scene, number, &hello);
    scene_round(scene, FAR_US); // so that no rate stands in the way of the next
    apex_mail mail = {0};
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_WELCOMED, &mail), 1);
    apex_sessions_welcome(scene->sessions, mail.session,
                          &(apex_welcome){.tick_hz = 60, .snapshot_hz = 20});
    ck_assert_uint_eq(scene_heard(scene, number, APEX_SERVER_WELCOME, &heard), 1);
    return heard.welcome;
}

static inline apex_identity identity_of(const apex_driver_key *key, const apex_proof_for *what) {
    apex_identity identity = {.has_key = true};
    memcpy(identity.key, key->key, sizeof identity.key);
    apex_prove(key, what, identity.signature);
    return identity;
}

// As an honest client without a seal.
static inline apex_identity sign(const apex_driver_key *key, const apex_welcome *welcome) {
    const apex_proof_for what = {welcome->server_key, welcome->challenge, NULL};
    return identity_of(key, &what);
}

static inline uint64_t now_s(void) {
    return (scene->now_us + def.entry.unix_ahead_us) / 1000000u;
}

static inline apex_join_token good_token(void) {
    apex_join_token token = {
        .issued_s = now_s() - 1,
        .not_before_s = now_s() - 1,
        .expires_s = now_s() + 60,
        .number = {7},
        .role = APEX_TOKEN_FREE_BYTE,
        .car = APEX_TOKEN_FREE_BYTE,
        .start_number = APEX_TOKEN_FREE,
        .ballast_kg = APEX_TOKEN_FREE,
        .restrictor_percent = APEX_TOKEN_FREE_BYTE,
        .subject = "driver 17",
    };
    apex_fingerprint(def.entry.server_key, token.audience);
    memcpy(token.holder, ada.key, sizeof token.holder);
    return token;
}

static inline void add_token(apex_identity *identity, const apex_join_token *token,
                             const apex_driver_key *by) {
    identity->token_length = (uint32_t)apex_join_token_sign(token, by, identity->token);
}

static inline apex_session_id say_join(uint16_t number, const apex_identity *identity) {
    apex_client_message join = scene_message(APEX_CLIENT_JOIN);
    join.join.identity = *identity;
    scene_say(scene, number, &join);
    scene_round(scene, 1000);
    apex_mail mail = {0};
    return scene_mails(scene, APEX_MAIL_MESSAGE, &mail) == 1 ? mail.session : (apex_session_id){0};
}

// It passes; who it has shown to be.
static inline const apex_session_who *expect_in(uint16_t number, const apex_identity *identity) {
    apex_session_id id = say_join(number, identity);
    ck_assert_msg(id.index1 != 0, "refused: %s",
                  scene_heard(scene, number, APEX_SERVER_REJECT, &heard) > 0 ? heard.reject.text
                                                                             : "?");
    return apex_session_who_is(scene->sessions, id);
}

static inline void expect_refused(uint16_t number, const apex_identity *identity,
                                  apex_reason reason, apex_session_counter counter) {
    uint64_t before = scene_counter(scene, counter);
    ck_assert_uint_eq(say_join(number, identity).index1, 0);
    ck_assert_uint_eq(scene_heard(scene, number, APEX_SERVER_REJECT, &heard), 1);
    ck_assert_msg(heard.reject.reason == reason, "%d, not %d: %s", heard.reject.reason, reason,
                  heard.reject.text);
    ck_assert(!heard.reject.closing);
    ck_assert_uint_eq(scene_counter(scene, counter), before + 1);
}
