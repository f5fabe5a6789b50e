// Held sessions: a player whose link broke is held for a while; a Hello with the token of its last
// Welcome gives it the new link. A link that is still open, because its client came back before
// anybody noticed, or because somebody else has the token, is told so and closed: the newest wins.
//
// The two sessions change links, so that the player's keeps its id and all that hangs on it, and
// the other one ends as any session does. Messages are addressed to links, not to sessions: what
// was queued for the old link never reaches the new one.
//
// DECISIONS 29 has the rest: what the race and the page do meanwhile.
#include "net/sessions/held_session.h"

#include <string.h>

#include "net/sessions/session_outbox.h"
#include "net/sessions/session_token.h"

#include "base/assert.h"

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

bool net_session_resume(apex_sessions *sessions, net_session *fresh,
                        const uint8_t token[APEX_TOKEN_BYTES]) {
    net_session *session = net_session_owner_of(sessions, token);
    if (session == NULL) {
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
    session->secret = 0; // it was the link's before
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
