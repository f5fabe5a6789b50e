/// The receiving end of a session: each message of the server is decoded and acted on.
#pragma once

#include "client-lite/session/state/session_state.h"

void client_session_receive(client_session *session, uint8_t channel, const uint8_t *bytes,
                            size_t length, uint64_t now_us);
