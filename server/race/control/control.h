// Race control: the room that knows all cars at once, and shows them flags. Yellow by stretches of
// the lap, blue, the full course, red (DECISIONS 68); black ones are penalties'. In a tick, after
// everybody has been timed and judged by himself: race_control_see for each player,
// race_control_step once, race_control_judge for each player. The list along the lap has to be as
// it was sorted before the cars moved.
#pragma once

#include "race/control/control_state.h"

#include "base/arena.h"

// For a player in a tick: two reasons why a lap is void, speed, a pass, blue.
enum { RACE_CONTROL_VERDICTS_MAX = 5 };

size_t race_control_bytes(uint32_t capacity); // of the arena
// @param rules borrowed, like the track. Only for tracks with a lap.
void race_control_make(race_control *control, const race_field *field, const apex_rules_def *rules,
                       apex_arena *arena);
void race_control_begin(race_control *control);                 // a session or a race, all anew
void race_control_forget(race_control *control, uint32_t slot); // somebody came, or has left

// By command, while a session is driven. GREEN ends the full course after its notice, and at once a
// red flag: a race is then started anew from the grid, see control/red_flag.h.
// @return APEX_ERR_STATE if it would change nothing, or another flag has to come before;
// APEX_ERR_UNSUPPORTED if the event has no full course; APEX_ERR_INVALID for no flag
apex_err race_control_call(race_control *control, const race_control_scene *scene,
                           apex_race_flag flag);

void race_control_see(race_control *control, const race_control_scene *scene, uint32_t slot,
                      const race_control_sight *sight);
void race_control_step(race_control *control, const race_control_scene *scene);
// @param out has room for RACE_CONTROL_VERDICTS_MAX
void race_control_judge(race_control *control, const race_control_scene *scene, uint32_t slot,
                        race_verdicts *out);

// The flags that a driver sees where he is.
typedef struct race_flags_seen {
    apex_race_flag flag;     // shown to all
    uint32_t yellow;         // of his stretch: 0 clear, 1 yellow, 2 double
    uint32_t yellow_next;    // of the next one
    double next_m;           // to where that begins
    uint32_t blue;           // 0 none, 1 early notice, 2 shown
    apex_player_id blue_for; // who is to pass; null: nobody
    double limit_mps;        // 0: none
    uint64_t limit_from_us;  // until it counts; 0: now
    bool may_pass;           // under no flag that forbids it
} race_flags_seen;

race_flags_seen race_control_seen(const race_control *control, const race_field *field,
                                  uint32_t slot);

// The event's part; sized by the track alone.
void race_control_walk(race_walk *io, race_control *control);
// That of one player.
void race_flag_watch_walk(race_walk *io, const race_control *control, race_flag_watch *watch);
