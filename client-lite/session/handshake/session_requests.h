/// The requests of a session: definitions, the join, and what it wants to be told of.
#pragma once

#include "client-lite/session/state/session_state.h"

/// Of the definitions that the welcome names, those that are not here.
void client_session_request_defs(client_session *session);
/// To drive or to watch.
void client_session_join(client_session *session);
/// Tells the server what is wanted, once welcomed, and whenever anything of it changes.
void client_session_subscribe(client_session *session, uint64_t now_us);
/// As apex_client_focus.
void client_session_focus(client_session *session, uint32_t car);
/// @return the time at which a focus that the server does not know of is to be told; UINT64_MAX: it
/// knows.
uint64_t client_session_focus_due_us(const client_session *session);
