// What the gate says of a token: each verdict, at the last second before it and at the first of it.
#include "support/base/check_main.h"

#include <stdlib.h>

#include "test_identity_lobby.h"

enum { NOW_S = 1700000010 };

static apex_driver_key driver, lobby, other_lobby;
static apex_join_token token, said;
static apex_token_gate_def def;
static apex_token_gate *gate;
static apex_token_visit visit;
static uint8_t lobbies[2][APEX_DRIVER_KEY_BYTES];

static void open_gate(void) {
    apex_token_gate_destroy(gate);
    ck_assert_int_eq(apex_token_gate_create(&def, &gate), APEX_OK);
}

static void start(void) {
    ck_assert(apex_identity_begin());
    lobby_key_from(0, &driver);
    lobby_key_from(32, &lobby);
    lobby_key_from(100, &other_lobby);
    token = lobby_token();
    memcpy(lobbies[0], other_lobby.key, sizeof lobbies[0]);
    memcpy(lobbies[1], lobby.key, sizeof lobbies[1]);
    def = (apex_token_gate_def){.lobbies = (const uint8_t(*)[APEX_DRIVER_KEY_BYTES])lobbies,
                                .lobby_count = 2,
                                .used_max = 100};
    memcpy(def.audience, token.audience, sizeof def.audience);
    visit = (apex_token_visit){.now_s = NOW_S, .began_s = 1600000000, .race = 7, .key = driver.key};
    open_gate();
}

static void stop(void) {
    apex_token_gate_destroy(gate);
    gate = NULL;
}

FIXTURE(start, stop)

static apex_token_verdict take_by(const apex_driver_key *signer) {
    uint8_t bytes[APEX_JOIN_TOKEN_BYTES_MAX];
    size_t length = apex_join_token_sign(&token, signer, bytes);
    return apex_token_gate_take(gate, &visit, bytes, length, &said);
}

static apex_token_verdict take(void) {
    return take_by(&lobby);
}

static apex_token_verdict take_at(uint64_t now_s) {
    visit.now_s = now_s;
    return take();
}

// Another one of the same lobby, which nobody has used.
static void next_number(void) {
    token.number[0]++;
}

static void drop_holder(void) {
    memset(token.holder, 0, sizeof token.holder);
    visit.is_private = true;
}

TEST(a_token_as_it_came_from_outside_is_good) {
    uint8_t bytes[APEX_JOIN_TOKEN_BYTES_MAX];
    size_t length = apex_join_token_read(lobby_token_text, bytes);
    ck_assert_int_eq(apex_token_gate_take(gate, &visit, bytes, length, &said), APEX_TOKEN_GOOD);
    lobby_assert_same(&said, &token);
}

TEST(a_changed_byte_anywhere_is_refused) {
    static const apex_join_token nothing;
    uint8_t bytes[APEX_JOIN_TOKEN_BYTES_MAX];
    size_t length = apex_join_token_read(lobby_token_text, bytes);
    for (size_t at = 0; at < length; at++) {
        for (unsigned change = 1; change < 256; change *= 2) {
            bool is_issuer = at >= 6 && at < 10;
            bytes[at] ^= (uint8_t)change;
            ck_assert_msg(apex_token_gate_take(gate, &visit, bytes, length, &said) ==
                              (is_issuer ? APEX_TOKEN_STRANGER : APEX_TOKEN_MALFORMED),
                          "byte %zu, bit %u", at, change);
            ck_assert_str_eq(said.subject, nothing.subject);
            ck_assert_str_eq(said.name, nothing.name);
            bytes[at] ^= (uint8_t)change;
        }
    }
    ck_assert_int_eq(apex_token_gate_take(gate, &visit, bytes, length, &said), APEX_TOKEN_GOOD);
}

