/// What is due and to whom, and what of the race they are to see.
#pragma once

#include "base/jobs.h"
#include "host/tick_frame.h"

/// The status and, where somebody is due one, a whole snapshot; who is due what.
void host_capture(host_frame *frame, host_clients *clients, const apex_race *race, apex_jobs *jobs);
