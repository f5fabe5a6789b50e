// Tests of who may drive: keys that are proved, lists of drivers, tokens of lobbies.
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

static void make_key(uint8_t first, apex_driver_key *out) {
    uint8_t secret[APEX_DRIVER_SECRET_BYTES] = {first, 1, 2, 3};
    apex_driver_key_of(secret, out);
}

static void begin(void) {
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
    // Scenes begin at one second.
    def.entry.unix_ahead_us = (uint64_t)NOW_S * 1000000u - 1000000u;
    def.entry.began_s = NOW_S - 100;
    def.entry.race = 2;
}

static void trust_lobby(void) {
    def.entry.lobby_count = 1;
    memcpy(def.entry.lobbies[0], lobby.key, sizeof lobby.key);
}

static void open_scene(void) {
    scene = scene_open(def, FRAME_BYTES);
}

static void end(void) {
    scene_close(scene);
    scene = NULL;
}

// Comes from an address of its own and is welcomed. @return what it is to sign.
static apex_welcome come(uint16_t number, apex_link_trust trust) {
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

static apex_identity identity_of(const apex_driver_key *key, const apex_proof_for *what) {
    apex_identity identity = {.has_key = true};
    memcpy(identity.key, key->key, sizeof identity.key);
    apex_prove(key, what, identity.signature);
    return identity;
}

// As an honest client without a seal.
static apex_identity sign(const apex_driver_key *key, const apex_welcome *welcome) {
    const apex_proof_for what = {welcome->server_key, welcome->challenge, NULL};
    return identity_of(key, &what);
}

static uint64_t now_s(void) {
    return (scene->now_us + def.entry.unix_ahead_us) / 1000000u;
}

static apex_join_token good_token(void) {
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

static void add_token(apex_identity *identity, const apex_join_token *token,
                      const apex_driver_key *by) {
    identity->token_length = (uint32_t)apex_join_token_sign(token, by, identity->token);
}

static apex_session_id say_join(uint16_t number, const apex_identity *identity) {
    apex_client_message join = scene_message(APEX_CLIENT_JOIN);
    join.join.identity = *identity;
    scene_say(scene, number, &join);
    scene_round(scene, 1000);
    apex_mail mail = {0};
    return scene_mails(scene, APEX_MAIL_MESSAGE, &mail) == 1 ? mail.session : (apex_session_id){0};
}

// It passes; who it has shown to be.
static const apex_session_who *expect_in(uint16_t number, const apex_identity *identity) {
    apex_session_id id = say_join(number, identity);
    ck_assert_msg(id.index1 != 0, "refused: %s",
                  scene_heard(scene, number, APEX_SERVER_REJECT, &heard) > 0 ? heard.reject.text
                                                                             : "?");
    return apex_session_who_is(scene->sessions, id);
}

static void expect_refused(uint16_t number, const apex_identity *identity, apex_reason reason,
                           apex_session_counter counter) {
    uint64_t before = scene_counter(scene, counter);
    ck_assert_uint_eq(say_join(number, identity).index1, 0);
    ck_assert_uint_eq(scene_heard(scene, number, APEX_SERVER_REJECT, &heard), 1);
    ck_assert_msg(heard.reject.reason == reason, "%d, not %d: %s", heard.reject.reason, reason,
                  heard.reject.text);
    ck_assert(!heard.reject.closing);
    ck_assert_uint_eq(scene_counter(scene, counter), before + 1);
}

FIXTURE(begin, end)

TEST(a_welcome_says_what_to_sign) {
    def.entry.key_needed = true;
    open_scene();
    apex_welcome first = come(0, APEX_LINK_PLAIN), second = come(1, APEX_LINK_PLAIN);
    ck_assert(first.has_challenge && first.key_needed && !first.token_needed);
    ck_assert_mem_eq(first.server_key, def.entry.server_key, sizeof first.server_key);
    ck_assert_mem_ne(first.challenge, second.challenge, sizeof first.challenge);
    ck_assert_mem_ne(first.challenge, first.resume_token, sizeof first.resume_token);
}

TEST(a_server_without_a_key_has_guests_only) {
    def.entry = (apex_entry_def){0};
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    ck_assert(!welcome.has_challenge && !welcome.key_needed && !welcome.token_needed);
    apex_identity identity = sign(&ada, &welcome);
    ck_assert(!expect_in(0, &identity)->has_driver);
}

TEST(a_proved_key_is_the_driver_and_none_is_a_guest) {
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_identity identity = sign(&ada, &welcome);
    const apex_session_who *who = expect_in(0, &identity);
    uint8_t fingerprint[APEX_FINGERPRINT_BYTES];
    apex_fingerprint(ada.key, fingerprint);
    ck_assert(who->has_driver && !who->has_token);
    ck_assert_mem_eq(who->driver, fingerprint, sizeof fingerprint);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_KEYS_PROVED), 1);
    come(1, APEX_LINK_PLAIN);
    ck_assert(!expect_in(1, &(apex_identity){0})->has_driver);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_KEYS_PROVED), 1);
}

