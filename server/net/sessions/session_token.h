// Tokens by which a client that comes back proves whose player it drives, and secrets by which
// messages over a plain link prove whose they are.
#pragma once

#include "net/sessions/session_table.h"

void net_session_make_token(apex_sessions *sessions, net_session *session);
// What messages over the session's link have to carry from now on, where it is a plain one.
void net_session_make_secret(apex_sessions *sessions, net_session *session);
// The session whose token it is, newest or before; NULL for a token that is nobody's.
net_session *net_session_owner_of(apex_sessions *sessions, const uint8_t token[APEX_TOKEN_BYTES]);
