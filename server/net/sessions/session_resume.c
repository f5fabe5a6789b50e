// Who comes back. A player whose link broke is held for a while; a Hello with the token of its last
// Welcome gives it the new link. A link that is still open, because its client came back before
// anybody noticed, or because somebody else has the token, is told so and closed: the newest wins.
//
// The two sessions change links, so that the player's keeps its id and all that hangs on it, and
// the other one ends as any session does. Messages are addressed to links, not to sessions: what
// was queued for the old link never reaches the new one.
#include <sodium.h>
#include <string.h>

#include "net/sessions/session_private.h"

#include "base/assert.h"

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

// In constant time, so that answers cannot be used to guess byte by byte. The token before is good
// for as long as the Welcome that brought the newest one may have been lost with its link.
static net_session *owner_of(apex_sessions *sessions, const uint8_t token[APEX_TOKEN_BYTES]) {
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

bool net_session_hold(apex_sessions *sessions, net_session *session) {
    if (!session->has_place || sessions->def.resume_us_max == 0) {
        return false;
    }
    net_session_set_state(sessions, session, APEX_SESSION_HELD);
    session->deadline_us = sessions->now_us + sessions->def.resume_us_max;
    session->is_lost_due = true;
    sessions->due_count++;
    sessions->counters[APEX_SESSION_LOST]++;
    return true;
}

void net_session_forget_lost(apex_sessions *sessions, net_session *session) {
    sessions->due_count -= session->is_lost_due;
    session->is_lost_due = false;
}

bool net_session_resume(apex_sessions *sessions, net_session *fresh,
                        const uint8_t token[APEX_TOKEN_BYTES]) {
    net_session *session = owner_of(sessions, token);
    if (!session) {
        sessions->counters[APEX_SESSION_REFUSED_TOKEN]++;
        return false;
    }
    APEX_ASSERT(session != fresh);
    if (!net_session_add_mail(sessions, session, APEX_MAIL_RESUMED, NULL)) {
        sessions->counters[APEX_SESSION_OUTBOX_FULL]++;
        net_session_expel(sessions, fresh, APEX_REASON_SERVER_FULL,
                          "the server has no memory left for you; try again");
        return true;
    }
    net_session_forget_lost(sessions, session);
    memcpy(session->token_before, token, APEX_TOKEN_BYTES);
    session->has_token_before = true;
    session->has_token = false;
    session->passes_join = true;
    net_session_set_state(sessions, session, APEX_SESSION_JOINING);
    sessions->counters[APEX_SESSION_RESUMED]++;
    net_session_swap_links(sessions, session, fresh);
    if (fresh->link.index1 != 0) {
        apex_server_message goodbye = {.kind = APEX_SERVER_GOODBYE};
        goodbye.goodbye.reason = APEX_REASON_RESUMED;
        apex_wire_text(goodbye.goodbye.text, sizeof goodbye.goodbye.text,
                       apex_reason_text(APEX_REASON_RESUMED));
        net_session_queue(sessions, fresh->link, &goodbye);
        net_session_begin_closing(sessions, fresh);
    }
    return true;
}