TEST(a_proof_for_something_else_proves_nothing) {
    open_scene();
    apex_welcome first = come(0, APEX_LINK_PLAIN), welcome = come(1, APEX_LINK_PLAIN);
    const apex_proof_for stolen[] = {
        {elsewhere, welcome.challenge, NULL},                 // by a server that passes it on
        {welcome.server_key, first.challenge, NULL},          // seen on another link
        {welcome.server_key, welcome.challenge, bindings[1]}, // of a connection with a seal
    };
    for (size_t i = 0; i < sizeof stolen / sizeof stolen[0]; i++) {
        apex_identity identity = identity_of(&ada, &stolen[i]);
        expect_refused(1, &identity, APEX_REASON_KEY, APEX_SESSION_REFUSED_KEY);
    }
    apex_identity identity = sign(&ada, &welcome);
    memcpy(identity.key, bob.key, sizeof identity.key);
    expect_refused(1, &identity, APEX_REASON_KEY, APEX_SESSION_REFUSED_KEY);
    for (size_t i = 0; i < APEX_SIGNATURE_BYTES; i += 21) {
        identity = sign(&ada, &welcome);
        identity.signature[i] ^= 1;
        expect_refused(1, &identity, APEX_REASON_KEY, APEX_SESSION_REFUSED_KEY);
    }
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_KEYS_PROVED), 0);
    identity = sign(&ada, &welcome);
    ck_assert(expect_in(1, &identity)->has_driver);
}

TEST(a_proof_over_a_seal_is_tied_to_it) {
    open_scene();
    apex_welcome welcome = come(1, APEX_LINK_SEALED);
    const apex_proof_for without = {welcome.server_key, welcome.challenge, NULL};
    const apex_proof_for other = {welcome.server_key, welcome.challenge, bindings[0]};
    const apex_proof_for right = {welcome.server_key, welcome.challenge, bindings[1]};
    apex_identity identity = identity_of(&ada, &without);
    expect_refused(1, &identity, APEX_REASON_KEY, APEX_SESSION_REFUSED_KEY);
    identity = identity_of(&ada, &other);
    expect_refused(1, &identity, APEX_REASON_KEY, APEX_SESSION_REFUSED_KEY);
    identity = identity_of(&ada, &right);
    ck_assert(expect_in(1, &identity)->has_driver);
}

TEST(a_binding_goes_with_its_link_when_a_player_comes_back) {
    def.resume_us_max = 10000000;
    open_scene();
    apex_welcome old = come(0, APEX_LINK_SEALED);
    const apex_proof_for what = {old.server_key, old.challenge, bindings[0]};
    apex_identity identity = identity_of(&ada, &what);
    apex_session_id id = say_join(0, &identity);
    apex_sessions_accept(scene->sessions, id, &(apex_joined){.player = 1});
    scene_connect(scene, 1, "10.0.0.1");
    scene->events[scene->event_count - 1].trust = APEX_LINK_SEALED;
    memcpy(scene->events[scene->event_count - 1].binding, bindings[1], sizeof bindings[1]);
    apex_client_message hello = scene_message(APEX_CLIENT_HELLO);
    hello.hello.has_token = true;
    memcpy(hello.hello.resume_token, old.resume_token, sizeof old.resume_token);
    scene_say(scene, 1, &hello);
    scene_round(scene, FAR_US);
    apex_sessions_welcome(scene->sessions, id, &(apex_welcome){.tick_hz = 60, .snapshot_hz = 20});
    ck_assert_uint_eq(scene_heard(scene, 1, APEX_SERVER_WELCOME, &heard), 1);
    apex_welcome fresh = heard.welcome;
    ck_assert_mem_ne(fresh.challenge, old.challenge, sizeof fresh.challenge);
    apex_sessions_accept(scene->sessions, id, &(apex_joined){.player = 1});
    ck_assert(apex_session_who_is(scene->sessions, id)->has_driver); // still
    apex_client_message leave = scene_message(APEX_CLIENT_LEAVE);
    scene_say(scene, 1, &leave);
    scene_round(scene, FAR_US);
    const apex_proof_for again = {fresh.server_key, fresh.challenge, bindings[1]};
    identity = identity_of(&bob, &again);
    ck_assert(expect_in(1, &identity)->has_driver);
}

