// Who brings the cookie back from where it was sent gets keys; who forges an answer is found out;
// and nothing that comes in costs more than a hash before that.
#include "support/base/check_main.h"

#include "seal/seal.h"

#include <sodium.h>
#include <string.h>

static apex_seal_door door;
static apex_seal_client client;
static apex_seal_from from;
static uint8_t asked[APEX_SEAL_HANDSHAKE_BYTES];
static uint8_t answer[APEX_SEAL_HANDSHAKE_BYTES];
static size_t asked_length;
static size_t answer_length;

static void start(void) {
    uint8_t secret[APEX_SEAL_KEY_BYTES];
    ck_assert(apex_seal_begin());
    apex_seal_make_secret(secret);
    apex_seal_door_init(&door, secret);
    apex_seal_client_init(&client, NULL);
    from = (apex_seal_from){
        .address = (const uint8_t *)"1.2.3.4:56", .address_bytes = 10, .now_us = 1000000000};
}

static void ask(void) {
    asked_length = apex_seal_client_ask(&client, asked);
}

static void fetch_cookie(void) {
    ask();
    answer_length = apex_seal_answer_hello(&door, &from, asked, asked_length, answer);
}

// Up to an OPEN that waits in `asked`.
static void reach_opening(void) {
    apex_seal none;
    fetch_cookie();
    ck_assert(apex_seal_client_take(&client, answer, answer_length, &none));
    ask();
}

FIXTURE(start, NULL)

TEST(two_exchanges_lead_to_the_same_binding) {
    apex_seal mine;
    apex_seal theirs;
    reach_opening();
    ck_assert_int_eq(client.step, APEX_SEAL_OPENING);
    ck_assert(apex_seal_check_open(&door, &from, asked, asked_length));
    answer_length = apex_seal_accept(&door, asked, 4711, &theirs, answer);
    ck_assert(apex_seal_client_take(&client, answer, answer_length, &mine));
    ck_assert_int_eq(client.step, APEX_SEAL_OPENED);
    ck_assert_uint_eq(mine.number, 4711);
    ck_assert_uint_eq(theirs.number, 4711);
    ck_assert_mem_eq(mine.binding, theirs.binding, sizeof mine.binding);
    ck_assert_mem_eq(client.server_key, door.key, sizeof door.key);
    ck_assert_uint_eq(apex_seal_client_ask(&client, asked), 0);
}

TEST(no_answer_is_longer_than_what_asks) {
    apex_seal theirs;
    reach_opening();
    ck_assert_uint_eq(asked_length, APEX_SEAL_HANDSHAKE_BYTES);
    ck_assert_uint_gt(answer_length, 0);
    ck_assert_uint_le(answer_length, asked_length);
    answer_length = apex_seal_accept(&door, asked, 1, &theirs, answer);
    ck_assert_uint_gt(answer_length, 0);
    ck_assert_uint_le(answer_length, asked_length);
}

TEST(a_hello_of_another_length_kind_or_version_is_not_answered) {
    ask();
    for (size_t length = 0; length < asked_length; length++) {
        ck_assert_uint_eq(apex_seal_answer_hello(&door, &from, asked, length, answer), 0);
    }
    asked[0] = APEX_SEAL_OPEN;
    ck_assert_uint_eq(apex_seal_answer_hello(&door, &from, asked, asked_length, answer), 0);
    asked[0] = APEX_SEAL_HELLO;
    asked[1]++;
    ck_assert_uint_eq(apex_seal_answer_hello(&door, &from, asked, asked_length, answer), 0);
    asked[1]--;
    ck_assert_uint_gt(apex_seal_answer_hello(&door, &from, asked, asked_length, answer), 0);
}

TEST(a_cookie_is_for_one_address) {
    reach_opening();
    apex_seal_from elsewhere = from;
    elsewhere.address = (const uint8_t *)"1.2.3.4:57";
    ck_assert(!apex_seal_check_open(&door, &elsewhere, asked, asked_length));
    elsewhere = from;
    elsewhere.address_bytes--;
    ck_assert(!apex_seal_check_open(&door, &elsewhere, asked, asked_length));
    ck_assert(apex_seal_check_open(&door, &from, asked, asked_length));
}

TEST(a_cookie_is_for_one_key_and_one_run) {
    reach_opening();
    apex_seal_door restarted = door;
    apex_seal_door_init(&restarted, door.secret);
    ck_assert_mem_eq(restarted.key, door.key, sizeof door.key); // clients have pinned it
    ck_assert(!apex_seal_check_open(&restarted, &from, asked, asked_length));
    for (size_t at = 2; at < 2 + 16 + 32; at++) { // cookie and key
        asked[at] ^= 1;
        ck_assert(!apex_seal_check_open(&door, &from, asked, asked_length));
        asked[at] ^= 1;
    }
}

TEST(a_cookie_dies_after_twenty_seconds) {
    from.now_us = 1000000000; // an epoch begins
    reach_opening();
    from.now_us += 19999999;
    ck_assert(apex_seal_check_open(&door, &from, asked, asked_length));
    from.now_us += 1;
    ck_assert(!apex_seal_check_open(&door, &from, asked, asked_length));
    from.now_us = 9999999; // in the first epoch, which has none before it
    apex_seal_client_init(&client, NULL);
    reach_opening();
    ck_assert(apex_seal_check_open(&door, &from, asked, asked_length));
}

