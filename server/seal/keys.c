// Keys are BLAKE2b hashes of what was said in the handshake, keyed by what only the two ends know.
#include "seal/keys.h"

#include <sodium.h>
#include <string.h>

static const char protocol[] = "apex seal 1";

static void hash_with(const uint8_t key[APEX_SEAL_KEY_BYTES], const char *label, uint8_t *out,
                      size_t bytes) {
    crypto_generichash(out, bytes, (const uint8_t *)label, strlen(label), key, APEX_SEAL_KEY_BYTES);
}

static void hash_all(const seal_shared *shared, uint8_t master[APEX_SEAL_KEY_BYTES]) {
    const uint8_t number[4] = {(uint8_t)shared->number, (uint8_t)(shared->number >> 8),
                               (uint8_t)(shared->number >> 16), (uint8_t)(shared->number >> 24)};
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, APEX_SEAL_KEY_BYTES);
    crypto_generichash_update(&state, (const uint8_t *)protocol, strlen(protocol));
    crypto_generichash_update(&state, shared->with_server_key, APEX_SEAL_KEY_BYTES);
    crypto_generichash_update(&state, shared->with_fresh_key, APEX_SEAL_KEY_BYTES);
    crypto_generichash_update(&state, shared->server_key, APEX_SEAL_KEY_BYTES);
    crypto_generichash_update(&state, shared->client_fresh, APEX_SEAL_KEY_BYTES);
    crypto_generichash_update(&state, shared->server_fresh, APEX_SEAL_KEY_BYTES);
    crypto_generichash_update(&state, number, sizeof number);
    crypto_generichash_final(&state, master, APEX_SEAL_KEY_BYTES);
    sodium_memzero(&state, sizeof state);
}

void seal_next_key(const uint8_t key[APEX_SEAL_KEY_BYTES], uint8_t next[APEX_SEAL_KEY_BYTES]) {
    hash_with(key, "next", next, APEX_SEAL_KEY_BYTES);
}

void seal_make_keys(const seal_shared *shared, bool is_server, apex_seal *seal,
                    uint8_t proof[SEAL_PROOF_BYTES]) {
    const char *up = "client to server";
    const char *down = "server to client";
    const char *mask_up = "client to server, mask";
    const char *mask_down = "server to client, mask";
    uint8_t master[APEX_SEAL_KEY_BYTES];
    hash_all(shared, master);
    *seal = (apex_seal){.number = shared->number};
    apex_seal_sender *sender = &seal->sender;
    apex_seal_receiver *receiver = &seal->receiver;
    hash_with(master, is_server ? down : up, sender->key, sizeof sender->key);
    hash_with(master, is_server ? mask_down : mask_up, sender->mask_key, sizeof sender->mask_key);
    hash_with(master, is_server ? up : down, receiver->key, APEX_SEAL_KEY_BYTES);
    hash_with(master, is_server ? mask_up : mask_down, receiver->mask_key,
              sizeof receiver->mask_key);
    seal_next_key(receiver->key, receiver->key_after);
    hash_with(master, "binding", seal->binding, sizeof seal->binding);
    hash_with(master, "proof", proof, SEAL_PROOF_BYTES);
    sodium_memzero(master, sizeof master);
}
