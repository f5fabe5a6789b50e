/// A session comes back after its link broke: one try after the other, each a link of its own, with
/// the token of the last Welcome, for as long as the server keeps the place (DECISIONS 29).
#pragma once

#include "client-lite/session/state/session_state.h"

/// The link broke: tries to come back, or ends the session for TIMEOUT.
__attribute__((format(printf, 2, 3))) void client_session_lose(client_session *session,
                                                               const char *fmt, ...);
/// Another try has failed, for a reason that may pass. @return false: this is not a try.
bool client_session_try_failed(client_session *session, apex_reason reason);
/// Tries again, and ends with the last of them. Only while RECONNECTING.
void client_session_retry(client_session *session, uint64_t now_us);
/// Does not wait for the next try to come back, if there is one to wait for.
void client_session_try_now(client_session *session);
/// @return whether a link is to be opened in place of the one there was; said once for each.
bool client_session_take_wish(client_session *session);
/// @return whether the server that welcomes a client which has been here before is still the same.
bool client_session_is_same(const client_session *session, const apex_welcome *welcome);
