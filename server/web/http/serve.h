// Serving the connections that speak HTTP.
#pragma once

#include <uv.h>

#include "web/web.h"

enum { WEB_WRITE_BYTES_MAX = 64 * 1024 }; // of an answer, at a time

// Takes the events of a connection's socket.
void web_serve_event(uv_poll_t *poll, int status, int events);
// A new turn begins: lets go on those that wait in line.
void web_serve_held(apex_web *web);
// Ends what has taken too long.
void web_serve_deadlines(apex_web *web);
