/// One client's side of the protocol, from Hello to Goodbye. Fed with packets and the time, it
/// fills an outbox and what is known; it has no socket and no clock, so tests run it in virtual
/// time.
///
///   IDLE -begin-> CONNECTING -opened-> GREETED -Welcome-> LOADING -all Defs-> JOINING -Joined->
///   DRIVING or SPECTATING; from anywhere to CLOSED. A link that breaks after the Welcome:
///   RECONNECTING -opened-> GREETED and on, until the time is up.
#pragma once

#include "base/error.h"
#include "client-lite/session/state/session_state.h"

/// @return APEX_ERR_INVALID (a name too long), APEX_ERR_NO_MEMORY.
apex_err client_session_create(const apex_client_def *def, client_session **out);
void client_session_destroy(client_session *session);

/// A link to `server` ("host:port", for texts) is being opened.
void client_session_begin(client_session *session, const char *server, uint64_t now_us);
void client_session_opened(client_session *session, uint64_t now_us);
/// The seal of the link that is being opened: the server's key and the connection's binding, 32
/// bytes each, copied. Both NULL: it has none, which is so until this is called.
void client_session_set_seal(client_session *session, const uint8_t *server_key,
                             const uint8_t *binding);
/// The link is gone, whichever end closed it.
void client_session_link_closed(client_session *session);
/// The same with the reason that came with it, if any.
void client_session_link_refused(client_session *session, apex_reason reason);
/// Time-outs, and what is due by the clock. Call after what has come was received.
void client_session_update(client_session *session, uint64_t now_us);
/// Until now nobody has listened, because something took long: how long answers took is no news.
void client_session_was_deaf(client_session *session, uint64_t now_us);
/// @return the time at which client_session_update is next wanted; UINT64_MAX: not by the clock.
uint64_t client_session_due_us(const client_session *session, uint64_t now_us);
void client_session_leave(client_session *session, uint64_t now_us);
