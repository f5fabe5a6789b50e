// Connections that speak HTTP: their beginning, their phases and their end.
#pragma once

#include "web/http/connection.h"

// A phase looks only for the events that it handles, so that no client can keep the loop busy.
void web_connection_enter(web_connection *connection, web_phase phase);
// @param relay through which it speaks TLS; NULL: it does not
// @param on_event takes the events of the connection's socket
void web_connection_open(apex_web *web, int file, const web_address *address, web_relay *relay,
                         uv_poll_cb on_event);
void web_connection_close(web_connection *connection);
// Takes the socket out of a connection, which ends.
int web_connection_release(web_connection *connection);
void web_connection_free_body(web_connection *connection);
// Waits for the answer of somebody else.
void web_connection_wait(web_connection *connection);
// Begins to write what out_head and body say.
void web_connection_write(web_connection *connection);
// Closes the one that has been idle for longest, so that a client that only holds connections keeps
// nobody out. @return false if all are busy or new.
bool web_connections_make_room(apex_web *web);
