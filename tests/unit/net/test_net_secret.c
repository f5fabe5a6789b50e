// Over a plain link anybody may say something in a client's name. The secret of the Welcome shows
// what is the client's own.
#include "support/base/check_main.h"
#include "support/net/session_scene.h"

#include <string.h>

enum { FRAME_BYTES = 1024 * 1024 };

static const uint64_t second_us = 1000000;

static session_scene *scene;
static apex_server_message heard;

static void start(void) {
    apex_sessions_def def = apex_default_sessions_def();
    def.resume_us_max = 30 * second_us;
    scene = scene_open(def, FRAME_BYTES);
}

static void stop(void) {
    scene_close(scene);
}

// As somebody who has this secret, or none.
static void say_with(uint16_t number, apex_client_message_kind kind, uint64_t secret) {
    apex_client_message message = scene_message(kind);
    message.secret = secret;
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    size_t length = apex_encode_client(&message, bytes, sizeof bytes);
    scene_say_bytes(scene, number, (uint8_t)apex_client_message_channel(kind), bytes, length);
}

static uint32_t mails_of(apex_client_message_kind kind, uint64_t secret) {
    say_with(0, kind, secret);
    scene_round(scene, second_us / 10);
    return scene_mails(scene, APEX_MAIL_MESSAGE, NULL);
}

static uint64_t counted(apex_session_counter counter) {
    return scene_counter(scene, counter);
}

// @return the session's id, and in *secret what its Welcome told.
static apex_session_id welcome(uint16_t number, apex_link_trust trust, uint64_t *secret) {
    scene->trust = trust;
    apex_session_id id = scene_enter(scene, number, APEX_SESSION_LOBBY);
    ck_assert_uint_eq(scene_heard(scene, number, APEX_SERVER_WELCOME, &heard), 1);
    *secret = heard.welcome.secret;
    return id;
}

FIXTURE(start, stop)

TEST(plain_links_alone_have_secrets_and_each_its_own) {
    uint64_t secrets[8];
    for (uint16_t i = 0; i < 8; i++) {
        apex_link_trust trust = i < 6    ? APEX_LINK_PLAIN
                                : i == 6 ? APEX_LINK_STREAM
                                         : APEX_LINK_SEALED;
        welcome(i, trust, &secrets[i]);
        for (uint16_t k = 0; k < i && i < 6; k++) {
            ck_assert_uint_ne(secrets[i], secrets[k]);
            ck_assert_uint_ne(secrets[i] >> 32, secrets[k] >> 32);
            ck_assert_uint_ne(secrets[i] & UINT32_MAX, secrets[k] & UINT32_MAX);
        }
        ck_assert((secrets[i] != 0) == (i < 6));
    }
    // Nothing of the token, which others may see later, is in it.
    ck_assert(memcmp(heard.welcome.resume_token, &secrets[0], sizeof secrets[0]) != 0);
}

static const apex_client_message_kind secret_kinds[] = {
    APEX_CLIENT_TIME_REQUEST, APEX_CLIENT_CONTROLS, APEX_CLIENT_SNAPSHOT_ACK, APEX_CLIENT_LEAVE};

TEST(what_lacks_the_secret_is_dropped_without_a_word) {
    apex_session_id id = scene_enter(scene, 0, APEX_SESSION_PLAYER);
    uint64_t secret = scene_secret(scene, 0);
    uint64_t wrong[] = {0, 1, UINT64_MAX, secret ^ 1, secret ^ 1ull << 63, secret + 1, ~secret};
    uint64_t refused = 0;
    for (size_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
            ck_assert_uint_eq(mails_of(secret_kinds[k], wrong[i]), 0);
            ck_assert_uint_eq(scene_heard(scene, 0, 0, NULL), 0);
            ck_assert_uint_eq(counted(APEX_SESSION_REFUSED_SECRET), ++refused);
        }
    }
    ck_assert_uint_eq(counted(APEX_SESSION_CLOSED_STRIKES), 0);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_PLAYER);
    for (size_t k = 0; k < 4; k++) {
        ck_assert_uint_eq(mails_of(secret_kinds[k], secret), 1);
    }
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_LOBBY);
    ck_assert_uint_eq(counted(APEX_SESSION_REFUSED_SECRET), refused);
}

