// libsodium's own AEAD makes the authenticator's key, which is the first block of the cipher's
// stream, by a call of its own, and the blocks of a short text one by one. But four blocks side by
// side take a third longer than one. So here the first block and the text are one run of the
// cipher, rounded up to what goes side by side, and the authenticator reads one piece.
#include "seal/aead.h"

#include <sodium.h>
#include <string.h>

#include "base/assert.h"

enum {
    BLOCK_BYTES = 64,
    SIDE_BY_SIDE_BYTES = 4 * BLOCK_BYTES,
    TEXT_BYTES_MAX = APEX_SEAL_DATAGRAM_BYTES_MAX - APEX_SEAL_MORE_BYTES,
    RUN_BYTES_MAX = (BLOCK_BYTES + TEXT_BYTES_MAX + SIDE_BY_SIDE_BYTES - 1) / SIDE_BY_SIDE_BYTES *
                    SIDE_BY_SIDE_BYTES,
    WORD_BYTES = crypto_onetimeauth_BYTES, // by which the authenticator goes
};

_Static_assert(crypto_stream_chacha20_ietf_KEYBYTES == APEX_SEAL_KEY_BYTES, "ChaCha20");
_Static_assert(crypto_stream_chacha20_ietf_NONCEBYTES == SEAL_NONCE_BYTES, "of RFC 8439");
_Static_assert(crypto_onetimeauth_BYTES == SEAL_TAG_BYTES, "Poly1305");
_Static_assert(crypto_onetimeauth_KEYBYTES <= BLOCK_BYTES - WORD_BYTES,
               "what is said is behind it");

// What goes through the cipher in one run: a block of zeros, which becomes the authenticator's key,
// and the text. The authenticator reads from that block's last word on, up to a word behind the
// text.
typedef struct run {
    uint8_t bytes[RUN_BYTES_MAX + 2 * WORD_BYTES];
} run;

static void encrypt(const seal_aead *with, const uint8_t *text, size_t length, run *in, run *out) {
    APEX_ASSERT(length <= TEXT_BYTES_MAX);
    size_t used = BLOCK_BYTES + length;
    size_t bytes = (used + SIDE_BY_SIDE_BYTES - 1) / SIDE_BY_SIDE_BYTES * SIDE_BY_SIDE_BYTES;
    memset(in->bytes, 0, BLOCK_BYTES);
    memcpy(in->bytes + BLOCK_BYTES, text, length);
    memset(in->bytes + used, 0, bytes - used);
    crypto_stream_chacha20_ietf_xor(out->bytes, in->bytes, bytes, with->nonce, with->key);
}

// Both lengths have eight bytes, little endian; ours need two.
static void authenticate(const seal_aead *with, const run *keyed, run *sealed, size_t length,
                         uint8_t tag[SEAL_TAG_BYTES]) {
    uint8_t *said = sealed->bytes + BLOCK_BYTES - WORD_BYTES;
    uint8_t *text = sealed->bytes + BLOCK_BYTES;
    size_t padded = (length + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
    uint8_t *lengths = text + padded;
    memset(said, 0, WORD_BYTES);
    memcpy(said, with->said, SEAL_SAID_BYTES);
    memset(text + length, 0, padded - length + WORD_BYTES);
    lengths[0] = SEAL_SAID_BYTES;
    lengths[8] = (uint8_t)length;
    lengths[9] = (uint8_t)(length >> 8);
    crypto_onetimeauth(tag, said, WORD_BYTES + padded + WORD_BYTES, keyed->bytes);
}

void seal_aead_close(const seal_aead *with, uint8_t *content, size_t length) {
    run sealed;
    encrypt(with, content, length, &sealed, &sealed);
    authenticate(with, &sealed, &sealed, length, content + length);
    memcpy(content, sealed.bytes + BLOCK_BYTES, length);
    sodium_memzero(sealed.bytes, BLOCK_BYTES);
}

bool seal_aead_open(const seal_aead *with, uint8_t *content, size_t length) {
    run sealed;
    run opened;
    uint8_t tag[SEAL_TAG_BYTES];
    encrypt(with, content, length, &sealed, &opened);
    authenticate(with, &opened, &sealed, length, tag);
    bool is_genuine = crypto_verify_16(tag, content + length) == 0;
    if (is_genuine) {
        memcpy(content, opened.bytes + BLOCK_BYTES, length);
    }
    sodium_memzero(opened.bytes, BLOCK_BYTES);
    return is_genuine;
}
