// ChaCha20-Poly1305 (RFC 8439), the same bytes as crypto_aead_chacha20poly1305_ietf makes, in about
// half its time for datagrams as short as ours.
#pragma once

#include "seal/seal.h"

enum { SEAL_SAID_BYTES = 5, SEAL_TAG_BYTES = 16, SEAL_NONCE_BYTES = 12 };

// What one datagram is sealed with. No key may see a nonce twice.
typedef struct seal_aead {
    const uint8_t *key;  // APEX_SEAL_KEY_BYTES
    const uint8_t *said; // SEAL_SAID_BYTES that are authenticated and stay as they are
    uint8_t nonce[SEAL_NONCE_BYTES];
} seal_aead;

// In place; a tag of SEAL_TAG_BYTES is put behind the `length` bytes, which are at most
// APEX_SEAL_DATAGRAM_BYTES_MAX - APEX_SEAL_MORE_BYTES.
void seal_aead_close(const seal_aead *with, uint8_t *content, size_t length);

// In place; the tag stands behind the `length` bytes, which are at most as many. @return false, and
// nothing has changed, if they or what was said are not what was closed.
bool seal_aead_open(const seal_aead *with, uint8_t *content, size_t length);
