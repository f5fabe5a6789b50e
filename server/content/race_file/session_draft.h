/// A session being read.
#pragma once

#include "content/document/reader.h"

/// The definition comes first, so that one base pointer serves the keys of both.
typedef struct content_session {
    apex_session_def def;
    double minutes, seconds;    ///< as they stand in the file: one of them at most
    const apex_race_file *file; ///< as far as it was read
    const yaml_node_t *list;    ///< of all sessions
    uint32_t index;             ///< in it
} content_session;