TEST(guests_stay_out_where_keys_are_needed) {
    def.entry.key_needed = true;
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    expect_refused(0, &(apex_identity){0}, APEX_REASON_KEY_NEEDED, APEX_SESSION_REFUSED_KEY_NEEDED);
    apex_identity identity = sign(&ada, &welcome);
    ck_assert(expect_in(0, &identity)->has_driver);
    come(1, APEX_LINK_PLAIN); // to watch
    apex_client_message spectate = scene_message(APEX_CLIENT_SPECTATE);
    scene_say(scene, 1, &spectate);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, NULL), 1);
}

TEST(a_spectator_who_says_to_be_somebody_proves_it) {
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_client_message spectate = scene_message(APEX_CLIENT_SPECTATE);
    spectate.spectate.identity = sign(&ada, &welcome);
    spectate.spectate.identity.signature[5] ^= 8;
    scene_say(scene, 0, &spectate);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, &heard), 1);
    ck_assert_int_eq(heard.reject.reason, APEX_REASON_KEY);
    spectate.spectate.identity = sign(&ada, &welcome);
    scene_say(scene, 0, &spectate);
    scene_round(scene, 1000);
    apex_mail mail = {0};
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, &mail), 1);
    ck_assert(apex_session_who_is(scene->sessions, mail.session)->has_driver);
}

TEST(only_drivers_of_the_list_drive) {
    enum { LISTED = 40 };
    apex_listed_driver list[LISTED];
    for (uint8_t i = 0; i < LISTED; i++) { // in no order
        memset(&list[i], (i * 37) % 251, sizeof list[i]);
    }
    open_scene();
    ck_assert(!come(0, APEX_LINK_PLAIN).key_needed);
    apex_fingerprint(ada.key, list[23].fingerprint);
    ck_assert_int_eq(apex_sessions_list(scene->sessions, list, LISTED), APEX_OK);
    memset(list, 0, sizeof list); // it was copied
    apex_welcome welcome = come(1, APEX_LINK_PLAIN);
    ck_assert(welcome.key_needed);
    expect_refused(1, &(apex_identity){0}, APEX_REASON_KEY_NEEDED, APEX_SESSION_REFUSED_KEY_NEEDED);
    apex_identity identity = sign(&bob, &welcome);
    expect_refused(1, &identity, APEX_REASON_NOT_LISTED, APEX_SESSION_REFUSED_NOT_LISTED);
    identity = sign(&bob, &welcome); // that of the list is known to everybody
    memcpy(identity.key, ada.key, sizeof identity.key);
    expect_refused(1, &identity, APEX_REASON_KEY, APEX_SESSION_REFUSED_KEY);
    identity = sign(&ada, &welcome);
    ck_assert(expect_in(1, &identity)->has_driver);
    ck_assert_int_eq(apex_sessions_list(scene->sessions, list, 0), APEX_OK); // of nobody
    welcome = come(2, APEX_LINK_PLAIN);
    identity = sign(&ada, &welcome);
    expect_refused(2, &identity, APEX_REASON_NOT_LISTED, APEX_SESSION_REFUSED_NOT_LISTED);
    ck_assert_int_eq(apex_sessions_list(scene->sessions, NULL, 0), APEX_OK);
    ck_assert(!expect_in(2, &(apex_identity){0})->has_driver);
}