TEST(each_lobby_of_the_list_is_trusted_and_no_other) {
    apex_driver_key stranger;
    lobby_key_from(200, &stranger);
    ck_assert_int_eq(take_by(&stranger), APEX_TOKEN_STRANGER);
    ck_assert_int_eq(take_by(&other_lobby), APEX_TOKEN_GOOD);
    next_number();
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
    def.lobby_count = 1; // the operator no longer trusts the second
    open_gate();
    ck_assert_int_eq(take(), APEX_TOKEN_STRANGER);
}

TEST(a_token_for_another_server_is_refused) {
    token.audience[15] ^= 1;
    ck_assert_int_eq(take(), APEX_TOKEN_ELSEWHERE);
    ck_assert_str_eq(said.subject, "ada@lobby.example"); // for the log
    def.any_audience = true;
    open_gate();
    ck_assert_int_eq(take(), APEX_TOKEN_ELSEWHERE); // "any" takes no token of another server
}

TEST(a_token_for_any_server_is_taken_where_the_operator_says_so) {
    memset(token.audience, 0, sizeof token.audience);
    ck_assert_int_eq(take(), APEX_TOKEN_ELSEWHERE);
    def.any_audience = true;
    open_gate();
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
}

TEST(a_token_for_another_race_is_refused) {
    visit.race = 8;
    ck_assert_int_eq(take(), APEX_TOKEN_ELSEWHERE);
    visit.race = 0;
    ck_assert_int_eq(take(), APEX_TOKEN_ELSEWHERE);
    token.race = 0;
    visit.race = 8;
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
}

// Issued at ..000, good from ..005: clocks may differ by 30 s.
TEST(a_token_from_the_future_is_early) {
    ck_assert_int_eq(take_at(1699999974), APEX_TOKEN_EARLY);
    ck_assert_int_eq(take_at(1699999975), APEX_TOKEN_GOOD);
    next_number();
    token.not_before_s = 0;
    ck_assert_int_eq(take_at(1699999969), APEX_TOKEN_EARLY);
    ck_assert_int_eq(take_at(1699999970), APEX_TOKEN_GOOD);
    next_number();
    token.not_before_s = UINT64_MAX;
    ck_assert_int_eq(take_at(NOW_S), APEX_TOKEN_EARLY);
    token.not_before_s = 0;
    token.issued_s = UINT64_MAX;
    ck_assert_int_eq(take_at(NOW_S), APEX_TOKEN_EARLY);
}

// Expires at ..060, and 30 s more.
TEST(a_token_expires) {
    ck_assert_int_eq(take_at(1700000089), APEX_TOKEN_GOOD);
    next_number();
    ck_assert_int_eq(take_at(1700000090), APEX_TOKEN_LATE);
    ck_assert_str_eq(said.subject, "ada@lobby.example");
}

TEST(who_has_used_a_token_cannot_come_with_it_for_ever) {
    ck_assert_int_eq(take_at(1700000089), APEX_TOKEN_GOOD);
    ck_assert_int_eq(take_at(1700000090), APEX_TOKEN_LATE);
}

TEST(a_token_lives_for_ten_minutes_at_most) {
    token.expires_s = token.issued_s + 601;
    ck_assert_int_eq(take(), APEX_TOKEN_LATE);
    token.expires_s = token.issued_s + 600;
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
    next_number();
    token.expires_s = UINT64_MAX; // with the skew it would be a small number
    ck_assert_int_eq(take(), APEX_TOKEN_LATE);
    token.expires_s = token.issued_s;
    ck_assert_int_eq(take(), APEX_TOKEN_LATE);
    token.expires_s = token.issued_s - 1;
    ck_assert_int_eq(take(), APEX_TOKEN_LATE);
    token.expires_s = token.issued_s + 1;
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
}

TEST(a_token_from_before_the_start_is_refused) {
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
    visit.began_s = 1700000001; // a second after it was issued
    open_gate();
    ck_assert_int_eq(take(), APEX_TOKEN_LATE);
    visit.began_s = 1700000000;
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
}