TEST_OVER(who_has_a_better_link_needs_none, 1, 3) {
    scene->trust = (apex_link_trust)_i;
    scene_enter(scene, 0, APEX_SESSION_PLAYER);
    for (size_t k = 0; k < 4; k++) {
        ck_assert_uint_eq(mails_of(secret_kinds[k], k % 2 == 0 ? 0 : 77), 1);
    }
    ck_assert_uint_eq(counted(APEX_SESSION_REFUSED_SECRET), 0);
}

TEST(another_clients_secret_is_none) {
    scene_enter(scene, 0, APEX_SESSION_PLAYER);
    scene_enter(scene, 1, APEX_SESSION_PLAYER);
    ck_assert_uint_eq(mails_of(APEX_CLIENT_CONTROLS, scene_secret(scene, 1)), 0);
    ck_assert_uint_eq(mails_of(APEX_CLIENT_CONTROLS, scene_secret(scene, 0)), 1);
}

// As an encoder may put it that does not keep to the order of the numbers.
TEST(the_secret_may_stand_before_the_message) {
    scene_enter(scene, 0, APEX_SESSION_PLAYER);
    uint64_t secret = scene_secret(scene, 0);
    uint8_t leave[11] = {12 << 3 | 1};
    for (int i = 0; i < 8; i++) {
        leave[1 + i] = (uint8_t)(secret >> 8 * i);
    }
    leave[9] = APEX_CLIENT_LEAVE << 3 | 2;
    scene_say_bytes(scene, 0, 0, leave, sizeof leave);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, NULL), 1);
}

TEST(all_other_messages_may_lack_it) {
    scene_enter(scene, 0, APEX_SESSION_LOBBY);
    ck_assert_uint_eq(mails_of(APEX_CLIENT_DEF_REQUEST, 0), 1);
    ck_assert_uint_eq(mails_of(APEX_CLIENT_SUBSCRIBE, 0), 1);
    ck_assert_uint_eq(mails_of(APEX_CLIENT_JOIN, 0), 1);
    ck_assert_uint_eq(counted(APEX_SESSION_REFUSED_SECRET), 0);
}

// Twenty would be too many.
TEST(strikes_are_for_what_is_the_clients_own) {
    apex_session_id id = scene_enter(scene, 0, APEX_SESSION_PLAYER);
    for (int i = 0; i < 60; i++) {
        say_with(0, APEX_CLIENT_JOIN, 5);
        scene_say_bytes(scene, 0, 0, "\xFF", 1);
        scene_round(scene, second_us / 2);
        ck_assert_uint_ge(scene_heard(scene, 0, APEX_SERVER_REJECT, &heard), 1); // a word of help
        ck_assert(!heard.reject.closing);
    }
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_PLAYER);
    ck_assert_uint_eq(counted(APEX_SESSION_REFUSED_MALFORMED), 60);
    for (int i = 0; i < 20; i++) {
        say_with(0, APEX_CLIENT_JOIN, scene_secret(scene, 0));
    }
    scene_round(scene, second_us);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_CLOSING);
}

TEST(what_anybody_says_takes_nothing_of_a_clients_rate) {
    scene_enter(scene, 0, APEX_SESSION_PLAYER);
    scene_round(scene, 10 * second_us);
    for (int i = 0; i < 450; i++) {
        say_with(0, APEX_CLIENT_CONTROLS, 7);
        say_with(0, APEX_CLIENT_SUBSCRIBE, 7);
    }
    for (int i = 0; i < 400; i++) {
        say_with(0, APEX_CLIENT_CONTROLS, scene_secret(scene, 0));
    }
    scene_round(scene, 0);
    // The burst of each of the two.
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, NULL), 400 + 400);
    ck_assert_uint_eq(counted(APEX_SESSION_REFUSED_SECRET), 450);
    ck_assert_uint_eq(counted(APEX_SESSION_REFUSED_RATE), 50);
}

