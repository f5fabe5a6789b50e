// Keys, fingerprints and tokens as people and files have them.
#include <sodium.h>
#include <string.h>

#include "base/assert.h"
#include "identity/identity.h"

enum { BASE64 = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

_Static_assert(APEX_JOIN_TOKEN_TEXT_BYTES ==
                   sodium_base64_ENCODED_LEN(APEX_JOIN_TOKEN_BYTES_MAX, BASE64),
               "the longest token has room as text");

static bool read_hex(const char *text, uint8_t *out, size_t bytes) {
    size_t read = 0;
    return strnlen(text, 2 * bytes + 1) == 2 * bytes &&
           sodium_hex2bin(out, bytes, text, 2 * bytes, NULL, &read, NULL) == 0 && read == bytes;
}

void apex_fingerprint_text(const uint8_t fingerprint[APEX_FINGERPRINT_BYTES],
                           char out[APEX_FINGERPRINT_TEXT_BYTES]) {
    sodium_bin2hex(out, APEX_FINGERPRINT_TEXT_BYTES, fingerprint, APEX_FINGERPRINT_BYTES);
}

bool apex_fingerprint_read(const char *text, uint8_t out[APEX_FINGERPRINT_BYTES]) {
    return read_hex(text, out, APEX_FINGERPRINT_BYTES);
}

void apex_driver_key_text(const uint8_t key[APEX_DRIVER_KEY_BYTES],
                          char out[APEX_DRIVER_KEY_TEXT_BYTES]) {
    sodium_bin2hex(out, APEX_DRIVER_KEY_TEXT_BYTES, key, APEX_DRIVER_KEY_BYTES);
}

bool apex_driver_key_read(const char *text, uint8_t out[APEX_DRIVER_KEY_BYTES]) {
    return read_hex(text, out, APEX_DRIVER_KEY_BYTES);
}

// libsodium 1.0.18 takes some bytes above 0x7F for letters where char is signed.
static bool is_base64url(const char *text, size_t length) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    return strspn(text, letters) == length;
}

size_t apex_join_token_read(const char *text, uint8_t out[APEX_JOIN_TOKEN_BYTES_MAX]) {
    size_t length = 0;
    size_t text_length = strnlen(text, APEX_JOIN_TOKEN_TEXT_BYTES);
    if (text_length == APEX_JOIN_TOKEN_TEXT_BYTES || !is_base64url(text, text_length) ||
        sodium_base642bin(out, APEX_JOIN_TOKEN_BYTES_MAX, text, text_length, NULL, &length, NULL,
                          BASE64) != 0) {
        return 0;
    }
    return length;
}

void apex_join_token_text(const uint8_t *bytes, size_t length,
                          char out[APEX_JOIN_TOKEN_TEXT_BYTES]) {
    APEX_ASSERT(length <= APEX_JOIN_TOKEN_BYTES_MAX);
    sodium_bin2base64(out, APEX_JOIN_TOKEN_TEXT_BYTES, bytes, length, BASE64);
}
