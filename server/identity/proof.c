// What a driver signs names the server, the moment and the connection.
#include <string.h>

#include "identity/signing.h"

enum { PART_BYTES = 32, PARTS_BYTES = 3 * PART_BYTES };

static const char word[] = "apex driver v1";

static void put_parts(const apex_proof_for *what, uint8_t out[PARTS_BYTES]) {
    memset(out, 0, PARTS_BYTES);
    memcpy(out, what->server_key, PART_BYTES);
    memcpy(out + PART_BYTES, what->challenge, PART_BYTES);
    if (what->binding != NULL) {
        memcpy(out + (size_t)2 * PART_BYTES, what->binding, PART_BYTES);
    }
}

void apex_prove(const apex_driver_key *key, const apex_proof_for *what,
                uint8_t signature[APEX_SIGNATURE_BYTES]) {
    uint8_t parts[PARTS_BYTES];
    put_parts(what, parts);
    identity_sign(key, &(identity_signed){word, parts, sizeof parts}, signature);
}

bool apex_proof_ok(const uint8_t key[APEX_DRIVER_KEY_BYTES], const apex_proof_for *what,
                   const uint8_t signature[APEX_SIGNATURE_BYTES]) {
    uint8_t parts[PARTS_BYTES];
    put_parts(what, parts);
    return identity_is_signed(key, &(identity_signed){word, parts, sizeof parts}, signature);
}
