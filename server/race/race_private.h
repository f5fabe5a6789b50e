// The inside of a race, composed of the parts that its rooms own. race_event, race_records,
// race_counts and race_player are everything that decides how it goes on, together with the world;
// state_walk.c lists their fields once for save, restore and hash. All else in apex_race is
// constant, or can be computed from those.
#pragma once

#include "race/control/control.h"
#include "race/event/event.h"
#include "race/field/event_log.h"
#include "race/field/field.h"
#include "race/pits/pit_boxes.h"
#include "race/race.h"
#include "race/timing/timing.h"

#include "base/arena.h"

// A slot's player as the validator saw him at the end of the tick before. No part of the state:
// nothing is decided by it, and it is empty where validators are off.
typedef struct race_seen {
    apex_player_id id;
    uint32_t laps, gates_passed;
    uint64_t go_tick;
} race_seen;

struct apex_race {
    apex_race_def def;
    apex_arena arena;
    race_field field;
    race_timing timing;
    race_event event;
    race_log log;
    race_box_holder *box_holders; // room to choose a box in
    race_control control;         // without rules all of it is 0
    uint8_t *undo;                // the world before a restore that fails late
    race_seen *seen;              // [capacity]
};
