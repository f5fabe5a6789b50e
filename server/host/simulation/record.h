/// The race as a replay, written while it runs. A recorder is NULL while nothing is recorded.
#pragma once

#include "host/setup.h"
#include "host/simulation/simulation.h"
#include "host/tick_frame.h"

/// Nothing for an empty path. @param bytes_max of a file, after which it goes on in another; 0:
/// none
apex_err host_record_begin(host_simulation *simulation, const host_setup *setup, const char *path,
                           uint64_t bytes_max);
void host_record_tick(const host_frame *frame, apex_replay_writer **recorder,
                      const apex_race *race);
void host_record_end(apex_replay_writer **recorder);
