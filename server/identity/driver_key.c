// A driver's key is the seed of an Ed25519 key; the public half is made of it.
#include <sodium.h>

#include "identity/identity.h"

_Static_assert(APEX_DRIVER_KEY_BYTES == crypto_sign_PUBLICKEYBYTES, "a driver's key is Ed25519's");
_Static_assert(APEX_DRIVER_SECRET_BYTES == crypto_sign_SEEDBYTES, "its secret is the seed");

bool apex_identity_begin(void) {
    return sodium_init() >= 0;
}

void apex_driver_key_make(apex_driver_key *out) {
    uint8_t secret[APEX_DRIVER_SECRET_BYTES];
    randombytes_buf(secret, sizeof secret);
    apex_driver_key_of(secret, out);
    sodium_memzero(secret, sizeof secret);
}

void apex_driver_key_of(const uint8_t secret[APEX_DRIVER_SECRET_BYTES], apex_driver_key *out) {
    uint8_t both[crypto_sign_SECRETKEYBYTES];
    crypto_sign_seed_keypair(out->key, both, secret);
    sodium_memzero(both, sizeof both);
    // Where `secret` is the one in `out`, there is nothing to copy.
    for (size_t i = 0; i < sizeof out->secret; i++) {
        out->secret[i] = secret[i];
    }
}

void apex_driver_key_forget(apex_driver_key *key) {
    sodium_memzero(key, sizeof *key);
}

void apex_fingerprint(const uint8_t key[APEX_DRIVER_KEY_BYTES],
                      uint8_t out[APEX_FINGERPRINT_BYTES]) {
    crypto_generichash(out, APEX_FINGERPRINT_BYTES, key, APEX_DRIVER_KEY_BYTES, NULL, 0);
}
