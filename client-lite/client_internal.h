/// The parts of a client that the rest of the product reaches besides client.h.
#pragma once

#include "client-lite/client.h"
#include "client-lite/session/state/session_state.h"
#include "client-lite/transport.h"

struct apex_client {
    client_session *session;
    client_transport_def link;
    uint8_t server_key[APEX_CLIENT_KEY_BYTES]; ///< which `link` points to, if it has one
    client_transport *transport; ///< NULL before connect; its socket lives as long as the client,
                                 ///< because somebody may be polling it
    bool begun;
    bool closing; ///< the transport has been told to close
    char server[CLIENT_SERVER_NAME_BYTES];
};

/// The session of a client that is fed by hand instead of being connected.
client_session *client_session_of(apex_client *client);
/// Its link; NULL before connect.
client_transport *client_transport_of(apex_client *client);
