/// The page in the log: its address, and the one to send to friends.
#pragma once

#include "content/content.h"

/// @param port the one that it got
/// @param is_tls its address begins with https://
void announce_page(const apex_listen *listen, uint16_t port, bool is_tls);
