/// The parts of a client that the rest of the product reaches besides client.h.
#pragma once

#include "client-lite/client.h"
#include "client-lite/session/state/session_state.h"
#include "client-lite/transport.h"

/// The session of a client that is fed by hand instead of being connected.
client_session *client_session_of(apex_client *client);
/// Its link; NULL before connect.
client_transport *client_transport_of(apex_client *client);
