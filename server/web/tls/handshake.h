// Handshakes: work that any stranger may cause, a thousand times that of a request.
#pragma once

#include "web/tls/relay.h"
#include "web/web.h"

// Something has come, or may be sent.
void web_handshake_go_on(web_relay *relay);
// A new turn begins: lets handshakes go on that wait in line.
void web_handshakes_turn(apex_web *web);
// Closes the handshake that has idled for longest, if there is one.
bool web_handshakes_make_room(apex_web *web);
