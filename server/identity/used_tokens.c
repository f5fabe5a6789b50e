// An array of places, and hash chains over them.
#include "identity/used_tokens.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum { TOKENS_MAX = 65536 };

typedef struct place {
    identity_used used;
    uint32_t next1; // in its chain, or in that of free ones; 0: it is the last
} place;

struct apex_used_tokens {
    uint8_t chain_key[crypto_shorthash_KEYBYTES]; // so that no lobby can choose a chain
    place *places;                                // tokens_max of them
    uint32_t *chains1;                            // chain_count of them, like the next
    uint32_t chain_count, free1;
    uint64_t forget_s; // the earliest of all that is kept, or earlier
    uint64_t swept_s;  // tokens of a time up to this may have been forgotten
};

static uint32_t chain_count_for(uint32_t tokens_max) {
    uint32_t count = 16;
    while (count < tokens_max) {
        count *= 2;
    }
    return count;
}

apex_err apex_used_tokens_create(uint32_t tokens_max, apex_used_tokens **out) {
    APEX_ASSERT(tokens_max >= 1 && tokens_max <= TOKENS_MAX);
    apex_used_tokens *tokens = calloc(1, sizeof *tokens);
    if (tokens == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    tokens->chain_count = chain_count_for(tokens_max);
    tokens->places = calloc(tokens_max, sizeof tokens->places[0]);
    tokens->chains1 = calloc(tokens->chain_count, sizeof tokens->chains1[0]);
    if (tokens->places == NULL || tokens->chains1 == NULL) {
        apex_used_tokens_destroy(tokens);
        return APEX_ERR_NO_MEMORY;
    }
    randombytes_buf(tokens->chain_key, sizeof tokens->chain_key);
    for (uint32_t i = 0; i + 1 < tokens_max; i++) {
        tokens->places[i].next1 = i + 2;
    }
    tokens->free1 = 1;
    tokens->forget_s = UINT64_MAX;
    *out = tokens;
    return APEX_OK;
}

void apex_used_tokens_destroy(apex_used_tokens *tokens) {
    if (tokens == NULL) {
        return;
    }
    free(tokens->chains1);
    free(tokens->places);
    free(tokens);
}

static uint32_t *chain_of(const apex_used_tokens *tokens, const uint8_t number[16]) {
    uint64_t hash = 0;
    crypto_shorthash((uint8_t *)&hash, number, 16, tokens->chain_key);
    return &tokens->chains1[hash % tokens->chain_count];
}

const identity_used *identity_used_find(const apex_used_tokens *tokens,
                                        const uint8_t lobby[APEX_DRIVER_KEY_BYTES],
                                        const uint8_t number[16]) {
    for (uint32_t at1 = *chain_of(tokens, number); at1 != 0;) {
        const place *found = &tokens->places[at1 - 1];
        if (memcmp(found->used.lobby, lobby, sizeof found->used.lobby) == 0 &&
            memcmp(found->used.number, number, sizeof found->used.number) == 0) {
            return &found->used;
        }
        at1 = found->next1;
    }
    return NULL;
}

static void note_forget(apex_used_tokens *tokens, uint64_t forget_s) {
    tokens->forget_s = forget_s < tokens->forget_s ? forget_s : tokens->forget_s;
}

static void sweep_chain(apex_used_tokens *tokens, uint32_t *chain1, uint64_t now_s) {
    for (uint32_t *at1 = chain1; *at1 != 0;) {
        place *swept = &tokens->places[*at1 - 1];
        if (now_s < swept->used.forget_s) {
            note_forget(tokens, swept->used.forget_s);
            at1 = &swept->next1;
        } else {
            uint32_t freed1 = *at1;
            *at1 = swept->next1;
            swept->next1 = tokens->free1;
            tokens->free1 = freed1;
        }
    }
}

// Only a full table is swept, and only when there is something in it to be forgotten.
static bool has_room(apex_used_tokens *tokens, uint64_t now_s) {
    if (tokens->free1 == 0 && now_s >= tokens->forget_s) {
        tokens->forget_s = UINT64_MAX;
        tokens->swept_s = now_s > tokens->swept_s ? now_s : tokens->swept_s;
        for (uint32_t i = 0; i < tokens->chain_count; i++) {
            sweep_chain(tokens, &tokens->chains1[i], now_s);
        }
    }
    return tokens->free1 != 0;
}

bool identity_used_keep(apex_used_tokens *tokens, const identity_used *used, uint64_t now_s) {
    // A clock that was put back makes tokens good again that are not known any more.
    bool may_be_forgotten = used->forget_s <= tokens->swept_s;
    if (may_be_forgotten || !has_room(tokens, now_s)) {
        return false;
    }
    uint32_t *chain1 = chain_of(tokens, used->number);
    uint32_t taken1 = tokens->free1;
    place *taken = &tokens->places[taken1 - 1];
    tokens->free1 = taken->next1;
    taken->used = *used;
    taken->next1 = *chain1;
    *chain1 = taken1;
    note_forget(tokens, used->forget_s);
    return true;
}
