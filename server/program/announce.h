/// The page in the log: its address, and the one to send to friends.
#pragma once

#include "content/content.h"

/// @param port the one that it got
void announce_page(const apex_listen *listen, uint16_t port);
