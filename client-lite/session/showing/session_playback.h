/// A session that watches a recording: its ticks come faster, slower or not at all, and it may be
/// somewhere else all of a sudden.
#pragma once

#include "client-lite/session/state/session_state.h"

/// Takes the state of the recording that is watched. @return false if this session watches none.
bool client_session_on_playback(client_session *session, const apex_playback_state *state,
                                uint64_t now_us);
/// Before a snapshot part is read: the first one after a jump finds nothing of before.
void client_session_land(client_session *session, uint64_t now_us);
/// A tick that the next snapshot's is near.
uint32_t client_session_near_tick(const client_session *session);
/// As apex_client_play.
void client_session_play(client_session *session, const apex_playback_wish *wish);
bool client_session_wishes_play(const client_session *session);
/// Sends the wishes for the recording, if there are any, once and together.
void client_session_say_play(client_session *session);
