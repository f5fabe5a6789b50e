/// The race that is run, what it runs with, and the recording of it.
#pragma once

#include "base/jobs.h"
#include "host/simulation/entry_list.h"
#include "host/simulation/player_names.h"
#include "race/race.h"
#include "replay/replay.h"

typedef struct host_simulation {
    apex_track *track;
    apex_race *race;
    host_names names;             ///< of those who are in it
    host_entries entries;         ///< of those who may be
    apex_jobs *jobs;              ///< NULL: one thread
    apex_controls *controls;      ///< of the coming tick, by player slot
    apex_replay_writer *recorder; ///< NULL: nothing is recorded
    bool refuses_commands;        ///< the race takes them from a recording
} host_simulation;