TEST(only_its_holder_may_come_with_it) {
    visit.key = other_lobby.key;
    ck_assert_int_eq(take(), APEX_TOKEN_ANOTHERS);
    visit.key = NULL;
    ck_assert_int_eq(take(), APEX_TOKEN_ANOTHERS);
    visit.is_private = true;
    ck_assert_int_eq(take(), APEX_TOKEN_ANOTHERS);
    visit.key = driver.key;
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD); // what was refused has not been used
}

TEST(its_holder_may_repeat_it) {
    for (size_t i = 0; i < 300; i++) { // thrice what there is room for
        ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
    }
}

TEST(a_token_without_a_holder_is_taken_where_nobody_reads_along) {
    drop_holder();
    visit.is_private = false;
    ck_assert_int_eq(take(), APEX_TOKEN_ANOTHERS);
    visit.is_private = true;
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
}

TEST(a_token_without_a_holder_is_the_first_drivers) {
    drop_holder();
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
    visit.key = other_lobby.key;
    ck_assert_int_eq(take(), APEX_TOKEN_USED);
    visit.key = NULL;
    ck_assert_int_eq(take(), APEX_TOKEN_USED);
    visit.key = driver.key;
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
}

TEST(a_guest_uses_a_token_once) {
    static const uint8_t zeros[APEX_DRIVER_KEY_BYTES];
    drop_holder();
    visit.key = NULL;
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
    ck_assert_int_eq(take(), APEX_TOKEN_USED);
    visit.key = driver.key;
    ck_assert_int_eq(take(), APEX_TOKEN_USED);
    visit.key = zeros;
    visit.is_private = true;
    next_number();
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
}

// Of a program's races each has a gate, and a token for any of them is used once all the same.
TEST(gates_that_share_what_was_used_take_a_token_once) {
    apex_token_gate *first = NULL;
    ck_assert_int_eq(apex_used_tokens_create(100, &def.used), APEX_OK);
    memcpy(lobbies[0], lobby.key, sizeof lobbies[0]); // in another place of the list
    memcpy(lobbies[1], other_lobby.key, sizeof lobbies[1]);
    ck_assert_int_eq(apex_token_gate_create(&def, &first), APEX_OK);
    memcpy(lobbies[0], other_lobby.key, sizeof lobbies[0]);
    memcpy(lobbies[1], lobby.key, sizeof lobbies[1]);
    open_gate();
    drop_holder();
    token.race = 0;
    visit.key = NULL;
    uint8_t bytes[APEX_JOIN_TOKEN_BYTES_MAX];
    size_t length = apex_join_token_sign(&token, &lobby, bytes);
    ck_assert_int_eq(apex_token_gate_take(first, &visit, bytes, length, &said), APEX_TOKEN_GOOD);
    visit.race = 8;
    ck_assert_int_eq(take(), APEX_TOKEN_USED);
    next_number();
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
    apex_token_gate_destroy(first);
    apex_token_gate_destroy(gate);
    gate = NULL;
    apex_used_tokens_destroy(def.used); // they outlive the gates
    def.used = NULL;
}

TEST(two_lobbies_may_give_the_same_number) {
    drop_holder();
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
    visit.key = other_lobby.key;
    ck_assert_int_eq(take_by(&other_lobby), APEX_TOKEN_GOOD);
    ck_assert_int_eq(take(), APEX_TOKEN_USED);
}

TEST(what_was_used_stays_used_when_lobbies_change) {
    drop_holder();
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
    visit.key = other_lobby.key;
    apex_token_gate_trust(gate, def.lobbies, 1, false);
    ck_assert_int_eq(take(), APEX_TOKEN_STRANGER);
    ck_assert_int_eq(take_by(&other_lobby), APEX_TOKEN_GOOD);
    apex_token_gate_trust(gate, def.lobbies, 0, false);
    ck_assert_int_eq(take_by(&other_lobby), APEX_TOKEN_STRANGER);
    memcpy(lobbies[0], lobby.key, sizeof lobbies[0]);
    memcpy(lobbies[1], other_lobby.key, sizeof lobbies[1]); // the other way round
    apex_token_gate_trust(gate, def.lobbies, 2, true);
    ck_assert_int_eq(take(), APEX_TOKEN_USED);
    visit.key = driver.key;
    ck_assert_int_eq(take_by(&other_lobby), APEX_TOKEN_USED);
    next_number();
    memset(token.audience, 0, sizeof token.audience); // for any server
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
}

