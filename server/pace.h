/// One race's ticks on absolute deadlines of a loop, and its blocking work on libuv's threads.
/// While nobody is here it only looks now and then whether somebody comes.
#pragma once

#include <stdbool.h>
#include <uv.h>

#include "host/host.h"

typedef struct race_pace race_pace;

/// What a race's ticks need of those who share the loop.
typedef struct race_pace_def {
    uv_loop_t *uv;
    apex_site *site;
    apex_server *server;
    uint32_t race;                   ///< its place in the site
    uint32_t logged_race;            ///< its number in the log; 0: it is the only one
    double speed;                    ///< times real time; 0: race_pace_hurry makes its ticks
    void (*on_finished)(void *loop); ///< once
    void *loop;
} race_pace_def;

/// Begins. Asserts that the system gives a timer.
race_pace *race_pace_start(const race_pace_def *def);
/// Makes ticks without a pause until the race is over, waits for somebody's controls, or it is
/// until_us. None while nobody is here: then a timer does, whatever the speed.
/// @return when to call again if nothing comes in: 0 at once, UINT64_MAX never.
uint64_t race_pace_hurry(race_pace *pace, uint64_t until_us);
/// No further tick. The loop runs on until the blocking work under way is done.
void race_pace_stop(race_pace *pace);
/// After the loop has ended.
void race_pace_free(race_pace *pace);
