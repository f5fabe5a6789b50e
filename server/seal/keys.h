// What both ends make of the secrets they share.
#pragma once

#include "seal/seal.h"

enum { SEAL_PROOF_BYTES = 16 };

typedef struct seal_shared {
    const uint8_t *with_server_key; // the client's fresh key with the server's own
    const uint8_t *with_fresh_key;  // and with its fresh one
    const uint8_t *server_key, *client_fresh, *server_fresh; // public
    uint32_t number;
} seal_shared;

// Fills the connection as the server has it (or the client, whose directions are the other way
// round), and the proof that who made it knows all of this.
void seal_make_keys(const seal_shared *shared, bool is_server, apex_seal *seal,
                    uint8_t proof[SEAL_PROOF_BYTES]);

// The key that follows on this one: a hash, so that nobody gets back to it.
void seal_next_key(const uint8_t key[APEX_SEAL_KEY_BYTES], uint8_t next[APEX_SEAL_KEY_BYTES]);
