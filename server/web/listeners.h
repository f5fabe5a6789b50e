// Sockets that listen for connections.
#pragma once

#include "web/tls/relay.h"
#include "web/web.h"

apex_err web_listen(apex_web *web, char why[APEX_WEB_WHY_BYTES]);
// A connection on which HTTP may be spoken.
void web_take_connection(apex_web *web, int file, const web_address *address, web_relay *relay);
void web_stop_listening(apex_web *web);
void web_resume_listening(apex_web *web);
