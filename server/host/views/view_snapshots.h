/// Snapshots, encoded side by side and sent.
#pragma once

#include "base/jobs.h"
#include "host/tick_frame.h"
#include "host/views/views.h"

/// Of all that is read nothing is written but the viewers' memories, where packets are noted.
void host_encode_views(host_frame *frame, const host_views *views, const host_clients *clients,
                       uint32_t tick_hz, apex_jobs *jobs);
void host_send_snapshots(const host_frame *frame, apex_sessions *sessions);
