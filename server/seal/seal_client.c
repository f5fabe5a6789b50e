// The client's side: asks for a cookie, brings it back, checks who has answered.
#include <sodium.h>
#include <string.h>

#include "base/assert.h"
#include "seal/handshake.h"

_Static_assert(sizeof((apex_seal_client *)0)->cookie == SEAL_COOKIE_BYTES, "a cookie has room");

void apex_seal_client_init(apex_seal_client *client, const uint8_t *pinned) {
    *client = (apex_seal_client){.step = APEX_SEAL_GREETING, .is_pinned = pinned != NULL};
    if (pinned != NULL) {
        memcpy(client->server_key, pinned, APEX_SEAL_KEY_BYTES);
    }
    randombytes_buf(client->secret, sizeof client->secret);
    int failed = crypto_scalarmult_base(client->key, client->secret);
    APEX_ASSERT(failed == 0);
}

size_t apex_seal_client_ask(const apex_seal_client *client,
                            uint8_t out[APEX_SEAL_HANDSHAKE_BYTES]) {
    memset(out, 0, APEX_SEAL_HANDSHAKE_BYTES);
    out[SEAL_VERSION_OFFSET] = SEAL_VERSION;
    switch (client->step) {
    case APEX_SEAL_GREETING:
        out[0] = APEX_SEAL_HELLO;
        memcpy(out + SEAL_HELLO_KEY, client->key, APEX_SEAL_KEY_BYTES);
        return APEX_SEAL_HANDSHAKE_BYTES;
    case APEX_SEAL_OPENING:
        out[0] = APEX_SEAL_OPEN;
        memcpy(out + SEAL_OPEN_COOKIE, client->cookie, SEAL_COOKIE_BYTES);
        memcpy(out + SEAL_OPEN_KEY, client->key, APEX_SEAL_KEY_BYTES);
        return APEX_SEAL_HANDSHAKE_BYTES;
    case APEX_SEAL_OPENED:
        break;
    }
    return 0;
}

// The first that is believed stays: whoever sends another one later may be anybody.
static bool take_cookie(apex_seal_client *client, const uint8_t *bytes, size_t length) {
    if (length != SEAL_COOKIE_LENGTH || client->step != APEX_SEAL_GREETING ||
        memcmp(bytes + SEAL_COOKIE_ECHO, client->key, SEAL_ECHO_BYTES) != 0) {
        return false;
    }
    const uint8_t *key = bytes + SEAL_COOKIE_KEY;
    if (client->is_pinned && memcmp(client->server_key, key, APEX_SEAL_KEY_BYTES) != 0) {
        client->met_another = true;
        return false;
    }
    memcpy(client->server_key, key, APEX_SEAL_KEY_BYTES);
    memcpy(client->cookie, bytes + SEAL_COOKIE_COOKIE, SEAL_COOKIE_BYTES);
    client->step = APEX_SEAL_OPENING;
    return true;
}

static bool take_accept(apex_seal_client *client, const uint8_t *bytes, size_t length,
                        apex_seal *seal) {
    if (length != SEAL_ACCEPT_LENGTH || client->step != APEX_SEAL_OPENING) {
        return false;
    }
    uint8_t with_server_key[APEX_SEAL_KEY_BYTES];
    uint8_t with_fresh_key[APEX_SEAL_KEY_BYTES];
    uint8_t proof[SEAL_PROOF_BYTES];
    apex_seal made;
    const uint8_t *number = bytes + SEAL_ACCEPT_NUMBER;
    const uint8_t *fresh = bytes + SEAL_ACCEPT_KEY;
    bool is_good = crypto_scalarmult(with_server_key, client->secret, client->server_key) == 0 &&
                   crypto_scalarmult(with_fresh_key, client->secret, fresh) == 0;
    if (is_good) {
        seal_shared shared = {
            .with_server_key = with_server_key,
            .with_fresh_key = with_fresh_key,
            .server_key = client->server_key,
            .client_fresh = client->key,
            .server_fresh = fresh,
            .number = (uint32_t)number[0] | (uint32_t)number[1] << 8 | (uint32_t)number[2] << 16 |
                      (uint32_t)number[3] << 24,
        };
        seal_make_keys(&shared, false, &made, proof);
        is_good = sodium_memcmp(proof, bytes + SEAL_ACCEPT_PROOF, SEAL_PROOF_BYTES) == 0;
    }
    if (is_good) {
        *seal = made;
        client->step = APEX_SEAL_OPENED;
        sodium_memzero(client->secret, sizeof client->secret);
    }
    sodium_memzero(&made, sizeof made);
    sodium_memzero(with_server_key, sizeof with_server_key);
    sodium_memzero(with_fresh_key, sizeof with_fresh_key);
    return is_good;
}

bool apex_seal_client_take(apex_seal_client *client, const uint8_t *bytes, size_t length,
                           apex_seal *seal) {
    if (length <= SEAL_BODY_OFFSET || bytes[SEAL_VERSION_OFFSET] != SEAL_VERSION) {
        return false;
    }
    switch (bytes[0]) {
    case APEX_SEAL_COOKIE:
        return take_cookie(client, bytes, length);
    case APEX_SEAL_ACCEPT:
        return take_accept(client, bytes, length, seal);
    default:
        return false;
    }
}
