// What session.c and session_receive.c share.
#pragma once

#include "client-lite/session.h"

/// Ends the session; the first reason counts.
__attribute__((format(printf, 3, 4))) void
client_session_close(client_session *session, apex_reason reason, const char *fmt, ...);
void client_session_say(client_session *session, const apex_client_message *message);
void client_session_join(client_session *session);
/// Acts on one decoded message. @return false if it has no place in the present state.
bool client_session_dispatch(client_session *session, const apex_server_message *message,
                             uint64_t now_us);
