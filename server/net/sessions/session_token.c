// Session tokens: makes them, and finds the session that one belongs to.
//
// A token's last two bytes are the place in the table: a Hello costs one comparison in constant
// time, not one for each of thousands of sessions, and 14 bytes of keyed hash are left. The token
// before the newest is good until the first message after the Hello: on the networks that this is
// for, the Welcome that brings the newest is lost just as well (DECISIONS 29).
#include "net/sessions/session_token.h"

#include <sodium.h>
#include <string.h>

// A keyed hash of numbers that never come together twice: nobody can guess another's. The last two
// bytes say where to look; they are no secret, and 14 bytes of hash are enough of one.
void net_session_make_token(apex_sessions *sessions, net_session *session) {
    apex_session_id id = net_session_id(sessions, session);
    uint64_t input[3] = {id.index1, id.generation, ++sessions->tokens_made};
    crypto_generichash(session->token, APEX_TOKEN_BYTES, (const uint8_t *)input, sizeof input,
                       sessions->token_key, sizeof sessions->token_key);
    uint32_t place = id.index1 - 1u;
    session->token[APEX_TOKEN_BYTES - 2] = (uint8_t)(place >> 8);
    session->token[APEX_TOKEN_BYTES - 1] = (uint8_t)place;
    session->has_token = true;
}

// Made as tokens are, of a number that no token is made of.
void net_session_make_secret(apex_sessions *sessions, net_session *session) {
    apex_session_id id = net_session_id(sessions, session);
    uint64_t input[3] = {id.index1, id.generation, ++sessions->tokens_made};
    uint8_t hash[APEX_TOKEN_BYTES];
    session->secret = 0;
    if (session->trust != APEX_LINK_PLAIN) {
        return;
    }
    crypto_generichash(hash, sizeof hash, (const uint8_t *)input, sizeof input, sessions->token_key,
                       sizeof sessions->token_key);
    memcpy(&session->secret, hash, sizeof session->secret);
    session->secret += session->secret == 0;
}

// In constant time, so that answers cannot be used to guess byte by byte. The token before is good
// for as long as the Welcome that brought the newest one may have been lost with its link.
net_session *net_session_owner_of(apex_sessions *sessions, const uint8_t token[APEX_TOKEN_BYTES]) {
    uint32_t place = (uint32_t)token[APEX_TOKEN_BYTES - 2] << 8 | token[APEX_TOKEN_BYTES - 1];
    if (place >= sessions->def.sessions_max) {
        return NULL;
    }
    net_session *session = &sessions->table[place];
    bool is_newest = sodium_memcmp(session->token, token, APEX_TOKEN_BYTES) == 0;
    bool is_before = sodium_memcmp(session->token_before, token, APEX_TOKEN_BYTES) == 0;
    bool is_good = (session->has_token && is_newest) || (session->has_token_before && is_before);
    return session->has_place && is_good ? session : NULL;
}
