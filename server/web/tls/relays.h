// Relays: their beginning, their bytes and their end.
#pragma once

#include "web/tls/relay.h"
#include "web/web.h"

// Takes the socket of a client; it counts in web->open and at web->gate until the handshake is
// done, or has failed. @param on_hello takes the events of the handshake
void web_relay_open(apex_web *web, int file, const web_address *address, web_relay_fn *on_hello);
// The handshake is done. @return the end of the pair for the server, or -1
int web_relay_begin(web_relay *relay);
void web_relay_want(web_relay *relay, int outer, int inner);
// Without a word; its memory goes with the loop.
void web_relay_close(web_relay *relay);
// Gives the socket back as it is, and is no more.
int web_relay_release(web_relay *relay);
void web_relay_check_deadline(web_relay *relay);

// Tells who holds it from now on, so that the pointer there is cleared when it ends. NULLs: fine.
void web_relay_hold(web_relay *relay, web_relay **holder);
int web_relay_outer(const web_relay *relay);
