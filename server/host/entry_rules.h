/// Who may drive, from the race file to sessions.
#pragma once

#include "host/host.h"

/// @param server_key public, of the transport; NULL without one. Then it follows from the secret,
/// and without that nobody can prove anything.
void host_fill_entry(const apex_server_def *def, const uint8_t *server_key, apex_entry_def *out);
