// The one race of a test, and the track it is on.
#pragma once

#include "test_race_scene.h"

static apex_track *track;
static apex_race *race;

// The track is the race's from now on.
static inline void begin_on(apex_track *laid, const apex_race_def *def) {
    track = laid;
    race = scene_race(def, track);
}

static inline void end(void) {
    apex_race_destroy(race);
    apex_track_destroy(track);
}

// Lights out.
static inline void go(void) {
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, (apex_player_id){0, 0}), APEX_OK);
    scene_until(race, APEX_PHASE_RACE, 600);
}