TEST(a_password_comes_before_all_signatures) {
    memcpy(def.password, "secret", 7);
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_identity identity = sign(&ada, &welcome);
    identity.signature[0] ^= 1;
    expect_refused(0, &identity, APEX_REASON_PASSWORD, APEX_SESSION_REFUSED_PASSWORD);
    identity = sign(&ada, &welcome);
    expect_refused(0, &identity, APEX_REASON_PASSWORD, APEX_SESSION_REFUSED_PASSWORD);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_KEYS_PROVED), 0);
}

TEST(signatures_are_looked_at_within_a_rate) {
    def.joins_per_s = def.joins_per_address_per_s = 0;
    def.strikes_max = 1000;
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_identity identity = sign(&ada, &welcome);
    identity.signature[0] ^= 1;
    apex_client_message join = scene_message(APEX_CLIENT_JOIN);
    join.join.identity = identity;
    for (int i = 0; i < 40; i++) {
        scene_say(scene, 0, &join);
    }
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_KEY), 32); // of all, at once
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_PROOF_RATE), 8);
    scene_round(scene, 1000000);
    for (int i = 0; i < 60; i++) { // of a house 64 at once, of which 40 were asked for, 8 came back
        scene_say(scene, 0, &join);
        scene_round(scene, 3000);
    }
    ck_assert_uint_ge(scene_counter(scene, APEX_SESSION_REFUSED_KEY), 32 + 32);
    ck_assert_uint_le(scene_counter(scene, APEX_SESSION_REFUSED_KEY), 32 + 36);
    // A guest needs no proof.
    come(1, APEX_LINK_PLAIN);
    ck_assert(!expect_in(1, &(apex_identity){0})->has_driver);
}

TEST(a_token_is_a_signature_more) {
    trust_lobby();
    def.joins_per_s = def.joins_per_address_per_s = 0;
    def.strikes_max = 1000;
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_join_token token = good_token();
    apex_client_message join = scene_message(APEX_CLIENT_JOIN);
    join.join.identity = sign(&ada, &welcome);
    add_token(&join.join.identity, &token, &lobby);
    join.join.identity.token[join.join.identity.token_length - 1] ^= 1;
    for (int i = 0; i < 20; i++) {
        scene_say(scene, 0, &join);
    }
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_KEYS_PROVED), 16);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_TOKEN_INVALID), 16);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_PROOF_RATE), 4);
}

TEST(a_token_lets_in_whom_it_names) {
    trust_lobby();
    def.entry.token_needed = true;
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    ck_assert(welcome.token_needed && !welcome.key_needed);
    apex_identity identity = sign(&ada, &welcome);
    expect_refused(0, &identity, APEX_REASON_TOKEN_NEEDED, APEX_SESSION_REFUSED_TOKEN_NEEDED);
    apex_join_token token = good_token();
    memcpy(token.name, "Countess", 9);
    token.car = 3;
    add_token(&identity, &token, &lobby);
    const apex_session_who *who = expect_in(0, &identity);
    ck_assert(who->has_driver && who->has_token);
    ck_assert_str_eq(who->token.subject, "driver 17");
    ck_assert_uint_eq(who->token.car, 3);
    apex_mail mail = {0};
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, &mail), 1);
    ck_assert_str_eq(mail.message->join.name, "Countess"); // not the name that it said, "Ada"
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_TOKENS_TAKEN), 1);
}

TEST(a_token_may_not_give_a_name_that_nobody_may_have) {
    trust_lobby();
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_identity identity = sign(&ada, &welcome);
    apex_join_token token = good_token();
    memcpy(token.name, "A\xE2\x80\x8B", 5);
    add_token(&identity, &token, &lobby);
    ck_assert_uint_eq(say_join(0, &identity).index1, 0);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, &heard), 1);
    ck_assert(heard.reject.reason == APEX_REASON_BAD_NAME ||
              heard.reject.reason == APEX_REASON_TOKEN_INVALID);
}

typedef struct token_case {
    apex_reason reason;
    apex_session_counter counter;
    apex_join_token token;
    const apex_driver_key *by;
} token_case;

