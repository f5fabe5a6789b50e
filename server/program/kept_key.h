/// Where a server's key is kept that nobody has named a file for (DECISIONS 63).
#pragma once

#include "host/host.h"

typedef struct kept_key {
    char path[APEX_CONTENT_PATH_BYTES]; ///< where nobody has named one; else empty
    char why_not[APEX_HOST_WHY_BYTES];  ///< it is not kept though it might be found again
} kept_key;

/// Chooses the key of a server that is to be created: that of its key file, or, where none is
/// named, of `server-<port>.key` in the state directory ($STATE_DIRECTORY, $XDG_STATE_HOME/apex or
/// ~/.local/state/apex). Where that cannot be kept, or the port is any free one, clients see a new
/// key in each run.
/// @return false with a sentence in `why`: a key is there, and cannot be used.
bool kept_key_choose(apex_server_def *def, kept_key *kept, char why[APEX_HOST_WHY_BYTES]);
/// Says in the log where it is, or why it is nowhere.
void kept_key_announce(const kept_key *kept);
