// Who holds a token may come with it again, so that a join whose answer was lost can be repeated;
// nobody else may. What was used is kept until it would be refused for its age anyway.
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "identity/identity.h"

enum { LOBBIES_MAX = 16, USED_MAX = 65536 };

typedef struct used_token {
    uint8_t number[16];
    uint8_t key[APEX_DRIVER_KEY_BYTES]; // of who came with it; zeros: somebody without
    uint64_t forget_s;                  // from then on it is too old anyway
    uint32_t lobby;
    uint32_t next1; // in its chain, or in that of free ones; 0: it is the last
} used_token;

struct apex_token_gate {
    apex_token_gate_def def; // its lobbies are the ones below
    uint8_t lobbies[LOBBIES_MAX][APEX_DRIVER_KEY_BYTES];
    uint8_t issuers[LOBBIES_MAX][APEX_TOKEN_ISSUER_BYTES];
    uint8_t chain_key[crypto_shorthash_KEYBYTES]; // so that no lobby can choose a chain
    used_token *used;                             // used_max of them
    uint32_t *chains1;                            // chain_count of them, like the next
    uint32_t chain_count, free1;
    uint64_t forget_s; // the earliest of all that is kept, or earlier
};

static uint32_t chain_count_for(uint32_t used_max) {
    uint32_t count = 16;
    while (count < used_max) {
        count *= 2;
    }
    return count;
}

static void init(apex_token_gate *gate, const apex_token_gate_def *def) {
    gate->def = *def;
    gate->def.lobbies = NULL;
    for (uint32_t i = 0; i < def->lobby_count; i++) {
        memcpy(gate->lobbies[i], def->lobbies[i], APEX_DRIVER_KEY_BYTES);
        apex_token_issuer(gate->lobbies[i], gate->issuers[i]);
    }
    randombytes_buf(gate->chain_key, sizeof gate->chain_key);
    for (uint32_t i = 0; i + 1 < def->used_max; i++) {
        gate->used[i].next1 = i + 2;
    }
    gate->free1 = 1;
    gate->forget_s = UINT64_MAX;
}

