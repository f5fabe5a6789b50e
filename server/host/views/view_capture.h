/// The capture of a tick: the viewers who are due, and the race as they are to see it.
#pragma once

#include "base/jobs.h"
#include "host/tick_frame.h"

/// Captures the replica, the status and, if a viewer is due one, a whole snapshot; finds the
/// viewers that are due.
/// @param replica NULL: it has captured this tick already
void host_capture(host_frame *frame, apex_replica *replica, host_clients *clients,
                  const apex_race *race, apex_jobs *jobs);
