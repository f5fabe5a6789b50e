/// A recording made a race again: its definitions, and its ticks one by one.
#pragma once

#include "content/content.h"
#include "replay/replay.h"

enum { PLAYBACK_RERUN_WHY_BYTES = 160 };

/// The definitions that a race is made of.
typedef struct playback_rerun_defs {
    apex_track_def track; ///< free it with apex_track_def_free
    uint32_t car_count;
    apex_car_def cars[APEX_RACE_CAR_DEFS_MAX];
} playback_rerun_defs;

/// @return APEX_ERR_VERSION (other physics), APEX_ERR_CORRUPT, with a sentence in `why`.
apex_err playback_rerun_decode(const apex_replay_header *header, playback_rerun_defs *out,
                               char why[PLAYBACK_RERUN_WHY_BYTES]);
/// Puts a race that was just made where a recording begins that goes on from another
/// (header->first_tick). @return false: the keyframe is damaged, and so is the race
bool playback_rerun_begin(apex_race *race, const apex_replay_header *header,
                          apex_replay_blob keyframe);
/// Applies the commands of a step, makes its tick and compares the hash, if there is one.
/// @return APEX_ERR_MISMATCH, with a sentence in `why`: this is not the race that was recorded.
apex_err playback_rerun_step(apex_race *race, const apex_replay_step *step, apex_jobs *jobs,
                             char why[PLAYBACK_RERUN_WHY_BYTES]);
