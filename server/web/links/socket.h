// A link's socket: writing, pausing, asking, ending.
#pragma once

#include "web/links/link.h"

// Writes a raw piece; sets is_choked if the socket takes no more. @return false if it is broken.
bool web_socket_write(web_link *link, uint8_t *bytes, size_t length);
void web_socket_pause(web_link *link, bool is_paused);
void web_socket_ask_writable(web_link *link);
void web_socket_end(web_link *link, int code); // says so and reads no more; to be killed soon
void web_socket_kill(web_link *link);          // without a word; CLOSED follows from the loop
uint64_t web_socket_received_bytes(const web_link *link);
bool web_socket_quality(const web_link *link, apex_link_quality *out);
