// Tokens by which a client that comes back proves whose player it drives.
#pragma once

#include "net/sessions/session_table.h"

void net_session_make_token(apex_sessions *sessions, net_session *session);
// The session whose token it is, newest or before; NULL for a token that is nobody's.
net_session *net_session_owner_of(apex_sessions *sessions, const uint8_t token[APEX_TOKEN_BYTES]);
