// What session.c, session_receive.c and session_resume.c share.
#pragma once

#include "client-lite/session/session.h"

/// Ends the session; the first reason counts.
__attribute__((format(printf, 3, 4))) void
client_session_close(client_session *session, apex_reason reason, const char *fmt, ...);
/// The link broke: tries to come back, or ends the session for TIMEOUT.
__attribute__((format(printf, 2, 3))) void client_session_lose(client_session *session,
                                                               const char *fmt, ...);
/// Another try has failed, for a reason that may pass. @return false: this is not a try.
bool client_session_try_failed(client_session *session, apex_reason reason);
/// Tries again, and ends with the last of them. Only while RECONNECTING.
void client_session_retry(client_session *session, uint64_t now_us);
/// Whether the server that welcomes a client which has been here before is still the same.
bool client_session_is_same(const client_session *session, const apex_welcome *welcome);
void client_session_say(client_session *session, const apex_client_message *message);
void client_session_join(client_session *session);
/// Acts on one decoded message. @return false if it has no place in the present state.
bool client_session_dispatch(client_session *session, const apex_server_message *message,
                             uint64_t now_us);
/// What is wanted, once welcomed, and when anything of it changes.
void client_session_subscribe(client_session *session, uint64_t now_us);
/// When a focus that the server does not know of is to be told; UINT64_MAX: it knows.
uint64_t client_session_focus_due_us(const client_session *session);
/// Where the recording stands that is watched. @return false if this session watches none.
bool client_session_on_playback(client_session *session, const apex_playback_state *state,
                                uint64_t now_us);
/// Delta snapshots begin anew.
void client_session_begin_deltas(client_session *session);
/// Before a snapshot part is read: the first one after a jump finds nothing of before.
void client_session_land(client_session *session, uint64_t now_us);
/// A tick that the next snapshot's is near.
uint32_t client_session_near_tick(const client_session *session);
bool client_session_wishes_play(const client_session *session);
/// What is wished of the recording, if anything, once and together.
void client_session_say_play(client_session *session);
/// The client's own time as the trim of its controls wants it.
client_trim_now client_session_trim_now(const client_session *session, uint64_t now_us);
