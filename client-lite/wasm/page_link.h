/// What JavaScript's socket tells the client of: one event, which the client polls before the next.
#pragma once

#include "client-lite/transport.h"

void page_link_note_opened(client_transport *transport);
void page_link_note_closed(client_transport *transport);
void page_link_note_bytes(client_transport *transport, const uint8_t *bytes, size_t length);
