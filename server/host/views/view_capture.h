/// The capture of a tick: the viewers who are due, and the race as they are to see it.
#pragma once

#include "base/jobs.h"
#include "host/tick_frame.h"

/// The replica, the status and, where somebody is due one, a whole snapshot; who is due what.
/// @param replica NULL: it has the race as it is
void host_capture(host_frame *frame, apex_replica *replica, host_clients *clients,
                  const apex_race *race, apex_jobs *jobs);
