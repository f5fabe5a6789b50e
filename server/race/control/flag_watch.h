// What race control keeps of one player. Ticks count down to 0, or up without end.
#pragma once

#include "race/race.h"
#include "race/timing/timing.h"
#include "race/walk.h"

enum {
    RACE_PASSES_MAX = 4,
    RACE_LINES_KEPT = 4,
    RACE_GATE_TIMES = RACE_GATES_MAX + 2, // more than a lap
};

// A place won where passing is forbidden, which he may give back yet.
typedef struct race_pass {
    apex_player_id other;
    apex_offence offence;
    uint32_t left_ticks;
} race_pass;

// The last gates and lines that he passed.
typedef struct race_passed {
    uint32_t gates;                    // passed in all
    uint64_t gate_us[RACE_GATE_TIMES]; // race time at gate n is in n % RACE_GATE_TIMES
    uint32_t laps;
    uint64_t line_us[RACE_LINES_KEPT]; // likewise, at the end of lap n
} race_passed;

// His place when a race was stopped.
typedef struct race_red_place {
    bool known;       // he raced
    uint32_t gates;   // passed at the last gate that all had passed, his laps behind taken off
    uint32_t laps;    // complete there
    uint64_t gate_us; // race time there
} race_red_place;

typedef struct race_flag_watch {
    uint32_t excused_ticks; // still getting up to speed
    uint32_t slow_ticks, stood_ticks, over_ticks;
    uint32_t yellow_lap, red_lap; // from 1, of which it was said that it does not count
    uint32_t blue, ignored_ticks;
    apex_player_id blue_for; // who is behind him; null: nobody
    apex_player_id unlapped; // whom he has passed to unlap himself; null: nobody
    uint32_t pass_count;
    race_pass passes[RACE_PASSES_MAX];
    bool drives; // races on the track and is in nobody's way
    race_passed passed;
    race_red_place red;
} race_flag_watch;
