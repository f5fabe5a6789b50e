// Who a client is. What costs little comes first: the list is asked about a key before its
// signature is looked at, which costs some 50 us, as does that of a token.
#include "net/sessions/session_identity.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

// Signatures that are looked at: a class that comes from one address, and a grid from many, but no
// more than 2 ms of them in a tick.
static const net_rate proofs_of_house = {.per_s = 8, .burst = 64};
static const net_rate proofs_of_all = {.per_s = 400, .burst = 32};

// A lobby that is trusted no longer leaves the gate where it is, which knows what was used.
static apex_err trust(apex_sessions *sessions, const apex_entry_def *entry) {
    APEX_ASSERT(entry->lobby_count <= APEX_LOBBIES_MAX);
    bool asks = entry->key_needed || entry->token_needed || entry->lobby_count > 0;
    APEX_ASSERT(entry->has_server_key || !asks);
    if (sessions->gate != NULL) {
        apex_token_gate_trust(sessions->gate, entry->lobbies, entry->lobby_count,
                              entry->any_audience);
        return APEX_OK;
    }
    if (entry->lobby_count == 0) {
        return APEX_OK;
    }
    apex_token_gate_def def = {
        .lobbies = entry->lobbies,
        .lobby_count = entry->lobby_count,
        .any_audience = entry->any_audience,
        .used = entry->used,
        .used_max = APEX_TOKENS_USED_MAX,
    };
    apex_fingerprint(entry->server_key, def.audience);
    return apex_token_gate_create(&def, &sessions->gate);
}

apex_err net_identity_begin(apex_sessions *sessions) {
    return apex_identity_begin() ? trust(sessions, &sessions->def.entry)
                                 : (apex_err)APEX_ERR_UNSUPPORTED;
}

apex_err apex_sessions_ask(apex_sessions *sessions, const apex_entry_def *entry,
                           const char password[APEX_WIRE_NAME_BYTES], bool watching_open) {
    apex_entry_def *own = &sessions->def.entry;
    apex_entry_def asked = *own;
    asked.key_needed = entry->key_needed;
    asked.token_needed = entry->token_needed;
    asked.any_audience = entry->any_audience;
    asked.lobby_count = entry->lobby_count;
    memcpy(asked.lobbies, entry->lobbies, sizeof asked.lobbies);
    apex_err err = trust(sessions, &asked);
    if (err != APEX_OK) {
        return err;
    }
    *own = asked;
    memcpy(sessions->def.password, password, sizeof sessions->def.password);
    sessions->def.watching_open = watching_open;
    return APEX_OK;
}

static int compare(const void *a, const void *b) {
    return memcmp(a, b, sizeof(apex_listed_driver));
}

apex_err apex_sessions_list(apex_sessions *sessions, const apex_listed_driver drivers[],
                            uint32_t count) {
    APEX_ASSERT(sessions->def.entry.has_server_key || drivers == NULL);
    apex_listed_driver *listed = NULL;
    if (drivers != NULL) {
        listed = calloc((size_t)count + 1, sizeof *listed);
        if (listed == NULL) {
            return APEX_ERR_NO_MEMORY;
        }
        memcpy(listed, drivers, count * sizeof *listed);
        qsort(listed, count, sizeof *listed, compare);
    }
    free(sessions->listed);
    sessions->listed = listed;
    sessions->listed_count = drivers != NULL ? count : 0;
    sessions->has_list = drivers != NULL;
    return APEX_OK;
}

static bool is_listed(const apex_sessions *sessions, const uint8_t key[APEX_DRIVER_KEY_BYTES]) {
    apex_listed_driver driver;
    apex_fingerprint(key, driver.fingerprint);
    return bsearch(&driver, sessions->listed, sessions->listed_count, sizeof driver, compare) !=
           NULL;
}

// A keyed hash of numbers that never come together twice, of another length than those that
// resume tokens are made of.
void net_identity_greet(apex_sessions *sessions, net_session *session, apex_welcome *welcome) {
    const apex_entry_def *entry = &sessions->def.entry;
    if (!entry->has_server_key) {
        return;
    }
    apex_session_id id = net_session_id(sessions, session);
    uint64_t input[4] = {id.index1, id.generation, ++sessions->challenges_made, 0};
    crypto_generichash(session->challenge, sizeof session->challenge, (const uint8_t *)input,
                       sizeof input, sessions->token_key, sizeof sessions->token_key);
    session->has_challenge = true;
    welcome->has_challenge = true;
    memcpy(welcome->challenge, session->challenge, sizeof welcome->challenge);
    memcpy(welcome->server_key, entry->server_key, sizeof welcome->server_key);
    welcome->key_needed = entry->key_needed || sessions->has_list;
    welcome->token_needed = entry->token_needed;
}