TEST(each_bad_token_is_refused_with_its_reason) {
    trust_lobby();
    open_scene();
    come(5, APEX_LINK_PLAIN);
    apex_join_token good = good_token();
    token_case cases[] = {
        {APEX_REASON_TOKEN_ISSUER, APEX_SESSION_REFUSED_TOKEN_ISSUER, good, &bob},
        {APEX_REASON_TOKEN_AUDIENCE, APEX_SESSION_REFUSED_TOKEN_AUDIENCE, good, &lobby},
        {APEX_REASON_TOKEN_AUDIENCE, APEX_SESSION_REFUSED_TOKEN_AUDIENCE, good, &lobby},
        {APEX_REASON_TOKEN_AUDIENCE, APEX_SESSION_REFUSED_TOKEN_AUDIENCE, good, &lobby},
        {APEX_REASON_TOKEN_EARLY, APEX_SESSION_REFUSED_TOKEN_EARLY, good, &lobby},
        {APEX_REASON_TOKEN_EXPIRED, APEX_SESSION_REFUSED_TOKEN_EXPIRED, good, &lobby},
        {APEX_REASON_TOKEN_EXPIRED, APEX_SESSION_REFUSED_TOKEN_EXPIRED, good, &lobby},
        {APEX_REASON_TOKEN_HOLDER, APEX_SESSION_REFUSED_TOKEN_HOLDER, good, &lobby},
        {APEX_REASON_TOKEN_HOLDER, APEX_SESSION_REFUSED_TOKEN_HOLDER, good, &lobby},
        {APEX_REASON_TOKEN_INVALID, APEX_SESSION_REFUSED_TOKEN_INVALID, good, &lobby},
    };
    apex_fingerprint(elsewhere, cases[1].token.audience);
    memset(cases[2].token.audience, 0, sizeof cases[2].token.audience); // any, not taken here
    cases[3].token.race = 1;
    cases[4].token.issued_s = cases[4].token.not_before_s = now_s() + 500;
    cases[4].token.expires_s = now_s() + 600;
    cases[5].token.issued_s = now_s() - 95;
    cases[5].token.expires_s = now_s() - 35;
    cases[6].token.issued_s = NOW_S - 101; // before the server began
    memcpy(cases[7].token.holder, bob.key, sizeof bob.key);
    memset(cases[8].token.holder, 0, sizeof cases[8].token.holder); // anybody's, over a plain link
    cases[9].token.role = APEX_TOKEN_SPECTATOR;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cases[i].token.number[1] = (uint8_t)i;
        uint16_t number = (uint16_t)(10 + i);
        scene->now_us -= FAR_US; // so that times stay as they are
        apex_welcome welcome = come(number, APEX_LINK_PLAIN);
        apex_identity identity = sign(&ada, &welcome);
        add_token(&identity, &cases[i].token, cases[i].by);
        expect_refused(number, &identity, cases[i].reason, cases[i].counter);
    }
}

TEST(a_changed_byte_spoils_a_token_wherever_it_is) {
    trust_lobby();
    def.joins_per_s = def.joins_per_address_per_s = 0;
    def.strikes_max = 1000;
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_join_token token = good_token();
    apex_identity identity = sign(&ada, &welcome);
    add_token(&identity, &token, &lobby);
    for (uint32_t i = 0; i < identity.token_length; i++) {
        identity.token[i] ^= 0x20;
        ck_assert_uint_eq(say_join(0, &identity).index1, 0);
        identity.token[i] ^= 0x20;
        scene_round(scene, 300000); // two signatures each
    }
    uint64_t refused = scene_counter(scene, APEX_SESSION_REFUSED_TOKEN_INVALID) +
                       scene_counter(scene, APEX_SESSION_REFUSED_TOKEN_ISSUER);
    ck_assert_uint_eq(refused, identity.token_length);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_TOKEN_ISSUER), 4); // its id
    ck_assert(expect_in(0, &identity)->has_token);
}

