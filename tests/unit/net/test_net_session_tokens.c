// Tests of the tokens of lobbies: whom they let in, and why they do not.
#include "test_net_identity_scene.h"
#include "support/base/check_main.h"
#include "support/net/session_scene.h"

FIXTURE(begin, end)

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

// The server began when the clock was an hour late, and it is put right.
TEST(tokens_are_judged_by_a_clock_that_is_put_right) {
    trust_lobby();
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_identity identity = sign(&ada, &welcome);
    apex_join_token before = good_token();
    const uint64_t hour_us = 3600000000;
    def.entry.unix_ahead_us += hour_us;
    apex_sessions_set_unix_ahead(scene->sessions, def.entry.unix_ahead_us);
    add_token(&identity, &before, &lobby);
    expect_refused(0, &identity, APEX_REASON_TOKEN_EXPIRED, APEX_SESSION_REFUSED_TOKEN_EXPIRED);
    apex_join_token right = good_token();
    add_token(&identity, &right, &lobby);
    ck_assert(expect_in(0, &identity)->has_token);
}

// What was issued before it began it cannot know to be unused, whatever the clock said then.
TEST(a_server_began_when_the_clock_that_is_put_right_says) {
    trust_lobby();
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_identity identity = sign(&ada, &welcome);
    const uint64_t hour_us = 3600000000;
    def.entry.unix_ahead_us -= hour_us;
    apex_sessions_set_unix_ahead(scene->sessions, def.entry.unix_ahead_us);
    uint64_t began_s = (def.entry.began_us + def.entry.unix_ahead_us) / 1000000u;
    apex_join_token token = good_token();
    token.issued_s = token.not_before_s = began_s - 1;
    add_token(&identity, &token, &lobby);
    expect_refused(0, &identity, APEX_REASON_TOKEN_EXPIRED, APEX_SESSION_REFUSED_TOKEN_EXPIRED);
    token.issued_s = token.not_before_s = began_s;
    add_token(&identity, &token, &lobby);
    ck_assert(expect_in(0, &identity)->has_token);
}

static void ask(void) {
    static const char none[APEX_WIRE_NAME_BYTES];
    ck_assert_int_eq(apex_sessions_ask(scene->sessions, &def.entry, none, false), APEX_OK);
}

TEST(lobbies_may_change_and_what_was_used_stays_used) {
    open_scene();
    apex_welcome welcome = come(0, APEX_LINK_PLAIN);
    apex_join_token token = good_token();
    apex_identity identity = sign(&ada, &welcome);
    add_token(&identity, &token, &lobby);
    expect_refused(0, &identity, APEX_REASON_TOKEN_ISSUER, APEX_SESSION_REFUSED_TOKEN_ISSUER);
    trust_lobby();
    def.entry.began_us += 1000000000; // is not for changing
    ask();
    memset(token.holder, 0, sizeof token.holder);
    welcome = come(1, APEX_LINK_SEALED);
    identity = (apex_identity){0};
    add_token(&identity, &token, &lobby);
    ck_assert(expect_in(1, &identity)->has_token);
    def.entry.lobby_count = 0;
    ask();
    come(2, APEX_LINK_SEALED);
    expect_refused(2, &identity, APEX_REASON_TOKEN_ISSUER, APEX_SESSION_REFUSED_TOKEN_ISSUER);
    def.entry.lobby_count = 2; // at another place of the list
    memcpy(def.entry.lobbies[0], bob.key, sizeof bob.key);
    memcpy(def.entry.lobbies[1], lobby.key, sizeof lobby.key);
    def.entry.token_needed = true;
    ask();
    ck_assert(come(3, APEX_LINK_SEALED).token_needed);
    expect_refused(3, &identity, APEX_REASON_TOKEN_USED, APEX_SESSION_REFUSED_TOKEN_USED);
    expect_refused(3, &(apex_identity){0}, APEX_REASON_TOKEN_NEEDED,
                   APEX_SESSION_REFUSED_TOKEN_NEEDED);
    token.number[0]++;
    add_token(&identity, &token, &lobby);
    ck_assert(expect_in(3, &identity)->has_token);
}
