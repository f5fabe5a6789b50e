/// One race's ticks on absolute deadlines of a loop, and its blocking work on libuv's threads.
/// While nobody is here it only looks now and then whether somebody comes.
#pragma once

#include <stdbool.h>
#include <uv.h>

#include "site/site.h"

typedef struct race_ticker race_ticker;

/// The things that a race's ticks need of those who share the loop.
typedef struct race_ticker_def {
    uv_loop_t *uv;
    apex_site *site;
    apex_server *server;
    uint32_t race;                   ///< its place in the site
    uint32_t logged_race;            ///< its number in the log; 0: it is the only one
    double speed;                    ///< times real time; 0: race_ticker_hurry makes its ticks
    void (*on_finished)(void *loop); ///< once
    void *loop;
} race_ticker_def;

/// Begins. @return APEX_ERR_FILES (a timer is a file), APEX_ERR_NO_MEMORY.
apex_err race_ticker_start(const race_ticker_def *def, race_ticker **out);
/// Makes ticks without a pause until the race is over, waits for somebody's controls, or it is
/// until_us. None while nobody is here: then a timer does, whatever the speed.
/// @return when to call again if nothing comes in: 0 at once, UINT64_MAX never.
uint64_t race_ticker_hurry(race_ticker *ticker, uint64_t until_us);
/// Grows with each tick, and, where there is no pace, with each look at whether one is due.
uint64_t race_ticker_rounds(const race_ticker *ticker);
/// Whether it stands still by right: the race is over, or nobody is here.
bool race_ticker_rests(const race_ticker *ticker);
/// No further tick. The loop runs on until the blocking work under way is done.
/// NULL is fine.
void race_ticker_stop(race_ticker *ticker);
/// After the loop has ended. NULL is fine.
void race_ticker_free(race_ticker *ticker);