// A hundred tokens are kept; what is full refuses until one of them is too old anyway.
TEST(a_full_table_refuses_until_something_expires) {
    drop_holder();
    for (uint8_t i = 0; i < 100; i++) {
        token.number[0] = i;
        token.expires_s = 1700000060 + (i >= 40);
        ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
    }
    token.number[0] = 200;
    token.expires_s = 1700000600;
    ck_assert_int_eq(take_at(1700000089), APEX_TOKEN_USED);
    token.number[0] = 50;
    ck_assert_int_eq(take_at(1700000089), APEX_TOKEN_GOOD); // who is in it may repeat it
    for (uint8_t i = 0; i < 40; i++) {
        token.number[0] = (uint8_t)(200 + i);
        ck_assert_int_eq(take_at(1700000090), APEX_TOKEN_GOOD);
    }
    token.number[0] = 240;
    ck_assert_int_eq(take_at(1700000090), APEX_TOKEN_USED);
    visit.key = other_lobby.key;
    token.number[0] = 41; // nothing was forgotten that is still good
    ck_assert_int_eq(take_at(1700000090), APEX_TOKEN_USED);
    token.number[0] = 240;
    ck_assert_int_eq(take_at(1700000091), APEX_TOKEN_GOOD);
    token.number[0] = 239;
    ck_assert_int_eq(take_at(1700000091), APEX_TOKEN_USED);
}

// Number 0 was forgotten when its time was over, and a clock that is put back does not make it new.
TEST(what_was_forgotten_is_not_good_again_when_the_clock_is_put_back) {
    drop_holder();
    for (uint8_t i = 0; i < 100; i++) {
        token.number[0] = i;
        token.expires_s = 1700000060 + (i >= 40);
        ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
    }
    token.number[0] = 200;
    token.expires_s = 1700000600;
    ck_assert_int_eq(take_at(1700000090), APEX_TOKEN_GOOD);
    visit.key = other_lobby.key;
    token.number[0] = 0;
    token.expires_s = 1700000060;
    ck_assert_int_eq(take_at(1700000080), APEX_TOKEN_USED);
    token.number[0] = 201;
    token.expires_s = 1700000061; // none of its time is forgotten
    ck_assert_int_eq(take_at(1700000080), APEX_TOKEN_GOOD);
}

TEST(a_small_table_holds_as_many_as_it_says) {
    drop_holder();
    def.used_max = 2;
    open_gate();
    for (uint8_t i = 0; i < 2; i++) {
        token.number[0] = i;
        ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
    }
    token.number[0] = 2;
    ck_assert_int_eq(take(), APEX_TOKEN_USED);
    def.used_max = 1;
    open_gate();
    ck_assert_int_eq(take(), APEX_TOKEN_GOOD);
    token.number[0] = 3;
    ck_assert_int_eq(take(), APEX_TOKEN_USED);
}

TEST(bytes_that_are_no_token_are_malformed) {
    uint8_t bytes[APEX_JOIN_TOKEN_BYTES_MAX] = {'A', 'P', 'X', 'T', 1};
    ck_assert_int_eq(apex_token_gate_take(gate, &visit, bytes, 0, &said), APEX_TOKEN_MALFORMED);
    ck_assert_int_eq(apex_token_gate_take(gate, &visit, bytes, 5, &said), APEX_TOKEN_MALFORMED);
    ck_assert_int_eq(apex_token_gate_take(gate, &visit, bytes, sizeof bytes, &said),
                     APEX_TOKEN_MALFORMED);
}
