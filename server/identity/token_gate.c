// Who holds a token may come with it again, so that a join whose answer was lost can be repeated;
// nobody else may. What was used is kept until it would be refused for its age anyway.
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "identity/used_tokens.h"

enum { LOBBIES_MAX = 16 };

struct apex_token_gate {
    apex_token_gate_def def; // its lobbies are the ones below
    uint8_t lobbies[LOBBIES_MAX][APEX_DRIVER_KEY_BYTES];
    uint8_t issuers[LOBBIES_MAX][APEX_TOKEN_ISSUER_BYTES];
    apex_used_tokens *own; // NULL: it shares those of its definition
};

void apex_token_gate_trust(apex_token_gate *gate, const uint8_t (*lobbies)[APEX_DRIVER_KEY_BYTES],
                           uint32_t count, bool any_audience) {
    APEX_ASSERT(count <= LOBBIES_MAX);
    gate->def.lobby_count = count;
    gate->def.any_audience = any_audience;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(gate->lobbies[i], lobbies[i], APEX_DRIVER_KEY_BYTES);
        apex_token_issuer(gate->lobbies[i], gate->issuers[i]);
    }
}

static void init(apex_token_gate *gate, const apex_token_gate_def *def) {
    gate->def = *def;
    gate->def.lobbies = NULL;
    apex_token_gate_trust(gate, def->lobbies, def->lobby_count, def->any_audience);
}

apex_err apex_token_gate_create(const apex_token_gate_def *def, apex_token_gate **out) {
    APEX_ASSERT(def->lobby_count >= 1 && def->lobby_count <= LOBBIES_MAX);
    apex_token_gate *gate = calloc(1, sizeof *gate);
    if (gate == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    init(gate, def);
    if (def->used == NULL) {
        apex_err err = apex_used_tokens_create(def->used_max, &gate->own);
        if (err != APEX_OK) {
            free(gate);
            return err;
        }
        gate->def.used = gate->own;
    }
    *out = gate;
    return APEX_OK;
}

void apex_token_gate_destroy(apex_token_gate *gate) {
    if (gate == NULL) {
        return;
    }
    apex_used_tokens_destroy(gate->own);
    free(gate);
}

// Two lobbies may have the same id by chance; the signature tells them apart.
static apex_token_verdict find_lobby(const apex_token_gate *gate, const uint8_t *bytes,
                                     size_t length, const uint8_t *issuer, const uint8_t **lobby) {
    bool is_known = false;
    for (uint32_t i = 0; i < gate->def.lobby_count; i++) {
        if (memcmp(gate->issuers[i], issuer, APEX_TOKEN_ISSUER_BYTES) != 0) {
            continue;
        }
        is_known = true;
        if (apex_join_token_is_signed(bytes, length, gate->lobbies[i])) {
            *lobby = gate->lobbies[i];
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
static apex_token_verdict judge_times(const apex_token_visit *visit, const apex_join_token *token) {
    uint64_t latest_s = visit->now_s + APEX_TOKEN_SKEW_S;
    if (token->issued_s > latest_s || token->not_before_s > latest_s) {
        return APEX_TOKEN_EARLY;
    }
    bool lives = token->expires_s > token->issued_s &&
                 token->expires_s - token->issued_s <= APEX_TOKEN_LIFE_S_MAX;
    bool is_late = !lives || token->issued_s < visit->began_s ||
                   visit->now_s >= token->expires_s + APEX_TOKEN_SKEW_S;
    return is_late ? APEX_TOKEN_LATE : APEX_TOKEN_GOOD;
}

static bool may_hold(const apex_token_visit *visit, const apex_join_token *token) {
    if (sodium_is_zero(token->holder, sizeof token->holder)) {
        return visit->is_private;
    }
    return visit->key != NULL && memcmp(visit->key, token->holder, sizeof token->holder) == 0;
}

static apex_token_verdict use(apex_token_gate *gate, const apex_token_visit *visit,
                              const apex_join_token *token, const uint8_t *lobby) {
    identity_used used = {.forget_s = token->expires_s + APEX_TOKEN_SKEW_S};
    memcpy(used.number, token->number, sizeof used.number);
    memcpy(used.lobby, lobby, sizeof used.lobby);
    if (visit->key != NULL) {
        memcpy(used.key, visit->key, sizeof used.key);
    }
    const identity_used *before = identity_used_find(gate->def.used, used.lobby, used.number);
    if (before != NULL) {
        // Of two without a key nobody can say that they are the same.
        bool is_same = visit->key != NULL && memcmp(before->key, used.key, sizeof before->key) == 0;
        return is_same ? APEX_TOKEN_GOOD : APEX_TOKEN_USED;
    }
    return identity_used_keep(gate->def.used, &used, visit->now_s) ? APEX_TOKEN_GOOD
                                                                   : APEX_TOKEN_USED;
}

apex_token_verdict apex_token_gate_take(apex_token_gate *gate, const apex_token_visit *visit,
                                        const uint8_t *bytes, size_t length, apex_join_token *out) {
    const uint8_t *lobby = NULL;
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
    verdict = judge_times(visit, out);
    if (verdict != APEX_TOKEN_GOOD) {
        return verdict;
    }
    return may_hold(visit, out) ? use(gate, visit, out, lobby) : APEX_TOKEN_ANOTHERS;
}
