// A session has the program sign each time it asks to drive or to watch, for the link that it has.
#include "support/base/check_main.h"

#include "test_client_script.h"

static struct signer {
    uint32_t calls;
    bool had_binding, refuses;
    uint8_t server_key[32], challenge[32], binding[32];
} signer;

static bool sign(void *context, const apex_client_sign_for *what, apex_identity *out) {
    struct signer *self = context;
    self->calls++;
    memcpy(self->server_key, what->server_key, 32);
    memcpy(self->challenge, what->challenge, 32);
    self->had_binding = what->binding != NULL;
    if (what->binding != NULL) {
        memcpy(self->binding, what->binding, 32);
    }
    ck_assert(!out->has_key && out->token_length == 0);
    out->has_key = true;
    memset(out->key, 0xa1, sizeof out->key);
    memset(out->signature, 0xb2, sizeof out->signature);
    out->token_length = 5;
    memcpy(out->token, "token", 5);
    return !self->refuses;
}

static apex_client_def signing_def(void) {
    apex_client_def def = script_def();
    signer = (struct signer){0};
    def.sign = sign;
    def.sign_context = &signer;
    return def;
}

static apex_server_message challenge_of(uint8_t byte) {
    apex_server_message welcome = script_welcome();
    welcome.welcome.has_challenge = true;
    memset(welcome.welcome.server_key, 0x11, 32);
    memset(welcome.welcome.challenge, byte, 32);
    return welcome;
}

static void assert_all(const uint8_t bytes[32], uint8_t byte) {
    for (size_t i = 0; i < 32; i++) {
        ck_assert_uint_eq(bytes[i], byte);
    }
}

static void assert_signed(const apex_identity *identity) {
    uint8_t key[32];
    uint8_t signature[64];
    memset(key, 0xa1, sizeof key);
    memset(signature, 0xb2, sizeof signature);
    ck_assert(identity->has_key);
    ck_assert_mem_eq(identity->key, key, sizeof key);
    ck_assert_mem_eq(identity->signature, signature, sizeof signature);
    ck_assert_uint_eq(identity->token_length, 5);
    ck_assert_mem_eq(identity->token, "token", 5);
}

static void assert_guest(const apex_identity *identity) {
    ck_assert(!identity->has_key);
    ck_assert_uint_eq(identity->token_length, 0);
}

TEST(without_a_seal_the_server_is_who_its_welcome_says) {
    apex_client_def def = signing_def();
    script self = script_begin(&def);
    apex_server_message welcome = challenge_of(0x22);
    script_welcomed(&self, &welcome);
    assert_signed(&script_said(&self, APEX_CLIENT_JOIN, 0)->join.identity);
    ck_assert_uint_eq(signer.calls, 1);
    assert_all(signer.server_key, 0x11);
    assert_all(signer.challenge, 0x22);
    ck_assert(!signer.had_binding);
    script_end(&self);
}

// Whatever Welcome says: else a server could have somebody sign for another one.
TEST(with_a_seal_it_is_who_the_seal_was_agreed_on_with) {
    uint8_t key[32];
    uint8_t binding[32];
    memset(key, 0x33, sizeof key);
    memset(binding, 0x44, sizeof binding);
    apex_client_def def = signing_def();
    script self = script_begin(&def);
    client_session_set_seal(self.session, key, binding);
    apex_server_message welcome = challenge_of(0x22);
    script_welcomed(&self, &welcome);
    assert_all(signer.server_key, 0x33);
    assert_all(signer.challenge, 0x22);
    ck_assert(signer.had_binding);
    assert_all(signer.binding, 0x44);
    script_end(&self);
}

TEST(a_spectator_says_who_he_is) {
    apex_client_def def = signing_def();
    def.spectate = true;
    script self = script_begin(&def);
    apex_server_message welcome = challenge_of(0x22);
    script_welcomed(&self, &welcome);
    assert_signed(&script_said(&self, APEX_CLIENT_SPECTATE, 0)->spectate.identity);
    script_end(&self);
}

TEST(who_has_nothing_to_sign_with_is_a_guest) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    apex_server_message welcome = challenge_of(0x22);
    script_welcomed(&self, &welcome);
    assert_guest(&script_said(&self, APEX_CLIENT_JOIN, 0)->join.identity);
    script_end(&self);
}

TEST(who_cannot_sign_is_a_guest) {
    apex_client_def def = signing_def();
    signer.refuses = true;
    script self = script_begin(&def);
    apex_server_message welcome = challenge_of(0x22);
    script_welcomed(&self, &welcome);
    assert_guest(&script_said(&self, APEX_CLIENT_JOIN, 0)->join.identity);
    script_end(&self);
}

TEST(a_server_without_a_challenge_is_signed_nothing) {
    apex_client_def def = signing_def();
    script self = script_begin(&def);
    apex_server_message welcome = script_welcome();
    script_welcomed(&self, &welcome);
    assert_guest(&script_said(&self, APEX_CLIENT_JOIN, 0)->join.identity);
    ck_assert_uint_eq(signer.calls, 0);
    script_end(&self);
}

TEST(a_join_that_is_repeated_is_signed_again) {
    apex_client_def def = signing_def();
    script self = script_begin(&def);
    apex_server_message welcome = challenge_of(0x22);
    script_welcomed(&self, &welcome);
    apex_server_message reject =
        script_refusal(APEX_SERVER_REJECT, APEX_REASON_RACE_CLOSED, "a race is under way", false);
    script_tell(&self, &reject);
    script_run(&self, 1100000);
    ck_assert_uint_eq(script_count(&self, APEX_CLIENT_JOIN), 2);
    ck_assert_uint_eq(signer.calls, 2);
    assert_signed(&script_said(&self, APEX_CLIENT_JOIN, 0)->join.identity);
    script_end(&self);
}

// The next link has keys and a challenge of its own.
TEST(who_comes_back_signs_for_the_new_link) {
    uint8_t bytes[32];
    memset(bytes, 0x55, sizeof bytes);
    apex_client_def def = signing_def();
    def.reconnect = true;
    script self = script_begin(&def);
    client_session_set_seal(self.session, bytes, bytes);
    apex_server_message welcome = challenge_of(0x22);
    welcome.welcome.resume_grace_s = 30;
    script_welcomed(&self, &welcome);
    client_session_link_closed(self.session);
    ck_assert_int_eq(self.session->state, APEX_CLIENT_RECONNECTING);
    client_session_set_seal(self.session, NULL, NULL);
    memset(welcome.welcome.challenge, 0x66, 32);
    script_welcomed(&self, &welcome);
    ck_assert_uint_eq(signer.calls, 2);
    assert_all(signer.server_key, 0x11);
    assert_all(signer.challenge, 0x66);
    ck_assert(!signer.had_binding);
    script_end(&self);
}