static bool refuse(net_refusal *why, net_refusal refusal) {
    *why = refusal;
    return false;
}

bool net_identity_may_drive(const apex_sessions *sessions, const apex_identity *identity,
                            net_refusal *why) {
    const apex_entry_def *entry = &sessions->def.entry;
    bool has_token = identity->token_length > 0;
    if (sessions->has_list && !identity->has_key) {
        return refuse(why, (net_refusal){APEX_SESSION_REFUSED_KEY_NEEDED, APEX_REASON_KEY_NEEDED,
                                         "this server has a list of drivers: come with your key, "
                                         "not as a guest"});
    }
    if (sessions->has_list && !is_listed(sessions, identity->key)) {
        return refuse(why, (net_refusal){APEX_SESSION_REFUSED_NOT_LISTED, APEX_REASON_NOT_LISTED,
                                         "your key is not on this server's list of drivers; give "
                                         "its operator your fingerprint"});
    }
    if (entry->token_needed && !has_token) {
        return refuse(why,
                      (net_refusal){APEX_SESSION_REFUSED_TOKEN_NEEDED, APEX_REASON_TOKEN_NEEDED,
                                    "this server asks for a token: join through its lobby"});
    }
    if (entry->key_needed && !identity->has_key && !has_token) {
        return refuse(why, (net_refusal){APEX_SESSION_REFUSED_KEY_NEEDED, APEX_REASON_KEY_NEEDED,
                                         "this server takes no guests: come with a driver's key, "
                                         "or a token of its lobby"});
    }
    return true;
}

static bool is_within_rate(apex_sessions *sessions, const net_session *session, net_refusal *why) {
    if (net_house_take(&sessions->house_proofs, apex_house_of(session->address), proofs_of_house,
                       sessions->now_us) &&
        net_bucket_take(&sessions->proofs, proofs_of_all, 1, sessions->now_us)) {
        return true;
    }
    return refuse(why, (net_refusal){APEX_SESSION_REFUSED_PROOF_RATE, APEX_REASON_RATE,
                                     "too many prove who they are just now; try again in a "
                                     "moment"});
}

static bool is_proved(const apex_sessions *sessions, const net_session *session,
                      const apex_identity *identity) {
    const apex_proof_for what = {
        .server_key = sessions->def.entry.server_key,
        .challenge = session->challenge,
        .binding = session->trust == APEX_LINK_SEALED ? session->binding : NULL,
    };
    return session->has_challenge && apex_proof_ok(identity->key, &what, identity->signature);
}

static bool prove_key(apex_sessions *sessions, net_session *session, const apex_identity *identity,
                      net_refusal *why) {
    if (!is_within_rate(sessions, session, why)) {
        return false;
    }
    if (!is_proved(sessions, session, identity)) {
        return refuse(why,
                      (net_refusal){APEX_SESSION_REFUSED_KEY, APEX_REASON_KEY,
                                    "the signature does not prove your key to this server on this "
                                    "connection; connect again"});
    }
    session->who.has_driver = true;
    apex_fingerprint(identity->key, session->who.driver);
    sessions->counters[APEX_SESSION_KEYS_PROVED]++;
    return true;
}

