// Our run of ChaCha20-Poly1305 makes libsodium's bytes for every length of a datagram, and opens
// nothing that libsodium would not open.
#include "support/base/check_main.h"

#include "seal/aead.h"

#include <sodium.h>
#include <string.h>

enum { TEXT_BYTES_MAX = APEX_SEAL_DATAGRAM_BYTES_MAX - APEX_SEAL_MORE_BYTES };

static uint8_t key[APEX_SEAL_KEY_BYTES], said[SEAL_SAID_BYTES], text[TEXT_BYTES_MAX];

// Other random bytes for each length, and the same in every run.
static seal_aead with_bytes_of(size_t length) {
    uint8_t seed[randombytes_SEEDBYTES] = {(uint8_t)length, (uint8_t)(length >> 8)};
    uint8_t bytes[sizeof key + sizeof said + SEAL_NONCE_BYTES + sizeof text];
    seal_aead with = {.key = key, .said = said};
    const uint8_t *at = bytes;
    randombytes_buf_deterministic(bytes, sizeof bytes, seed);
    memcpy(key, at, sizeof key);
    memcpy(said, at += sizeof key, sizeof said);
    memcpy(with.nonce, at += sizeof said, sizeof with.nonce);
    memcpy(text, at + sizeof with.nonce, sizeof text);
    return with;
}

TEST(closes_to_the_bytes_of_libsodium) {
    ck_assert(apex_seal_begin());
    for (size_t length = 0; length <= TEXT_BYTES_MAX; length++) {
        uint8_t ours[TEXT_BYTES_MAX + SEAL_TAG_BYTES], theirs[TEXT_BYTES_MAX + SEAL_TAG_BYTES];
        seal_aead with = with_bytes_of(length);
        memcpy(ours, text, length);
        seal_aead_close(&with, ours, length);
        crypto_aead_chacha20poly1305_ietf_encrypt(theirs, NULL, text, length, said, sizeof said,
                                                  NULL, with.nonce, key);
        ck_assert_mem_eq(ours, theirs, length + SEAL_TAG_BYTES);
    }
}

TEST(opens_what_libsodium_has_closed) {
    ck_assert(apex_seal_begin());
    for (size_t length = 0; length <= TEXT_BYTES_MAX; length++) {
        uint8_t bytes[TEXT_BYTES_MAX + SEAL_TAG_BYTES];
        seal_aead with = with_bytes_of(length);
        crypto_aead_chacha20poly1305_ietf_encrypt(bytes, NULL, text, length, said, sizeof said,
                                                  NULL, with.nonce, key);
        ck_assert(seal_aead_open(&with, bytes, length));
        ck_assert(memcmp(bytes, text, length) == 0);
    }
}

static void check_refused(const seal_aead *with, const uint8_t *bytes, size_t length) {
    uint8_t given[TEXT_BYTES_MAX + SEAL_TAG_BYTES];
    memcpy(given, bytes, length + SEAL_TAG_BYTES);
    ck_assert(!seal_aead_open(with, given, length));
    ck_assert_mem_eq(given, bytes, length + SEAL_TAG_BYTES);
}

TEST(opens_nothing_that_was_changed_in_a_bit) {
    static const size_t lengths[] = {0, 1, 15, 16, 17, 191, 192, 193, TEXT_BYTES_MAX};
    ck_assert(apex_seal_begin());
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        uint8_t bytes[TEXT_BYTES_MAX + SEAL_TAG_BYTES];
        size_t length = lengths[i];
        seal_aead with = with_bytes_of(length);
        memcpy(bytes, text, length);
        seal_aead_close(&with, bytes, length);
        for (size_t bit = 0; bit < 8 * (length + SEAL_TAG_BYTES); bit++) {
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            check_refused(&with, bytes, length);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        for (size_t bit = 0; bit < 8 * sizeof said; bit++) {
            said[bit / 8] ^= (uint8_t)(1u << bit % 8);
            check_refused(&with, bytes, length);
            said[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        ck_assert(seal_aead_open(&with, bytes, length));
    }
}

// But for the lengths at its end the authenticator reads the same.
TEST(opens_nothing_that_is_longer_by_a_zero) {
    uint8_t bytes[4 + SEAL_TAG_BYTES];
    ck_assert(apex_seal_begin());
    seal_aead with = with_bytes_of(3);
    memcpy(bytes, text, 3);
    seal_aead_close(&with, bytes, 3);
    memmove(bytes + 4, bytes + 3, SEAL_TAG_BYTES);
    bytes[3] = 0;
    check_refused(&with, bytes, 4);
}
