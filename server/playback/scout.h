/// A second race that runs ahead through a recording to find its marks. A recording holds commands
/// and controls, so what came of them is known only by running it.
#pragma once

#include "playback/marks.h"
#include "playback/tick_cost.h"
#include "replay/replay.h"

typedef struct playback_scout {
    apex_replay_reader *reader; ///< NULL: all is found, or nothing more can be
    apex_race *race;
    uint64_t tick;
    bool is_waiting; ///< it came to the end of a file that may grow
    playback_marks marks;
    uint32_t list_count;
    apex_playback_mark list[APEX_PLAYBACK_MARKS_MAX];
} playback_scout;

/// As many ticks as there is time for in a tick of the server; counts them in `cost`.
/// @return whether the list of marks has changed.
bool playback_scout_go_on(playback_scout *scout, const apex_replay_extent *extent,
                          playback_cost *cost);
void playback_scout_end(playback_scout *scout);
