// The server's side: a cookie for whoever asks, keys for who brings it back.
#include <sodium.h>
#include <string.h>

#include "base/assert.h"
#include "seal/handshake.h"

_Static_assert((int)SEAL_COOKIE_LENGTH <= (int)APEX_SEAL_HANDSHAKE_BYTES,
               "no answer is longer than its HELLO");
_Static_assert((int)SEAL_ACCEPT_LENGTH <= (int)APEX_SEAL_HANDSHAKE_BYTES, "nor than its OPEN");
_Static_assert(crypto_scalarmult_BYTES == APEX_SEAL_KEY_BYTES, "X25519");

// The time that a cookie is good for: at least one of these, at most two.
static const uint64_t epoch_us = 10000000;

void apex_seal_make_secret(uint8_t secret[APEX_SEAL_KEY_BYTES]) {
    randombytes_buf(secret, APEX_SEAL_KEY_BYTES);
}

void apex_seal_door_init(apex_seal_door *door, const uint8_t secret[APEX_SEAL_KEY_BYTES]) {
    memcpy(door->secret, secret, APEX_SEAL_KEY_BYTES);
    int failed = crypto_scalarmult_base(door->key, door->secret);
    APEX_ASSERT(failed == 0);
    randombytes_buf(door->cookie_key, sizeof door->cookie_key);
}

// Bound to the fresh key, too: a cookie that somebody has read on its way opens nothing for him.
static void make_cookie(const apex_seal_door *door, const apex_seal_from *from, uint64_t epoch,
                        const uint8_t fresh[APEX_SEAL_KEY_BYTES],
                        uint8_t cookie[SEAL_COOKIE_BYTES]) {
    APEX_ASSERT(from->address_bytes <= APEX_SEAL_ADDRESS_BYTES_MAX);
    uint8_t said[APEX_SEAL_KEY_BYTES + sizeof epoch + APEX_SEAL_ADDRESS_BYTES_MAX];
    memcpy(said, fresh, APEX_SEAL_KEY_BYTES);
    memcpy(said + APEX_SEAL_KEY_BYTES, &epoch, sizeof epoch);
    memcpy(said + APEX_SEAL_KEY_BYTES + sizeof epoch, from->address, from->address_bytes);
    crypto_generichash(cookie, SEAL_COOKIE_BYTES, said,
                       APEX_SEAL_KEY_BYTES + sizeof epoch + from->address_bytes, door->cookie_key,
                       sizeof door->cookie_key);
}

static bool is_ours(const uint8_t *bytes, size_t length, apex_seal_kind kind) {
    return length == APEX_SEAL_HANDSHAKE_BYTES && bytes[0] == kind &&
           bytes[SEAL_VERSION_OFFSET] == SEAL_VERSION;
}

size_t apex_seal_answer_hello(const apex_seal_door *door, const apex_seal_from *from,
                              const uint8_t *hello, size_t length,
                              uint8_t out[APEX_SEAL_HANDSHAKE_BYTES]) {
    if (!is_ours(hello, length, APEX_SEAL_HELLO)) {
        return 0;
    }
    out[0] = APEX_SEAL_COOKIE;
    out[SEAL_VERSION_OFFSET] = SEAL_VERSION;
    memcpy(out + SEAL_COOKIE_KEY, door->key, APEX_SEAL_KEY_BYTES);
    make_cookie(door, from, from->now_us / epoch_us, hello + SEAL_HELLO_KEY,
                out + SEAL_COOKIE_COOKIE);
    memcpy(out + SEAL_COOKIE_ECHO, hello + SEAL_HELLO_KEY, SEAL_ECHO_BYTES);
    return SEAL_COOKIE_LENGTH;
}

bool apex_seal_check_open(const apex_seal_door *door, const apex_seal_from *from,
                          const uint8_t *open, size_t length) {
    if (!is_ours(open, length, APEX_SEAL_OPEN)) {
        return false;
    }
    uint64_t epoch = from->now_us / epoch_us;
    for (uint64_t age = 0; age < 2 && age <= epoch; age++) {
        uint8_t cookie[SEAL_COOKIE_BYTES];
        make_cookie(door, from, epoch - age, open + SEAL_OPEN_KEY, cookie);
        if (sodium_memcmp(cookie, open + SEAL_OPEN_COOKIE, SEAL_COOKIE_BYTES) == 0) {
            return true;
        }
    }
    return false;
}

const uint8_t *apex_seal_open_key(const uint8_t *open) {
    return open + SEAL_OPEN_KEY;
}

size_t apex_seal_accept(const apex_seal_door *door, const uint8_t *open, uint32_t number,
                        apex_seal *seal, uint8_t out[APEX_SEAL_HANDSHAKE_BYTES]) {
    uint8_t secret[APEX_SEAL_KEY_BYTES];
    uint8_t with_own[APEX_SEAL_KEY_BYTES];
    uint8_t with_fresh[APEX_SEAL_KEY_BYTES];
    uint8_t *fresh = out + SEAL_ACCEPT_KEY;
    const uint8_t *client_fresh = open + SEAL_OPEN_KEY;
    randombytes_buf(secret, sizeof secret);
    // It fails for the few points of small order, with which everybody would know the secret.
    bool is_good = crypto_scalarmult_base(fresh, secret) == 0 &&
                   crypto_scalarmult(with_own, door->secret, client_fresh) == 0 &&
                   crypto_scalarmult(with_fresh, secret, client_fresh) == 0;
    if (is_good) {
        out[0] = APEX_SEAL_ACCEPT;
        out[SEAL_VERSION_OFFSET] = SEAL_VERSION;
        for (int i = 0; i < SEAL_NUMBER_BYTES; i++) {
            out[SEAL_ACCEPT_NUMBER + i] = (uint8_t)(number >> 8 * i);
        }
        seal_shared shared = {.with_server_key = with_own,
                              .with_fresh_key = with_fresh,
                              .server_key = door->key,
                              .client_fresh = client_fresh,
                              .server_fresh = fresh,
                              .number = number};
        seal_make_keys(&shared, true, seal, out + SEAL_ACCEPT_PROOF);
    }
    sodium_memzero(secret, sizeof secret);
    sodium_memzero(with_own, sizeof with_own);
    sodium_memzero(with_fresh, sizeof with_fresh);
    return is_good ? SEAL_ACCEPT_LENGTH : 0;
}
