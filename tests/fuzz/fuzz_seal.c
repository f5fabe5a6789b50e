// links: seal
// What strangers send to the door, to a client and into a connection. The datagram lies against the
// end of its block, so that a sanitizer sees each byte read beyond it. Nobody can seal or sign what
// he has no keys for, so whatever is let through is a fault.
#include "fuzz.h"

#include <string.h>

#include "seal/seal.h"

enum { TO_DOOR, TO_CLIENT, TO_OPENING_CLIENT, INTO_CONNECTION, PLACES };

static void knock(const apex_seal_door *door, const uint8_t *bytes, size_t length) {
    apex_seal_from from = {
        .address = (const uint8_t *)"1.2.3.4:5", .address_bytes = 9, .now_us = 5000000};
    uint8_t out[APEX_SEAL_HANDSHAKE_BYTES];
    require(apex_seal_answer_hello(door, &from, bytes, length, out) <= length);
    require(!apex_seal_check_open(door, &from, bytes, length));
}

static void answer(const apex_seal_door *door, bool is_opening, const uint8_t *bytes,
                   size_t length) {
    apex_seal seal;
    apex_seal_client client;
    uint8_t asked[APEX_SEAL_HANDSHAKE_BYTES];
    apex_seal_client_init(&client, door->key);
    if (is_opening) {
        apex_seal_from from = {.address = asked, .address_bytes = 4};
        uint8_t cookie[APEX_SEAL_HANDSHAKE_BYTES];
        size_t asking = apex_seal_client_ask(&client, asked);
        size_t told = apex_seal_answer_hello(door, &from, asked, asking, cookie);
        require(apex_seal_client_take(&client, cookie, told, &seal));
    }
    // A COOKIE may name any, an ACCEPT proves that it knows the pinned key.
    if (apex_seal_client_take(&client, bytes, length, &seal)) {
        require(!is_opening && client.step == APEX_SEAL_OPENING);
        require(memcmp(client.server_key, door->key, sizeof door->key) == 0);
    }
}

static void open_one(uint8_t *bytes, size_t length) {
    apex_seal seal = {.number = 1};
    memset(seal.receiver.key, 9, sizeof seal.receiver.key);
    memset(seal.receiver.key_after, 9, sizeof seal.receiver.key_after);
    apex_seal before = seal;
    uint8_t *content = NULL;
    size_t content_length = 0;
    require(!apex_seal_open(&seal, bytes, length, &content, &content_length));
    require(memcmp(&before, &seal, sizeof seal) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static apex_seal_door door;
    static bool has_door;
    if (size == 0 || !apex_seal_begin()) {
        return 0;
    }
    if (!has_door) {
        uint8_t secret[APEX_SEAL_KEY_BYTES] = {1};
        apex_seal_door_init(&door, secret);
        has_door = true;
    }
    size_t length = size - 1;
    uint8_t *bytes = malloc(length > 0 ? length : 1);
    require(bytes);
    memcpy(bytes, data + 1, length);
    (void)apex_seal_kind_of(bytes, length);
    switch (data[0] % PLACES) {
    case TO_DOOR:
        knock(&door, bytes, length);
        break;
    case TO_CLIENT:
    case TO_OPENING_CLIENT:
        answer(&door, data[0] % PLACES == TO_OPENING_CLIENT, bytes, length);
        break;
    default:
        open_one(bytes, length);
        break;
    }
    free(bytes);
    return 0;
}
