// links: identity
// What strangers bring as a token: as bytes, as text, and, signed for them by a lobby that signs
// anything, at the gate. What is read is what would be written, and what is not signed is not let
// in.
#include "fuzz.h"

#include <string.h>

#include "identity/identity.h"

enum { AS_BYTES, AS_TEXT, AT_GATE, PLACES };
enum { ISSUER_AT = 6, NOW_S = 1700000010 };

static apex_driver_key lobby;
static apex_token_gate *gate;

static apex_token_gate *open_gate(void) {
    uint8_t secret[APEX_DRIVER_SECRET_BYTES] = {1};
    uint8_t lobbies[1][APEX_DRIVER_KEY_BYTES];
    apex_driver_key_of(secret, &lobby);
    memcpy(lobbies[0], lobby.key, sizeof lobbies[0]);
    apex_token_gate_def def = {.lobbies = (const uint8_t(*)[APEX_DRIVER_KEY_BYTES])lobbies,
                               .lobby_count = 1,
                               .any_audience = true,
                               .used_max = 8};
    apex_token_gate *opened = NULL;
    require(apex_token_gate_create(&def, &opened) == APEX_OK);
    return opened;
}

static void as_bytes(const uint8_t *bytes, size_t length) {
    apex_join_token token;
    uint8_t again[APEX_JOIN_TOKEN_BYTES_MAX];
    apex_token_visit visit = {.now_s = NOW_S, .is_private = true};
    bool is_token = apex_join_token_parse(bytes, length, &token);
    require(apex_token_gate_take(gate, &visit, bytes, length, &token) != APEX_TOKEN_GOOD);
    if (!is_token) {
        return;
    }
    apex_join_token_parse(bytes, length, &token);
    require(apex_join_token_sign(&token, &lobby, again) == length);
    memcpy(again + ISSUER_AT, bytes + ISSUER_AT, APEX_TOKEN_ISSUER_BYTES);
    require(memcmp(again, bytes, length - APEX_SIGNATURE_BYTES) == 0);
}

static void as_text(const uint8_t *bytes, size_t length) {
    uint8_t read[APEX_JOIN_TOKEN_BYTES_MAX];
    char again[APEX_JOIN_TOKEN_TEXT_BYTES];
    char *text = malloc(length + 1);
    require(text != NULL);
    memcpy(text, bytes, length);
    text[length] = '\0';
    size_t count = apex_join_token_read(text, read);
    require(count <= sizeof read);
    if (count > 0) {
        apex_join_token_text(read, count, again);
        require(strcmp(again, text) == 0);
    }
    free(text);
}

static void at_gate(const uint8_t *bytes, size_t length) {
    apex_join_token token;
    apex_join_token said;
    uint8_t signed_bytes[APEX_JOIN_TOKEN_BYTES_MAX];
    if (!apex_join_token_parse(bytes, length, &token)) {
        return;
    }
    size_t count = apex_join_token_sign(&token, &lobby, signed_bytes);
    apex_token_visit visit = {.now_s = NOW_S, .is_private = true, .key = token.holder};
    apex_token_verdict verdict = apex_token_gate_take(gate, &visit, signed_bytes, count, &said);
    require(verdict != APEX_TOKEN_MALFORMED && verdict != APEX_TOKEN_STRANGER);
    if (verdict == APEX_TOKEN_GOOD) {
        require(said.expires_s > NOW_S - APEX_TOKEN_SKEW_S);
        require(said.expires_s - said.issued_s <= APEX_TOKEN_LIFE_S_MAX);
        require(apex_token_gate_take(gate, &visit, signed_bytes, count, &said) == verdict);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || !apex_identity_begin()) {
        return 0;
    }
    if (gate == NULL) {
        gate = open_gate();
    }
    switch (data[0] % PLACES) {
    case AS_BYTES:
        as_bytes(data + 1, size - 1);
        break;
    case AS_TEXT:
        as_text(data + 1, size - 1);
        break;
    default:
        at_gate(data + 1, size - 1);
        break;
    }
    return 0;
}