apex_err apex_token_gate_create(const apex_token_gate_def *def, apex_token_gate **out) {
    APEX_ASSERT(def->lobby_count >= 1 && def->lobby_count <= LOBBIES_MAX);
    APEX_ASSERT(def->used_max >= 1 && def->used_max <= USED_MAX);
    apex_token_gate *gate = calloc(1, sizeof *gate);
    if (gate == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    gate->chain_count = chain_count_for(def->used_max);
    gate->used = calloc(def->used_max, sizeof gate->used[0]);
    gate->chains1 = calloc(gate->chain_count, sizeof gate->chains1[0]);
    if (gate->used == NULL || gate->chains1 == NULL) {
        apex_token_gate_destroy(gate);
        return APEX_ERR_NO_MEMORY;
    }
    init(gate, def);
    *out = gate;
    return APEX_OK;
}

void apex_token_gate_destroy(apex_token_gate *gate) {
    if (gate == NULL) {
        return;
    }
    free(gate->chains1);
    free(gate->used);
    free(gate);
}

// Two lobbies may have the same id by chance; the signature tells them apart.
static apex_token_verdict find_lobby(const apex_token_gate *gate, const uint8_t *bytes,
                                     size_t length, const uint8_t *issuer, uint32_t *lobby) {
    bool is_known = false;
    for (uint32_t i = 0; i < gate->def.lobby_count; i++) {
        if (memcmp(gate->issuers[i], issuer, APEX_TOKEN_ISSUER_BYTES) != 0) {
            continue;
        }
        is_known = true;
        if (apex_join_token_is_signed(bytes, length, gate->lobbies[i])) {
            *lobby = i;
            return APEX_TOKEN_GOOD;
        }
    }
    return is_known ? APEX_TOKEN_MALFORMED : APEX_TOKEN_STRANGER;
}

static bool is_for_here(const apex_token_gate *gate, const apex_token_visit *visit,
                        const apex_join_token *token) {
    bool is_for_any = sodium_is_zero(token->audience, sizeof token->audience) != 0;
    bool is_audience =
        is_for_any ? gate->def.any_audience
                   : memcmp(token->audience, gate->def.audience, sizeof token->audience) == 0;
    return is_audience && (token->race == 0 || token->race == visit->race);
}

// Once a token is not early, its times are near enough to be added to.
static apex_token_verdict judge_times(const apex_token_gate *gate, uint64_t now_s,
                                      const apex_join_token *token) {
    uint64_t latest_s = now_s + APEX_TOKEN_SKEW_S;
    if (token->issued_s > latest_s || token->not_before_s > latest_s) {
        return APEX_TOKEN_EARLY;
    }
    bool lives = token->expires_s > token->issued_s &&
                 token->expires_s - token->issued_s <= APEX_TOKEN_LIFE_S_MAX;
    bool is_late = !lives || token->issued_s < gate->def.began_s ||
                   now_s >= token->expires_s + APEX_TOKEN_SKEW_S;
    return is_late ? APEX_TOKEN_LATE : APEX_TOKEN_GOOD;
}

static bool may_hold(const apex_token_visit *visit, const apex_join_token *token) {
    if (sodium_is_zero(token->holder, sizeof token->holder)) {
        return visit->is_private;
    }
    return visit->key != NULL && memcmp(visit->key, token->holder, sizeof token->holder) == 0;
}

static uint32_t *chain_of(apex_token_gate *gate, const uint8_t number[16]) {
    uint64_t hash = 0;
    crypto_shorthash((uint8_t *)&hash, number, 16, gate->chain_key);
    return &gate->chains1[hash % gate->chain_count];
}

static void sweep_chain(apex_token_gate *gate, uint32_t *chain1, uint64_t now_s) {
    for (uint32_t *at1 = chain1; *at1 != 0;) {
        used_token *used = &gate->used[*at1 - 1];
        if (now_s < used->forget_s) {
            gate->forget_s = used->forget_s < gate->forget_s ? used->forget_s : gate->forget_s;
            at1 = &used->next1;
        } else {
            uint32_t freed1 = *at1;
            *at1 = used->next1;
            used->next1 = gate->free1;
            gate->free1 = freed1;
        }
    }
}

// Only a full table is swept, and only when there is something in it to be forgotten.
static bool has_room(apex_token_gate *gate, uint64_t now_s) {
    if (gate->free1 == 0 && now_s >= gate->forget_s) {
        gate->forget_s = UINT64_MAX;
        for (uint32_t i = 0; i < gate->chain_count; i++) {
            sweep_chain(gate, &gate->chains1[i], now_s);
        }
    }
    return gate->free1 != 0;
}

static void keep(apex_token_gate *gate, const apex_join_token *token, uint32_t lobby,
                 const uint8_t key[APEX_DRIVER_KEY_BYTES]) {
    uint32_t *chain1 = chain_of(gate, token->number);
    uint32_t taken1 = gate->free1;
    used_token *used = &gate->used[taken1 - 1];
    gate->free1 = used->next1;
    used->forget_s = token->expires_s + APEX_TOKEN_SKEW_S;
    used->lobby = lobby;
    used->next1 = *chain1;
    *chain1 = taken1;
    memcpy(used->number, token->number, sizeof used->number);
    memcpy(used->key, key, APEX_DRIVER_KEY_BYTES);
    gate->forget_s = used->forget_s < gate->forget_s ? used->forget_s : gate->forget_s;
}

static used_token *find_used(apex_token_gate *gate, const apex_join_token *token, uint32_t lobby) {
    for (uint32_t at1 = *chain_of(gate, token->number); at1 != 0;) {
        used_token *used = &gate->used[at1 - 1];
        if (used->lobby == lobby && memcmp(used->number, token->number, sizeof used->number) == 0) {
            return used;
        }
        at1 = used->next1;
    }
    return NULL;
}

static apex_token_verdict use(apex_token_gate *gate, const apex_token_visit *visit,
                              const apex_join_token *token, uint32_t lobby) {
    static const uint8_t nobody[APEX_DRIVER_KEY_BYTES];
    const uint8_t *key = visit->key != NULL ? visit->key : nobody;
    const used_token *before = find_used(gate, token, lobby);
    if (before != NULL) {
        // Of two without a key nobody can say that they are the same.
        bool is_same = visit->key != NULL && memcmp(before->key, key, sizeof before->key) == 0;
        return is_same ? APEX_TOKEN_GOOD : APEX_TOKEN_USED;
    }
    if (!has_room(gate, visit->now_s)) {
        return APEX_TOKEN_USED;
    }
    keep(gate, token, lobby, key);
    return APEX_TOKEN_GOOD;
}

apex_token_verdict apex_token_gate_take(apex_token_gate *gate, const apex_token_visit *visit,
                                        const uint8_t *bytes, size_t length, apex_join_token *out) {
    uint32_t lobby = 0;
    apex_token_verdict verdict = APEX_TOKEN_MALFORMED;
    if (apex_join_token_parse(bytes, length, out)) {
        verdict = find_lobby(gate, bytes, length, out->issuer, &lobby);
    }
    if (verdict != APEX_TOKEN_GOOD) {
        *out = (apex_join_token){0};
        return verdict;
    }
    if (!is_for_here(gate, visit, out)) {
        return APEX_TOKEN_ELSEWHERE;
    }
    verdict = judge_times(gate, visit->now_s, out);
    if (verdict != APEX_TOKEN_GOOD) {
        return verdict;
    }
    return may_hold(visit, out) ? use(gate, visit, out, lobby) : APEX_TOKEN_ANOTHERS;
}
