/// Marks: the events of a recording by their times, for those who look at the whole of it.
#pragma once

#include "proto/proto.h"
#include "race/race.h"

typedef enum playback_mark_group {
    PLAYBACK_MARKS_PHASES, ///< starts and results
    PLAYBACK_MARKS_BEST_LAPS,
    PLAYBACK_MARKS_HOME,
    PLAYBACK_MARKS_OUT,
    PLAYBACK_MARKS_CONTACTS, ///< the heaviest
    PLAYBACK_MARK_GROUPS
} playback_mark_group;

enum { PLAYBACK_MARKS_A_GROUP_MAX = 96 };

typedef struct playback_mark {
    apex_playback_mark mark;
    int64_t weight;
} playback_mark;

typedef struct playback_marks {
    uint32_t counts[PLAYBACK_MARK_GROUPS];
    playback_mark groups[PLAYBACK_MARK_GROUPS][PLAYBACK_MARKS_A_GROUP_MAX];
} playback_marks;

/// Notes an event, if it is worth it and there is room, or if it outweighs another.
void playback_marks_note(playback_marks *marks, const apex_race_event *event, uint32_t tick_hz);
/// All, in order of time. @return how many.
uint32_t playback_marks_list(const playback_marks *marks,
                             apex_playback_mark out[APEX_PLAYBACK_MARKS_MAX]);
