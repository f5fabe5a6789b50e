/// A session's way from the welcome into the race: definitions, the ground, the join.
#pragma once

#include "client-lite/session/state/session_state.h"

/// The answers of the server on the way. @return false if it has no place in the present state.
bool client_session_on_welcome(client_session *session, const apex_welcome *welcome,
                               uint64_t now_us);
bool client_session_on_def(client_session *session, const apex_def_content *def);
/// The join; or a driver hears that it only watches from now on.
bool client_session_on_joined(client_session *session, const apex_joined *joined, uint64_t now_us);
/// Takes the laid ground that was awaited and goes on to the join.
/// @param laid of client_laid_write, which is freed here; NULL, or no such block: the track is laid
/// now, by this call.
void client_session_take_ground(client_session *session, uint8_t *laid, size_t length);
