/// Definitions of cars and track as clients get them, and the welcome that names them.
#pragma once

#include "host/tick_frame.h"

apex_err host_defs_create(host_setup *setup, const apex_server_def *def);
void host_defs_destroy(host_setup *setup);
void host_send_def(const host_setup *setup, apex_sessions *sessions, const host_client *client,
                   uint64_t hash);
void host_welcome(const host_frame *frame, apex_sessions *sessions, const apex_race *race,
                  apex_session_id session);
