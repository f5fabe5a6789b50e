/// Events of JavaScript's socket: the client polls each before the next.
#pragma once

#include "client-lite/transport.h"

void page_link_note_opened(client_transport *transport);
void page_link_note_closed(client_transport *transport);
void page_link_note_bytes(client_transport *transport, const uint8_t *bytes, size_t length);
