// libsodium refuses keys of small order and signatures that are not canonical, so that nobody can
// make a second signature of one, nor a key for which anything is signed.
#include "identity/signing.h"

#include <sodium.h>
#include <string.h>

#include "base/assert.h"

_Static_assert(APEX_SIGNATURE_BYTES == crypto_sign_BYTES, "a signature is Ed25519's");

static size_t put_together(const identity_signed *what, uint8_t out[IDENTITY_SIGNED_BYTES_MAX]) {
    size_t word_bytes = strlen(what->word) + 1;
    APEX_ASSERT(what->length <= IDENTITY_SIGNED_BYTES_MAX - word_bytes);
    memcpy(out, what->word, word_bytes);
    memcpy(out + word_bytes, what->bytes, what->length);
    return word_bytes + what->length;
}

void identity_sign(const apex_driver_key *key, const identity_signed *what,
                   uint8_t signature[APEX_SIGNATURE_BYTES]) {
    uint8_t bytes[IDENTITY_SIGNED_BYTES_MAX];
    uint8_t both[crypto_sign_SECRETKEYBYTES]; // libsodium's secret key: the seed, then the public
    memcpy(both, key->secret, sizeof key->secret);
    memcpy(both + sizeof key->secret, key->key, sizeof key->key);
    crypto_sign_detached(signature, NULL, bytes, put_together(what, bytes), both);
    sodium_memzero(both, sizeof both);
}

bool identity_is_signed(const uint8_t key[APEX_DRIVER_KEY_BYTES], const identity_signed *what,
                        const uint8_t signature[APEX_SIGNATURE_BYTES]) {
    uint8_t bytes[IDENTITY_SIGNED_BYTES_MAX];
    return crypto_sign_verify_detached(signature, bytes, put_together(what, bytes), key) == 0;
}