static net_refusal refusal_of(apex_token_verdict verdict) {
    static const net_refusal refusals[] = {
        [APEX_TOKEN_MALFORMED] = {APEX_SESSION_REFUSED_TOKEN_INVALID, APEX_REASON_TOKEN_INVALID,
                                  "this is no token, or it was changed; get a new one from the "
                                  "lobby"},
        [APEX_TOKEN_STRANGER] = {APEX_SESSION_REFUSED_TOKEN_ISSUER, APEX_REASON_TOKEN_ISSUER,
                                 "this server does not trust who signed your token"},
        [APEX_TOKEN_ELSEWHERE] = {APEX_SESSION_REFUSED_TOKEN_AUDIENCE, APEX_REASON_TOKEN_AUDIENCE,
                                  "your token is for another server or race, or for any server, "
                                  "which this one does not take"},
        [APEX_TOKEN_EARLY] = {APEX_SESSION_REFUSED_TOKEN_EARLY, APEX_REASON_TOKEN_EARLY,
                              "your token is from the future: the clock of the lobby or of this "
                              "server is wrong"},
        [APEX_TOKEN_LATE] = {APEX_SESSION_REFUSED_TOKEN_EXPIRED, APEX_REASON_TOKEN_EXPIRED,
                             "your token has expired, or is older than this server's start; get a "
                             "new one from the lobby"},
        [APEX_TOKEN_ANOTHERS] = {APEX_SESSION_REFUSED_TOKEN_HOLDER, APEX_REASON_TOKEN_HOLDER,
                                 "your token is another driver's, or names no driver: then it is "
                                 "taken over sealed connections and https:// only"},
        [APEX_TOKEN_USED] = {APEX_SESSION_REFUSED_TOKEN_USED, APEX_REASON_TOKEN_USED,
                             "this token has been used; get a new one from the lobby"},
    };
    APEX_ASSERT(verdict > APEX_TOKEN_GOOD && verdict < sizeof refusals / sizeof refusals[0]);
    return refusals[verdict];
}

void apex_sessions_set_unix_ahead(apex_sessions *sessions, uint64_t unix_ahead_us) {
    sessions->def.entry.unix_ahead_us = unix_ahead_us;
}

// A stream from this machine itself is that of a proxy that speaks TLS with the world, or of
// somebody who could read the server's memory as well. From elsewhere nobody knows.
static bool is_private(const net_session *session) {
    bool is_local =
        strncmp(session->address, "127.", 4) == 0 || strcmp(session->address, "::1") == 0;
    return session->trust == APEX_LINK_SEALED || session->trust == APEX_LINK_TLS ||
           (session->trust == APEX_LINK_STREAM && is_local);
}

static bool take_token(apex_sessions *sessions, net_session *session, const apex_identity *identity,
                       net_refusal *why) {
    if (sessions->gate == NULL) {
        return refuse(why, refusal_of(APEX_TOKEN_STRANGER));
    }
    if (!is_within_rate(sessions, session, why)) {
        return false;
    }
    const apex_entry_def *entry = &sessions->def.entry;
    const apex_token_visit visit = {
        .now_s = (sessions->now_us + entry->unix_ahead_us) / 1000000u,
        .began_s = (entry->began_us + entry->unix_ahead_us) / 1000000u,
        .race = entry->race,
        .key = session->who.has_driver ? identity->key : NULL,
        .is_private = is_private(session),
    };
    apex_token_verdict verdict = apex_token_gate_take(sessions->gate, &visit, identity->token,
                                                      identity->token_length, &session->who.token);
    if (verdict != APEX_TOKEN_GOOD) {
        return refuse(why, refusal_of(verdict));
    }
    session->who.has_token = true;
    sessions->counters[APEX_SESSION_TOKENS_TAKEN]++;
    return true;
}

bool net_identity_prove(apex_sessions *sessions, net_session *session,
                        const apex_identity *identity, net_refusal *why) {
    session->who = (apex_session_who){.lost_place = session->lost_place};
    bool has_token = identity->token_length > 0;
    if (!sessions->def.entry.has_server_key || (!identity->has_key && !has_token)) {
        return true; // a guest
    }
    if (identity->has_key && !prove_key(sessions, session, identity, why)) {
        return false;
    }
    return !has_token || take_token(sessions, session, identity, why);
}

bool net_identity_may_take_role(const net_session *session, net_refusal *why) {
    const apex_session_who *who = &session->who;
    if (!who->has_token || who->token.role != APEX_TOKEN_SPECTATOR) {
        return true;
    }
    return refuse(why, (net_refusal){APEX_SESSION_REFUSED_TOKEN_INVALID, APEX_REASON_TOKEN_INVALID,
                                     "your token is for watching, not for driving"});
}

void net_identity_name(const net_session *session, char name[APEX_WIRE_NAME_BYTES]) {
    _Static_assert((int)APEX_TOKEN_NAME_BYTES == (int)APEX_WIRE_NAME_BYTES, "it is one");
    const apex_session_who *who = &session->who;
    if (who->has_token && who->token.name[0] != '\0') {
        memcpy(name, who->token.name, APEX_WIRE_NAME_BYTES);
    }
}

const apex_session_who *apex_session_who_is(const apex_sessions *sessions, apex_session_id id) {
    const net_session *session = net_session_find_any(sessions, id);
    return session != NULL ? &session->who : NULL;
}
