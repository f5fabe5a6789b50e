/// What the tests of a program need again and again, made once: to load a track is to lay it, and
/// a server lays it once more.
#pragma once

#include "client-lite/pilot/plans.h"
#include "host/host.h"

/// As apex_server_def_load of the content that ships. A track is laid for its check only when the
/// first test of the program names it, also where each test is a process of its own.
apex_err shared_content_load(const apex_race_file *file, apex_server_def *out,
                             char why[APEX_HOST_WHY_BYTES]);

/// Shared by all that pilot in this process, and never to be destroyed.
client_plans *shared_content_plans(void);
