// libwebsockets on the server's loop, and sockets that become WebSockets.
#pragma once

#include "web/door/request_head.h"
#include "web/links/link.h"

apex_err web_sockets_create(apex_web *web, char why[APEX_WEB_WHY_BYTES]);
// Called twice: closes all sockets, and frees the rest when the loop has seen them closed.
void web_sockets_destroy(apex_web *web);
// Makes a WebSocket of a socket whose request has been read. @return false if that failed; the
// socket is closed.
bool web_sockets_adopt(apex_web *web, web_link *link, int file, web_text key);
