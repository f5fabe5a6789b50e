/// The cars of a frame as their driver should see them.
#pragma once

#include "client-lite/session/state/session_state.h"

/// As apex_client_shown, and as apex_client_ahead.
size_t client_session_shown(client_session *session, uint64_t now_us, apex_client_pose out[],
                            size_t capacity);
size_t client_session_ahead(client_session *session, uint64_t now_us, apex_client_pose out[],
                            size_t capacity);
/// As apex_client_predicted.
bool client_session_predicted(client_session *session, uint64_t now_us, apex_client_pose *out);
