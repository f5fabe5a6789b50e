/// A driver's controls by the session's clock: when they are sampled, stamped and sent.
#pragma once

#include "client-lite/session/state/session_state.h"

/// The client's own time as the trim of its controls wants it.
client_trim_now client_session_trim_now(const client_session *session, uint64_t now_us);
/// The tick a sample taken now is stamped with, and its fraction; 0 before the clock is known.
double client_session_controls_tick(const client_session *session, uint64_t now_us);
/// @return the time at which client_session_send_controls next has something to say.
uint64_t client_session_controls_due_us(const client_session *session, uint64_t now_us);
/// Says the controls that are due, and predicts with them.
void client_session_send_controls(client_session *session, uint64_t now_us);
