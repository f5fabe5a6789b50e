/// The capture of a tick: the viewers who are due, and the race as they are to see it.
#pragma once

#include "base/jobs.h"
#include "host/tick_frame.h"

/// The status and, where somebody is due one, a whole snapshot; who is due what.
void host_capture(host_frame *frame, host_clients *clients, const apex_race *race, apex_jobs *jobs);