TEST(a_token_is_used_by_one_driver) {
    trust_lobby();
    open_scene();
    apex_welcome first = come(0, APEX_LINK_SEALED), second = come(1, APEX_LINK_SEALED);
    apex_join_token token = good_token();
    memset(token.holder, 0, sizeof token.holder);
    const apex_proof_for of_first = {first.server_key, first.challenge, bindings[0]};
    const apex_proof_for of_second = {second.server_key, second.challenge, bindings[1]};
    apex_identity identity = identity_of(&ada, &of_first);
    add_token(&identity, &token, &lobby);
    ck_assert(expect_in(0, &identity)->has_token);
    identity = identity_of(&bob, &of_second);
    add_token(&identity, &token, &lobby);
    expect_refused(1, &identity, APEX_REASON_TOKEN_USED, APEX_SESSION_REFUSED_TOKEN_USED);
    identity = (apex_identity){0}; // nor by somebody without a key
    add_token(&identity, &token, &lobby);
    expect_refused(1, &identity, APEX_REASON_TOKEN_USED, APEX_SESSION_REFUSED_TOKEN_USED);
    identity = identity_of(&ada, &of_second); // her other machine
    add_token(&identity, &token, &lobby);
    ck_assert(expect_in(1, &identity)->has_token);
}

TEST(a_token_stands_for_a_key_where_guests_may_not_come) {
    trust_lobby();
    def.entry.key_needed = true;
    open_scene();
    come(1, APEX_LINK_SEALED);
    apex_join_token token = good_token();
    memset(token.holder, 0, sizeof token.holder);
    apex_identity identity = {0};
    add_token(&identity, &token, &lobby);
    const apex_session_who *who = expect_in(1, &identity);
    ck_assert(who->has_token && !who->has_driver);
}

TEST(a_token_without_a_holder_crosses_private_links_only) {
    static const struct {
        apex_link_trust trust;
        const char *address;
        bool is_private;
    } rows[] = {
        {APEX_LINK_PLAIN, "127.0.0.1", false}, {APEX_LINK_STREAM, "127.0.0.1", true},
        {APEX_LINK_STREAM, "::1", true},       {APEX_LINK_STREAM, "10.0.0.1", false},
        {APEX_LINK_STREAM, "1.27.0.0", false}, {APEX_LINK_SEALED, "203.0.113.9", true},
        {APEX_LINK_TLS, "203.0.113.9", true},
    };
    trust_lobby();
    open_scene();
    for (uint16_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        scene_connect(scene, i, rows[i].address);
        scene->events[scene->event_count - 1].trust = rows[i].trust;
        apex_client_message hello = scene_message(APEX_CLIENT_HELLO);
        scene_say(scene, i, &hello);
        scene_round(scene, 1000);
        apex_join_token token = good_token();
        token.number[2] = (uint8_t)i;
        memset(token.holder, 0, sizeof token.holder);
        apex_identity identity = {0};
        add_token(&identity, &token, &lobby);
        ck_assert_msg((say_join(i, &identity).index1 != 0) == rows[i].is_private, "row %u", i);
    }
}

TEST(tokens_for_any_server_are_taken_where_the_operator_says_so) {
    trust_lobby();
    def.entry.any_audience = true;
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_join_token token = good_token();
    memset(token.audience, 0, sizeof token.audience);
    token.race = 2;
    apex_identity identity = sign(&ada, &welcome);
    add_token(&identity, &token, &lobby);
    ck_assert(expect_in(0, &identity)->has_token);
}

TEST(who_trusts_no_lobby_takes_no_token) {
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_join_token token = good_token();
    apex_identity identity = sign(&ada, &welcome);
    add_token(&identity, &token, &lobby);
    expect_refused(0, &identity, APEX_REASON_TOKEN_ISSUER, APEX_SESSION_REFUSED_TOKEN_ISSUER);
}

TEST(wrong_proofs_are_strikes) {
    def.strikes_max = 3;
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_identity identity = sign(&ada, &welcome);
    identity.signature[1] ^= 1;
    expect_refused(0, &identity, APEX_REASON_KEY, APEX_SESSION_REFUSED_KEY);
    expect_refused(0, &identity, APEX_REASON_KEY, APEX_SESSION_REFUSED_KEY);
    ck_assert_uint_eq(say_join(0, &identity).index1, 0);
    ck_assert(scene_is_closing(scene, 0));
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_CLOSED_STRIKES), 1);
}
