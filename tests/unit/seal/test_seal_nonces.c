// No pair of key and nonce seals twice, which would give both contents away: each call of the
// cipher is noted, as it reaches the library, over changes of keys, in both directions and over a
// restart.
#define _GNU_SOURCE // RTLD_NEXT
#include "support/base/check_main.h"

#include "seal/seal.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { DATAGRAMS = 1000000, KEY_DATAGRAMS = 65536, KEYS_MAX = 1024, CONTENT_BYTES = 4 };

// What a key has sealed: counters of one run of 65,536, each once.
typedef struct key_use {
    uint8_t key[APEX_SEAL_KEY_BYTES];
    uint64_t run;
    uint8_t used[KEY_DATAGRAMS / 8];
} key_use;

static key_use *uses;
static size_t use_count;
static uint64_t noted, repeated, out_of_run, others;

static key_use *use_of(const uint8_t *key, uint64_t counter) {
    for (size_t i = use_count; i > 0; i--) {
        if (memcmp(uses[i - 1].key, key, APEX_SEAL_KEY_BYTES) == 0) {
            return &uses[i - 1];
        }
    }
    ck_assert_uint_lt(use_count, KEYS_MAX);
    key_use *next = &uses[use_count++];
    memcpy(next->key, key, APEX_SEAL_KEY_BYTES);
    next->run = counter / KEY_DATAGRAMS;
    return next;
}

static void note(const uint8_t *key, uint64_t counter) {
    key_use *use = use_of(key, counter);
    uint8_t *byte = &use->used[counter % KEY_DATAGRAMS / 8];
    uint8_t bit = (uint8_t)(1u << counter % 8);
    out_of_run += use->run != counter / KEY_DATAGRAMS;
    repeated += (*byte & bit) != 0;
    *byte |= bit;
    noted++;
}

static bool is_sealed_by(const uint8_t *bytes, size_t length, const uint8_t *key,
                         uint64_t counter) {
    uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES] = {0}, plain[CONTENT_BYTES];
    memcpy(nonce + 4, &counter, sizeof counter);
    return crypto_aead_chacha20poly1305_ietf_decrypt(
               plain, NULL, NULL, bytes + APEX_SEAL_HEAD_BYTES, length - APEX_SEAL_HEAD_BYTES,
               bytes, 5, nonce, key) == 0;
}

// A handshake with a door that has just begun, by the secret that it had before.
static void meet(const uint8_t secret[APEX_SEAL_KEY_BYTES], uint32_t number, apex_seal *client,
                 apex_seal *server) {
    uint8_t asked[APEX_SEAL_HANDSHAKE_BYTES], answer[APEX_SEAL_HANDSHAKE_BYTES];
    apex_seal_from from = {.address = (const uint8_t *)"here", .address_bytes = 4};
    apex_seal_door door;
    apex_seal_client asking;
    apex_seal_door_init(&door, secret);
    apex_seal_client_init(&asking, door.key);
    size_t length = apex_seal_client_ask(&asking, asked);
    length = apex_seal_answer_hello(&door, &from, asked, length, answer);
    ck_assert(apex_seal_client_take(&asking, answer, length, client));
    apex_seal_client_ask(&asking, asked);
    length = apex_seal_accept(&door, asked, number, server, answer);
    ck_assert(apex_seal_client_take(&asking, answer, length, client));
}

static void close_many(apex_seal *seal, uint64_t count) {
    uint8_t bytes[CONTENT_BYTES + APEX_SEAL_MORE_BYTES] = {0};
    for (uint64_t i = 0; i < count; i++) {
        uint64_t counter = seal->sender.counter;
        size_t length = apex_seal_close(seal, bytes, CONTENT_BYTES);
        others += !is_sealed_by(bytes, length, seal->sender.key, counter);
        note(seal->sender.key, counter);
    }
}

static uint64_t datagrams(void) {
    const char *text = getenv("APEX_SEAL_DATAGRAMS"); // 10000000: the long run, some 20 s
    return text != NULL ? strtoull(text, NULL, 10) : DATAGRAMS;
}

TEST(no_key_seals_a_nonce_twice) {
    uint8_t secret[APEX_SEAL_KEY_BYTES];
    uint64_t each = datagrams() / 4;
    ck_assert(apex_seal_begin());
    uses = calloc(KEYS_MAX, sizeof *uses);
    ck_assert_ptr_nonnull(uses);
    apex_seal_make_secret(secret);
    for (uint32_t run = 0; run < 2; run++) { // the second with the same secret and number
        apex_seal client, server;
        meet(secret, 77, &client, &server);
        close_many(&client, each);
        close_many(&server, each);
    }
    ck_assert_uint_eq(noted, 4 * each);
    ck_assert_uint_eq(others, 0);
    ck_assert_uint_eq(repeated, 0);
    ck_assert_uint_eq(out_of_run, 0);
    ck_assert_uint_eq(use_count, 4 * ((each + KEY_DATAGRAMS - 1) / KEY_DATAGRAMS));
    free(uses);
}