static void say_hello(uint16_t number, apex_link_trust trust, const uint8_t *token) {
    scene->trust = trust;
    scene_connect(scene, number, "10.9.9.9");
    apex_client_message hello = scene_message(APEX_CLIENT_HELLO);
    hello.hello.has_token = true;
    memcpy(hello.hello.resume_token, token, APEX_TOKEN_BYTES);
    scene_say(scene, number, &hello);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_RESUMED, NULL), 1);
}

// @return the secret of the Welcome over the new link; *token is that one's.
static uint64_t come_back(apex_session_id id, uint16_t number, apex_link_trust trust,
                          uint8_t *token) {
    say_hello(number, trust, token);
    apex_sessions_welcome(scene->sessions, id, &(apex_welcome){.tick_hz = 60, .snapshot_hz = 20});
    ck_assert_uint_eq(scene_heard(scene, number, APEX_SERVER_WELCOME, &heard), 1);
    memcpy(token, heard.welcome.resume_token, APEX_TOKEN_BYTES);
    uint64_t secret = heard.welcome.secret;
    apex_sessions_accept(scene->sessions, id, &(apex_joined){.player = 1, .resumed = true});
    return secret;
}

static apex_session_id enter_player(apex_link_trust trust, uint64_t *secret, uint8_t *token) {
    apex_session_id id = welcome(0, trust, secret);
    memcpy(token, heard.welcome.resume_token, APEX_TOKEN_BYTES);
    apex_client_message join = scene_message(APEX_CLIENT_JOIN);
    scene_say(scene, 0, &join);
    scene_round(scene, 1000);
    apex_sessions_accept(scene->sessions, id, &(apex_joined){.player = 1});
    return id;
}

TEST(who_comes_back_is_told_another) {
    uint64_t first = 0;
    uint8_t token[APEX_TOKEN_BYTES];
    apex_session_id id = enter_player(APEX_LINK_PLAIN, &first, token);
    scene_disconnect(scene, 0);
    uint64_t second = come_back(id, 1, APEX_LINK_PLAIN, token);
    ck_assert(second != 0 && second != first);
    say_with(1, APEX_CLIENT_CONTROLS, first);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, NULL), 0);
    say_with(1, APEX_CLIENT_CONTROLS, second);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, NULL), 1);
}

// A link's trust is the link's, whichever session has it, also while the old one is still open.
TEST_OVER(trust_goes_with_the_link, 0, 2) {
    uint64_t secret = 0;
    uint8_t token[APEX_TOKEN_BYTES];
    apex_session_id id = enter_player(APEX_LINK_PLAIN, &secret, token);
    if (_i == 0) {
        scene_disconnect(scene, 0);
    }
    ck_assert_uint_eq(come_back(id, 1, APEX_LINK_SEALED, token), 0);
    say_with(1, APEX_CLIENT_CONTROLS, 0);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, NULL), 1);
    scene_disconnect(scene, 1);
    secret = come_back(id, 2, APEX_LINK_PLAIN, token);
    ck_assert_uint_ne(secret, 0);
    say_with(2, APEX_CLIENT_CONTROLS, 0);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, NULL), 0);
}

// The token before is good until its client shows that it got the new one. Others cannot show it.
TEST_OVER(a_forged_message_spoils_no_token, 0, 2) {
    uint64_t secret = 0;
    uint8_t token[APEX_TOKEN_BYTES], before[APEX_TOKEN_BYTES];
    apex_session_id id = enter_player(APEX_LINK_PLAIN, &secret, token);
    memcpy(before, token, sizeof before);
    scene_disconnect(scene, 0);
    secret = come_back(id, 1, APEX_LINK_PLAIN, token);
    bool is_own = _i == 1;
    say_with(1, APEX_CLIENT_SUBSCRIBE, is_own ? secret : 0);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, NULL), 1);
    scene_disconnect(scene, 1);
    scene_connect(scene, 2, "10.9.9.9");
    apex_client_message hello = scene_message(APEX_CLIENT_HELLO);
    hello.hello.has_token = true;
    memcpy(hello.hello.resume_token, before, APEX_TOKEN_BYTES);
    scene_say(scene, 2, &hello);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_RESUMED, NULL), is_own ? 0 : 1);
}