TEST(a_pinned_key_is_insisted_on) {
    apex_seal none;
    uint8_t pinned[APEX_SEAL_KEY_BYTES];
    memcpy(pinned, door.key, sizeof pinned);
    apex_seal_client_init(&client, pinned);
    fetch_cookie();
    answer[2 + 31] ^= 1;
    ck_assert(!apex_seal_client_take(&client, answer, answer_length, &none));
    ck_assert_int_eq(client.step, APEX_SEAL_GREETING);
    ck_assert(client.met_another);
    // The right one may still come: the other may have been anybody's.
    answer[2 + 31] ^= 1;
    ck_assert(apex_seal_client_take(&client, answer, answer_length, &none));
}

TEST(a_cookie_for_another_hello_is_passed_over) {
    apex_seal none;
    fetch_cookie();
    for (size_t at = answer_length - 8; at < answer_length; at++) {
        answer[at] ^= 1;
        ck_assert(!apex_seal_client_take(&client, answer, answer_length, &none));
        answer[at] ^= 1;
    }
    ck_assert(apex_seal_client_take(&client, answer, answer_length, &none));
}

TEST(the_first_key_that_is_trusted_stays) {
    apex_seal none;
    reach_opening();
    uint8_t secret[APEX_SEAL_KEY_BYTES];
    apex_seal_door other;
    apex_seal_make_secret(secret);
    apex_seal_door_init(&other, secret);
    ck_assert(!apex_seal_client_take(&client, answer, answer_length, &none));
    ck_assert_mem_eq(client.server_key, door.key, sizeof door.key);
}

TEST(a_forged_or_changed_accept_is_refused) {
    apex_seal mine;
    apex_seal theirs;
    reach_opening();
    answer_length = apex_seal_accept(&door, asked, 9, &theirs, answer);
    for (size_t bit = 0; bit < 8 * answer_length; bit++) {
        // X25519 passes over the last bit of a key, which is hashed all the same.
        answer[bit / 8] ^= (uint8_t)(1u << bit % 8);
        ck_assert_msg(!apex_seal_client_take(&client, answer, answer_length, &mine), "bit %zu",
                      bit);
        answer[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    ck_assert(!apex_seal_client_take(&client, answer, answer_length - 1, &mine));
    ck_assert(apex_seal_client_take(&client, answer, answer_length, &mine));
}

// Somebody in the middle has the cookie, but not the server's secret.
TEST(only_the_servers_secret_accepts) {
    apex_seal mine;
    apex_seal theirs;
    reach_opening();
    apex_seal_door impostor = door;
    apex_seal_make_secret(impostor.secret);
    answer_length = apex_seal_accept(&impostor, asked, 9, &theirs, answer);
    ck_assert_uint_gt(answer_length, 0);
    ck_assert(!apex_seal_client_take(&client, answer, answer_length, &mine));
}

TEST(keys_that_everybody_would_share_are_refused) {
    static const uint8_t small[3][APEX_SEAL_KEY_BYTES] = {
        {0},
        {1},
        {0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3,
         0xfa, 0xf1, 0x9f, 0xc4, 0x6a, 0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32,
         0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8, 0x00},
    };
    apex_seal theirs;
    reach_opening();
    for (int i = 0; i < 3; i++) {
        memcpy(asked + 2 + 16, small[i], APEX_SEAL_KEY_BYTES);
        ck_assert_uint_eq(apex_seal_accept(&door, asked, 9, &theirs, answer), 0);
    }
}

TEST(the_key_of_an_open_tells_a_repeated_one) {
    reach_opening();
    ck_assert_mem_eq(apex_seal_open_key(asked), client.key, APEX_SEAL_KEY_BYTES);
}

TEST(each_client_and_each_answer_has_fresh_keys) {
    apex_seal first;
    apex_seal second;
    reach_opening();
    apex_seal_accept(&door, asked, 9, &first, answer);
    apex_seal_accept(&door, asked, 9, &second, answer);
    ck_assert_mem_ne(first.sender.key, second.sender.key, APEX_SEAL_KEY_BYTES);
    apex_seal_client other;
    apex_seal_client_init(&other, NULL);
    ck_assert_mem_ne(other.key, client.key, APEX_SEAL_KEY_BYTES);
}

TEST(answers_out_of_turn_are_passed_over) {
    apex_seal mine;
    apex_seal theirs;
    reach_opening();
    answer_length = apex_seal_accept(&door, asked, 9, &theirs, answer);
    apex_seal_client early;
    apex_seal_client_init(&early, NULL);
    ck_assert(!apex_seal_client_take(&early, answer, answer_length, &mine));
    ck_assert(!apex_seal_client_take(&early, answer, 0, &mine));
    ck_assert(!apex_seal_client_take(&early, answer, 2, &mine));
    ck_assert(apex_seal_client_take(&client, answer, answer_length, &mine));
    ck_assert(!apex_seal_client_take(&client, answer, answer_length, &mine));
}
