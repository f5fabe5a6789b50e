// A token has one form of bytes: whatever differs from what would be written is none.
#include <sodium.h>
#include <string.h>

#include "base/assert.h"
#include "base/utf8.h"
#include "identity/signing.h"

enum {
    HEAD_BYTES = 109, // all before the two texts
    BYTES_MAX = HEAD_BYTES + APEX_TOKEN_SUBJECT_BYTES + APEX_TOKEN_NAME_BYTES,
    RESTRICTOR_PERCENT_MAX = 100,
};

_Static_assert(BYTES_MAX + APEX_SIGNATURE_BYTES <= APEX_JOIN_TOKEN_BYTES_MAX, "a token has room");

static const char word[] = "apex join token v1";
static const uint8_t magic[6] = {'A', 'P', 'X', 'T', 1, 0};

// Where bytes are read or written next; a reader that runs out of them has failed.
typedef struct cursor {
    uint8_t *out;
    const uint8_t *in;
    size_t left;
    bool has_failed;
} cursor;

static void put(cursor *to, const void *bytes, size_t length) {
    memcpy(to->out, bytes, length);
    to->out += length;
}

static void put_number(cursor *to, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        *to->out++ = (uint8_t)(value >> 8 * i);
    }
}

static void put_text(cursor *to, const char *text, size_t capacity) {
    size_t length = strnlen(text, capacity);
    APEX_ASSERT(length < capacity);
    put_number(to, length, 1);
    put(to, text, length);
}

static bool get(cursor *from, void *bytes, size_t length) {
    if (from->has_failed || length > from->left) {
        from->has_failed = true;
        return false;
    }
    memcpy(bytes, from->in, length);
    from->in += length;
    from->left -= length;
    return true;
}

static uint64_t get_number(cursor *from, size_t bytes) {
    uint8_t read[8] = {0};
    uint64_t value = 0;
    get(from, read, bytes);
    for (size_t i = 0; i < bytes; i++) {
        value |= (uint64_t)read[i] << 8 * i;
    }
    return value;
}

// Texts end up on terminals and pages: nothing in them may be invisible.
static bool is_shown(const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        size_t bytes = apex_utf8_length(text + at, length - at);
        if (bytes == 0 || apex_utf8_is_hidden(text + at, bytes)) {
            return false;
        }
        at += bytes;
    }
    return true;
}

static void get_text(cursor *from, char *out, size_t capacity) {
    size_t length = (size_t)get_number(from, 1);
    from->has_failed = from->has_failed || length >= capacity;
    if (get(from, out, length)) {
        out[length] = '\0';
        from->has_failed = !is_shown(out, length);
    }
}

static void put_fields(cursor *to, const apex_join_token *token) {
    put(to, magic, sizeof magic);
    put(to, token->issuer, sizeof token->issuer);
    put_number(to, token->issued_s, 8);
    put_number(to, token->not_before_s, 8);
    put_number(to, token->expires_s, 8);
    put(to, token->number, sizeof token->number);
    put(to, token->audience, sizeof token->audience);
    put_number(to, token->race, 4);
    put(to, token->holder, sizeof token->holder);
    put_number(to, token->role, 1);
    put_number(to, token->car, 1);
    put_number(to, token->start_number, 2);
    put_number(to, token->ballast_kg, 2);
    put_number(to, token->restrictor_percent, 1);
}

static void get_fields(cursor *from, apex_join_token *token) {
    get(from, token->issuer, sizeof token->issuer);
    token->issued_s = get_number(from, 8);
    token->not_before_s = get_number(from, 8);
    token->expires_s = get_number(from, 8);
    get(from, token->number, sizeof token->number);
    get(from, token->audience, sizeof token->audience);
    token->race = (uint32_t)get_number(from, 4);
    get(from, token->holder, sizeof token->holder);
    token->role = (uint8_t)get_number(from, 1);
    token->car = (uint8_t)get_number(from, 1);
    token->start_number = (uint16_t)get_number(from, 2);
    token->ballast_kg = (uint16_t)get_number(from, 2);
    token->restrictor_percent = (uint8_t)get_number(from, 1);
}

static bool values_make_sense(const apex_join_token *token) {
    bool has_role = token->role <= APEX_TOKEN_SPECTATOR || token->role == APEX_TOKEN_FREE_BYTE;
    bool has_restrictor = token->restrictor_percent <= RESTRICTOR_PERCENT_MAX ||
                          token->restrictor_percent == APEX_TOKEN_FREE_BYTE;
    return has_role && has_restrictor;
}

void apex_token_issuer(const uint8_t lobby[APEX_DRIVER_KEY_BYTES],
                       uint8_t out[APEX_TOKEN_ISSUER_BYTES]) {
    uint8_t hash[32];
    crypto_generichash(hash, sizeof hash, lobby, APEX_DRIVER_KEY_BYTES, NULL, 0);
    memcpy(out, hash, APEX_TOKEN_ISSUER_BYTES);
}

void apex_join_token_new_number(apex_join_token *token) {
    randombytes_buf(token->number, sizeof token->number);
}

size_t apex_join_token_sign(const apex_join_token *token, const apex_driver_key *lobby,
                            uint8_t out[APEX_JOIN_TOKEN_BYTES_MAX]) {
    APEX_ASSERT(values_make_sense(token));
    apex_join_token signed_token = *token;
    apex_token_issuer(lobby->key, signed_token.issuer);
    cursor to = {.out = out};
    put_fields(&to, &signed_token);
    put_text(&to, signed_token.subject, sizeof signed_token.subject);
    put_text(&to, signed_token.name, sizeof signed_token.name);
    size_t length = (size_t)(to.out - out);
    identity_sign(lobby, &(identity_signed){word, out, length}, to.out);
    return length + APEX_SIGNATURE_BYTES;
}

bool apex_join_token_parse(const uint8_t *bytes, size_t length, apex_join_token *out) {
    uint8_t found[sizeof magic];
    cursor from = {.in = bytes, .left = length};
    *out = (apex_join_token){0};
    if (!get(&from, found, sizeof found) || memcmp(found, magic, sizeof magic) != 0) {
        return false;
    }
    get_fields(&from, out);
    get_text(&from, out->subject, sizeof out->subject);
    get_text(&from, out->name, sizeof out->name);
    return !from.has_failed && from.left == APEX_SIGNATURE_BYTES && values_make_sense(out);
}

bool apex_join_token_is_signed(const uint8_t *bytes, size_t length,
                               const uint8_t lobby[APEX_DRIVER_KEY_BYTES]) {
    if (length < APEX_SIGNATURE_BYTES || length > APEX_JOIN_TOKEN_BYTES_MAX) {
        return false;
    }
    size_t signed_bytes = length - APEX_SIGNATURE_BYTES;
    return identity_is_signed(lobby, &(identity_signed){word, bytes, signed_bytes},
                              bytes + signed_bytes);
}
