/// Work on recordings, on libuv's threads: one is opened at a time, and one is ticked.
#pragma once

#include "site/recording_viewers.h"

void site_open_next(site_playbacks *playbacks);
void site_tick_next(site_playbacks *playbacks, uint64_t now_us);
/// Sets the timer for the next tick that is due.
void site_wake_for_next(site_playbacks *playbacks);
