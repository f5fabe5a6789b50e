/// Snapshots, encoded side by side and sent.
#pragma once

#include "base/jobs.h"
#include "host/tick_frame.h"
#include "host/views/views.h"

/// Fills each outbox, and notes in its viewer's memory what the packet carries.
void host_encode_views(host_frame *frame, const host_views *views, apex_replica_codes *codes,
                       apex_jobs *jobs);
/// Who is sent whole snapshots goes on with the parts that they left out.
void host_send_snapshots(const host_frame *frame, host_clients *clients, apex_sessions *sessions);
